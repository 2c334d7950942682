import { ConfigError } from "../../errors/local.js";
import type { Json } from "../../shared/json.js";
import { unknownNames } from "../../shared/nearest-name.js";
import { canonicalJson, isInterchangeable } from "../canonical.js";
import type { ApprovalClaims, CallClaims } from "./claims.js";
import { type ApprovalIssuer, issuer, type Verdict } from "./issue.js";
import { type ApprovalKey, type PreparedKey, preparedKeys } from "./keys.js";
import { claimsOf, type PendingApproval } from "./pending.js";
import { ASKS } from "./question.js";
import { ApprovalRejectedError } from "./rejection.js";
import { Remembered } from "./remembered.js";
import { readVerdict } from "./token.js";
import type { ApprovalRequest, Approvals, Judgement } from "./types.js";

/** Options of {@link approvals}. */
export interface ApprovalsOptions {
  /**
   * The first key signs; all of them verify. To rotate, put a new one first, and remove the old one once its tokens
   * have expired. At most 8.
   */
  readonly keys: readonly ApprovalKey[];
  /**
   * Receives each call that needs approval and has no token, once per process: save it, or judge it. Without a verdict,
   * the call ends as `pending`. If it throws, nothing runs. A run with `dryRun` doesn't call it.
   */
  readonly onApproval?: ((pending: PendingApproval) => MaybeVerdict | Promise<MaybeVerdict>) | undefined;
  /**
   * The current time, in milliseconds since 1970. For tests.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined;
}

// A function that only saves what it receives returns nothing.
// biome-ignore lint/suspicious/noConfusingVoidType: it is the return type of such a function
type MaybeVerdict = Verdict | undefined | void;

/** Approvals by signed tokens: judges a toolset's calls, and issues the tokens. {@link approvals} makes it. */
export interface TokenApprovals extends Approvals, ApprovalIssuer {}

const UNREADABLE =
  "Its arguments can't be shown to a person: they contain half of a character, or a number without an end.";

/** Calls that wait at the same time. Without a limit, a process would keep all of its life's. */
const MOST_REMEMBERED = 1_000;

/**
 * Makes the approvals of a toolset. A call that its policy asks about ends as `pending` until it runs with the token of
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
  // A JavaScript program may have forgotten them.
  const { keys, onApproval, now = () => Date.now(), ...others } = Object(options) as ApprovalsOptions;
  // A misspelled onApproval would ask nobody.
  const [problem] = unknownNames(others, ["keys", "onApproval", "now"]);
  if (problem !== undefined) throw new ConfigError(`approvals: ${problem}`);
  const prepared = preparedKeys(keys);
  const issued = issuer(prepared, now);
  /** The verdicts of `onApproval`, as tokens. */
  const asked = new Remembered<Promise<string | undefined>>(MOST_REMEMBERED);
  /** Arguments for which a call was pending, or a tool denied. */
  const before = new Remembered<PendingApproval["call"]["arguments"]>(MOST_REMEMBERED);

  const tokenOf = async (pending: PendingApproval): Promise<string | undefined> => {
    const verdict = await onApproval?.(pending);
    if (!verdict) return undefined;
    const { approver, reason } = verdict;
    const options = { approver, reason };
    return verdict.approved === true ? issued.approve(pending, options) : issued.deny(pending, options);
  };
  const askedVerdict = async (
    pending: PendingApproval,
    claims: CallClaims,
    isDry: boolean,
  ): Promise<ApprovalClaims | undefined> => {
    const key = JSON.stringify(claims);
    const asking = asked.get(key) ?? (isDry ? undefined : asked.set(key, tokenOf(pending)));
    if (!asking) return undefined;
    // A question that failed is asked again, and one whose verdict has expired.
    asking.catch(() => asked.delete(key));
    const token = await asking;
    if (token === undefined) return undefined;
    const { verdict } = await verdictOf([token], claims, prepared, now());
    if (!verdict) asked.delete(key);
    return verdict;
  };

  return {
    ...issued,
    judge: async (request, options): Promise<Judgement> => {
      const { approvals: tokens = [] } = options;
      // It asks nobody and changes nothing, unless it is a library's own question.
      const isDry = Boolean(options.dryRun) && !(ASKS in options);
      const { callId, tool, arguments: args } = request.execution;
      if (!Array.isArray(tokens)) throw new ConfigError("approvals: pass tokens as a list: { approvals: [token] }.");
      if (!isInterchangeable(args)) return { status: "refused", reason: UNREADABLE, approver: undefined };
      const ofCall = JSON.stringify([request.scope, "call", callId]);
      const ofTool = JSON.stringify([request.scope, "tool", tool.name]);
      const earlier = before.get(ofCall) ?? before.get(ofTool);
      const isSame = earlier === undefined || canonicalJson(earlier) === canonicalJson(args);
      const pending = pendingOf(request, isSame ? null : earlier);
      const claims = await claimsOf(pending);

      const given = await verdictOf(tokens, claims, prepared, now());
      const verdict = given.verdict ?? (await askedVerdict(pending, claims, isDry));
      if (verdict?.verdict === "approved") {
        if (!isDry) before.delete(ofTool);
        return { status: "approved", approver: verdict.approver };
      }
      if (!isDry) before.set(verdict ? ofTool : ofCall, args);
      if (!verdict) return { status: "pending", pending, error: given.error };
      const { approver, reason } = verdict;
      return { status: "refused", reason: reason ?? "The person who was asked said no.", approver };
    },
  };
}

/** The pending approval of a call. */
function pendingOf(request: ApprovalRequest, earlier: Json | null): PendingApproval {
  const { execution, files, decision, policyDigest, scope, sessionId = null } = request;
  const { callId, tool, arguments: args, userId = null, accountId = null } = execution;
  return {
    approval: 1,
    call: { callId, name: tool.name, arguments: args },
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

interface Found {
  readonly verdict: ApprovalClaims | undefined;
  /** Why no token counts, if some were passed. */
  readonly error: ApprovalRejectedError | undefined;
}

/** The verdict of the tokens on a call: a denial if there is one. */
async function verdictOf(
  tokens: readonly string[],
  call: CallClaims,
  keys: readonly PreparedKey[],
  now: number,
): Promise<Found> {
  const read = await Promise.all(tokens.map((token) => readVerdict(token, call, keys, now)));
  const verdicts = read.filter((said) => typeof said !== "string");
  const verdict = verdicts.find(({ verdict }) => verdict === "denied") ?? verdicts[0];
  if (verdict) return { verdict, error: undefined };
  const reasons = read.filter((said) => typeof said === "string");
  // Tokens of the other calls of a turn are passed along with its own.
  const reason = reasons.find((reason) => reason !== "other_call") ?? reasons[0];
  return { verdict, error: reason && new ApprovalRejectedError(reason) };
}
