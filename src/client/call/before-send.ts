import { REQUEST_ID } from "../../shared/headers.js";
import { untilAborted } from "../../shared/timers.js";
import type { Slot } from "../pacing/pacer.js";
import type { ExecuteOptions } from "../request-options.js";
import type { Outgoing } from "./attempt.js";
import { LASTING } from "./retry.js";

/** Calls the program's `beforeSend`. The call isn't retried if it fails, whatever its error says. */
export async function runBeforeSend(
  beforeSend: NonNullable<ExecuteOptions["beforeSend"]>,
  signal: AbortSignal | undefined,
  { headers }: Outgoing,
  slot: Slot | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const requestId = headers[REQUEST_ID];
  try {
    await untilAborted(signal, Promise.resolve(beforeSend({ signal, requestId, waitedMs: slot?.waitedMs ?? 0 })));
  } catch (error) {
    LASTING.add(Object(error));
    throw error;
  }
}
