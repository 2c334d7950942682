import { ConfigError } from "../../errors/local.js";
import { isInterchangeable } from "../../shared/canonical-json.js";
import { isString } from "../../shared/json.js";
import type { PreparedKey } from "../hmac-key.js";
import { isPending, type PendingApproval } from "../pending-approval.js";
import { type ApprovalClaims, type CallClaims, claimsOf, isClaims } from "./approval-claims.js";
import type {
  ApprovalDecision,
  ApprovalIssuer,
  ApprovalPrompt,
  ApprovalResponse,
  ApproveOptions,
  DenyOptions,
  PromptDecision,
} from "./approval-issuer.js";
import { type CheckedOptions, DecisionOptions } from "./decision-options.js";
import { describeApproval } from "./describe-approval.js";
import { ApprovalRejectedError, LONGEST_TOKEN, readToken, sealed, signToken } from "./token.js";

const NOT_PENDING = "approvals: pass the pending approval of a result, as it was or parsed from its JSON.";

/** A token, and when it expires, in milliseconds since 1970. */
export interface IssuedToken {
  readonly token: string;
  readonly endsAt: number;
}

/** The decision on a prompt, as a token, and the facts of the call. */
interface AnsweredPrompt {
  readonly decision: "approved" | "denied";
  readonly claims: CallClaims;
  readonly issued: IssuedToken;
}

/** Issues tokens with the first of its keys. Records nothing. */
export class TokenIssuer implements ApprovalIssuer {
  readonly #keys: readonly [PreparedKey, ...PreparedKey[]];
  readonly #now: () => number;
  readonly #options: DecisionOptions;

  constructor(keys: readonly [PreparedKey, ...PreparedKey[]], now: () => number) {
    this.#keys = keys;
    this.#now = now;
    this.#options = new DecisionOptions(now);
  }

  approve = async (request: PendingApproval | string, options: ApproveOptions): Promise<string> => {
    const { token } = await this.issue("approved", request, this.#options.ofApproval(options));
    return token;
  };

  deny = async (request: PendingApproval | string, options: DenyOptions): Promise<string> => {
    const { token } = await this.issue("denied", request, this.#options.ofDenial(options));
    return token;
  };

  request = async (pending: PendingApproval, options: ApproveOptions): Promise<ApprovalPrompt> => {
    const { token } = await this.issue("asked", pending, this.#options.ofApproval(options));
    return { description: describeApproval(pending), token };
  };

  respond = async (prompt: string, decision: PromptDecision): Promise<ApprovalResponse> => {
    const { claims, issued } = await this.answer(prompt, decision);
    return { callId: claims.call, token: issued.token };
  };

  /** Signs a decision on a prompt, with the key that signed the prompt. */
  async answer(prompt: string, given: PromptDecision): Promise<AnsweredPrompt> {
    const { approved, reason = null } = this.#options.ofPrompt(given);
    const read = await readToken(prompt, this.#keys, this.#now());
    if (isString(read)) throw new ApprovalRejectedError(read);
    const { claims, signer } = read;
    if (claims.decision !== "asked") throw new ApprovalRejectedError("not_a_request");
    const { approver, expires } = claims;
    const decision = approved ? "approved" : "denied";
    const token = await signDecision(decision, claims, { approver, reason, issued: this.#now(), expires }, signer);
    return { decision, claims, issued: { token, endsAt: expires } };
  }

  /** Signs the decision that `onRequest` returns. */
  async issueDecision(pending: PendingApproval, given: ApprovalDecision): Promise<IssuedToken> {
    const { decision, options } = this.#options.ofDecision(given);
    return this.issue(decision, pending, options);
  }

  /** @throws {ConfigError} if it isn't a pending approval, or no token can contain the options. */
  async issue(
    decision: ApprovalClaims["decision"],
    pending: unknown,
    { approver, reason, expiresInMs }: CheckedOptions,
  ): Promise<IssuedToken> {
    if (!isPending(pending) || !isInterchangeable(pending.arguments)) throw new ConfigError(NOT_PENDING);
    const [signer] = this.#keys;
    const issued = this.#now();
    const expires = issued + expiresInMs;
    const call = await sealed(await claimsOf(pending), signer);
    const facts = { approver, reason: reason ?? null, issued, expires };
    return { token: await signDecision(decision, call, facts, signer), endsAt: expires };
  }
}

async function signDecision(
  decision: ApprovalClaims["decision"],
  call: CallClaims,
  facts: Pick<ApprovalClaims, "approver" | "reason" | "issued" | "expires">,
  key: PreparedKey,
): Promise<string> {
  if (facts.reason !== null && !isString(facts.reason)) throw new ConfigError("approvals: reason must be a string.");
  const claims = { ...call, ...facts, key: key.id, id: crypto.randomUUID(), decision };
  // A token that nothing accepts would look like an approval, or a denial, to the person who gave it.
  if (!isClaims(claims)) throw new ConfigError(NOT_PENDING);
  const token = await signToken(claims, key);
  if (token.length <= LONGEST_TOKEN) return token;
  throw new ConfigError(
    `approvals: the token would exceed ${LONGEST_TOKEN} characters. Shorten the approver or the reason.`,
  );
}
