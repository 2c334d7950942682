import type { PendingApproval } from "../pending-approval.js";

/** An approval request that no one has decided yet. */
export interface OpenApprovalRequest {
  /** Time until the request expires, in milliseconds; 0 if it has expired. After that, a run of the call asks again. */
  readonly expiresInMs: number;
  /** No decision. */
  readonly approved?: undefined;
}

/** Options of a token. */
export interface ApproveOptions {
  /** Id of the person who decides, for your log. */
  readonly approver: string;
  /**
   * How long the token is valid, in milliseconds.
   * @default 86_400_000 (one day)
   */
  readonly expiresInMs?: number | undefined;
}

/** Options of a denial, which doesn't expire. */
export interface DenyOptions extends Pick<ApproveOptions, "approver"> {
  /** The reason, which the model reads. */
  readonly reason?: string | undefined;
}

/** The decision of a person or a program: whether the call may run. */
export type ApprovalDecision =
  | (ApproveOptions & { readonly approved: true; readonly reason?: string | undefined })
  | (DenyOptions & { readonly approved: false });

/** The decision of a client's user on a prompt. */
export interface PromptDecision {
  /** Whether the call may run. */
  readonly approved: boolean;
  /** The reason of a denial, which the model reads. */
  readonly reason?: string | undefined;
}

/** Issues tokens for pending approvals. */
export interface ApprovalIssuer {
  /**
   * Approves a call: exactly this tool, version, user, account and arguments, under the policy that asked. Run it once,
   * in any process that shares `executions`: `tools.run([pending.call], { approvals: [token] })`. With a `store`, the
   * call finds the decision without the token.
   *
   * @param request - The pending approval; with a `store`, its id is enough.
   * @returns The token, which is useless without your toolset. If the request was approved before, the earlier token.
   * @throws {ConfigError} if an option isn't usable, or what is given isn't a pending approval.
   * @throws {ApprovalRejectedError} with a `store`, if the request is unknown, has expired, or was decided otherwise.
   */
  approve(request: PendingApproval | string, options: ApproveOptions): Promise<string>;
  /**
   * Denies a call. Run with this token, it ends as `not_run`, and the model reads the reason. A denial wins over an
   * approval in the same run, and doesn't expire. After a run has recorded the denial in `executions`, the call never
   * runs, even if another process approves it.
   *
   * @param request - The pending approval; with a `store`, its id is enough.
   * @throws {ConfigError} if an option isn't usable, or what is given isn't a pending approval.
   * @throws {ApprovalRejectedError} with a `store`, if the request is unknown, has expired, or was decided otherwise.
   */
  deny(request: PendingApproval | string, options: DenyOptions): Promise<string>;
  /**
   * Creates an approval request to show in a client. The token identifies the call but doesn't approve it: pass it to
   * `respond` with the decision.
   *
   * @throws {ConfigError} if an option isn't usable, or what is given isn't a pending approval.
   */
  request(pending: PendingApproval, options: ApproveOptions): Promise<ApprovalPrompt>;
  /**
   * Turns a token from `request` into a token with the decision on the same call. It expires at the same time.
   *
   * @throws {ApprovalRejectedError} if it isn't a valid token of `request`, and with a `store`, if the request is
   * unknown, has expired, or was decided otherwise.
   */
  respond(prompt: string, decision: PromptDecision): Promise<ApprovalResponse>;
}

/** An approval request, to show to a person. */
export interface ApprovalPrompt {
  /**
   * The result of `describeApproval`, including arguments that `bind` sets. `mcpServer` doesn't send these arguments.
   */
  readonly description: string;
  /** The token, for `respond`. */
  readonly token: string;
}

/** The decision on a prompt. */
export interface ApprovalResponse {
  /** The id of the call. */
  readonly callId: string;
  /** The token with the decision. */
  readonly token: string;
}
