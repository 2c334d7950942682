import { isObject, isString, type Json } from "../shared/json.js";

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

/** The meta tool that runs several tools with one call. */
export const MULTI_EXECUTE = "SVC_MULTI_EXECUTE_TOOL";

/** Meta tools whose calls show what they do. Others run code or commands that can call any tool with any arguments. */
export const READABLE_META_TOOLS: readonly string[] = [
  "SVC_SEARCH_TOOLS",
  "SVC_GET_TOOL_SCHEMAS",
  MULTI_EXECUTE,
  "SVC_MANAGE_CONNECTIONS",
  "SVC_WAIT_FOR_CONNECTIONS",
];

/** Meta tools that run code. */
export const CODE_META_TOOLS: readonly string[] = ["SVC_REMOTE_WORKBENCH", "SVC_REMOTE_BASH_TOOL"];

/** A field that is unknown here could change what the service runs. */
const FIELDS = ["tool_slug", "arguments", "account"];

/** Reads a call in the arguments of `SVC_MULTI_EXECUTE_TOOL`. Returns the reason if that isn't possible. */
export function readInnerCall(
  call: unknown,
): string | { readonly slug: string; readonly args: Json; readonly account: string | undefined } {
  const { tool_slug: slug, arguments: args = {}, account }: Json = Object(call);
  const stranger = Object.keys(Object(call)).find((name) => !FIELDS.includes(name));
  if (stranger !== undefined) return `has the unknown field ${JSON.stringify(stranger)}`;
  if (!isString(slug)) return "has no tool_slug";
  if (!isObject(args)) return "has arguments that aren't an object";
  if (account !== undefined && !isString(account)) return "has an account that isn't a string";
  // An empty string is how models leave an argument out.
  return { slug, args, account: account || undefined };
}

/** Every outcome, the strictest first. */
export const OUTCOMES = ["deny", "dry_run", "ask", "allow"] as const;

/**
 * The outcome of a decision about a call, the strictest first:
 *
 * - `deny`: it doesn't run. The model reads the reason.
 * - `dry_run`: it doesn't run. The model reads the request that would have been sent.
 * - `ask`: it runs if it is approved.
 * - `allow`: it runs.
 */
export type DecisionOutcome = (typeof OUTCOMES)[number];

/** Facts of every decision, for events. */
interface DecisionFacts {
  /** The rule that decided, as its policy names it; `undefined` if no rule did. */
  readonly rule?: string | undefined;
  /** The error that a rule threw, for your program. */
  readonly error?: unknown;
}

/** A decision that lets a call run. */
export interface AllowDecision extends DecisionFacts {
  readonly outcome: "allow";
}

/** A decision that lets a call run only if it is approved. */
export interface AskDecision extends DecisionFacts {
  readonly outcome: "ask";
  /** The reason why the call needs an approval, for the model and for the person who decides. */
  readonly reason: string;
}

/** A decision that keeps a call from running. */
export interface DenyDecision extends DecisionFacts {
  /** `deny`: the model reads only the reason. `dry_run`: it also reads the request that would have been sent. */
  readonly outcome: "deny" | "dry_run";
  /** The reason why the call doesn't run, for the model. */
  readonly reason: string;
}

/** A decision about a call. */
export type Decision = AllowDecision | AskDecision | DenyDecision;

/** Limits of a call. */
export interface CallLimits {
  /**
   * Aborts the calls. `run` rejects with the signal's reason. Calls that were sent already may still run. Your
   * functions receive the signal, and `run` waits for them, so pass the signal on.
   */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of each whole call to the service, in milliseconds. Your own functions receive it. */
  readonly deadlineMs?: number | undefined;
  /** Time limit of each attempt of a call, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** Options of a turn's calls. */
export interface RunOptions extends CallLimits {
  /** Tokens of approvals for these calls, in any order. */
  readonly approvals?: readonly string[] | undefined;
  /**
   * Whether each call ends before it would run: as `dry_run`, or as `pending` if it needs an approval. Budgets count
   * nothing. A call that was cut off or isn't valid JSON is recorded as rejected, and never runs later.
   * @default false
   */
  readonly dryRun?: boolean | undefined;
}

/** Marks a dry run that still asks for approvals: a library asks before it runs a call. */
export const ASKS = Symbol.for("svc-sdk.asks");

/** Whether a run asks no person and changes nothing. A library's question does. */
export const isPreview = (options: RunOptions): boolean => Boolean(options.dryRun) && !(ASKS in options);

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
