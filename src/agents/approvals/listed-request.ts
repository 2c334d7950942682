import type { PendingApproval } from "../pending-approval.js";

/** State of a request. `expired`: no one decided in time. */
export type RequestState = "pending" | "approved" | "denied" | "withdrawn" | "expired";

/** A request in a store. */
export interface ListedRequest {
  /** Whether the request waits, or how it ended: `pending`, `approved`, `denied`, `withdrawn` or `expired`. */
  readonly state: RequestState;
  /** The call, with the request's id. */
  readonly pending: PendingApproval;
  /** When it was requested, in milliseconds since 1970. */
  readonly requestedAt: number;
  /** Id of the person who decided; `null` without a decision. */
  readonly approver: string | null;
  /** The reason of the decision; `null` without one. */
  readonly reason: string | null;
  /** When it was decided, in milliseconds since 1970. */
  readonly decidedAt: number | null;
}

/** The requests of a list. */
export interface RequestQuery {
  /** @default "pending" */
  readonly state?: RequestState | undefined;
  /** Only requests for this user. @default all users */
  readonly userId?: string | undefined;
  /** Only requests of toolsets with this `conversationId`. @default all conversations */
  readonly conversationId?: string | undefined;
}
