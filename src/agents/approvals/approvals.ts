import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { canonicalJson, isInterchangeable } from "../../shared/canonical-json.js";
import type { Json } from "../../shared/json.js";
import { remember } from "../../shared/memory.js";
import { type HmacKey, preparedKeys } from "../hmac-key.js";
import {
  type ApprovalClaims,
  type ApprovalRequest,
  type ApprovalResult,
  type Approvals,
  claimsOf,
  type PendingApproval,
} from "../pending-approval.js";
import { isPreview, type RunOptions } from "../tool.js";
import { AskedCalls, type OnApproval } from "./asked-calls.js";
import { type ApprovalIssuer, issuer } from "./issue.js";
import { decisionOf } from "./token.js";

/** Options of {@link approvals}. */
export interface ApprovalsOptions {
  /**
   * The first key signs; all of them verify. To rotate, put a new one first, and remove the old one once its tokens
   * have expired. At most 8.
   */
  readonly keys: readonly HmacKey[];
  /**
   * Receives each call that needs approval and has no token, once per process: save it, or decide. An approval is
   * valid for its `expiresInMs`, by default for a day; a denial doesn't expire. Without a decision, the call ends as
   * `pending`. Return `{ expiresInMs }` to receive the call again if it runs after that time. If it throws, nothing
   * runs. A run with `dryRun` doesn't call it, and a run that is aborted doesn't wait for it.
   * `askInspector` creates such a function for development.
   */
  readonly onApproval?: OnApproval | undefined;
  /**
   * The current time, in milliseconds since 1970. For tests.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined;
}

/** Approvals by signed tokens, which {@link approvals} creates. Checks and issues the tokens. */
export interface TokenApprovals extends Approvals, ApprovalIssuer {}

const UNREADABLE =
  "Its arguments can't be shown to a person: they contain half of a character, or a number without an end.";

/** Calls whose arguments are kept to show changes. Without a limit, a process would keep all of its life's. */
const MOST_ARGUMENTS = 1_000;
const APPROVALS_OPTIONS = {
  // Checked when the keys are prepared.
  keys: {},
  onApproval: option.FUNCTION,
  now: { ...option.FUNCTION, default: () => Date.now() },
} as const satisfies option.Rules<ApprovalsOptions>;

/**
 * Creates the approvals of a toolset. A call that needs approval ends as `pending` until it runs with the token of
 * an approval, which is useless for any other call.
 *
 * ```ts
 * const gate = approvals({ keys: [{ id: "2026-11", secret }] });
 * ```
 *
 * A call that the toolset's policy asks about ends with `pending`. Approve it, and run it again with the token.
 *
 * ```ts
 * const token = await gate.approve(pending, { approver: "ada@example.com", expiresInMs: 3_600_000 });
 * const [result] = await tools.run([pending.call], { approvals: [token] });
 * ```
 *
 * @throws {ConfigError} if a key isn't usable.
 */
export function approvals(options: ApprovalsOptions): TokenApprovals {
  const { keys, onApproval, now } = option.checkAll("approvals", options, APPROVALS_OPTIONS);
  const prepared = preparedKeys("approvals", keys);
  const issued = issuer(prepared, now);
  const asked = new AskedCalls(onApproval, issued, prepared, now);
  const earlier = new EarlierArguments();

  const resolve = async (request: ApprovalRequest, options: RunOptions): Promise<ApprovalResult> => {
    const { approvals: tokens = [], signal } = options;
    const isDry = isPreview(options);
    const { arguments: args } = request.execution;
    if (!Array.isArray(tokens)) throw new ConfigError("approvals: pass tokens as a list: { approvals: [token] }.");
    if (!isInterchangeable(args)) return { status: "denied", reason: UNREADABLE, approver: undefined };
    const pending = pendingOf(request, earlier.changedFrom(request));
    const claims = await claimsOf(pending);
    const given = await decisionOf(tokens, claims, prepared, now());
    const decision = given.decision ?? (await asked.decisionOn(pending, claims, isDry, signal));
    if (!isDry) earlier.record(request, decision?.decision);
    if (!decision) return { status: "pending", pending, error: given.error };
    const { approver, reason } = decision;
    if (decision.decision === "approved") return { status: "approved", approver };
    return { status: "denied", reason: reason ?? "The person who was asked said no.", approver };
  };
  return { ...issued, resolve };
}

/** Arguments for which a call was pending, or a tool denied, to show a person what a model changed. */
class EarlierArguments {
  readonly #arguments = new Map<string, Json>();

  /** The earlier arguments; `null` without any, and if they are the same. */
  changedFrom(request: ApprovalRequest): Json | null {
    const earlier = this.#arguments.get(ofCall(request)) ?? this.#arguments.get(ofTool(request));
    if (earlier === undefined) return null;
    return canonicalJson(earlier) === canonicalJson(request.execution.arguments) ? null : earlier;
  }

  /** @param decision - `undefined` while the call is pending. */
  record(request: ApprovalRequest, decision: ApprovalClaims["decision"] | undefined): void {
    if (decision === "approved") {
      this.#arguments.delete(ofTool(request));
      return;
    }
    const key = decision ? ofTool(request) : ofCall(request);
    remember(this.#arguments, key, request.execution.arguments, MOST_ARGUMENTS);
  }
}

const ofCall = ({ scope, execution }: ApprovalRequest) => JSON.stringify([scope, "call", execution.callId]);
const ofTool = ({ scope, execution }: ApprovalRequest) => JSON.stringify([scope, "tool", execution.tool.name]);

function pendingOf(request: ApprovalRequest, earlier: Json | null): PendingApproval {
  const { execution, files, decision, policyDigest, scope, sessionId = null } = request;
  const { callId, tool, arguments: args, requested, userId = null, accountId = null } = execution;
  return {
    formatVersion: 1,
    call: { callId, name: tool.name, arguments: requested },
    arguments: args,
    files,
    description: tool.description,
    version: tool.version ?? null,
    userId,
    accountId,
    sessionId,
    scope,
    policyDigest,
    reason: decision.reason,
    previousArguments: earlier,
  };
}
