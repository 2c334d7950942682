import { REQUEST_ID } from "../../shared/headers.js";
import { untilAborted } from "../../shared/timers.js";
import type { Slot } from "../pacing/pacer.js";
import type { ExecuteOptions } from "../request-options.js";
import { CallEnded } from "../running-call.js";
import type { Outgoing } from "./attempt.js";

export type BeforeSend = NonNullable<ExecuteOptions["beforeSend"]>;

/** Carries what `beforeSend` threw through the retries: it may be no `Error`, and may look like one to retry after. */
export class BeforeSendFailed extends Error {
  readonly thrown: unknown;

  constructor(thrown: unknown) {
    super("beforeSend");
    this.thrown = thrown;
  }
}

/** Calls the program's `beforeSend`. The call isn't retried if it fails, whatever its error says. */
export async function runBeforeSend(
  beforeSend: BeforeSend,
  signal: AbortSignal | undefined,
  { headers }: Outgoing,
  slot: Slot | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const requestId = headers[REQUEST_ID];
  try {
    await untilAborted(signal, Promise.resolve(beforeSend({ signal, requestId, waitedMs: slot?.waitedMs ?? 0 })));
  } catch (error) {
    throw error instanceof CallEnded ? error : new BeforeSendFailed(error);
  }
}
