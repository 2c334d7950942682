import type { ArgumentValidator } from "../arguments/check-arguments.js";
import { kindName } from "../errors/mismatch-words.js";
import { field, kindOf } from "../shared/json.js";
import { unknownNames } from "../shared/nearest-name.js";
import type { Approvals } from "./approvals/types.js";
import type { AuthRequired } from "./auth-required.js";
import { ensure } from "./ensure.js";
import type { AgentEvent } from "./events.js";
import type { ExecutionStore } from "./executions.js";
import type { FileContent, FileRequest } from "./file-arguments.js";
import { Policy } from "./guard.js";
import type { ResultFiles } from "./result-files.js";
import type { ToolClient, ToolRecord, ToolSelection } from "./sources.js";
import type { CallLimits, RunOptions } from "./tool.js";

/** Options of {@link toolset} for clients and sessions. */
export interface ToolsetOptions extends ToolSelection {
  /**
   * A snapshot that {@link Toolset.snapshot} returned earlier. The toolset has all of its tools, without a request:
   * `toolkits`, `tags`, `search`, `limit`, `lock`, `versions` and slugs in `tools` choose nothing.
   */
  readonly snapshot?: ToolsetSnapshot | undefined;
  /**
   * Distinguishes calls that could have the same id: a conversation's id, for example. The user's or the session's id
   * is always part of it.
   */
  readonly scope?: string | undefined;
  /**
   * Remembers which calls were started. Share one between processes to run each call once across all of them.
   * @default memoryExecutions()
   */
  readonly executions?: ExecutionStore | undefined;
  /**
   * Decides about each call right before it runs, and counts it: `policy([...])` or `customPolicy({ digest, decide })`
   * of `svc-sdk/agents/policy`. A call runs only if the outcome is `allow`, or `ask` and it was approved. Without a
   * policy every call runs.
   */
  readonly policy?: Policy | undefined;
  /** Judges the calls that the policy asks about. Without it, those calls don't run. */
  readonly approvals?: Approvals | undefined;
  /**
   * Checks bounds, patterns and formats too, with `argumentValidator()` of `svc-sdk/arguments`. Without it, the
   * structure of the arguments is checked: types, required and unknown properties, enums.
   */
  readonly validateArguments?: ArgumentValidator | undefined;
  /**
   * Opens the file that a model named as an argument. Throw to reject it; the model reads the message. None by default:
   * a model must not read your disk or your network.
   */
  readonly openFile?: ((request: FileRequest, limits: CallLimits) => Promise<FileContent> | FileContent) | undefined;
  /**
   * The form in which the model reads files in results. `handle`: a name, while your program gets the signed URL.
   * `bytes`: the same, and the file is downloaded for your program. `link`: the signed URL, with which anyone can
   * download the file.
   * @default "handle"
   */
  readonly resultFiles?: ResultFiles | undefined;
  /** Uploads and downloads files. By default the client's; a session has none. */
  readonly files?: ToolClient["files"] | undefined;
  /**
   * Largest result that the model reads, in bytes. A larger one is shortened to valid JSON, with a note.
   * @default 32_768
   */
  readonly maxResultBytes?: number | undefined;
  /**
   * The reaction if the user must connect an account, in addition to the message for the model. `throw`: `run` throws
   * an {@link AuthRequiredError} when all calls of the turn have ended. A function is called once per toolkit and turn;
   * a string that it returns is what the model reads.
   */
  readonly onAuthRequired?: "throw" | ((required: AuthRequired) => unknown) | undefined;
  /** Receives the events of every call. Errors it throws are logged to the console and don't affect the call. */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
  /**
   * Whether `decided` events contain the arguments of the call: to record calls for `svc-sdk policy check`, for
   * example.
   * @default false
   */
  readonly eventArguments?: boolean | undefined;
}

/** Options of {@link toolset} with a client. */
export interface ClientToolsetOptions extends ToolsetOptions {
  /** The end user the tools run for. */
  readonly userId: string;
  /** Connected account per toolkit slug. By default the user's newest one. */
  readonly accounts?: Readonly<Record<string, string>> | undefined;
}

