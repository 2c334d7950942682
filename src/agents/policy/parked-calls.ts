import { digestOf } from "../../shared/canonical-json.js";
import { untilAborted } from "../../shared/timers.js";
import type { Execution } from "../agent-tool.js";
import { budgetSubject, type PolicyContext } from "./policy-context.js";

/** Whether an earlier run has counted exactly this call, which then lacked an account. */
export async function wasCounted(
  context: PolicyContext,
  call: Execution,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!mayPark(context, call)) return false;
  const reading = idOf(context, call).then((id) => context.counter.isParked(id));
  return untilAborted(signal, reading);
}

/**
 * Records that a call was counted, and then lacked an account. The record is beside the counts, so that a store loses
 * both. Without it, the call is counted again. Never rejects.
 */
export async function recordParked(context: PolicyContext, call: Execution): Promise<void> {
  if (!mayPark(context, call)) return;
  await context.counter.park(await idOf(context, call)).catch(() => undefined);
}

/** Only budgets that never reset keep what a parked call was counted. */
const mayPark = (context: PolicyContext, call: Execution): boolean =>
  call.tool.kind !== "local" && lastingOf(context, call).length > 0;

const lastingOf = (context: PolicyContext, call: Execution) =>
  context.counter.lasting([call, ...call.inner], budgetSubject(context));

/** Identifies the call with its arguments, for which an approval at a limit was, and its amounts. */
const idOf = (context: PolicyContext, call: Execution): Promise<string> =>
  digestOf([...[context.scope, call.callId, call.tool.name, call.arguments], lastingOf(context, call)]);
