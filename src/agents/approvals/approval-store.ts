import * as option from "../../errors/option-rules.js";
import { remember } from "../../shared/bounded-memory.js";

/** A record of `approvals()`: a request and its decision, or a standing approval. */
export interface StoredApproval {
  /** Its key in the store. */
  readonly id: string;
  /** The state by which lists find it. */
  readonly state: string;
  /** The user whose lists contain it. `null`: no user's list does. */
  readonly userId: string | null;
  /** The conversation whose lists contain it. `null`: no conversation's list does. */
  readonly conversationId: string | null;
  /** Sorts lists: ASCII, unique, compared by code. It ends with a space and the id. */
  readonly position: string;
  /** How long the record must be kept, in milliseconds from now. */
  readonly ttlMs: number;
  /** The record, signed. Each write has another value. */
  readonly value: string;
}

/** The records of a list. */
export interface ApprovalListQuery {
  /** Only records in this state. */
  readonly state: string;
  /** Only records of this user. `null`: records of all users. */
  readonly userId: string | null;
  /** Only records of this conversation. `null`: records of all conversations. */
  readonly conversationId: string | null;
  /** Only records before this position; `null` to start with the newest. */
  readonly before: string | null;
  /** How many records at most. */
  readonly limit: number;
}

/** A record in a list. */
export type ListedApproval = Pick<StoredApproval, "position" | "value">;

/**
 * Stores the records of `approvals()`. Use `memoryApprovals()` in one process, and `redisApprovals` or
 * `postgresApprovals` from `svc-sdk/stores` in several.
 *
 * Records are signed, so a store can't forge one. A lost reply leaves open whether the store has acted, so each method
 * may be called again with the same arguments.
 */
export interface ApprovalStore {
  /** Returns the value of a record, or `undefined` without one. */
  find(id: string): Promise<string | undefined>;
  /**
   * Writes a record if its value is still the expected one. Atomic: of simultaneous callers that expect the same value,
   * one writes.
   *
   * @param expected - The value to replace; `undefined` if there must be no record.
   * @returns Whether the record has the new value, because of this call or an earlier one.
   */
  swap(record: StoredApproval, expected: string | undefined): Promise<boolean>;
  /**
   * Lists records by their position, the highest first. Includes every record that was written before. Returns fewer
   * than `limit` only if there are no more.
   */
  list(query: ApprovalListQuery): Promise<readonly ListedApproval[]>;
}

/** Options of {@link memoryApprovals}. */
export interface MemoryApprovalsOptions {
  /**
   * Maximum number of records. Above it, the records that were written longest ago are removed. A call whose request
   * was removed asks again.
   * @default 10_000
   */
  readonly maxRecords?: number | undefined;
}

const MEMORY_APPROVALS_OPTIONS = {
  maxRecords: { ...option.COUNT, default: 10_000 },
} as const satisfies option.Rules<MemoryApprovalsOptions>;

/**
 * Creates a store in this process's memory, for one process: the option `store` of `approvals()`. A restart clears it.
 *
 * @throws {ConfigError} for an unknown or invalid option.
 */
export function memoryApprovals(options: MemoryApprovalsOptions = {}): ApprovalStore {
  const { maxRecords } = option.checkAll("memoryApprovals", options, MEMORY_APPROVALS_OPTIONS);
  const records = new Map<string, StoredApproval>();
  return {
    find: async (id) => records.get(id)?.value,
    swap: async (record, expected) => {
      const held = records.get(record.id)?.value;
      if (held === record.value) return true;
      if (held !== expected) return false;
      remember(records, record.id, record, maxRecords);
      return true;
    },
    list: async ({ state, userId, conversationId, before, limit }) => {
      const isListed = (record: StoredApproval) =>
        record.state === state &&
        (userId === null || record.userId === userId) &&
        (conversationId === null || record.conversationId === conversationId) &&
        (before === null || record.position < before);
      const listed = [...records.values()].filter(isListed);
      return listed.sort((left, right) => (left.position < right.position ? 1 : -1)).slice(0, limit);
    },
  };
}
