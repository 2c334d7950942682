import * as option from "../../errors/option-rules.js";
import { digestOf } from "../../shared/canonical-json.js";
import { field, isObject, isString } from "../../shared/json.js";
import type { PreparedKey } from "../hmac-key.js";
import { isPending, type PendingApproval } from "../pending-approval.js";
import { type ApprovalClaims, CALL_FACTS, type CallClaims } from "./approval-claims.js";
import type { ApprovalStore } from "./approval-store.js";
import type { ListedRequest, RequestQuery, RequestState } from "./listed-request.js";
import { type Kept, lostRecord, type Placement, SignedRecords } from "./signed-records.js";
import { decisionOfTokens, readToken, sealed } from "./token.js";

const QUERY = {
  state: { ...option.oneOf("pending", "approved", "denied", "withdrawn", "expired"), default: "pending" },
  userId: option.STRING,
  conversationId: option.STRING,
} as const satisfies option.Rules<RequestQuery>;

/** A request as the store has it: see the forms in `pending-approval.ts`. */
export interface ApprovalRecord {
  readonly kind: "request";
  readonly id: string;
  readonly pending: PendingApproval;
  /** When it was opened, in milliseconds since 1970. */
  readonly requestedAt: number;
  /** Until when it can be decided. */
  readonly expiresAt: number;
  /** Whether `onRequest` has received it. */
  readonly isTold: boolean;
  /** The first decision, signed; `null` before it. */
  readonly token: string | null;
  /** The standing approval that decided. The decision counts only as long as that does. */
  readonly standing: StandingDecision | null;
}

/** A decision by a standing approval. */
export interface StandingDecision {
  /** Id of the standing approval. */
  readonly id: string;
  /** Who has given it. */
  readonly approver: string;
  /** When it decided, in milliseconds since 1970. */
  readonly at: number;
}

export type KeptRequest = Kept<ApprovalRecord>;

/** The states of requests in lists. Which of them have expired depends on the time. */
type StoredState = Exclude<RequestState, "expired">;

/** The request of a call, and its id if the store has none. */
export interface FoundRequest {
  readonly id: string;
  readonly kept: KeptRequest | undefined;
}

/** The requests in a store. Each is decided once: the first decision wins, in any process. */
export class Inbox {
  readonly records: SignedRecords<ApprovalRecord>;
  readonly #keys: readonly [PreparedKey, ...PreparedKey[]];
  readonly #now: () => number;
  readonly #expiresInMs: number;
  /** Whether the store is the program's. */
  readonly #isShared: boolean;

  constructor(
    store: ApprovalStore,
    keys: readonly [PreparedKey, ...PreparedKey[]],
    now: () => number,
    { expiresInMs, isShared }: { readonly expiresInMs: number; readonly isShared: boolean },
  ) {
    this.records = new SignedRecords(store, keys, now, isRequest);
    this.#keys = keys;
    this.#now = now;
    this.#expiresInMs = expiresInMs;
    this.#isShared = isShared;
  }

