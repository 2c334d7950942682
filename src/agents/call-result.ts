import type { Mismatch } from "../errors/local.js";
import type { OwnBytes } from "../shared/bytes.js";
import type { PendingApproval } from "./approvals/pending.js";
import type { AgentTool } from "./tool.js";

/**
 * How a call ended:
 *
 * - `succeeded`: it ran.
 * - `failed`: it ran, and the tool reported a failure.
 * - `not_run`: nothing ran.
 * - `unknown`: it may have run.
 * - `pending`: nothing ran. It runs once it is approved.
 * - `dry_run`: nothing ran. `data` is what would have been sent.
 */
export type CallStatus = "succeeded" | "failed" | "not_run" | "unknown" | "pending" | "dry_run";

/** Whether a library is told that a call failed. A pending call hasn't yet, and a dry run did what it should. */
export function isFailure(status: CallStatus | undefined): boolean {
  return status === undefined || status === "failed" || status === "not_run" || status === "unknown";
}

/** A file in a result. */
export interface ResultFile {
  /** The name that the model reads instead of the URL: the id of the call and a number, as in `call_1/file_1`. */
  readonly handle: string;
  /** Signed and secret: anyone who has it can download the file until it expires. */
  readonly url: string;
  readonly name: string | undefined;
  /** Media type, if the tool reported one. */
  readonly mimetype: string | undefined;
  /** The file itself, with `resultFiles: "bytes"`. */
  readonly bytes: OwnBytes | undefined;
  /** Why `bytes` is missing, if the download failed. */
  readonly error: unknown;
}

/** The fields of a result that differ from the default. */
export type Conclusion = Partial<CallResult> & Pick<CallResult, "status" | "text">;

/** The result of a call. */
export interface CallResult {
  /** The model's id of the call. */
  readonly callId: string;
  /** The tool that was called; `undefined` if no tool has the called name. */
  readonly tool: AgentTool | undefined;
  /** How the call ended. */
  readonly status: CallStatus;
  /** The text for the model: the result as JSON, or what failed, whether it ran and what to do. */
  readonly text: string;
  /** The whole result; after a dry run, what would have been sent. `undefined` unless one of the two just happened. */
  readonly data: unknown;
  /** The files in the result. */
  readonly files: readonly ResultFile[];
  /** The error that was thrown, for your program. */
  readonly error: unknown;
  /** The mismatches, if the arguments were rejected. */
  readonly mismatches: readonly Mismatch[];
  /** True if the call had run before and this is its recorded result. */
  readonly isReplay: boolean;
  /** The approval that the call waits for, with the status `pending`. */
  readonly pending: PendingApproval | undefined;
}
