import { createEmulator, type Emulator } from "../../src/emulator/index.js";
import { type ApiError, AuthenticationError, type ErrorCondition, Svc } from "../../src/index.js";
import { fakeClock } from "../support/clock.js";
import { checkDeclared } from "../support/declared-fields.js";

/** The client's methods. Not `call`, which would hide a missing method. */
export type Methods = Omit<Svc, "call">;

/** A case's own emulator, and clients of it. */
export interface CaseContext {
  readonly emulator: Emulator;
  /** Has every key and checks requests and responses. */
  readonly svc: Methods;
  /** Has keys that are wrong or revoked. */
  readonly stranger: Methods;
  /** Has a project key without permission to write. */
  readonly reader: Methods;
  /** Checks nothing, so the service has to. */
  readonly unchecked: Methods;
}

/** P `x-api-key`, U `x-user-api-key`, O `x-org-api-key`, C the session cookie; empty for no key. */
type Credentials = "" | "P" | "U" | "O" | "PU" | "UOC";

/**
 * Where an operation is: under one version, which the client then always uses, or under v3 and v3.1, between which the
 * program chooses.
 */
type Versions = "v1" | "v3" | "v3.1" | "both";

/** Whether a retry does harm, from what the operation does: `effect` if it acts again. */
type Retry = "safe" | "idempotent" | "effect";

/** An operation as the specification and the public descriptions have it. */
export type Published = readonly [
  method: string,
  versions: Versions,
  path: string,
  credentials: Credentials,
  retry: Retry,
  ...success: number[],
];

/** An operation, and calls that show its success and failure. */
export interface Case {
  /** Written from the specification, and not copied from the client. If the descriptions disagree, the specification is right. */
  readonly published: Published;
  /** Ends with the one call of the operation, which succeeds. */
  happy(context: CaseContext): Promise<unknown>;
  /** Ends with a call of the operation that the service rejects. */
  error(context: CaseContext): Promise<unknown>;
  /** The error of that call. */
  readonly refused: {
    readonly as: abstract new (...given: never[]) => ApiError;
    readonly status: number;
    readonly condition?: ErrorCondition;
  };
}

/** How the service rejects a call of `stranger`. */
export const wrongKey = { as: AuthenticationError, status: 401, condition: "invalid_api_key" } as const;

/** A fresh emulator with its clients. */
export function caseContext(): CaseContext {
  const emulator = createEmulator({ project: { callbackVerifierUrl: "https://app.example/verify" } });
  const options = { ...emulator.connection, env: {}, maxRetries: 0, clock: fakeClock(emulator) };
  const checked = { ...options, use: [checkDeclared()] };
  return {
    emulator,
    svc: new Svc(checked),
    stranger: new Svc({ ...checked, apiKey: "ak_revoked", userApiKey: "uak_wrong", orgApiKey: "oak_wrong" }),
    reader: new Svc({ ...checked, apiKey: "ak_readonly" }),
    unchecked: new Svc(options),
  };
}
