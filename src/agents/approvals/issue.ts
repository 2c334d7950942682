import type { PendingApproval } from "../pending-approval.js";

/** An approval request that no one has decided yet. */
export interface OpenApprovalRequest {
  /** How long it stays open, in milliseconds; 0 if its time is over. After that, a run of the call asks again. */
  readonly expiresInMs: number;
  /** No decision. */
  readonly approved?: undefined;
}

/** Options of a token. */
export interface ApproveOptions {
  /** Who decides: an id that your log understands. */
  readonly approver: string;
  /**
   * How long the token is valid, in milliseconds.
   * @default 86_400_000 (one day)
   */
  readonly expiresInMs?: number | undefined;
}

/** Options of a denial, which doesn't expire. */
export interface DenyOptions extends Pick<ApproveOptions, "approver"> {
  /** Why. The model reads it. */
  readonly reason?: string | undefined;
}

/** The decision of a person, or of a program for them: whether the call may run. */
export type ApprovalDecision =
  | (ApproveOptions & { readonly approved: true; readonly reason?: string | undefined })
  | (DenyOptions & { readonly approved: false });

/** The decision on a request. */
export interface RequestDecision {
  /** Whether the call may run. */
  readonly approved: boolean;
  /** Why it may not. The model reads it. */
  readonly reason?: string | undefined;
}

/** Issues tokens for pending approvals. */
export interface ApprovalIssuer {
  /**
   * Approves a call: exactly this tool, version, user, account and arguments, under the policy that asked. It runs
   * once, with `tools.run([pending.call], { approvals: [token] })`, in any process that shares `executions`. With a
   * `store`, the call finds the decision itself, and the token needn't be passed.
   *
   * @param request - The pending approval; with a `store`, its id is enough.
   * @returns The token. It runs nothing without your toolset. If the request was approved before, the earlier one.
   * @throws {ConfigError} if an option isn't usable, or what is given isn't a pending approval.
   * @throws {ApprovalRejectedError} with a `store`, if the request is unknown, has expired, or was decided otherwise.
   */
  approve(request: PendingApproval | string, options: ApproveOptions): Promise<string>;
  /**
   * Denies a call. Run with this token, it ends as `not_run`, and the model reads the reason. A denial wins over an
   * approval in the same run, and doesn't expire. Once a run has recorded it in `executions`, the call never runs, even
   * if it is approved later or by another process.
   *
   * @param request - The pending approval; with a `store`, its id is enough.
   * @throws {ConfigError} if an option isn't usable, or what is given isn't a pending approval.
   * @throws {ApprovalRejectedError} with a `store`, if the request is unknown, has expired, or was decided otherwise.
   */
  deny(request: PendingApproval | string, options: DenyOptions): Promise<string>;
  /**
   * Creates an approval request to show in a client. The token identifies the call but doesn't approve it: pass it to
   * `decide` with the decision.
   *
   * @throws {ConfigError} if an option isn't usable, or what is given isn't a pending approval.
   */
  request(pending: PendingApproval, options: ApproveOptions): Promise<ApprovalPrompt>;
  /**
   * Turns a token of `request` into one with the decision on the same call. It expires when the first does.
   *
   * @throws {ApprovalRejectedError} if it isn't a valid token of `request`, and with a `store`, if the request is
   * unknown, has expired, or was decided otherwise.
   */
  decide(request: string, decision: RequestDecision): Promise<ApprovalResponse>;
}

/** An approval request, to show to a person. */
export interface ApprovalPrompt {
  /** The words of `describeApproval`, with the arguments that `bind` sets. `mcpServer` doesn't send those. */
  readonly description: string;
  /** The token, for `decide`. */
  readonly token: string;
}

/** The decision on a request. */
export interface ApprovalResponse {
  /** The id of the call. */
  readonly callId: string;
  /** The token with the decision. */
  readonly token: string;
}
