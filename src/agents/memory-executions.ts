import * as option from "../errors/option-rules.js";
import { field } from "../shared/json.js";
import type { ExecutionStore } from "./executions.js";

/** Options of {@link memoryExecutions}. */
export interface MemoryExecutionsOptions {
  /**
   * Maximum number of stored results. Of older calls only the start is stored: called again, their outcome is
   * `unknown`.
   * @default 1_000
   */
  readonly maxResults?: number | undefined;
  /**
   * Maximum number of stored calls. Of calls that ended, older ones are forgotten: called again, they run again.
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

/**
 * Creates a store in this process's memory, for one process. A restart forgets; use a shared store if that matters.
 * Labels of conversations aren't forgotten before: about a hundred bytes for each conversation and label.
 *
 * @throws {ConfigError} if an option is unknown or invalid.
 */
export function memoryExecutions(options: MemoryExecutionsOptions = {}): ExecutionStore {
  const { maxResults, maxCalls } = option.checkAll("memoryExecutions", options, MEMORY_EXECUTIONS_OPTIONS);
  const records = new Map<string, { readonly stamp: string; result: string | undefined }>();
  /** The calls that ended, in that order. */
  const ended = new Set<string>();
  /** Those with a result, the oldest first. */
  const finished: { result: string | undefined }[] = [];
  return {
    find: async (id) => records.get(id),
    start: async (id, stamp) => {
      const earlier = records.get(id);
      if (!earlier) records.set(id, { stamp, result: undefined });
      for (const oldest of ended) {
        if (records.size <= maxCalls) break;
        records.delete(oldest);
        ended.delete(oldest);
      }
      return earlier;
    },
    finish: async (id, stamp, result) => {
      const record = records.get(id);
      if (record?.stamp !== stamp) return;
      if (result === undefined) {
        // It may start again, and then it hasn't ended.
        ended.delete(id);
        return void records.delete(id);
      }
      record.result = result;
      ended.add(id);
      if (finished.push(record) > maxResults) Object.assign(finished.shift() ?? {}, { result: undefined });
    },
  };
}

const stores = new WeakMap<object, ExecutionStore>();

/**
 * The store that toolsets share by default if their clients or sessions come from the same client: one toolset per
 * request is common.
 */
export function executionsOf(source: object): ExecutionStore {
  const owner = ownerOf(source);
  const store = stores.get(owner) ?? memoryExecutions();
  stores.set(owner, store);
  return store;
}

/** The client that a client's parts and its sessions come from. */
export function ownerOf(source: object): object {
  return Object(field(field(source, "tools"), "owner") ?? field(source, "owner") ?? source);
}
