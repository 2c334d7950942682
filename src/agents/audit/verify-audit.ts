import * as option from "../../errors/option-rules.js";
import { type HmacKey, type PreparedKey, preparedKeys } from "../hmac-key.js";
import { hashOf, verifiedLine } from "./audit-line.js";

/** The end of a log. Keep it elsewhere, to find out later that the log was cut. */
export interface AuditHead {
  /** The number of the last line; 0 without lines. */
  readonly number: number;
  /** SHA-256 of the last line, in hexadecimal; `null` without lines. */
  readonly hash: string | null;
}

/** Options of {@link verifyAudit}. */
export interface VerifyAuditOptions {
  /** The keys that signed the lines, including keys that no longer sign. */
  readonly keys: readonly HmacKey[];
  /** An end of the log that you stored elsewhere. The log must contain it. */
  readonly head?: AuditHead | undefined;
  /** The end of the previous part, if the first lines are in another file. */
  readonly after?: AuditHead | undefined;
}

/**
 * A problem of a log:
 *
 * - `changed`: no key in `keys` signed the line, or it doesn't follow from the previous line.
 * - `missing`: lines in front of it are missing.
 * - `repeated`: an earlier line has the same number.
 * - `other_log`: it belongs to another log.
 * - `cut`: the log ends before its known end.
 */
export type AuditProblem = "changed" | "missing" | "repeated" | "other_log" | "cut";

/** The result of {@link verifyAudit}. */
export type AuditVerification =
  /** Nothing is wrong. `head` is the end of the log. */
  | { readonly ok: true; readonly lines: number; readonly head: AuditHead }
  /** The first problem, and its line in the text, from 1. */
  | { readonly ok: false; readonly problem: AuditProblem; readonly line: number };

const HEAD = option.fitting(
  "{ number, hash }, as verifyAudit() returns it",
  (value) => Number.isSafeInteger(Object(value).number) && "hash" in Object(value),
);
const VERIFY_OPTIONS = { keys: {}, head: HEAD, after: HEAD } as const satisfies option.Rules<VerifyAuditOptions>;

/**
 * Verifies the lines of an audit log, in their order: finds a line that was changed, removed, repeated or moved, and a
 * cut end if `head` is known.
 *
 * ```ts
 * const verified = await verifyAudit(text.trimEnd().split("\n"), { keys });
 * if (!verified.ok) throw new Error(`Line ${verified.line}: ${verified.problem}`);
 * ```
 *
 * @throws {ConfigError} if an option isn't usable.
 */
export async function verifyAudit(
  lines: Iterable<string> | AsyncIterable<string>,
  options: VerifyAuditOptions,
): Promise<AuditVerification> {
  const { keys, head, after } = option.checkAll("verifyAudit", options, VERIFY_OPTIONS);
  const chain = new Chain(preparedKeys("verifyAudit", keys), after ?? { number: 0, hash: null });
  let line = 0;
  let isHeadFound = head === undefined || (head.number === chain.end.number && head.hash === chain.end.hash);
  for await (const text of lines) {
    line += 1;
    const problem = await chain.add(text);
    if (problem) return { ok: false, problem, line };
    if (head?.number === chain.end.number) {
      if (head.hash !== chain.end.hash) return { ok: false, problem: "changed", line };
      isHeadFound = true;
    }
  }
  if (!isHeadFound) return { ok: false, problem: "cut", line: line + 1 };
  return { ok: true, lines: line, head: chain.end };
}

/** The lines so far. */
class Chain {
  end: AuditHead;
  readonly #keys: readonly PreparedKey[];
  #log: string | undefined;

  constructor(keys: readonly PreparedKey[], end: AuditHead) {
    this.#keys = keys;
    this.end = end;
  }

  async add(text: string): Promise<AuditProblem | undefined> {
    const fields = await verifiedLine(text, this.#keys);
    if (!fields) return "changed";
    const { log, number, previous } = fields;
    if (log !== (this.#log ?? log)) return "other_log";
    if (number <= this.end.number) return "repeated";
    if (number > this.end.number + 1) return "missing";
    if (previous !== this.end.hash) return "changed";
    this.#log = log;
    this.end = { number, hash: await hashOf(text) };
    return undefined;
  }
}
