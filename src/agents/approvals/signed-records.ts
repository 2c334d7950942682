import { isObject, isString } from "../../shared/json.js";
import { DAY_MS } from "../../shared/timers.js";
import type { PreparedKey } from "../hmac-key.js";
import type { ApprovalListQuery, ApprovalStore, StoredApproval } from "./approval-store.js";
import { ApprovalRejectedError, readRecord, signRecord } from "./token.js";

/** A record as the store has it. */
export interface Kept<Record> {
  readonly record: Record;
  /** The value that a write must replace. */
  readonly value: string;
  /** The key that signed it. */
  readonly signer: PreparedKey;
}

/** The lists in which a record is, when it was created, and when it is over. Times are in milliseconds since 1970. */
export interface Placement extends Pick<StoredApproval, "state" | "userId" | "conversationId"> {
  readonly createdAt: number;
  readonly endsAt: number;
}

/** How long a record is kept after it is over, so that lists still have it: 30 days. */
const KEPT_MS = 30 * DAY_MS;
/** Digits of a time in a position, so that strings sort like numbers. */
const DIGITS = 16;
const PAGE = 100;
/** Each write that fails means that another one succeeded. */
const MOST_ATTEMPTS = 100;

const ODD = "approvals: the store returned something other than the record of an id. Check it with its contract.";

/** Records of one kind, which only a process with a key can write. */
export class SignedRecords<Record extends { readonly id: string }> {
  readonly #store: ApprovalStore;
  readonly #keys: readonly [PreparedKey, ...PreparedKey[]];
  readonly #now: () => number;
  readonly #isRecord: (value: unknown) => value is Record;

  constructor(
    store: ApprovalStore,
    keys: readonly [PreparedKey, ...PreparedKey[]],
    now: () => number,
    isRecord: (value: unknown) => value is Record,
  ) {
    this.#store = store;
    this.#keys = keys;
    this.#now = now;
    this.#isRecord = isRecord;
  }

  /**
   * @throws {ApprovalRejectedError} if none of the keys signed the record.
   * @throws {TypeError} if the store returns anything but a record of this id.
   */
  async find(id: string): Promise<Kept<Record> | undefined> {
    const value: unknown = await this.#store.find(id);
    if (value === undefined) return undefined;
    const kept = isString(value) ? await this.#read(value) : undefined;
    if (isString(value) && !kept) throw new ApprovalRejectedError("unknown_request");
    if (kept?.record.id !== id) throw new TypeError(ODD);
    return kept;
  }

  /** Writes a record in place of another one. @returns `undefined` if the store has neither of them now. */
  async write(
    record: Record,
    { state, userId, conversationId, createdAt, endsAt }: Placement,
    replaced: Kept<Record> | undefined,
  ): Promise<Kept<Record> | undefined> {
    const [signer] = this.#keys;
    // Each write has another value, so that a store recognizes one that is repeated.
    const value = await signRecord({ ...record, revision: crypto.randomUUID() }, signer);
    const position = `${String(createdAt).padStart(DIGITS, "0")} ${record.id}`;
    const ttlMs = Math.max(0, endsAt - this.#now()) + KEPT_MS;
    const stored = { id: record.id, state, userId, conversationId, position, ttlMs, value };
    const isWritten: unknown = await this.#swap(stored, replaced?.value);
    return isWritten === true ? { record, value, signer } : undefined;
  }

  /** Changes a record until no other process does at the same time. `change` returns `undefined` to keep it. */
  async change(
    kept: Kept<Record>,
    change: (record: Record) => Promise<readonly [Record, Placement] | undefined>,
  ): Promise<Kept<Record>> {
    let current = kept;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const changed = await change(current.record);
      if (!changed) return current;
      const [record, placement] = changed;
      const written = await this.write(record, placement, current);
      if (written) return written;
      const found = await this.find(current.record.id);
      if (!found) throw lostRecord();
      current = found;
    }
    throw new Error("approvals: other processes keep changing a record.");
  }

  /** Lists records, the newest first. Omits those that none of the keys signed. */
  async *list(query: Pick<ApprovalListQuery, "state" | "userId" | "conversationId">): AsyncGenerator<Kept<Record>> {
    for (let before: string | null = null; ; ) {
      const page: Awaited<ReturnType<ApprovalStore["list"]>> = await this.#store.list({
        ...query,
        before,
        limit: PAGE,
      });
      for (const { value } of page) {
        const kept = await this.#read(value);
        if (kept) yield kept;
      }
      before = page.at(-1)?.position ?? null;
      if (page.length < PAGE || before === null) return;
    }
  }

  async #read(value: string): Promise<Kept<Record> | undefined> {
    const read = await readRecord(value, this.#keys);
    if (!read || !isObject(read.record) || !this.#isRecord(read.record)) return undefined;
    return { record: read.record, value, signer: read.signer };
  }

  /** The store may have written although its reply was lost. A write can be repeated. */
  async #swap(record: StoredApproval, expected: string | undefined): Promise<boolean> {
    try {
      return await this.#store.swap(record, expected);
    } catch {
      return this.#store.swap(record, expected);
    }
  }
}

/** A record that was written, or listed, is missing. */
export const lostRecord = () => new TypeError("approvals: the store has lost a record.");
