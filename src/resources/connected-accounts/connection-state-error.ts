import { SvcError } from "../../errors/base.js";
import type { ConnectionStatus } from "./schema.js";

/** The account's facts in the error; no more than these, because a record may contain credentials. */
export interface ConnectionStateInfo {
  /** Starts with `ca_`. */
  readonly connectedAccountId: string;
  /** Status of the account. */
  readonly status: ConnectionStatus;
  /** The service's `status_reason`, in words. */
  readonly reason: string | undefined;
}

const NEXT_STEP: Readonly<Record<string, string>> = {
  INITIALIZING: "The user hasn't opened the hosted page yet.",
  INITIATED: "The user opened the hosted page but hasn't finished.",
  INACTIVE: "Enable it with connectedAccounts.enable, and its auth config with authConfigs.enable.",
  FAILED: "Send the user through connectedAccounts.link again.",
  EXPIRED: "Ask the user to connect again with connectedAccounts.link.",
  REVOKED: "Ask the user to connect again with connectedAccounts.link.",
};

/** A connected account is not ACTIVE. Check `status`: FAILED, EXPIRED and REVOKED don't become ACTIVE automatically. */
export class ConnectionStateError extends SvcError implements ConnectionStateInfo {
  protected static override readonly brand: string = "ConnectionStateError";

  /** The operation, usually named like its method. */
  readonly operation: string;
  readonly connectedAccountId: string;
  readonly status: ConnectionStatus;
  readonly reason: string | undefined;

  constructor(operation: string, facts: ConnectionStateInfo) {
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
