import type { Middleware } from "../core/middleware.js";
import type { Operation } from "../resources/operation.js";
import { mismatchesOf } from "./check.js";
import { type CheckContractOptions, type ContractChecker, contractMiddleware } from "./check-contract.js";
import { operations } from "./operations.js";

const byName = new Map<string, Operation>(operations.map((operation) => [operation.endpoint.name, operation]));

/** The service's contract as a checker of single values. */
export const contract: ContractChecker = {
  check(operation, part, value) {
    const schema = byName.get(operation)?.[part];
    if (!schema) return [];
    // An omitted query is an empty one. A missing body stays missing, so a required body is reported.
    return mismatchesOf(schema, part === "query" ? (value ?? {}) : value);
  },
};

/**
 * Rejects requests that don't match the contract before they are sent, and reports responses that don't.
 *
 * ```ts
 * const svc = new Svc({ use: [logs, metrics, checkContract()] }); // Listeners are outermost.
 * ```
 *
 * It includes zod, so the client doesn't load it automatically.
 *
 * @throws {ConfigError} for an option that doesn't exist.
 */
export function checkContract(options: CheckContractOptions = {}): Middleware {
  return contractMiddleware(contract, options);
}

export type { Operation } from "../resources/operation.js";
export type { Open, OpenEnum } from "../resources/schema-kit.js";
export type { CheckContractOptions, ContractChecker, MismatchReport } from "./check-contract.js";
export { openApiDocument } from "./openapi.js";
export { type EndpointOf, type OperationName, operations } from "./operations.js";
/** The schema of every record, query and body, by the name of its type: `shapes.Tool`. */
export * as shapes from "./shapes.js";
