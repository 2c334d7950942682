import type { Mismatch } from "../errors/local.js";
import type { Json } from "../shared/json.js";

/** A tool that a model can call, under its own name and with its own schema. */
export interface AgentTool {
  /** The tool's slug, or the name of your own tool. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments for a model: a file is a string. */
  readonly parameters: Json;
  /** Hints such as `readOnlyHint` and `destructiveHint`. */
  readonly tags: readonly string[];
  /** Where it runs: on the service, as a meta tool of an agent session, or in your program. */
  readonly kind: "service" | "meta" | "own";
  /** Slug of its toolkit. Your own tools have none. */
  readonly toolkit: string | undefined;
  /** The version it runs in. Session tools and your own tools have none. */
  readonly version: string | undefined;
}

/** One call as a model made it. */
export interface ToolCall {
  /** The model's id of the call. A call runs once per id. */
  readonly callId: string;
  /** The name the model called. */
  readonly name: string;
  /** The arguments: a JSON string, or the parsed value. */
  readonly arguments: unknown;
  /** True if the model was stopped while it wrote the call: it isn't run, even if it looks complete. */
  readonly isCut?: boolean | undefined;
}

/** A call that is about to run: the tool, and the arguments under the tool's own names. */
export interface Execution {
  /** The model's id of the call. */
  readonly callId: string;
  /** The tool that will run. */
  readonly tool: AgentTool;
  /** As they will be sent, except that a file is still its path or URL. */
  readonly arguments: Json;
  /** The user it runs for; `undefined` in an agent session, which knows its user. */
  readonly userId: string | undefined;
  /** The connected account it runs through, if one was chosen. */
  readonly accountId: string | undefined;
}

/** A decision about a call: run it, or don't and give the model a reason. */
export type Decision = { readonly allow: true } | { readonly allow: false; readonly reason: string };

/**
 * How a call ended:
 *
 * - `succeeded`: it ran.
 * - `failed`: it ran, and the tool reported a failure.
 * - `not_run`: nothing ran.
 * - `unknown`: it may have run.
 */
export type CallStatus = "succeeded" | "failed" | "not_run" | "unknown";

/** A file in a result. */
export interface ResultFile {
  /** The name that the model reads instead of the URL: `file_1`. */
  readonly handle: string;
  /** Signed and secret: anyone who has it can download the file until it expires. */
  readonly url: string;
  readonly name: string | undefined;
  /** Media type, if the tool reported one. */
  readonly mimetype: string | undefined;
  /** The file itself, with `resultFiles: "bytes"`. */
  readonly bytes: Uint8Array | undefined;
  /** Why `bytes` is missing, if the download failed. */
  readonly error: unknown;
}

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
  /** The whole result. `undefined` unless this call just ran. */
  readonly data: unknown;
  /** The files in the result. */
  readonly files: readonly ResultFile[];
  /** The error that was thrown, for your program. */
  readonly error: unknown;
  /** The mismatches, if the arguments were rejected. */
  readonly mismatches: readonly Mismatch[];
  /** True if the call had run before and this is its recorded result. */
  readonly isReplay: boolean;
}

/** Options of a turn's calls. */
export interface RunOptions {
  /** Aborts the calls. `run` rejects with the signal's reason; what was already sent may still run. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of each whole call, in milliseconds. */
  readonly deadlineMs?: number | undefined;
  /** Time limit of each attempt of a call, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** Facts about the call that a tool's function receives besides the arguments. */
export interface ToolContext extends RunOptions {
  /** The model's id of the call. */
  readonly callId: string;
  /** The toolset's user; `undefined` in a session. */
  readonly userId: string | undefined;
}

/** A tool, and the way to run it. */
export interface RunnableTool {
  readonly tool: AgentTool;
  /** The original JSON Schema of the arguments, files included. */
  readonly schema: Json;
  /** Checks the arguments as the tool defines, after their structure. */
  readonly check?: ((value: Json) => Promise<readonly Mismatch[]>) | undefined;
  /** @throws {ToolFailure} if the tool ran and reported a failure. */
  execute(args: Json, context: ToolContext): Promise<unknown>;
}

/** A tool ran and reported a failure. */
export class ToolFailure extends Error {
  readonly data: unknown;

  constructor(message: string, data: unknown) {
    super(message);
    this.data = data;
  }
}
