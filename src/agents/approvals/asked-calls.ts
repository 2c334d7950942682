import { ConfigError } from "../../errors/local.js";
import { digestOf } from "../../shared/canonical-json.js";
import { fieldsOf } from "../../shared/fields.js";
import { remember } from "../../shared/memory.js";
import { untilAborted } from "../../shared/timers.js";
import type { PreparedKey } from "../hmac-key.js";
import type { ApprovalClaims, CallClaims, PendingApproval } from "../pending-approval.js";
import type { ApprovalDecision, ApprovalIssuer, ApproveOptions, DenyOptions, OpenApprovalRequest } from "./issue.js";
import { decisionOf } from "./token.js";

// A function that only saves what it receives returns nothing.
// biome-ignore lint/suspicious/noConfusingVoidType: it is the return type of such a function
type MaybeDecision = ApprovalDecision | OpenApprovalRequest | undefined | void;

/** The function of a program that receives calls that need approval. */
export type OnApproval = (pending: PendingApproval) => MaybeDecision | Promise<MaybeDecision>;

/** Calls that aren't asked for again: a digest and at most a token of each. */
const MOST_ASKED = 100_000;

const DECISION_FIELDS = ["approved", "approver", "reason", "expiresInMs"];

const ODD_DECISION =
  "approvals: onApproval must return { approved, approver }, with approved true or false, { expiresInMs }, or nothing.";

/** A call that `onApproval` has received. */
class AskedCall {
  /** The decision, as a token. */
  readonly token: Promise<string | undefined>;
  /** When the call is asked about again, in milliseconds since 1970. */
  until = Number.POSITIVE_INFINITY;

  constructor(pending: PendingApproval, onApproval: OnApproval | undefined, issuer: ApprovalIssuer, now: () => number) {
    this.token = this.#ask(pending, onApproval, issuer, now);
  }

  async #ask(
    pending: PendingApproval,
    onApproval: OnApproval | undefined,
    issuer: ApprovalIssuer,
    now: () => number,
  ): Promise<string | undefined> {
    const given = await onApproval?.(pending);
    if (given === undefined || given === null) return undefined;
    // Checked below, and by what issues the token.
    const said = (fieldsOf(given, DECISION_FIELDS) ?? {}) as unknown as ApprovalDecision | OpenApprovalRequest;
    // An approval expires then as well, and the call is asked about again.
    const lifetime = said.approved === false ? undefined : said.expiresInMs;
    if (lifetime !== undefined) this.until = now() + lifetime;
    if (said.approved === undefined && said.expiresInMs >= 0) return undefined;
    // Nothing runs: anything else may be a decision that was meant otherwise.
    if (typeof said.approved !== "boolean") throw new ConfigError(ODD_DECISION);
    const { approved, ...options } = said;
    if (approved) return issuer.approve(pending, options);
    // A program may return the same time for both decisions.
    const { expiresInMs: _, ...denial }: ApproveOptions & DenyOptions = options;
    return issuer.deny(pending, denial);
  }
}

/** Asks `onApproval` about each call once. */
export class AskedCalls {
  readonly #ask: (pending: PendingApproval) => AskedCall;
  readonly #keys: readonly PreparedKey[];
  readonly #now: () => number;
  /** By the digest of the call's facts. */
  readonly #asked = new Map<string, AskedCall>();

  constructor(
    onApproval: OnApproval | undefined,
    issuer: ApprovalIssuer,
    keys: readonly PreparedKey[],
    now: () => number,
  ) {
    this.#ask = (pending) => new AskedCall(pending, onApproval, issuer, now);
    this.#keys = keys;
    this.#now = now;
  }

  /** The decision on a call, if there is one. Asks about a new call, except in a dry run. */
  async decisionOn(
    pending: PendingApproval,
    claims: CallClaims,
    isDry: boolean,
    signal: AbortSignal | undefined,
  ): Promise<ApprovalClaims | undefined> {
    const key = await digestOf(claims);
    const known = this.#asked.get(key);
    const isOpen = known !== undefined && this.#now() < known.until;
    if (!isOpen && isDry) return undefined;
    const call = isOpen ? known : remember(this.#asked, key, this.#ask(pending), MOST_ASKED);
    // A call is asked about again if asking failed or was aborted, and if its decision has expired.
    const token = await untilAborted(signal, call.token).catch((error: unknown) => {
      call.until = 0;
      throw error;
    });
    if (token === undefined) return undefined;
    const { decision } = await decisionOf([token], claims, this.#keys, this.#now());
    if (!decision) call.until = 0;
    return decision;
  }
}
