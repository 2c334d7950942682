// The room of the audit: a signed line for each step of a call, and its verification. It imports words of `call`.
// Start here, then `call-trail.ts`.

import * as option from "../../errors/option-rules.js";
import type { Audit, AuditSink, AuditTrail } from "../audit-trail.js";
import { type HmacKey, type PreparedKey, preparedKeys } from "../hmac-key.js";
import type { Subject } from "../subject.js";
import { AuditWriter } from "./audit-writer.js";
import { CallTrail } from "./call-trail.js";

/** Options of {@link audit}. */
export interface AuditOptions {
  /**
   * Keys for the lines: `{ id, secret }`, with at least 32 random characters as the secret. The first key signs. The
   * other keys verify the last line of a log that continues: to change the key, put the new key first, and keep the old
   * key. You can pass the keys of `approvals()`.
   */
  readonly keys: readonly HmacKey[];
  /**
   * Destination of the lines: `fileAudit(path)`, which the processes of one machine can share, or `postgresAudit({
   * client })`, both from `svc-sdk/stores`; an {@link AuditSink}, or a function that stores one line. With a function,
   * each process writes a separate log, and starts a new log when the function fails.
   */
  readonly to: AuditSink | ((line: string) => unknown);
  /** The name of your program, for the lines. */
  readonly program?: string | undefined;
  /**
   * The reaction if the start of a call can't be recorded. `stop`: the call doesn't run. `continue`: it runs, and
   * `onEvent` receives a `record_failed` event.
   * @default "stop"
   */
  readonly onFailure?: "stop" | "continue" | undefined;
  /**
   * Whether lines contain the arguments of calls, without secrets. By default, lines contain only a keyed digest. Lines
   * never contain results.
   * @default false
   */
  readonly withArguments?: boolean | undefined;
  /**
   * The current time, in milliseconds since 1970. For tests.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined;
}

const AUDIT_OPTIONS = {
  // Checked when the keys are prepared.
  keys: {},
  to: option.required(option.either(option.FUNCTION, option.withMethods(["last", "append"]))),
  program: option.NAME,
  onFailure: { ...option.oneOf("stop", "continue"), default: "stop" },
  withArguments: { ...option.BOOLEAN, default: false },
  now: { ...option.FUNCTION, default: () => Date.now() },
} as const satisfies option.Rules<AuditOptions>;

/**
 * Creates a record of calls that can be verified later: the option `audit` of a toolset.
 *
 * ```ts
 * const record = audit({
 *   keys: [{ id: "2026-11", secret }],
 *   to: fileAudit("calls.audit.jsonl"),
 *   program: "support-agent",
 * });
 * ```
 *
 * Each call has a line before its effect and a line when it has ended, with the tool, the user, the deciding rule and
 * the approver. Each line contains the hash of the previous line, and is signed. `verifyAudit` and `svc-sdk audit
 * verify` find a line that was changed, removed, repeated or moved. Dry runs have no lines.
 *
 * @throws {ConfigError} if an option isn't usable.
 */
export function audit(options: AuditOptions): Audit {
  const { keys, to, ...settings } = option.checkAll("audit", options, AUDIT_OPTIONS);
  const prepared = preparedKeys("audit", keys);
  const writer = new AuditWriter(typeof to === "function" ? oneByOne(to) : to, prepared);
  const [signer]: readonly [PreparedKey, ...PreparedKey[]] = prepared;
  return {
    trail: (subject: Subject): AuditTrail => new CallTrail(subject, { ...settings, writer, signer }),
  };
}

/** A sink of a function, which can't tell what it has stored. */
function oneByOne(store: (line: string) => unknown): AuditSink {
  return {
    last: async () => undefined,
    append: async (lines) => {
      for (const line of lines) await store(line);
      return true;
    },
  };
}
