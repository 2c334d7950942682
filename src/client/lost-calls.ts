import { SvcError } from "../errors/base.js";
import type { AnyEndpoint, AnyInput } from "./endpoint.js";

/** An execution that failed, as far as the execution log can be searched for it. */
export interface LostCall {
  /** The input as it was sent. */
  readonly input: AnyInput;
  /** When the call began, on the client's monotonic clock. */
  readonly startedAt: number;
  /** The `x-request-id` of its requests. */
  readonly requestId: string;
}

/** By its error. Beside the errors and not in them: the input must not reach a log with an error. */
const lostCalls = new WeakMap<object, LostCall>();

/** Keeps what `tools.settle` needs to find an execution that failed. */
export function rememberLostCall(
  error: unknown,
  call: {
    readonly endpoint: AnyEndpoint;
    /** On the client's monotonic clock. */
    readonly startedAt: number;
  },
  { input, requestId }: { readonly input?: AnyInput; readonly requestId?: string | undefined },
): void {
  if (!call.endpoint.isLogged || !input || requestId === undefined || !(error instanceof SvcError)) return;
  lostCalls.set(error, { input, requestId, startedAt: call.startedAt });
}

export function lostCallOf(error: unknown): LostCall | undefined {
  return typeof error === "object" && error !== null ? lostCalls.get(error) : undefined;
}
