import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { fieldsOf } from "../../shared/fields.js";
import type { Json } from "../../shared/json.js";
import { remember } from "../../shared/memory.js";
import { untilAborted } from "../../shared/timers.js";
import { canonicalJson, digestOf, isInterchangeable } from "../canonical.js";
import {
  type ApprovalClaims,
  type ApprovalRequest,
  type ApprovalResult,
  type Approvals,
  type CallClaims,
  claimsOf,
  type PendingApproval,
} from "../pending-approval.js";
import { isPreview } from "../tool.js";
import {
  type ApprovalDecision,
  type ApprovalIssuer,
  type ApproveOptions,
  type DenyOptions,
  issuer,
  type OpenQuestion,
} from "./issue.js";
import { type ApprovalKey, ApprovalRejectedError, type PreparedKey, preparedKeys, readDecision } from "./token.js";

/** Options of {@link approvals}. */
export interface ApprovalsOptions {
  /**
   * The first key signs; all of them verify. To rotate, put a new one first, and remove the old one once its tokens
   * have expired. At most 8.
   */
  readonly keys: readonly ApprovalKey[];
  /**
   * Receives each call that needs approval and has no token, once per process: save it, or decide. An approval is
   * valid for its `expiresInMs`, by default for a day; a denial doesn't expire. Without a decision, the call ends as
   * `pending`. Return `{ expiresInMs }` to receive the call again if it runs after that time. If it throws, nothing
   * runs. A run with `dryRun` doesn't call it, and a run that is aborted doesn't wait for it.
   * `askInspector` creates such a function for development.
   */
  readonly onApproval?: ((pending: PendingApproval) => MaybeDecision | Promise<MaybeDecision>) | undefined;
  /**
   * The current time, in milliseconds since 1970. For tests.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined;
}

// A function that only saves what it receives returns nothing.
// biome-ignore lint/suspicious/noConfusingVoidType: it is the return type of such a function
type MaybeDecision = ApprovalDecision | OpenQuestion | undefined | void;

/** A call that `onApproval` has received. */
interface Question {
  /** The decision, as a token. */
  readonly token: Promise<string | undefined>;
  /** When the call is asked about again, in milliseconds since 1970. */
  until: number;
}

/** Approvals by signed tokens, which {@link approvals} creates. Checks and issues the tokens. */
export interface TokenApprovals extends Approvals, ApprovalIssuer {}

const UNREADABLE =
  "Its arguments can't be shown to a person: they contain half of a character, or a number without an end.";

const DECISION_FIELDS = ["approved", "approver", "reason", "expiresInMs"];

const ODD_DECISION =
  "approvals: onApproval must return { approved, approver }, with approved true or false, { expiresInMs }, or nothing.";

/** Calls whose arguments are kept to show changes. Without a limit, a process would keep all of its life's. */
const MOST_ARGUMENTS = 1_000;
/** Calls that aren't asked for again: a digest and at most a token of each. */
const MOST_ASKED = 100_000;

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
  const prepared = preparedKeys(keys);
  const issued = issuer(prepared, now);
  /** By the digest of the call's facts. */
  const asked = new Map<string, Question>();
  /** Arguments for which a call was pending, or a tool denied. */
  const before = new Map<string, Json>();

