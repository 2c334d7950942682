import { SvcError } from "../../errors/base.js";
import type { ConnectionStatus } from "./schema.js";

/** What the error says about the account: no more, since a record may hold credentials. */
export interface ConnectionStateFacts {
  /** Starts with `ca_`. */
  readonly connectedAccountId: string;
  /** Where the account stands. */
  readonly status: ConnectionStatus;
  /** The service's `status_reason`. Free text. */
  readonly reason: string | undefined;
}

const NEXT_STEP: Readonly<Record<string, string>> = {
  INITIALIZING: "The user has not opened the hosted page yet.",
  INITIATED: "The user has opened the hosted page and not finished.",
  INACTIVE: "Enable it with connectedAccounts.enable, and its auth config with authConfigs.enable.",
  FAILED: "Let the user try again with connectedAccounts.link.",
  EXPIRED: "Let the user connect again with connectedAccounts.link.",
  REVOKED: "Let the user connect again with connectedAccounts.link.",
};

/** A connected account is not ACTIVE. Look at `status`: FAILED, EXPIRED and REVOKED do not become ACTIVE by themselves. */
export class ConnectionStateError extends SvcError implements ConnectionStateFacts {
  protected static override readonly brand: string = "ConnectionStateError";

  /** The call, named as the method. */
  readonly operation: string;
  readonly connectedAccountId: string;
  readonly status: ConnectionStatus;
  readonly reason: string | undefined;

  constructor(operation: string, facts: ConnectionStateFacts) {
    const { connectedAccountId, status, reason } = facts;
    const why = reason === undefined ? "" : ` (${reason})`;
    const next = Object.hasOwn(NEXT_STEP, status) ? ` ${NEXT_STEP[status]}` : "";
    super(`${operation}: ${connectedAccountId} is ${status}${why}.${next}`);
    this.operation = operation;
    this.connectedAccountId = connectedAccountId;
    this.status = status;
    this.reason = reason;
  }
}
