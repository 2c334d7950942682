import { ConfigError } from "../errors/local.js";
import * as option from "../errors/option-rules.js";
import { ownerOf } from "../shared/client-owner.js";
import { ownerInId } from "./execution-ids.js";
import type { ExecutionStore } from "./execution-store.js";

/** Options of {@link memoryExecutions}. */
export interface MemoryExecutionsOptions {
  /**
   * Maximum number of stored results of a conversation, or of a user whose toolsets have no `conversationId`. In all
   * conversations together, at most ten times as many. Older results are dropped. Running such a call again returns
   * `unknown`.
   * @default 1_000
   */
  readonly maxResults?: number | undefined;
  /**
   * Maximum number of stored calls. Above it, no new call runs, because no call may be forgotten. A warning is logged
   * at nine tenths. A call takes about 500 bytes.
   * @default 100_000
   */
  readonly maxCalls?: number | undefined;
}

const COUNT = {
  problems: (name: string, value: unknown) =>
    option.COUNT.isFit(value) ? [] : [`${name} must be a positive integer, not ${value}.`],
} as const;

const MEMORY_EXECUTIONS_OPTIONS = {
  maxResults: { ...COUNT, default: 1_000 },
  maxCalls: { ...COUNT, default: 100_000 },
} as const satisfies option.Rules<MemoryExecutionsOptions>;

/** A call that was started. */
interface StoredCall {
  readonly stamp: string;
  result: string | undefined;
}

/** How many times the results of a conversation all of them may have. */
const CONVERSATIONS = 10;

/**
 * Creates a store in this process's memory, for one process. A restart clears it. Use a shared store to keep records
 * across restarts, or to run more than `maxCalls` calls. The start of a conversation counts as one call, and each of
 * its labels.
 *
 * @throws {ConfigError} if an option is unknown or invalid.
 */
export function memoryExecutions(options: MemoryExecutionsOptions = {}): ExecutionStore {
  const { maxResults, maxCalls } = option.checkAll("memoryExecutions", options, MEMORY_EXECUTIONS_OPTIONS);
  const calls = new Map<string, StoredCall>();
  /** The calls with a result, the oldest first: of each conversation, and of all. */
  const byConversation = new Map<string, Set<StoredCall>>();
  const all = new Map<StoredCall, string>();
  let isWarned = false;
  const forgetResult = (call: StoredCall | undefined): void => {
    const conversation = call ? all.get(call) : undefined;
    if (!call || conversation === undefined) return;
    call.result = undefined;
    all.delete(call);
    const results = byConversation.get(conversation);
    results?.delete(call);
    if (results?.size === 0) byConversation.delete(conversation);
  };
  return {
    find: async (id) => calls.get(id),
    start: async (id, stamp) => {
      const earlier = calls.get(id);
      if (earlier) return earlier;
      // A forgotten call could run again.
      if (calls.size >= maxCalls) throw new ConfigError(`memoryExecutions: ${maxCalls} calls are stored. ${ADVICE}`);
      calls.set(id, { stamp, result: undefined });
      if (!isWarned && calls.size >= maxCalls * 0.9) {
        isWarned = true;
        console.warn(`memoryExecutions: ${calls.size} of ${maxCalls} calls are stored, and then none runs. ${ADVICE}`);
      }
      return undefined;
    },
    finish: async (id, stamp, result) => {
      const call = calls.get(id);
      if (!call || call.stamp !== stamp) return;
      if (result === undefined) {
        forgetResult(call);
        calls.delete(id);
        return;
      }
      call.result = result;
      // It takes no memory.
      if (result === "") return;
      const conversation = ownerInId(id);
      const results = byConversation.get(conversation) ?? new Set();
      byConversation.set(conversation, results.add(call));
      all.set(call, conversation);
      if (results.size > maxResults) forgetResult(first(results));
      if (all.size > maxResults * CONVERSATIONS) forgetResult(first(all.keys()));
    },
  };
}

const ADVICE = "Pass executions to the toolset, such as redisExecutions({ client }), or raise maxCalls.";

function first<Item>(items: Iterable<Item>): Item | undefined {
  for (const item of items) return item;
  return undefined;
}

const stores = new WeakMap<object, ExecutionStore>();

/**
 * The store that toolsets share by default if their clients or sessions come from the same client: one toolset per
 * request is common.
 */
export function executionsOf(source: object): ExecutionStore {
  const owner = ownerOf(source) ?? source;
  const store = stores.get(owner) ?? memoryExecutions();
  stores.set(owner, store);
  return store;
}