/**
 * Options of {@link toolset} with an agent session, which knows its user, its accounts and the versions of its tools.
 */
export interface SessionToolsetOptions extends Omit<ToolsetOptions, "search" | "limit" | "lock" | "versions"> {
  /**
   * The client, to look up the tools that `SVC_MULTI_EXECUTE_TOOL` runs: one request for those of a call that weren't
   * looked up before. A policy judges each by its toolkit and tags, and denies those it can't look up. Without it, only
   * the tools of the toolset can be judged.
   */
  readonly catalog?: Pick<ToolClient, "tools"> | undefined;
}

/** A toolset's tools as JSON: enough to create the same toolset without a request. */
export interface ToolsetSnapshot {
  /** The format: 1. */
  readonly toolset: 1;
  /** The service's tools. */
  readonly tools: readonly ToolRecord[];
}

/** The options of either kind of toolset. */
export type AnyToolsetOptions = ToolsetOptions & Partial<ClientToolsetOptions> & Pick<SessionToolsetOptions, "catalog">;

/** The kind of value, the words or the method that each option must be or have. */
const OPTIONS: Readonly<Record<keyof AnyToolsetOptions, string>> = {
  tools: "an array",
  toolkits: "an array",
  tags: "an array",
  search: "a string",
  limit: "a number",
  lock: "an object",
  versions: "an object",
  snapshot: "an object",
  scope: "a string",
  executions: "an object with start()",
  policy: "what policy() or customPolicy() of this svc-sdk returned",
  approvals: "an object with judge()",
  validateArguments: "an object with check()",
  openFile: "a function",
  resultFiles: "handle or bytes or link",
  files: "an object with upload()",
  maxResultBytes: "a number",
  onAuthRequired: "throw or a function",
  onEvent: "a function",
  eventArguments: "a boolean",
  userId: "a string",
  accounts: "an object",
  catalog: "an object",
};

/** Options that a session knows itself. */
const NOT_OF_SESSIONS: readonly string[] = ["search", "limit", "lock", "versions", "userId", "accounts"];

const RUN_OPTIONS: readonly (keyof RunOptions | "onEvent")[] = [
  "signal",
  "deadlineMs",
  "timeoutMs",
  "approvals",
  "dryRun",
  // Of streams.
  "onEvent",
];

/** @throws {ConfigError} for an unknown name. A misspelled `dryRun` would otherwise run the calls. */
export function checkNames(options: object, known: readonly string[] = RUN_OPTIONS): void {
  for (const problem of unknownNames(options, known)) ensure(false, problem);
}

/**
 * Checks what JavaScript can get wrong. A misspelled `policy` would otherwise allow every call.
 *
 * @throws {ConfigError} for an unknown or invalid option, and for one that doesn't apply to a session.
 */
export function checkedOptions(given: AnyToolsetOptions, isSession: boolean): AnyToolsetOptions {
  const names = Object.keys(OPTIONS);
  checkNames(given, names);
  // Each is read once, wherever it is inherited from: what is checked is what is enforced.
  const options: AnyToolsetOptions = Object.fromEntries(names.map((name) => [name, field(given, name)]));
  for (const [name, expected] of Object.entries(OPTIONS)) {
    const value = field(options, name);
    if (value === undefined) continue;
    ensure(name === "policy" ? Policy.isPolicy(value) : isExpected(value, expected), `${name} must be ${expected}.`);
    ensure(!isSession || !NOT_OF_SESSIONS.includes(name), `${name} doesn't apply to a session.`);
  }
  return options;
}

function isExpected(value: unknown, expected: string): boolean {
  const kinds = [value, kindName(kindOf(value))];
  return expected.split(" or ").some((one) => {
    // Between `an object with ` and the parentheses.
    const method = one.slice(15, -2);
    return kinds.includes(one) || typeof field(value, method) === "function";
  });
}
