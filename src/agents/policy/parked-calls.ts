import { digestOf } from "../../shared/canonical-json.js";
import { untilAborted } from "../../shared/timers.js";
import { checkedRecord } from "../start-once.js";
import type { Execution } from "../tool.js";
import { type Deciding, subjectOf } from "./deciding.js";

/** Whether an earlier run has counted exactly this call, which then lacked an account. */
export async function wasCounted(
  deciding: Deciding,
  call: Execution,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!mayPark(deciding, call)) return false;
  const record = checkedRecord(await untilAborted(signal, deciding.executions.find(idOf(deciding, call))));
  return record !== undefined && record.stamp === (await stampOf(deciding, call));
}

/**
 * Records that a call was counted, and then lacked an account: a record in the store of executions that is started and
 * never ends. Without it, the call is counted again. Never rejects.
 */
export async function recordParked(deciding: Deciding, call: Execution): Promise<void> {
  if (!mayPark(deciding, call)) return;
  const stamp = await stampOf(deciding, call);
  await deciding.executions.start(idOf(deciding, call), stamp).catch(() => undefined);
}

const mayPark = ({ counter }: Deciding, call: Execution): boolean =>
  call.tool.kind !== "local" && counter.counts([call, ...call.inner]);

const idOf = ({ scope }: Deciding, { callId }: Execution): string => JSON.stringify([scope, callId, "counted"]);

/** The call, because an approval at a limit was for its arguments, and its amounts in budgets that never reset. */
const stampOf = (deciding: Deciding, call: Execution): Promise<string> =>
  digestOf([...[call.tool.name, call.arguments], deciding.counter.lasting([call, ...call.inner], subjectOf(deciding))]);
