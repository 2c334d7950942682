import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { isInterchangeable } from "../../shared/canonical-json.js";
import { isString } from "../../shared/json.js";
import { DAY_MS } from "../../shared/timers.js";
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
import { describeApproval } from "./describe-approval.js";
import { type Inbox, idOfFacts, type KeptRequest } from "./inbox.js";
import type { ListedRequest } from "./listed-request.js";
import { ApprovalRejectedError, LONGEST_TOKEN, readToken, sealed, signToken } from "./token.js";

const NOT_PENDING = "approvals: pass the pending approval of a result, as it was or parsed from its JSON.";

interface TimedOptions extends ApproveOptions {
  readonly reason?: string | undefined;
}

/** Any decision. */
interface GivenDecision extends TimedOptions {
  readonly approved: boolean;
}

export const APPROVER = option.required(option.fitting("a string, such as the approver's user id", option.NAME.isFit));

const DENIAL = {
  approver: APPROVER,
  reason: option.STRING,
} as const satisfies option.Rules<DenyOptions>;

const PROMPT_DECISION = {
  approved: option.required(option.BOOLEAN),
  reason: option.STRING,
} as const satisfies option.Rules<PromptDecision>;

/** The rules of a token's options, whose lifetime depends on the time. */
function timedRules(now: () => number) {
  const isLifetime = (ms: unknown) => option.COUNT.isFit(ms) && Number.isSafeInteger(now() + Number(ms));
  const lifetime = option.fitting("an integer above 0, and not beyond what a date can be", isLifetime);
  return { ...DENIAL, expiresInMs: { ...lifetime, default: DAY_MS } } as const satisfies option.Rules<TimedOptions>;
}

type DecisionKind = Exclude<ApprovalClaims["decision"], "asked">;

/** Issues tokens with the first of its keys. */
export class TokenIssuer implements ApprovalIssuer {
  readonly #keys: readonly [PreparedKey, ...PreparedKey[]];
  readonly #now: () => number;
  readonly #timed: ReturnType<typeof timedRules>;
  /** Where decisions are recorded. */
  readonly #inbox: Inbox | undefined;

  constructor(keys: readonly [PreparedKey, ...PreparedKey[]], now: () => number, inbox: Inbox | undefined) {
    this.#keys = keys;
    this.#now = now;
    this.#inbox = inbox;
    this.#timed = timedRules(now);
  }

  approve = async (request: PendingApproval | string, options: ApproveOptions): Promise<string> =>
    this.#decide("approved", request, this.#checked(options));

  deny = async (request: PendingApproval | string, options: DenyOptions): Promise<string> =>
    this.#decide("denied", request, option.checkAll("approvals", options, DENIAL));

  request = async (pending: PendingApproval, options: ApproveOptions): Promise<ApprovalPrompt> => {
    const { token } = await this.#issue("asked", pending, this.#checked(options));
    return { description: describeApproval(pending), token };
  };

