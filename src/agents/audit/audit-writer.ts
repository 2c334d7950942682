import { SvcError } from "../../errors/base.js";
import { sleep } from "../../shared/timers.js";
import type { AuditSink } from "../audit-trail.js";
import type { PreparedKey } from "../hmac-key.js";
import { type AuditEntry, hashOf, signedLine, verifiedLine } from "./audit-line.js";

/** The end of the log, which the next line continues. */
interface Tail {
  readonly log: string;
  readonly number: number;
  readonly hash: string | null;
  /** `undefined` in a new log. */
  readonly line: string | undefined;
}

interface WaitingEntry {
  readonly entry: AuditEntry;
  resolve(): void;
  reject(error: unknown): void;
}

/** The most lines that are written together. */
const MOST_LINES = 100;
/** How often other processes may write first. */
const MOST_TRIES = 10;
const FIRST_WAIT_MS = 2;

/** Writes entries as signed lines, one write at a time. Entries that arrive during a write are written together. */
export class AuditWriter {
  readonly #sink: AuditSink;
  readonly #keys: readonly [PreparedKey, ...PreparedKey[]];
  readonly #waiting: WaitingEntry[] = [];
  #isWriting = false;
  /** `undefined` until the sink is read, and after a failure. */
  #tail: Tail | undefined;

  constructor(sink: AuditSink, keys: readonly [PreparedKey, ...PreparedKey[]]) {
    this.#sink = sink;
    this.#keys = keys;
  }

  /** Resolves when the entry is stored. @throws the sink's error. */
  write(entry: AuditEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      void this.#writeWaiting();
    });
  }

  async #writeWaiting(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_LINES);
      try {
        await this.#append(batch.map(({ entry }) => entry));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isWriting = false;
  }

  async #append(entries: readonly AuditEntry[]): Promise<void> {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const tail = this.#tail ?? (await this.#readTail());
      // Until the sink has answered, it isn't known what it has stored.
      this.#tail = undefined;
      const { lines, end } = await this.#chained(entries, tail);
      if ((await this.#sink.append(lines, tail.line)) === true) {
        this.#tail = end;
        return;
      }
      // Another process has written. Both would meet again without a difference between them.
      await sleep(Math.random() * FIRST_WAIT_MS * 2 ** tries);
    }
    throw new SvcError(`audit: others wrote to the log first, ${MOST_TRIES} times.`);
  }

  async #readTail(): Promise<Tail> {
    const line = await this.#sink.last();
    if (line === undefined) return { log: crypto.randomUUID(), number: 0, hash: null, line };
    const fields = await verifiedLine(line, this.#keys);
    if (!fields)
      throw new SvcError("audit: none of the keys signed the last line of the log. Pass its key too, or a new log.");
    return { log: fields.log, number: fields.number, hash: await hashOf(line), line };
  }

  async #chained(
    entries: readonly AuditEntry[],
    tail: Tail,
  ): Promise<{ readonly lines: string[]; readonly end: Tail }> {
    const [key] = this.#keys;
    const lines: string[] = [];
    let end = tail;
    for (const entry of entries) {
      const { log, number, hash } = end;
      const line = await signedLine({ log, number: number + 1, previous: hash, key: key.id, entry }, key);
      lines.push(line);
      end = { log, number: number + 1, hash: await hashOf(line), line };
    }
    return { lines, end };
  }
}
