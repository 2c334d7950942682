import { ACCOUNT_BUGS } from "./planted-accounts.ts";
import { BUDGET_BUGS } from "./planted-budgets.ts";
import { LINE_BUGS } from "./planted-lines.ts";
import { SCRIPT_BUGS } from "./planted-scripts.ts";
import { TICKET_BUGS } from "./planted-tickets.ts";
import { TOGETHER_BUGS } from "./planted-together.ts";

type Protocol =
  | ("executions" | "settling" | "audit" | "labels")
  | ("approvals" | "tickets" | "accounts" | "budgets" | "deliveries" | "rate limit");

/** A bug that a developer could write, as a change of one source. */
export interface Bug {
  readonly name: string;
  /** The source, from the root. */
  readonly file: string;
  /** Text that is there once. */
  readonly find: string;
  readonly replace: string;
  /** The protocol that breaks: the prefix of its worlds' names. */
  readonly protocol: Protocol;
}

const EXECUTE = "src/agents/call/send-once.ts";
const CALL_RUN = "src/agents/call/call-run.ts";
const MEMORY = "src/agents/memory-executions.ts";
const EXECUTION_RECORD = "src/agents/call/execution-record.ts";
const CALL_RECORD = "src/agents/call/call-record.ts";
const CALL_TRAIL = "src/agents/audit/call-trail.ts";
const AUDIT_WRITER = "src/agents/audit/audit-writer.ts";
const SETTLE = "src/resources/tools/settle.ts";
const LOG_SEARCH = "src/resources/tools/log-search.ts";
const TOKEN = "src/agents/approvals/token.ts";
const CLAIMS_OF_CALL = "src/agents/approvals/approval-claims.ts";
const INBOX = "src/agents/approvals/inbox.ts";
const SIGNED_RECORDS = "src/agents/approvals/signed-records.ts";
const APPROVAL_STORE = "src/agents/approvals/approval-store.ts";
const STANDING = "src/agents/approvals/standing-records.ts";
const RESOLVER = "src/agents/approvals/resolver.ts";
const LABELS = "src/agents/policy/conversation-labels.ts";
const PERMIT = "src/agents/policy/permit-call.ts";
const RUN_ONCE = "src/webhooks/run-once.ts";
const CLAIMS = "src/webhooks/claims.ts";
const DEDUPE = "src/webhooks/dedupe-store.ts";
const WINDOW = "src/client/pacing/rate-window-rules.ts";
const SHARED_PACER = "src/stores/shared-rate-limit.ts";
const SHARED_WINDOW = "src/stores/shared-rate-window.ts";

const bugsOf = (protocol: Protocol, bugs: readonly (readonly [string, string, string, string])[]): Bug[] =>
  bugs.map(([file, name, find, replace]) => ({ protocol, file, name, find, replace }));