  /** The id of a new request. */
  idOf(claims: CallClaims): Promise<string> {
    return idOf(claims, this.#keys[0]);
  }

  list(query: RequestQuery = {}): AsyncIterable<ListedRequest> {
    const { state, userId = null, conversationId = null } = option.checkAll("approvals", query, QUERY);
    const stored = state === "expired" ? "pending" : state;
    const listed = this.records.list({ state: stored, userId, conversationId });
    const show = (kept: KeptRequest) => this.shown(kept);
    return (async function* () {
      for await (const kept of listed) {
        const shown = await show(kept);
        const { pending } = shown;
        const isOf = userId === null || pending.userId === userId;
        const isIn = conversationId === null || pending.conversationId === conversationId;
        // What isn't signed only says where to look.
        if (isOf && isIn && shown.state === state) yield shown;
      }
    })();
  }

  async get(id: string): Promise<ListedRequest | undefined> {
    const kept = await this.records.find(id);
    return kept && this.shown(kept);
  }

  /** A request, as a program sees it. */
  async shown({ record }: KeptRequest): Promise<ListedRequest> {
    const { pending, requestedAt, token, standing } = record;
    const undecided = { pending, requestedAt, approver: null, reason: null, decidedAt: null };
    if (standing) return { ...undecided, state: "approved", approver: standing.approver, decidedAt: standing.at };
    // As if it hadn't expired: it stays the decision of this request.
    const read = token === null ? undefined : await readToken(token, this.#keys, 0);
    if (!read || isString(read) || read.claims.decision === "asked") {
      return { ...undecided, state: record.expiresAt > this.#now() ? "pending" : "expired" };
    }
    const { decision, approver, reason, issued } = read.claims;
    return { state: decision, pending, requestedAt, approver, reason, decidedAt: issued };
  }

  /** Finds the request of a call, under any of the keys: an older one may have been the first when it was asked. */
  async of(claims: CallClaims): Promise<FoundRequest> {
    const [first, ...others] = this.#keys;
    const id = await idOf(claims, first);
    const kept = await this.records.find(id);
    if (kept) return { id, kept };
    for (const key of others) {
      const older = await idOf(claims, key);
      const kept = await this.records.find(older);
      if (kept) return { id: older, kept };
    }
    return { id, kept: undefined };
  }

  /** The decision on a call, if a person or a program has made it and it still holds. */
  async decisionIn(kept: KeptRequest | undefined, claims: CallClaims): Promise<ApprovalClaims | undefined> {
    if (!kept || kept.record.token === null) return undefined;
    const { decision } = await decisionOfTokens([kept.record.token], claims, this.#keys, this.#now());
    return decision;
  }

  /** Whether a request can be decided. */
  isOpen({ record }: KeptRequest): boolean {
    return !isDecided(record) && record.expiresAt > this.#now();
  }

  /** Opens a request in place of one that is over. @returns The one that the store has then. */
  async open(request: PendingApproval, over: KeptRequest | undefined): Promise<KeptRequest> {
    const { id } = request;
    const requestedAt = this.#now();
    const expiresAt = request.expiresAt ?? requestedAt + this.#expiresInMs;
    const pending = { ...request, expiresAt: this.#isShared ? expiresAt : null };
    const times = { requestedAt, expiresAt };
    const record = { kind: "request", id, pending, ...times, isTold: false, token: null, standing: null } as const;
    const opened = (await this.records.write(record, placed(record, "pending"), over)) ?? (await this.records.find(id));
    // Another process may have opened it at the same time.
    if (opened) return opened;
    throw lostRecord();
  }

  /** Records that `onRequest` has received a request, and perhaps when it expires instead. */
  recordTold(kept: KeptRequest, expiresAt: number | undefined): Promise<KeptRequest> {
    return this.records.change(kept, async (record) => {
      if (isDecided(record)) return undefined;
      const endsAt = expiresAt ?? record.expiresAt;
      const pending = { ...record.pending, expiresAt: this.#isShared ? endsAt : null };
      const told = { ...record, isTold: true, pending, expiresAt: endsAt };
      return [told, placed(told, "pending")];
    });
  }

  /**
   * Closes a request with a decision, unless it has one.
   *
   * @param decision - Its token and when that expires, or the standing approval that decided.
   * @returns The request with the first decision.
   */
  close(
    kept: KeptRequest,
    state: Exclude<StoredState, "pending">,
    decision: { readonly token: string; readonly endsAt: number } | StandingDecision,
  ): Promise<KeptRequest> {
    return this.records.change(kept, async (record) => {
      if (isDecided(record)) return undefined;
      const isToken = "token" in decision;
      const closed = isToken ? { ...record, token: decision.token } : { ...record, standing: decision };
      return [closed, placed(closed, state, isToken ? decision.endsAt : 0)];
    });
  }
}

export const isDecided = ({ token, standing }: ApprovalRecord): boolean => token !== null || standing !== null;

/** Random to a reader without a key, so that no argument can be guessed from it. */
async function idOf(claims: CallClaims, key: PreparedKey): Promise<string> {
  return idOfFacts(await sealed(claims, key));
}

/** The id of the request with these facts, as a token has them. */
export function idOfFacts(facts: CallClaims): Promise<string> {
  return digestOf(CALL_FACTS.map((name) => facts[name]));
}

/** The lists of a request. */
function placed({ pending, requestedAt, expiresAt }: ApprovalRecord, state: StoredState, endsAt = 0): Placement {
  const { userId, conversationId } = pending;
  return { state, userId, conversationId, createdAt: requestedAt, endsAt: Math.max(expiresAt, endsAt) };
}

function isRequest(value: unknown): value is ApprovalRecord {
  if (!isObject(value) || value["kind"] !== "request" || !isPending(value["pending"])) return false;
  const { id, isTold, token, standing, requestedAt, expiresAt } = value;
  if (![requestedAt, expiresAt].every(Number.isSafeInteger)) return false;
  const isStanding = standing === null || isString(field(standing, "id"));
  return isString(id) && typeof isTold === "boolean" && (token === null || isString(token)) && isStanding;
}
