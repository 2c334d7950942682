import type { CallContext, Middleware } from "../client/middleware.js";
import {
  ContractMismatchError,
  describeMismatches,
  type Mismatch,
  newMismatches,
  ValidationError,
} from "../errors/local.js";
import * as option from "../errors/option-rules.js";
import type { Operation } from "../resources/operation.js";
import { firstTime } from "../shared/bounded-memory.js";
import { messageOf } from "../shared/message-of.js";
import { callBack } from "../shared/timers.js";
import { mismatchesOf } from "./check-shape.js";
import { operations } from "./operations.js";

/** Checks values against a contract, such as `contract`, the service's own. */
export interface ContractChecker {
  /** Returns every place where the value doesn't match. Empty if the value matches or the operation is unknown. */
  check(operation: string, part: "query" | "body" | "response", value: unknown): readonly Mismatch[];
}

/** A response that doesn't match the contract. Contains kinds, never values. */
export interface MismatchReport {
  /** The operation, usually named like its method. */
  readonly operation: string;
  /** Every place that doesn't match. */
  readonly mismatches: readonly Mismatch[];
}

/** Options of {@link checkContract}. */
export interface CheckContractOptions {
  /**
   * The contract to check with.
   * @default `contract`, the service's own
   */
  contract?: ContractChecker | undefined;
  /**
   * Action if a response doesn't match the contract. `report` notifies the call's listeners or, without listeners, logs
   * to the console once per operation and path. `throw` rejects with a `ContractMismatchError`. A function is called,
   * and errors that it throws are logged and don't affect the call.
   * @default "report"
   */
  onMismatch?: "report" | "throw" | ((report: MismatchReport) => void) | undefined;
}

const byName = new Map<string, Operation>(operations.map((operation) => [operation.endpoint.name, operation]));

/** The service's contract. Its `check` checks a single value. */
export const contract: ContractChecker = {
  check(operation, part, value) {
    const schema = byName.get(operation)?.[part];
    if (!schema) return [];
    // An omitted query is an empty one. A missing body stays missing, so a required body is reported.
    return mismatchesOf(schema, part === "query" ? (value ?? {}) : value);
  },
};

const CHECK_CONTRACT_OPTIONS = {
  contract: { ...option.withMethods(["check"]), default: contract },
  onMismatch: { ...option.either(option.oneOf("report", "throw"), option.FUNCTION), default: "report" },
} as const satisfies option.Rules<CheckContractOptions>;

/**
 * Rejects requests that don't match the contract before they are sent, and reports responses that don't match it.
 *
 * ```ts
 * const svc = new Svc({ use: [logs, metrics, checkContract()] }); // Listeners are outermost.
 * ```
 *
 * Includes zod, so the client doesn't load it unless you pass it.
 *
 * @throws {ConfigError} for an unknown or invalid option.
 */
export function checkContract(options: CheckContractOptions = {}): Middleware {
  const { contract: checker, onMismatch } = option.checkAll("checkContract", options, CHECK_CONTRACT_OPTIONS);
  const isNew = firstTime();

  /** If the contract throws, there are no mismatches: a call that has acted must not fail because of its check. */
  const find = (call: CallContext, part: "query" | "body" | "response", value: unknown): readonly Mismatch[] => {
    try {
      return checker.check(call.endpoint.name, part, value);
    } catch (error) {
      const message = `the contract couldn't check ${part}: ${messageOf(error)}`;
      if (!call.emit({ type: "warning", message })) console.warn(`svc-sdk: ${call.endpoint.name}: ${message}`);
      return [];
    }
  };

  const report = (call: CallContext, mismatches: readonly Mismatch[]): void => {
    const { name: operation } = call.endpoint;
    const isHeard = call.emit({ type: "drift", mismatches });
    const outcome = call.retry === "effect" ? "unknown" : undefined;
    if (onMismatch === "throw") throw new ContractMismatchError(operation, mismatches, outcome);
    if (onMismatch !== "report") callBack("onMismatch", onMismatch, { operation, mismatches });
    if (onMismatch !== "report" || isHeard) return;
    const fresh = newMismatches(operation, mismatches, isNew);
    if (fresh.length === 0) return;
    console.warn(`svc-sdk: ${operation}: the response doesn't match the contract: ${describeMismatches(fresh)}`);
  };

  return async (call, next) => {
    const { name: operation } = call.endpoint;
    const { query, body } = call.sent;
    const wrong = [...prefixed("query", find(call, "query", query)), ...prefixed("body", find(call, "body", body))];
    if (wrong.length > 0) throw new ValidationError(operation, `${describeMismatches(wrong)}.`, wrong);
    const result = await next();
    const mismatches = Object.freeze([...find(call, "response", result.data)]);
    if (mismatches.length === 0) return result;
    report(call, mismatches);
    return { data: result.data, meta: Object.freeze({ ...result.meta, mismatches }) };
  };
}

function prefixed(part: "query" | "body", mismatches: readonly Mismatch[]): Mismatch[] {
  return mismatches.map((mismatch) => ({
    ...mismatch,
    path: mismatch.path === "" ? part : `${part}.${mismatch.path}`,
  }));
}

export type { Operation } from "../resources/operation.js";
export type { Open, OpenEnum } from "../resources/schema-kit.js";
export { openApiDocument } from "./openapi.js";
export { type EndpointOf, type OperationName, operations } from "./operations.js";
/** The schema of every record, query and body, by the name of its type: `shapes.Tool`. */
export * as shapes from "./shapes.js";
