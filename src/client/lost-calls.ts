import { SvcError } from "../errors/base.js";
import type { AnyEndpoint, AnyInput } from "./endpoint.js";

/** A request of a call, as far as the execution log can be searched for it. */
export interface SentExecution {
  /** The input as it was sent. */
  readonly input: AnyInput;
  /** Its `x-request-id`, which all requests of the call have. */
  readonly requestId: string | undefined;
  /** By the client's clock, in milliseconds since 1970. */
  readonly sentAt: number;
}

/** An execution that failed. */
export interface LostCall extends SentExecution {
  readonly requestId: string;
  /** When the call began, on the client's monotonic clock. */
  readonly startedAt: number;
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
  sent: SentExecution | undefined,
): void {
  const { endpoint, startedAt } = call;
  if (!endpoint.isLogged || sent?.requestId === undefined) return;
  const { input, requestId, sentAt } = sent;
  if (error instanceof SvcError) lostCalls.set(error, { input, requestId, startedAt, sentAt });
}

export function lostCallOf(error: unknown): LostCall | undefined {
  return typeof error === "object" && error !== null ? lostCalls.get(error) : undefined;
}
