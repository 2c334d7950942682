import { checkContract } from "../../src/contract/index.js";
import { createEmulator, type Emulator } from "../../src/emulator/index.js";
import { type ApiError, type Condition, Svc } from "../../src/index.js";
import { fakeClock } from "../support/clock.js";

/** The client's methods. Not `call`: with it, an operation would need no method of its own. */
export type Methods = Omit<Svc, "call">;

/** What a case works with: an emulator of its own, and clients of it. */
export interface CaseContext {
  readonly emulator: Emulator;
  /** Holds every key and checks what it sends and gets. */
  readonly svc: Methods;
  /** Holds keys that are wrong or revoked. */
  readonly stranger: Methods;
  /** Holds a project key that may not write. */
  readonly reader: Methods;
  /** Checks nothing itself, so that the service has to. */
  readonly unchecked: Methods;
}

/** How an operation is shown to work, and to fail. */
export interface Case {
  /** Ends with the one call of the operation, which succeeds. */
  happy(context: CaseContext): Promise<unknown>;
  /** Ends with a call of the operation that the service refuses. */
  error(context: CaseContext): Promise<unknown>;
  /** What it is refused with. */
  readonly refused: {
    readonly as: abstract new (...given: never[]) => ApiError;
    readonly status: number;
    readonly condition?: Condition;
  };
}

/** A fresh emulator with its clients. */
export function caseContext(): CaseContext {
  const emulator = createEmulator({ project: { callbackVerifierUrl: "https://app.example/verify" } });
  const options = { ...emulator.connection, environment: {}, maxRetries: 0, clock: fakeClock(emulator) };
  const checked = { ...options, use: [checkContract({ onMismatch: "throw" })] };
  return {
    emulator,
    svc: new Svc(checked),
    stranger: new Svc({ ...checked, apiKey: "ak_revoked", userApiKey: "uak_wrong", orgApiKey: "oak_wrong" }),
    reader: new Svc({ ...checked, apiKey: "ak_readonly" }),
    unchecked: new Svc(options),
  };
}
