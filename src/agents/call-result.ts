import type { Mismatch } from "../errors/local.js";
import type { ConnectionNeed, DownloadedFile } from "../index.js";
import type { CALL_STATUSES } from "../shared/tools.js";
import type { AgentTool, ToolCall } from "./agent-tool.js";
import type { PendingApproval } from "./pending-approval.js";
import type { RunOptions } from "./run-options.js";

/**
 * How a call ended:
 *
 * - `succeeded`: it ran.
 * - `failed`: it ran, and the tool reported a failure. A tool that only reads can also end without a result.
 * - `not_run`: nothing ran. `authRequired`, `error` and `mismatches` say why, and whether running it again can help.
 * - `unknown`: it may have run.
 * - `pending`: nothing ran. The call waits for an approval.
 * - `dry_run`: nothing ran. `data` is the request that would have been sent.
 */
export type CallStatus = (typeof CALL_STATUSES)[number];

/** A file in a result. */
export interface ResultFile {
  /** The name that the model reads instead of the URL: the id of the call and a number, as in `call_1/file_1`. */
  readonly handle: string;
  /** The signed URL. Keep it secret: anyone who has the URL can download the file until it expires. */
  readonly url: string;
  readonly name: string | undefined;
  /** Media type, if the tool reported one. */
  readonly mimetype: string | undefined;
  /** The file itself, with `resultFiles: "bytes"`. */
  readonly bytes: DownloadedFile["bytes"] | undefined;
  /** Why `bytes` is missing: the download failed, or the tool's output schema declares no file there. */
  readonly error: unknown;
}

/** An account that a user may use. */
export interface AccountChoice {
  /** Starts with `ca_`. */
  readonly id: string;
  /** Its alias, otherwise its short readable name. */
  readonly label: string;
  /** Whether it belongs to another user, who shares it. */
  readonly isShared: boolean;
}

/** A call needs an account that the user must connect or choose, because the model can't. */
export interface AuthRequired {
  /**
   * Why nothing ran:
   *
   * - `not_connected`: the user has no usable account.
   * - `unfinished`: the user has a link, and hasn't finished.
   * - `failed`: the user declined, or the account couldn't be connected.
   * - `expired`: its credentials can't be refreshed anymore, or the user didn't finish in time.
   * - `revoked`: its credentials were revoked.
   * - `inactive`: your program has disabled it, and can enable it.
   * - `other_user`: it belongs to another user, who doesn't share it with this one.
   * - `account_required`: the user has several accounts, or only a shared account, and no account was chosen.
   */
  readonly reason: ConnectionNeed | "inactive" | "other_user" | "account_required";
  /** The tool that was called. */
  readonly tool: AgentTool;
  /** Slug of the toolkit to connect. */
  readonly toolkit: string;
  /** The user who must connect; `undefined` in an agent session that was opened by its id alone. */
  readonly userId: string | undefined;
  /** The user's active accounts, with the reason `account_required`; otherwise empty. */
  readonly accounts: readonly AccountChoice[];
  /**
   * Chooses one of `accounts` for the toolkit's calls from now on: in this conversation, if `conversationId` is set, in
   * all toolsets of the client; otherwise in this toolset. Run the same calls again afterwards.
   *
   * @throws {ConfigError} if it isn't the id of one of them.
   */
  choose(id: string): void;
  /**
   * Creates a page on which the user connects the account, and returns its URL. Send the user's browser there.
   *
   * @throws {ConfigError} if the service has no enabled auth config for the toolkit.
   */
  linkUrl(options?: LinkOptions): Promise<string>;
}

/** Options of a connect page. */
export interface LinkOptions {
  /** Where the browser goes afterwards. */
  readonly callbackUrl?: string | undefined;
  /**
   * The auth config to connect with. By default, the toolkit's first enabled auth config. A session has its own
   * setting.
   */
  readonly authConfigId?: string | undefined;
}

/** How a call ended: the fields of its result that differ from the default. */
export type Ending = Partial<CallResult> & Pick<CallResult, "status" | "text">;

/** The result of a call. */
export interface CallResult {
  /** The model's id of the call. */
  readonly callId: string;
  /** The tool that was called; `undefined` if no tool has the called name. */
  readonly tool: AgentTool | undefined;
  /** How the call ended. */
  readonly status: CallStatus;
  /** The text for the model: the result as JSON, or the failure, whether the tool ran, and what to do next. */
  readonly text: string;
  /**
   * The complete result, or the request that a dry run would have sent. Set only if this run succeeded or was a dry
   * run.
   */
  readonly data: unknown;
  /** The files in the result. Empty in a recorded result, whose text contains the handles. */
  readonly files: readonly ResultFile[];
  /** The error that was thrown, for your program. */
  readonly error: unknown;
  /** The mismatches, if the arguments were rejected. */
  readonly mismatches: readonly Mismatch[];
  /** Whether an earlier run of the call recorded this result. */
  readonly isReplay: boolean;
  /** The labels of the result, from the policy and from middleware. Recorded before the result is returned. */
  readonly labels: readonly string[];
  /** The approval that the call waits for, with the status `pending`. */
  readonly pendingApproval: PendingApproval | undefined;
  /** The account that the user must connect before the call can run. */
  readonly authRequired: AuthRequired | undefined;
}

/** The fields of a result that most endings don't have. */
export const NO_RESULT: Omit<CallResult, "callId" | "tool" | "status" | "text"> = Object.freeze({
  data: undefined,
  files: Object.freeze([]),
  error: undefined,
  mismatches: Object.freeze([]),
  isReplay: false,
  labels: Object.freeze([]),
  pendingApproval: undefined,
  authRequired: undefined,
});

/** Runs calls at the same time, and returns their results in order. */
export type RunCalls = (calls: readonly ToolCall[], options?: RunOptions) => Promise<CallResult[]>;
