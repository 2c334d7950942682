import { isString } from "../../shared/json.js";
import type { PreparedKey } from "../hmac-key.js";
import type { PendingApproval } from "../pending-approval.js";
import { type ApprovalClaims, claimsOf } from "./approval-claims.js";
import type {
  ApprovalDecision,
  ApprovalIssuer,
  ApprovalResponse,
  ApproveOptions,
  DenyOptions,
  PromptDecision,
} from "./approval-issuer.js";
import { type CheckedOptions, DecisionOptions } from "./decision-options.js";
import { type Inbox, idOfFacts, isDecided, type KeptRequest } from "./inbox.js";
import type { ListedRequest } from "./listed-request.js";
import { ApprovalRejectedError, readToken } from "./token.js";
import type { IssuedToken, TokenIssuer } from "./token-issuer.js";

type DecisionKind = Exclude<ApprovalClaims["decision"], "asked">;

/** Decides the requests of an inbox. The first decision on a request wins, and is recorded there as a token. */
export class Decider implements ApprovalIssuer {
  readonly request: ApprovalIssuer["request"];
  readonly #inbox: Inbox;
  readonly #issuer: TokenIssuer;
  readonly #keys: readonly PreparedKey[];
  readonly #now: () => number;
  readonly #options: DecisionOptions;

  constructor(inbox: Inbox, issuer: TokenIssuer, keys: readonly PreparedKey[], now: () => number) {
    this.request = issuer.request;
    this.#inbox = inbox;
    this.#issuer = issuer;
    this.#keys = keys;
    this.#now = now;
    this.#options = new DecisionOptions(now);
  }

  approve = async (request: PendingApproval | string, options: ApproveOptions): Promise<string> =>
    this.#tokenOfDecision("approved", request, this.#options.ofApproval(options));

  deny = async (request: PendingApproval | string, options: DenyOptions): Promise<string> =>
    this.#tokenOfDecision("denied", request, this.#options.ofDenial(options));

  /** Takes back a request. */
  withdraw = async (request: PendingApproval | string, options: DenyOptions): Promise<void> => {
    await this.#tokenOfDecision("withdrawn", request, this.#options.ofDenial(options));
  };

  respond = async (prompt: string, given: PromptDecision): Promise<ApprovalResponse> => {
    const { decision, claims, issued } = await this.#issuer.answer(prompt, given);
    const kept = await this.#inbox.records.find(await idOfFacts(claims));
    if (!kept) throw new ApprovalRejectedError("unknown_request");
    return { callId: claims.call, token: await this.#record(decision, kept, issued) };
  };

  /**
   * Decides a request, unless it is over.
   *
   * @returns The request with its first decision, if it has one; `undefined` for an unknown id.
   */
  decide = async (request: PendingApproval | string, given: ApprovalDecision): Promise<ListedRequest | undefined> => {
    const { decision, options } = this.#options.ofDecision(given);
    const kept = await this.#keptRequest(decision, request, options);
    if (!kept) return undefined;
    if (!this.#inbox.isOpen(kept)) return this.#inbox.shown(kept);
    const issued = await this.#issuer.issue(decision, kept.record.pending, options);
    return this.#inbox.shown(await this.#inbox.close(kept, decision, issued));
  };

  async #tokenOfDecision(
    decision: DecisionKind,
    request: PendingApproval | string,
    options: CheckedOptions,
  ): Promise<string> {
    const kept = await this.#keptRequest(decision, request, options);
    if (!kept) throw new ApprovalRejectedError("unknown_request");
    return this.#record(decision, kept, await this.#issuer.issue(decision, kept.record.pending, options));
  }

  /** The request in the inbox. A pending approval that the inbox doesn't have is opened there. */
  async #keptRequest(
    decision: DecisionKind,
    request: PendingApproval | string,
    options: CheckedOptions,
  ): Promise<KeptRequest | undefined> {
    if (isString(request)) return this.#inbox.records.find(request);
    // If it isn't one, or its token would be too long, nothing is opened.
    await this.#issuer.issue(decision, request, options);
    const { id, kept } = await this.#inbox.of(await claimsOf(request));
    return kept ?? this.#inbox.open({ ...request, id }, undefined);
  }

  /** Records a decision. @returns The token of the first one, if it is the same. */
  async #record(decision: DecisionKind, kept: KeptRequest, issued: IssuedToken): Promise<string> {
    const isExpired = !isDecided(kept.record) && !this.#inbox.isOpen(kept);
    if (isExpired) throw new ApprovalRejectedError("expired");
    const { token } = (await this.#inbox.close(kept, decision, issued)).record;
    // A standing approval has decided.
    if (token === null) throw new ApprovalRejectedError("already_decided");
    if (token === issued.token) return token;
    const first = await readToken(token, this.#keys, this.#now());
    if (isString(first)) throw new ApprovalRejectedError(first);
    if (first.claims.decision !== decision) throw new ApprovalRejectedError("already_decided");
    return token;
  }
}
