import type { Json } from "../shared/json.js";
import type { CallLimits } from "./run-options.js";

/** A tool that a model can call, under its own name and with its own schema. */
export interface AgentTool {
  /** The tool's slug, or the name of a local tool. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments for a model: a file is a string. */
  readonly parameters: Json;
  /** JSON Schema of the result, as the catalog or a local tool has it. */
  readonly output?: Json | undefined;
  /** Hints such as `readOnlyHint` and `destructiveHint`. */
  readonly tags: readonly string[];
  /** Where it runs: on the service, as a meta tool of an agent session, or in your program. */
  readonly kind: "service" | "meta" | "local";
  /** Slug of its toolkit. Local tools have none. */
  readonly toolkit: string | undefined;
  /** The version it runs in. Session tools and local tools have none. */
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
  /** Whether the model was stopped while it wrote the call. Such a call isn't run, even if it looks complete. */
  readonly isTruncated?: boolean | undefined;
  /**
   * Whether a program of the model made the call. Such a call runs only if the policy always allows the tool: without a
   * condition, an approval or a budget.
   */
  readonly isFromProgram?: boolean | undefined;
}

/** A call that will run next: the tool, and the arguments under the tool's own names. */
export interface Execution {
  /** The model's id of the call. */
  readonly callId: string;
  /** The tool that will run. */
  readonly tool: AgentTool;
  /**
   * The arguments that will be sent, except that a file is still its path or URL. For a local tool, the output of its
   * schema.
   */
  readonly arguments: Json;
  /** The arguments as the model wrote them, before a local tool's schema is applied. */
  readonly requested: Json;
  /** The user it runs for; `undefined` in an agent session that was opened by its id alone. */
  readonly userId: string | undefined;
  /** The connected account it runs through, if one was chosen. */
  readonly accountId: string | undefined;
  /** The inner calls, if the tool runs other tools and the toolset has a policy; otherwise empty. */
  readonly inner: readonly Execution[];
}

/** Facts and limits of a call, which a tool's function receives besides the arguments. */
export interface ToolContext extends Pick<Execution, "callId" | "userId" | "accountId">, CallLimits {}

/** A tool's name for a model, and the function that converts the model's arguments to the tool's. */
export interface ToolForm {
  /** Unique among the tools. */
  readonly name: string;
  /** Converts the model's arguments. Doesn't throw. Without it, the model writes the tool's own arguments. */
  decode?(args: unknown): unknown;
}

/** A tool ran and reported a failure. Its `cause` is what it returned. */
export class ReportedFailure extends Error {}

/** A call that provably didn't run. */
export class NotStarted extends Error {}
