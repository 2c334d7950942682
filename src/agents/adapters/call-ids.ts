import { digestOf } from "../../shared/canonical-json.js";
import { isString } from "../../shared/json.js";
import type { ToolCall } from "../agent-tool.js";
import type { RunOptions } from "../run-options.js";
import type { Toolset } from "../toolset.js";

/** Ids that a service may use again in its next turn: none, a count such as `call_0`, or the tool's name. */
const COUNTED = /^(?:.*[^a-z0-9])?(?:tool|function|call|fn|fc|id)*0*\d{0,6}$/i;

const isCounted = (callId: string, name: string) => COUNTED.test(callId.replace(name, ""));

/**
 * An id that no other call has, for libraries that pass on one call at a time. The shape stays: some models expect
 * their own one in the conversation.
 *
 * @param turn - Identifies the turn and the call in it. Without it, the call is taken for a new one.
 */
export async function uniqueCallId(given: unknown, name: string, turn?: unknown): Promise<string> {
  const callId = isString(given) ? given : "";
  return isCounted(callId, name) ? newCallId(callId, name, turn ?? crypto.randomUUID()) : callId;
}

/** An id that follows from the turn, in the shape of the one that the model gave. */
async function newCallId(callId: string, name: string, turn: unknown): Promise<string> {
  const digest = await digestOf([turn, name, callId]);
  const start = callId.replace(/\d+$/, "") || "call_";
  return `${start}${/[a-z]$/i.test(start) ? "_" : ""}1${Number.parseInt(digest.slice(0, 12), 16)}`;
}

const turns = new WeakMap<object, string>();

/** An id of the turn that an object belongs to, in this process. */
export function turnIdOf(message: object): string {
  const turn = turns.get(message) ?? crypto.randomUUID();
  turns.set(message, turn);
  return turn;
}

/** A counted id of a call, unless an earlier turn has used it. */
async function idInConversation(
  tools: Toolset,
  { callId, name, arguments: args }: ToolCall,
  index: number,
  turnId: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  const call = [name, args];
  const isFree = await tools.reserveId(callId, call, turnId, signal);
  return isFree ? callId : newCallId(callId, name, [turnId ?? call, index]);
}

/**
 * The calls of a turn, each under an id that no other call of the conversation has. An id that is unique stays. One
 * that is missing, that an earlier call of the turn has, or that an earlier turn has used, is replaced: by the same one
 * each time the turn is run.
 *
 * @param turnId - The response's own id.
 * @param message - An object of the turn, by which it is recognized if the response has no id.
 */
export async function withUniqueIds<Call extends ToolCall>(
  tools: Toolset,
  calls: readonly Call[],
  turnId: unknown,
  message: object,
  { signal }: Pick<RunOptions, "signal"> = {},
): Promise<readonly Call[]> {
  const knownTurn = isString(turnId) && turnId !== "" ? turnId : undefined;
  const earlierIds = new Set<string>();
  /** The ids that may have to change, by the index of their calls. */
  const reading = new Map<number, Promise<string>>();
  for (const [index, call] of calls.entries()) {
    const { callId, name } = call;
    // Some services have no ids, and write the name of the tool.
    const isMissing = callId === "" || callId === name || earlierIds.has(callId);
    earlierIds.add(callId);
    if (isMissing) reading.set(index, newCallId(callId, name, [knownTurn ?? turnIdOf(message), index]));
    else if (isCounted(callId, name)) reading.set(index, idInConversation(tools, call, index, knownTurn, signal));
  }
  // The ids of most services are unique.
  if (reading.size === 0) return calls;
  const ids = await Promise.all(calls.map(async ({ callId }, index) => reading.get(index) ?? callId));
  const isSame = calls.every(({ callId }, index) => callId === ids[index]);
  return isSame ? calls : calls.map((call, index) => ({ ...call, callId: ids[index] ?? call.callId }));
}
