import { ConfigError } from "../../errors/local.js";
import { fieldsOf } from "../../shared/json.js";
import { untilAborted } from "../../shared/timers.js";
import type { PendingApproval } from "../pending-approval.js";
import type { ApprovalDecision, OpenApprovalRequest } from "./approval-issuer.js";
import type { Inbox, KeptRequest } from "./inbox.js";
import { lostRecord } from "./signed-records.js";
import type { TokenIssuer } from "./token-issuer.js";

// A function that only saves what it receives returns nothing.
// biome-ignore lint/suspicious/noConfusingVoidType: it is the return type of such a function
type MaybeDecision = ApprovalDecision | OpenApprovalRequest | undefined | void;

/** Your function that receives calls that need approval. */
export type OnRequest = (pending: PendingApproval) => MaybeDecision | Promise<MaybeDecision>;

const DECISION_FIELDS = ["approved", "approver", "reason", "expiresInMs"];

const ODD_DECISION =
  "approvals: onRequest must return { approved, approver }, with approved true or false, { expiresInMs }, or nothing.";

/** Tells a program about requests. */
export class RequestTeller {
  readonly #onRequest: OnRequest;
  readonly #inbox: Inbox;
  readonly #issuer: TokenIssuer;
  readonly #now: () => number;
  /** Requests that the program is receiving now, by id: runs at the same time share one call of `onRequest`. */
  readonly #running = new Map<string, Promise<KeptRequest>>();

  constructor(onRequest: OnRequest, inbox: Inbox, issuer: TokenIssuer, now: () => number) {
    this.#onRequest = onRequest;
    this.#inbox = inbox;
    this.#issuer = issuer;
    this.#now = now;
  }

  /**
   * Tells the program about a request, unless it was told.
   *
   * @returns The request, perhaps with a decision. Rejects if `onRequest` does: the next run tells it again.
   */
  async tell(kept: KeptRequest, signal: AbortSignal | undefined): Promise<KeptRequest> {
    const { id, isTold } = kept.record;
    if (isTold) return kept;
    const running = this.#running.get(id) ?? this.#tellOnce(kept);
    this.#running.set(id, running);
    // A run that was aborted doesn't wait, and the next one tells it again.
    return untilAborted(signal, running).finally(() => {
      if (this.#running.get(id) === running) this.#running.delete(id);
    });
  }

  async #tellOnce({ record: { id } }: KeptRequest): Promise<KeptRequest> {
    // Another run may have told it, or a person may have decided, since it was read.
    const kept = await this.#inbox.records.find(id);
    if (!kept) throw lostRecord();
    if (kept.record.isTold || !this.#inbox.isOpen(kept)) return kept;
    const { pending } = kept.record;
    const given = await this.#onRequest(pending);
    if (given === undefined || given === null) return this.#inbox.recordTold(kept, undefined);
    const said = fieldsOf(given, DECISION_FIELDS) ?? {};
    const { approved, expiresInMs } = said;
    if (approved === undefined && typeof expiresInMs === "number" && expiresInMs >= 0) {
      return this.#inbox.recordTold(kept, this.#now() + expiresInMs);
    }
    // Nothing runs: anything else may be a decision that was meant otherwise.
    if (typeof approved !== "boolean") throw new ConfigError(ODD_DECISION);
    // What issues the token checks the other fields.
    const issued = await this.#issuer.issueDecision(pending, said as unknown as ApprovalDecision);
    return this.#inbox.close(kept, approved ? "approved" : "denied", issued);
  }
}
