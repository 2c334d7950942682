import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { field, isObject, isString } from "../../shared/json.js";
import { DAY_MS } from "../../shared/timers.js";
import type { PreparedKey } from "../hmac-key.js";
import { isPending, type PendingApproval } from "../pending-approval.js";
import { MATCH } from "../policy/check-rules.js";
import { principalOf } from "../subject.js";
import { claimsOf } from "./approval-claims.js";
import type { ApproveOptions } from "./approval-issuer.js";
import type { ApprovalStore } from "./approval-store.js";
import { APPROVER } from "./decision-options.js";
import { type Inbox, isDecided, type KeptRequest, type StandingDecision } from "./inbox.js";
import { type Kept, SignedRecords } from "./signed-records.js";
import {
  approvesCall,
  callOfPending,
  type GivenApproval,
  type RequestedCall,
  type StandingApproval,
  type StandingApprovals,
  type StandingOptions,
  type StandingQuery,
} from "./standing-approval.js";
import { ApprovalRejectedError } from "./token.js";

/** A standing approval as the store has it. */
interface StandingRecord {
  readonly kind: "standing";
  readonly id: string;
  readonly approval: GivenApproval;
  /** Ids of the requests of the calls that it has approved. A call that runs again isn't counted again. */
  readonly uses: readonly string[];
  readonly revokedBy: string | null;
}

/** Each use is stored. */
const MOST_USES = 1_000;

const REVOKE = { approver: APPROVER } as const satisfies option.Rules<Pick<ApproveOptions, "approver">>;
const STANDING = {
  approver: APPROVER,
  maxUses: option.required(option.between(1, MOST_USES, true)),
  expiresInMs: { ...option.COUNT, default: DAY_MS },
  tools: MATCH.tools,
  accounts: MATCH.accounts,
  when: MATCH.when,
  conversations: { ...option.oneOf("same", "all"), default: "same" },
} as const satisfies option.Rules<StandingOptions>;
const QUERY = {
  userId: option.STRING,
  state: { ...option.oneOf("active", "revoked"), default: "active" },
} as const satisfies option.Rules<StandingQuery>;

/** Counts standing approvals in a store, each use in one step. */
export class StandingRecords implements StandingApprovals {
  readonly #records: SignedRecords<StandingRecord>;
  readonly #inbox: Inbox;
  readonly #now: () => number;

  constructor(store: ApprovalStore, inbox: Inbox, keys: readonly [PreparedKey, ...PreparedKey[]], now: () => number) {
    this.#records = new SignedRecords(store, keys, now, isStanding);
    this.#inbox = inbox;
    this.#now = now;
  }

  approve = async (request: PendingApproval | string, given: StandingOptions): Promise<StandingApproval> => {
    const { expiresInMs, ...options } = option.checkAll("approvals", given, STANDING);
    const { when, conversations, approver } = options;
    if (typeof when === "function") throw new ConfigError("approvals: when must be conditions as data.");
    const kept = await this.#requested(request);
    const { pending } = kept.record;
    if (conversations === "all" && pending.userId === null) {
      throw new ConfigError('approvals: conversations: "all" needs a request with a userId.');
    }
    const createdAt = this.#now();
    const expiresAt = createdAt + expiresInMs;
    if (!Number.isSafeInteger(expiresAt)) throw new ConfigError("approvals: expiresInMs is beyond what a date can be.");
    const id = crypto.randomUUID();
    const approval = { ...options, id, request: pending, createdAt, expiresAt };
    if (!(await approvesCall(approval, callOfPending(pending, await claimsOf(pending), kept.record.id)))) {
      throw new ConfigError("approvals: the options don't match the request.");
    }
    const { standing } = (await this.#inbox.close(kept, "approved", { id, approver, at: createdAt })).record;
    if (standing?.id !== id) throw new ApprovalRejectedError("already_decided");
    const record = { kind: "standing", id, approval, uses: [kept.record.id], revokedBy: null } as const;
    const written = await this.#records.write(record, placed(record), undefined);
    if (!written) throw new TypeError("approvals: the store has another record of a new standing approval.");
    return shown(record);
  };

  list = (query: StandingQuery = {}): AsyncIterable<StandingApproval> => {
    const { state, userId = null } = option.checkAll("approvals", query, QUERY);
    const [records, now] = [this.#records, this.#now];
    return (async function* () {
      for await (const { record } of records.list({ state: STATES[state], userId, conversationId: null })) {
        const isOf = userId === null || principalOf(record.approval.request) === userId;
        const isShown = isOf && (record.revokedBy === null) === (state === "active");
        if (isShown && record.approval.expiresAt > now()) yield shown(record);
      }
    })();
  };

  revoke = async (id: string, options: Pick<ApproveOptions, "approver">): Promise<void> => {
    const { approver } = option.checkAll("approvals", options, REVOKE);
    const kept = await this.#records.find(id);
    if (!kept) throw new ApprovalRejectedError("unknown_request");
    await this.#records.change(kept, async (record) => {
      if (record.revokedBy !== null) return undefined;
      const revoked = { ...record, revokedBy: approver };
      return [revoked, placed(revoked)];
    });
  };

