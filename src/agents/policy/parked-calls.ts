import { digestOf } from "../../shared/canonical-json.js";
import { untilAborted } from "../../shared/timers.js";
import type { Execution } from "../tool.js";
import { type PolicyContext, subjectOf } from "./policy-context.js";

/** Whether an earlier run has counted exactly this call, which then lacked an account. */
export async function wasCounted(
  deciding: PolicyContext,
  call: Execution,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!mayPark(deciding, call)) return false;
  const reading = idOf(deciding, call).then((id) => deciding.counter.isParked(id));
  return untilAborted(signal, reading);
}

/**
 * Records that a call was counted, and then lacked an account. The record is beside the counts, so that a store loses
 * both. Without it, the call is counted again. Never rejects.
 */
export async function recordParked(deciding: PolicyContext, call: Execution): Promise<void> {
  if (!mayPark(deciding, call)) return;
  await deciding.counter.park(await idOf(deciding, call)).catch(() => undefined);
}

/** Only budgets that never reset keep what a parked call was counted. */
const mayPark = (deciding: PolicyContext, call: Execution): boolean =>
  call.tool.kind !== "local" && lastingOf(deciding, call).length > 0;

const lastingOf = (deciding: PolicyContext, call: Execution) =>
  deciding.counter.lasting([call, ...call.inner], subjectOf(deciding));

/** Identifies the call with its arguments, for which an approval at a limit was, and its amounts. */
const idOf = (deciding: PolicyContext, call: Execution): Promise<string> =>
  digestOf([...[deciding.scope, call.callId, call.tool.name, call.arguments], lastingOf(deciding, call)]);
