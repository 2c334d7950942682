// Writes the contract as the OpenAPI document that the package ships. Run after the build, of which it is the last
// part.
import { readFileSync, writeFileSync } from "node:fs";
import { openApiDocument } from "../dist/contract.js";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
writeFileSync("dist/openapi.json", `${JSON.stringify(openApiDocument(version))}\n`);