  /**
   * Uses one of the standing approvals for a call.
   *
   * @param isDry - Whether the use isn't counted.
   */
  async decisionOn(requested: RequestedCall, isDry: boolean): Promise<StandingDecision | undefined> {
    const { user, session } = requested.claims;
    const userId = principalOf({ userId: user, sessionId: session });
    for await (const kept of this.#records.list({ state: STATES.active, userId, conversationId: null })) {
      const { id, approver, expiresAt } = kept.record.approval;
      if (!(await approvesCall(kept.record.approval, requested))) continue;
      const { record } = isDry ? kept : await this.#use(kept, requested.id);
      const isUsed = record.uses.includes(requested.id) || (isDry && record.uses.length < record.approval.maxUses);
      if (isUsed && record.revokedBy === null && expiresAt > this.#now()) return { id, approver, at: this.#now() };
    }
    return undefined;
  }

  /** Counts a call, unless it was counted before or there is no use left. */
  #use(kept: Kept<StandingRecord>, id: string): Promise<Kept<StandingRecord>> {
    return this.#records.change(kept, async (record) => {
      const { approval, uses, revokedBy } = record;
      const isOver = revokedBy !== null || approval.expiresAt <= this.#now() || uses.length >= approval.maxUses;
      if (isOver || uses.includes(id)) return undefined;
      const used = { ...record, uses: [...uses, id] };
      return [used, placed(used)];
    });
  }

  async #requested(request: PendingApproval | string): Promise<KeptRequest> {
    const isId = isString(request);
    if (!isId && !isPending(request)) throw new ConfigError("approvals: pass a pending approval, or its id.");
    const found = isId ? await this.#inbox.records.find(request) : (await this.#inbox.of(await claimsOf(request))).kept;
    if (!found) throw new ApprovalRejectedError("unknown_request");
    if (this.#inbox.isOpen(found)) return found;
    throw new ApprovalRejectedError(isDecided(found.record) ? "already_decided" : "expired");
  }
}

/** The states under which the store lists them, apart from those of requests. */
const STATES = { active: "standing", revoked: "standing_revoked" } as const;

function placed({ approval, revokedBy }: StandingRecord) {
  const { request, createdAt, expiresAt } = approval;
  const state = revokedBy === null ? STATES.active : STATES.revoked;
  return { state, userId: principalOf(request), conversationId: null, createdAt, endsAt: expiresAt };
}

const shown = ({ approval, uses, revokedBy }: StandingRecord): StandingApproval => {
  return { ...approval, uses: uses.length, revokedBy };
};

function isStanding(value: unknown): value is StandingRecord {
  if (!isObject(value) || value["kind"] !== "standing" || !isString(value["id"])) return false;
  const { approval, uses, revokedBy } = value;
  const numbers = ["maxUses", "createdAt", "expiresAt"].map((name) => field(approval, name));
  return (
    isPending(field(approval, "request")) &&
    numbers.every(Number.isSafeInteger) &&
    option.STRINGS.isFit(uses) &&
    (revokedBy === null || isString(revokedBy))
  );
}
