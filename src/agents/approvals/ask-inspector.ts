import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { REPORTS_PATH } from "../../shared/control-plane.js";
import { field, isString, type Json } from "../../shared/json.js";
import { redacted } from "../../shared/secret-names.js";
import { DAY_MS, sleep } from "../../shared/timers.js";
import { reportTarget } from "../inspector-reports/report-target.js";
import type { PendingApproval } from "../pending-approval.js";
import type { ToolClient, ToolSession } from "../tools/read-tools.js";
import type { ApprovalDecision, OpenApprovalRequest } from "./approval-issuer.js";
import { describeApproval } from "./describe-approval.js";

/** Options of {@link askInspector}. */
export interface AskInspectorOptions {
  /**
   * How long you can decide a request, in milliseconds: 1 to 86,400,000 (one day). After that, the call ends as
   * `pending`, and asks again when it runs again.
   * @default 300_000 (five minutes)
   */
  readonly expiresInMs?: number | undefined;
}

const ASK_INSPECTOR_OPTIONS = {
  expiresInMs: { ...option.between(1, DAY_MS, true), default: 300_000 },
} as const satisfies option.Rules<AskInspectorOptions>;

/** How often the emulator is asked for the decision, in milliseconds. */
const POLL_MS = 250;

/** A question that no one can decide anymore: the call's next run asks again. */
const OVER: OpenApprovalRequest = { expiresInMs: 0 };

/**
 * Creates an `onRequest` for development: the call waits until a person approves or denies it in the inspector of an
 * emulator on this machine. The approver is `inspector`.
 *
 * ```ts
 * const gate = approvals({ keys, onRequest: askInspector(svc) });
 * ```
 *
 * With any other client, or without a decision in time, the call ends as `pending`. Keys and tokens stay in this
 * process. The emulator gets the description of the call, and can only approve or deny it. Any program on this machine
 * can decide, so don't rely on it in production.
 *
 * @param source the client or agent session of the toolset.
 * @throws {ConfigError} if an option is unknown or invalid.
 */
export function askInspector(
  source: ToolClient | ToolSession,
  options: AskInspectorOptions = {},
): (pending: PendingApproval) => Promise<ApprovalDecision | OpenApprovalRequest | undefined> {
  const { expiresInMs } = option.checkAll("askInspector", options, ASK_INSPECTOR_OPTIONS);
  if (!field(source, "tools")) throw new ConfigError("askInspector: pass the client or session of the toolset.");
  // Set only for an emulator on this machine. One in this process has no inspector.
  const { target } = reportTarget(source);
  return async (pending) => {
    if (!isString(target)) return undefined;
    // Whatever goes wrong, nothing is approved.
    return askOnce(target, pending, Date.now() + expiresInMs).catch(() => OVER);
  };
}

function withoutSecrets(pending: PendingApproval): PendingApproval {
  const hidden = (args: Json) => Object(redacted(args));
  const { arguments: args, previousArguments: previous } = pending;
  return { ...pending, arguments: hidden(args), previousArguments: previous && hidden(previous) };
}

async function askOnce(
  origin: string,
  pending: PendingApproval,
  expires: number,
): Promise<ApprovalDecision | OpenApprovalRequest> {
  const { callEmulator, outboxOf, runIdOf } = await import("../inspector-reports/report-outbox.js");
  const run = runIdOf(pending.scope, pending.call.callId);
  const id = crypto.randomUUID();
  const question = { id, text: describeApproval(withoutSecrets(pending)), expiresAt: new Date(expires).toISOString() };
  // Behind the reports of the call, so that it isn't the first that the emulator gets.
  if (!(await outboxOf(origin)([{ id: run, facts: { question } }]))) return OVER;
  for (;;) {
    // A decision of the last moment counts: the emulator takes none after it.
    const isLast = Date.now() >= expires;
    const response = await callEmulator(origin, `${REPORTS_PATH}/${run}/decision`);
    const said: unknown = response.ok ? await response.json() : undefined;
    // The emulator was reset, or something else has its port now.
    if (field(said, "question") !== id) return OVER;
    const decision = field(said, "decision");
    const approved = field(decision, "approved");
    const reason = field(decision, "reason");
    if (typeof approved === "boolean") {
      const approver = "inspector";
      return approved ? { approved, approver } : { approved, approver, ...(isString(reason) && { reason }) };
    }
    if (isLast) return OVER;
    await sleep(Math.min(POLL_MS, Math.max(0, expires - Date.now())));
  }
}
