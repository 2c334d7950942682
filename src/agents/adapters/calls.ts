import { field, isString } from "../../shared/json.js";
import { digestOf } from "../canonical.js";
import type { ToolCall } from "../tool.js";

/** Ids that other turns have too: none, a count such as `call_0`, or the tool's name. Names are removed before. */
const REUSED = /^(?:.*[^a-z0-9])?(?:tool|function|call|fn|fc|id)*0*\d{0,6}$/i;

const isReused = (callId: string, name: string) => REUSED.test(callId.replace(name, ""));

/**
 * An id that no other call has. Models and services that count their calls start again in each turn, and some omit
 * ids. The shape stays: some models expect their own one in the conversation.
 *
 * @param turn - Identifies the turn and the call in it. Without it, the call is taken for a new one.
 */
export async function uniqueCallId(given: unknown, name: string, turn: unknown = crypto.randomUUID()): Promise<string> {
  const callId = isString(given) ? given : "";
  if (!isReused(callId, name)) return callId;
  const digest = await digestOf([turn, name, callId]);
  const start = callId.replace(/\d+$/, "") || "call_";
  return `${start}${/[a-z]$/i.test(start) ? "_" : ""}1${Number.parseInt(digest.slice(0, 12), 16)}`;
}

const turns = new WeakMap<object, string>();

/**
 * The calls of a turn under ids that no other turn has. The same turn gets the same ids each time it is run.
 *
 * @param turnId - The response's own id.
 * @param message - An object of the turn, by which it is recognized if the response has no id.
 */
export async function withUniqueIds<Call extends ToolCall>(
  calls: readonly Call[],
  turnId: unknown,
  message: object,
): Promise<readonly Call[]> {
  if (!calls.some(({ callId, name }) => isReused(callId, name))) return calls;
  const turn = (isString(turnId) && turnId) || (turns.get(message) ?? crypto.randomUUID());
  turns.set(message, turn);
  return Promise.all(
    calls.map(async (call, index) => ({
      ...call,
      callId: await uniqueCallId(call.callId, call.name, [turn, index]),
    })),
  );
}

/** Whether a program made a call. A kind of caller that isn't known may be one. */
export function isFromProgram(call: object): boolean {
  const caller = field(call, "caller") ?? undefined;
  return caller !== undefined && field(caller, "type") !== "direct";
}
