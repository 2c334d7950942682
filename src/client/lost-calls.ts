import { SvcError } from "../errors/base.js";
import type { AnyEndpoint } from "./endpoint.js";
import type { RequestOptions } from "./request-options.js";

/** A request of a call, as far as the execution log can be searched for it. */
export interface SentExecution {
  /** The path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** The body as it was sent. */
  readonly body: string | undefined;
  /** Its `x-request-id`, which all requests of the call have; `undefined` if all calls of the client have it. */
  readonly requestId: string | undefined;
  /** By the client's clock, in milliseconds since 1970. */
  readonly sentAt: number;
}

/** An execution that failed. */
export interface LostCall extends SentExecution {
  /** When the call began, on the client's monotonic clock. */
  readonly startedAt: number;
}

/** By its error. Beside the errors and not in them: the body must not reach a log with an error. */
const lostCalls = new WeakMap<object, LostCall>();

/** Keeps what `tools.settle` needs to find an execution that failed. */
export function rememberLostCall(
  error: unknown,
  call: {
    readonly endpoint: AnyEndpoint;
    /** On the client's monotonic clock. */
    readonly startedAt: number;
    readonly options: RequestOptions;
  },
  sent: SentExecution | undefined,
): void {
  const { endpoint, startedAt, options } = call;
  // Several calls may be aborted for the same reason, and a middleware may throw another call's error.
  const isShared = error === options.signal?.reason || lostCalls.has(Object(error));
  if (isShared || !endpoint.isLogged || !sent || !(error instanceof SvcError)) return;
  lostCalls.set(error, { ...sent, startedAt });
}

export function lostCallOf(error: unknown): LostCall | undefined {
  return typeof error === "object" && error !== null ? lostCalls.get(error) : undefined;
}