  respond = async (prompt: string, decision: PromptDecision): Promise<ApprovalResponse> => {
    const { approved, reason = null } = option.checkAll("approvals", decision, PROMPT_DECISION);
    const read = await readToken(prompt, this.#keys, this.#now());
    if (isString(read)) throw new ApprovalRejectedError(read);
    const { claims, signer } = read;
    if (claims.decision !== "asked") throw new ApprovalRejectedError("not_a_request");
    const { approver, expires } = claims;
    const decided = approved ? "approved" : "denied";
    const token = await signDecision(decided, claims, { approver, reason, issued: this.#now(), expires }, signer);
    const issued = { token, endsAt: expires };
    const kept = await this.#inbox?.records.find(await idOfFacts(claims));
    return { callId: claims.call, token: this.#inbox ? await this.#record(decided, kept, issued) : token };
  };

  /** Decides a request of an inbox, unless it is over. @returns It with its decision, perhaps an earlier one. */
  decide = async (request: PendingApproval | string, given: ApprovalDecision): Promise<ListedRequest | undefined> => {
    const { decision, options } = this.#read(given);
    const inbox = this.#inbox;
    const kept = inbox && (await this.#keptOf(inbox, decision, request, options));
    if (!inbox || !kept) return undefined;
    if (!inbox.isOpen(kept)) return inbox.shown(kept);
    return inbox.shown(await inbox.close(kept, decision, await this.#issue(decision, kept.record.pending, options)));
  };

  /** Takes back a request, for an inbox. */
  withdraw = async (request: PendingApproval | string, options: DenyOptions): Promise<void> => {
    await this.#decide("withdrawn", request, option.checkAll("approvals", options, DENIAL));
  };

  /** Signs the decision that `onRequest` returns. */
  decisionOf = async (pending: PendingApproval, given: ApprovalDecision) => {
    const { decision, options } = this.#read(given);
    return this.#issue(decision, pending, options);
  };

  #read(given: GivenDecision): { readonly decision: "approved" | "denied"; readonly options: TimedOptions } {
    const rules = { ...this.#timed, approved: PROMPT_DECISION.approved };
    const { approved, expiresInMs, ...denial } = option.checkAll("approvals", given, rules);
    // A program may give the same time for both decisions, but a denial doesn't expire.
    return approved
      ? { decision: "approved", options: { ...denial, expiresInMs } }
      : { decision: "denied", options: denial };
  }

  #checked(options: ApproveOptions): TimedOptions {
    return option.checkAll("approvals", options, this.#timed);
  }

  async #decide(decision: DecisionKind, request: PendingApproval | string, options: TimedOptions): Promise<string> {
    const inbox = this.#inbox;
    if (!inbox) return (await this.#issue(decision, request, options)).token;
    const kept = await this.#keptOf(inbox, decision, request, options);
    if (!kept) throw new ApprovalRejectedError("unknown_request");
    return this.#record(decision, kept, await this.#issue(decision, kept.record.pending, options));
  }

  /** The request in the inbox. A pending approval that the inbox doesn't have is opened there. */
  async #keptOf(
    inbox: Inbox,
    decision: DecisionKind,
    request: PendingApproval | string,
    options: TimedOptions,
  ): Promise<KeptRequest | undefined> {
    if (isString(request)) return inbox.records.find(request);
    // Checks it.
    await this.#issue(decision, request, options);
    const { id, kept } = await inbox.of(await claimsOf(request));
    return kept ?? inbox.open({ ...request, id }, undefined);
  }

  /** Records a decision. @returns The token of the first one, if it is the same. */
  async #record(decision: DecisionKind, kept: KeptRequest | undefined, issued: IssuedToken): Promise<string> {
    const inbox = this.#inbox;
    if (!inbox || !kept) throw new ApprovalRejectedError("unknown_request");
    const { record } = kept;
    const isExpired = record.token === null && record.standing === null && !inbox.isOpen(kept);
    if (isExpired) throw new ApprovalRejectedError("expired");
    const { token } = (await inbox.close(kept, decision, issued)).record;
    if (token === null) throw new ApprovalRejectedError("already_decided");
    if (token === issued.token) return token;
    const first = await readToken(token, this.#keys, this.#now());
    if (isString(first)) throw new ApprovalRejectedError(first);
    if (first.claims.decision !== decision) throw new ApprovalRejectedError("already_decided");
    return token;
  }

  async #issue(
    decision: ApprovalClaims["decision"],
    pending: unknown,
    { approver, reason, expiresInMs = DAY_MS }: TimedOptions,
  ): Promise<IssuedToken> {
    if (!isPending(pending) || !isInterchangeable(pending.arguments)) throw new ConfigError(NOT_PENDING);
    const [signer] = this.#keys;
    const issued = this.#now();
    const expires = issued + expiresInMs;
    const call = await sealed(await claimsOf(pending), signer);
    return {
      token: await signDecision(decision, call, { approver, reason: reason ?? null, issued, expires }, signer),
      endsAt: expires,
    };
  }
}

/** A token, and when it expires, in milliseconds since 1970. */
interface IssuedToken {
  readonly token: string;
  readonly endsAt: number;
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
