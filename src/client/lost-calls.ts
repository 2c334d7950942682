import type { AnyInput } from "./endpoint.js";

/** An execution that failed, as far as the execution log can be searched for it. */
export interface LostCall {
  /** The input as it was sent. */
  readonly input: AnyInput;
  /** When the call began, by the client's clock, in milliseconds since 1970. */
  readonly startedAt: number;
  /** The `x-request-id` of its requests. */
  readonly requestId: string;
}

/** By its error. Beside the errors and not in them: the input must not reach a log with an error. */
const lostCalls = new WeakMap<object, LostCall>();

export function rememberLostCall(error: object, call: LostCall): void {
  lostCalls.set(error, call);
}

export function lostCallOf(error: unknown): LostCall | undefined {
  return typeof error === "object" && error !== null ? lostCalls.get(error) : undefined;
}
