// Stands beside its node_modules, so that the packed tarball resolves from here and not from the project.
export { compileTools } from "svc-sdk/agents/schema";