  const ask = (pending: PendingApproval): Question => {
    const tokenOf = async (): Promise<string | undefined> => {
      const given = await onApproval?.(pending);
      if (given === undefined || given === null) return undefined;
      // Checked below, and by what issues the token.
      const said = (fieldsOf(given, DECISION_FIELDS) ?? {}) as unknown as ApprovalDecision | OpenQuestion;
      // An approval expires then as well, and the call is asked about again.
      const lifetime = said.approved === false ? undefined : said.expiresInMs;
      if (lifetime !== undefined) question.until = now() + lifetime;
      if (said.approved === undefined && said.expiresInMs >= 0) return undefined;
      // Nothing runs: anything else may be a decision that was meant otherwise.
      if (typeof said.approved !== "boolean") throw new ConfigError(ODD_DECISION);
      const { approved, ...options } = said;
      if (approved) return issued.approve(pending, options);
      // A program may return the same time for both decisions.
      const { expiresInMs: _, ...denial }: ApproveOptions & DenyOptions = options;
      return issued.deny(pending, denial);
    };
    const question: Question = { token: tokenOf(), until: Number.POSITIVE_INFINITY };
    return question;
  };
  const askedDecision = async (
    pending: PendingApproval,
    claims: CallClaims,
    isDry: boolean,
    signal: AbortSignal | undefined,
  ): Promise<ApprovalClaims | undefined> => {
    const key = await digestOf(claims);
    const known = asked.get(key);
    const isOpen = known !== undefined && now() < known.until;
    if (!isOpen && isDry) return undefined;
    const question = isOpen ? known : remember(asked, key, ask(pending), MOST_ASKED);
    // A call is asked about again if its question failed or was aborted, and if its decision has expired.
    const token = await untilAborted(signal, question.token).catch((error: unknown) => {
      question.until = 0;
      throw error;
    });
    if (token === undefined) return undefined;
    const { decision } = await decisionOf([token], claims, prepared, now());
    if (!decision) question.until = 0;
    return decision;
  };

  return {
    ...issued,
    resolve: async (request, options): Promise<ApprovalResult> => {
      const { approvals: tokens = [] } = options;
      const isDry = isPreview(options);
      const { callId, tool, arguments: args } = request.execution;
      if (!Array.isArray(tokens)) throw new ConfigError("approvals: pass tokens as a list: { approvals: [token] }.");
      if (!isInterchangeable(args)) return { status: "denied", reason: UNREADABLE, approver: undefined };
      const ofCall = JSON.stringify([request.scope, "call", callId]);
      const ofTool = JSON.stringify([request.scope, "tool", tool.name]);
      const earlier = before.get(ofCall) ?? before.get(ofTool);
      const isSame = earlier === undefined || canonicalJson(earlier) === canonicalJson(args);
      const pending = pendingOf(request, isSame ? null : earlier);
      const claims = await claimsOf(pending);

      const given = await decisionOf(tokens, claims, prepared, now());
      const decision = given.decision ?? (await askedDecision(pending, claims, isDry, options.signal));
      if (decision?.decision === "approved") {
        if (!isDry) before.delete(ofTool);
        return { status: "approved", approver: decision.approver };
      }
      if (!isDry) remember(before, decision ? ofTool : ofCall, args, MOST_ARGUMENTS);
      if (!decision) return { status: "pending", pending, error: given.error };
      const { approver, reason } = decision;
      return { status: "denied", reason: reason ?? "The person who was asked said no.", approver };
    },
  };
}

function pendingOf(request: ApprovalRequest, earlier: Json | null): PendingApproval {
  const { execution, files, decision, policyDigest, scope, sessionId = null } = request;
  const { callId, tool, arguments: args, requested, userId = null, accountId = null } = execution;
  return {
    approval: 1,
    call: { callId, name: tool.name, arguments: requested },
    arguments: args,
    files,
    description: tool.description,
    version: tool.version ?? null,
    userId,
    accountId,
    sessionId,
    scope,
    policy: policyDigest,
    reason: decision.reason,
    earlier,
  };
}

/** The decision of the tokens on a call: a denial if there is one. Otherwise why none counts, if some were passed. */
async function decisionOf(tokens: readonly string[], call: CallClaims, keys: readonly PreparedKey[], now: number) {
  const read = await Promise.all(tokens.map((token) => readDecision(token, call, keys, now)));
  const decisions = read.filter((said) => typeof said !== "string");
  const decision = decisions.find(({ decision }) => decision === "denied") ?? decisions[0];
  if (decision) return { decision, error: undefined };
  const reasons = read.filter((said) => typeof said === "string");
  // Tokens of the other calls of a turn are passed along with its own.
  const reason = reasons.find((reason) => reason !== "other_call") ?? reasons[0];
  return { decision, error: reason && new ApprovalRejectedError(reason) };
}
