import * as option from "../../errors/option-rules.js";
import { isObject, isString, parseJson } from "../../shared/json.js";
import { untilAborted } from "../../shared/timers.js";
import { hasRun } from "../../shared/tools.js";
import type { Ending } from "../call-result.js";
import type { ExecutionRecord, ExecutionStore } from "../execution-store.js";
import * as messages from "./messages.js";

/** Why a call never runs: the model didn't write it whole, or a person denied it. */
export type Refusal = "rejected" | "denied";

/** The stamp of a start: the call's digest, why the call never runs, if it doesn't, and its `x-request-id`. */
export function stampOf(digest: string, refusal: Refusal | undefined): string {
  return [digest, ...(refusal ? [refusal] : []), crypto.randomUUID()].join(" ");
}

/** The `x-request-id` of a call, the last part of the stamp of its start: the log finds the call by it. */
export const requestIdIn = (stamp: string): string => stamp.slice(stamp.lastIndexOf(" ") + 1);

/** The digest of a call, the first part of the stamp of its start. */
export const digestIn = (stamp: string): string => stamp.slice(0, 64);

/** Why the recorded call never ran and never runs; `undefined` if it may have run. */
export function refusalOf({ stamp }: Pick<ExecutionRecord, "stamp">): Refusal | undefined {
  return (["rejected", "denied"] as const).find((refusal) => stamp.startsWith(` ${refusal} `, 64));
}

/** A call's end in its record, with the digest of the policy that gave its labels. */
export type RecordedEnding = Pick<Ending, "status" | "text" | "labels"> & { readonly policy?: string | undefined };

/** How a call that has a record ends. */
export function recalledEnding(
  name: string,
  record: ExecutionRecord,
  digest: string,
): Ending & Pick<RecordedEnding, "policy"> {
  const { stamp, result } = record;
  if (digestIn(stamp) !== digest) return { status: "not_run", text: messages.idOfAnotherCall(name) };
  const refusal = refusalOf(record);
  if (refusal === "rejected") return { status: "not_run", text: messages.cutCall(name) };
  const withoutResult: Ending = refusal
    ? { status: "not_run", text: messages.notApproved(name), isReplay: true }
    : { status: "unknown", text: messages.startedBefore(name), isReplay: true };
  if (result === undefined) return withoutResult;
  try {
    return { ...endOf(result, refusal), isReplay: true };
  } catch (error) {
    return { ...withoutResult, error };
  }
}

/** The recorded end of a call, which ran or never will. @throws {TypeError} if no toolset wrote it. */
function endOf(result: string, refusal?: Refusal): RecordedEnding {
  const { status, text, labels, policy } = Object(parseJson(result));
  const isKnown = refusal ? status === "not_run" : hasRun(status);
  if (!isString(text) || !isKnown) throw new TypeError(ODD);
  return option.STRINGS.isFit(labels) ? { status, text, labels, policy } : { status, text };
}

/**
 * Starts a record, and checks the one that exists. Repeated once, because the store may have acted although its reply
 * was lost.
 *
 * @returns The existing record; `undefined` if this start is the first.
 * @throws the store's error, or the signal's reason.
 */
export async function startRecord(
  store: ExecutionStore,
  id: string,
  stamp: string,
  signal: AbortSignal | undefined,
): Promise<ExecutionRecord | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return checkedRecord(await untilAborted(signal, store.start(id, stamp)));
    } catch (error) {
      if (attempt > 1 || signal?.aborted) throw error;
    }
  }
}

/** A record that a store returned. @throws {TypeError} if it isn't one. */
export function checkedRecord(record: ExecutionRecord | undefined): ExecutionRecord | undefined {
  if (record === undefined) return undefined;
  const { stamp, result }: Record<string, unknown> = isObject(record) ? { ...record } : {};
  if (!isString(stamp) || !(result === undefined || isString(result))) throw new TypeError(ODD);
  return { stamp, result };
}

/**
 * Reserves an id for the call of a turn, for services whose ids start again in each turn.
 *
 * @param id - The id, in its conversation.
 * @param call - Digest of the call.
 * @param turn - Digest of the turn; an empty string if it isn't known. Then an equal call is taken for the same one.
 * @returns Whether the call has the id. Otherwise a call of another turn does.
 */
export async function reserveId(store: ExecutionStore, id: string, call: string, turn: string): Promise<boolean> {
  // The stamp of a reserved id: the digests of its turn and of its call.
  const stamp = `${turn} ${call}`;
  const earlier = checkedRecord(await store.start(id, stamp));
  if (earlier) {
    const [earlierTurn, earlierCall] = earlier.stamp.split(" ");
    return turn && earlierTurn ? earlierTurn === turn : earlierCall === call;
  }
  // Ended: it isn't a call that may have run.
  await store.finish(id, stamp, "");
  return true;
}

const ODD = "toolset: the execution store returned an invalid record. Test the store with executionsContract().";