export const BUGS: readonly Bug[] = [
  ...bugsOf("executions", [
    [
      MEMORY,
      "a start doesn't say that there was one",
      "if (earlier) return earlier;",
      "if (earlier) return undefined;",
    ],
    [MEMORY, "a call ends another start", "if (!call || call.stamp !== stamp) return;", "if (!call) return;"],
    [EXECUTION_RECORD, "a stamp is the same for each start", "crypto.randomUUID()].join", '"1"].join'],
    [CALL_RECORD, "two starts of a process share a stamp", "unused.get(store)?.delete(id);", ""],
    [
      CALL_RECORD,
      "a start whose reply was lost is forgotten",
      "record && record.stamp === ours?.stamp ? undefined : record",
      "record",
    ],
    [CALL_RECORD, "a repeated start doesn't recognize the first", "!record || record.stamp === stamp;", "!record;"],
    [CALL_RECORD, "any start is recognized", "!record || record.stamp === stamp;", "!record?.result;"],
    [
      CALL_RECORD,
      "an unused start is kept for an end that ran",
      "if (!ended) this.keepUnused({ stamp, isEnded: true });",
      "this.keepUnused({ stamp, isEnded: true });",
    ],
    [
      CALL_RECORD,
      "a stamp whose record may still be removed is used again",
      "ours && !ours.isEnded && digestIn",
      "ours && digestIn",
    ],
    [
      EXECUTE,
      "a start isn't awaited",
      "await start.record(signal);\n    if (start.earlier)",
      "void start.record(signal);\n    if (start.earlier)",
    ],
    [CALL_RECORD, "an earlier start is ignored", "if (!this.isRecorded) this.earlier = record;", ""],
    [
      EXECUTE,
      "a start is recorded before the wait for the rate limit",
      "  const sending = send(",
      "  await begin(limits).catch(() => undefined);\n  const sending = send(",
    ],
    [
      CALL_RUN,
      "a call that didn't run is recorded as ended",
      'ended.status === "not_run" ? undefined : ended',
      "ended",
    ],
    [
      CALL_RUN,
      "a call that ran isn't recorded as ended",
      'ended.status === "not_run" ? undefined : ended',
      "undefined",
    ],
    [
      "src/errors/local.ts",
      "an unknown outcome counts as not run",
      'outcome === "not_sent" ||',
      'outcome === "unknown" || outcome === "not_sent" ||',
    ],
    [
      "src/client/call/retry.ts",
      "an execution that may have run is sent again",
      'if (error instanceof ConnectionError) return retry !== "effect" || error.outcome === "not_sent";',
      "if (error instanceof ConnectionError) return true;",
    ],
  ]),
  ...bugsOf("approvals", [
    [TOKEN, "a token approves any call", "claims[name] !== facts[name]", "false"],
    [CLAIMS_OF_CALL, "a token approves the same call again", '  "call",\n', ""],
    [CLAIMS_OF_CALL, "a token approves other arguments", '  "arguments",\n', ""],
    [
      TOKEN,
      "a token never expires",
      'claims.expires <= now ? "expired" : { claims, signer }',
      "false ? undefined : { claims, signer }",
    ],
    [TOKEN, "a token expires a moment late", "claims.expires <= now ?", "claims.expires < now - 60_000 ?"],
    [CALL_RUN, "a denial isn't kept", "? undefined : await record.refuse(", "? undefined : await void ("],
    [CALL_RECORD, "a denial counts although the call had started", "return start.earlier;", "return undefined;"],
    [RESOLVER, "a denial approves", 'if (decision === "approved") return', "if (decision) return"],
    [
      INBOX,
      "a later decision replaces the first one",
      "if (isDecided(record)) return undefined;\n      const isToken",
      "const isToken",
    ],
    [APPROVAL_STORE, "a write replaces any record", "if (held !== expected) return false;", ""],
    [SIGNED_RECORDS, "a write that failed counts", "isWritten === true ?", "isWritten !== undefined ?"],
    [STANDING, "a standing approval has no limit", " || uses.length >= approval.maxUses;", ";"],
    [STANDING, "a call that runs again is counted again", "isOver || uses.includes(id)", "isOver"],
    [
      STANDING,
      "a revocation isn't written",
      "if (record.revokedBy !== null) return undefined;",
      "if (record) return undefined;",
    ],
    [PERMIT, "no approver is asked", "if (!decision) return", "if (decision !== null) return"],
  ]),
  ...bugsOf("tickets", TICKET_BUGS),
  ...bugsOf("accounts", ACCOUNT_BUGS),
  ...bugsOf("settling", [
    [
      SETTLE,
      "an execution that isn't in the log yet didn't run",
      "clock.monotonic() - trace.startedAt > loggedWithinMs",
      "true",
    ],
    [
      SETTLE,
      "the log's delay is measured on the wall clock",
      "clock.monotonic() - trace.startedAt > loggedWithinMs",
      "clock.now() - Date.UTC(2026, 0, 1) - trace.startedAt > loggedWithinMs",
    ],
    [
      SETTLE,
      "a log is complete a moment early",
      "trace.startedAt > loggedWithinMs",
      "trace.startedAt > loggedWithinMs / 4",
    ],
    [
      LOG_SEARCH,
      "an execution with other arguments is taken for the own one",
      "return shown !== undefined && sameJson(shown, this.#trace.arguments);",
      "return shown !== undefined;",
    ],
    [
      LOG_SEARCH,
      "a twin is taken for the own execution",
      "if (this.#isExclusive && equal.length === 1",
      "if (equal.length === 1",
    ],
    [
      LOG_SEARCH,
      "an entry without a request id is taken for the own one",
      "if (entry?.context.request_id === requestId) own.push(entry);",
      "if (entry) own.push(entry);",
    ],
    [
      LOG_SEARCH,
      "a twin proves that the call didn't run",
      "if (equal.length > 0) return",
      "if (equal.length > 1) return",
    ],
    [
      LOG_SEARCH,
      "entries without arguments are passed over",
      "if (incomparable.length > 0) return",
      "if (false) return",
    ],
    [
      LOG_SEARCH,
      "a log that can't be read is an empty one",
      'return isLast || isFinal(cause) ? { outcome: "unknown", reason: "log_unavailable", cause } : undefined;',
      "void cause;",
    ],
    [LOG_SEARCH, "the log is read once", "if (!isComplete && !isLast) return undefined;", ""],
    [LOG_SEARCH, "the log around another time is read", "byTimeOfDay) - BEFORE_MS", "byTimeOfDay) + AFTER_MS"],
    [
      LOG_SEARCH,
      "a failed execution counts as one that succeeded, and the reverse",
      'if (status === "success") return',
      'if (status !== "success") return',
    ],
  ]),
  ...bugsOf("audit", [
    [
      CALL_TRAIL,
      "a start isn't awaited",
      'await untilAborted(signal, this.#write("started", callId, tool, options));',
      'void this.#write("started", callId, tool, options).catch(() => undefined);',
    ],
    [CALL_TRAIL, "a call runs unrecorded", 'this.#settings.onFailure === "stop"', "false"],
    [AUDIT_WRITER, "lines that weren't appended count", "tail.line)) === true) {", "tail.line)) !== undefined) {"],
    [
      AUDIT_WRITER,
      "a failed append counts as done",
      "      this.#tail = undefined;\n      const { lines, end }",
      "      const { lines, end }",
    ],
    [
      AUDIT_WRITER,
      "a restart starts another log",
      "const line = await this.#sink.last();",
      "await this.#sink.last();\n    const line = undefined as string | undefined;",
    ],
    [
      AUDIT_WRITER,
      "lines of a batch have the same number",
      "end = { log, number: number + 1,",
      "end = { log, number: tail.number + 1,",
    ],
  ]),
  ...bugsOf("labels", [
    [
      "src/agents/call/run-turn.ts",
      "results are given without their labels",
      "await guard.labels.release(results, options.signal)",
      "results",
    ],
    [
      LABELS,
      "a label isn't awaited",
      "await Promise.all(names.map((name) => startRecord(",
      "void Promise.allSettled(names.map((name) => startRecord(",
    ],
    [
      LABELS,
      "labels that can't be read count as no labels",
      "return { labels: undefined, compared, error };",
      "return { labels: [], compared, error };",
    ],
    [
      LABELS,
      "a store that lost its records looks like a new conversation",
      "if (!checkedRecord(await untilAborted(signal, executions.find(start)))) throw this.#lost();",
      "",
    ],
    [
      LABELS,
      "any toolset starts the conversation",
      "if (!isNewConversation || id === undefined) return;",
      "if (id === undefined) return;",
    ],
    [
      LABELS,
      "a result whose label can't be recorded is given",
      "isRecorded(result) ? result : this.#withheld(result, error)",
      "result",
    ],
  ]),
  ...bugsOf("budgets", BUDGET_BUGS),
  ...bugsOf("deliveries", [
    [
      DEDUPE,
      "a running delivery can be claimed",
      'if (held && held.status !== "released") return',
      'if (held?.status === "committed") return',
    ],
    [
      "src/shared/timers.ts",
      "a lease uses the wall clock",
      "(): number => performance.now();",
      "(): number => Date.now();",
    ],
    [
      DEDUPE,
      "a lost claim can be renewed",
      'held.token !== token || held.status !== "running"',
      'held.status !== "running"',
    ],
    [
      DEDUPE,
      "a renewal that comes after the release takes the claim back",
      'entries.set(id, { ...held, status: "released" });',
      "entries.delete(id);",
    ],
    [
      DEDUPE,
      "a lost claim releases another",
      'held?.status === "running" && held.token === token',
      'held?.status === "running"',
    ],
    [
      DEDUPE,
      "a lease is half as long",
      'put(id, "running", token, leaseMs);\n      return { status',
      'put(id, "running", token, leaseMs / 2);\n      return { status',
    ],
    [
      RUN_ONCE,
      "a delivery is acknowledged before its handler ends",
      "await outcomeWithin(handling, handlerTimeoutMs);",
      "await outcomeWithin(Promise.race([handling, Promise.resolve()]), handlerTimeoutMs);",
    ],
    [
      RUN_ONCE,
      "a running delivery is acknowledged",
      'if (claim === "running") return running();',
      'if (claim === "running") return accepted("duplicate");',
    ],
    [
      RUN_ONCE,
      "a claim without a reply runs the handler",
      'unavailable("The receiver can\'t tell whether it handled this delivery.");',
      'accepted("duplicate");',
    ],
    [RUN_ONCE, "a handler that failed is committed", "await claim.release();", "await claim.commit();"],
    [
      RUN_ONCE,
      "a handler that ran is released",
      "const committing = run.claim.commit();",
      'const committing = run.claim.release().then(() => "committed" as const);',
    ],
    [
      RUN_ONCE,
      "a late handler gives its claim back while it runs",
      "controller.abort(error);\n  const response",
      "controller.abort(error);\n  void run.claim.release();\n  const response",
    ],
    [
      CLAIMS,
      "a claim isn't checked",
      'if (status === "running" || status === "committed") return status;',
      'if (status === "running") return new RenewedClaim(this, id, "", endsAt, onLost);\n        if (status === "committed") return status;',
    ],
  ]),
  ...bugsOf("rate limit", [
    [
      WINDOW,
      "a 429's wait is ignored",
      "  if (report.waitMs) {\n",
      "  if (report.waitMs && report.waitMs > maxWaitMs) {\n",
    ],
    [WINDOW, "a 429's wait is halved", "now + report.waitMs);", "now + report.waitMs / 2);"],
    [
      WINDOW,
      "a wait ends a second early",
      "if (end === undefined || now < end) return;",
      "if (end === undefined || now < end - 1_000) return;",
    ],
    [
      "src/client/clock.ts",
      "a wait uses the wall clock",
      "monotonic: () => performance.now()",
      "monotonic: () => Date.now()",
    ],
    [
      "src/stores/stored-rate-window.ts",
      "a wait isn't shared",
      "JSON.stringify(window)",
      "JSON.stringify({ ...window, blockedUntil: undefined })",
    ],
    [
      SHARED_PACER,
      "the shared window is passed by",
      "return this.#window.isUsable ? undefined : super.takeNow();",
      "return super.takeNow();",
    ],
    [SHARED_PACER, "a report is dropped", "window.exchange(finished,", "window.exchange(finished.slice(1),"],
    [SHARED_WINDOW, "a write that another overtook counts", "if (!isWritten) throw", "if (false) throw"],
    [
      SHARED_WINDOW,
      "a shared wait is forgotten before it ends",
      "Math.max(window.reported?.windowMs ?? 0, waitMs)",
      "(window.reported?.windowMs ?? 0)",
    ],
  ]),
  ...[...SCRIPT_BUGS, ...TOGETHER_BUGS, ...LINE_BUGS].flatMap(([protocol, ...bug]) => bugsOf(protocol, [bug])),
];
