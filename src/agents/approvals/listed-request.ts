import type { PendingApproval } from "../pending-approval.js";

/** State of a request. `expired`: its time to decide is over, and no one has decided. */
export type RequestState = "pending" | "approved" | "denied" | "withdrawn" | "expired";

/** A request in a store. */
export interface ListedRequest {
  /** Whether it waits, and otherwise how it has ended. */
  readonly state: RequestState;
  /** The call, with the request's id. */
  readonly pending: PendingApproval;
  /** When it was requested, in milliseconds since 1970. */
  readonly requestedAt: number;
  /** Who decided; `null` if no one has. */
  readonly approver: string | null;
  /** The reason that was given. */
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
