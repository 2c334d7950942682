import type { ContractChecker } from "../core/options.js";
import { mismatchesOf } from "./check.js";
import type { Operation } from "./operation.js";
import { operations } from "./operations.js";

const byName = new Map<string, Operation>(operations.map((operation) => [operation.endpoint.name, operation]));

/**
 * The whole contract as a checker: `new Svc({ contract })` then refuses requests that do not fit and reports answers that
 * do not. It brings zod along, which is why the client does not load it by itself.
 */
export const contract: ContractChecker = {
  check(operation, part, value) {
    const schema = byName.get(operation)?.[part];
    if (!schema) return [];
    // A query that was left out is an empty one; a missing body stays missing, so that a required one is named.
    return mismatchesOf(schema, part === "query" ? (value ?? {}) : value);
  },
};

export type { Open, OpenEnum } from "../schema-kit.js";
export { openApiDocument } from "./openapi.js";
export type { Operation } from "./operation.js";
export { type EndpointOf, type OperationName, operations } from "./operations.js";
export * from "./shapes.js";
