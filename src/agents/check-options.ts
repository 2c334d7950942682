import * as option from "../errors/option-rules.js";
import { field, isObject } from "../shared/json.js";
import { lockFormatProblem } from "../shared/lock-format.js";
import { ensure } from "./ensure.js";
import { Policy } from "./policy-base.js";
import { ASKS, type RunOptions } from "./run-options.js";
import type { SettleLimits } from "./settler.js";
import { TOOLSET_FORMAT } from "./tools/tool-service.js";
import type { AnyToolsetOptions } from "./toolset-options.js";

const BYTES = option.fitting(
  "an integer of at least 1024",
  (value) => Number.isInteger(value) && Number(value) >= 1_024,
);

export const ACCOUNTS = {
  ...option.either(option.oneOf("newest"), option.DICTIONARY),
  read: option.DICTIONARY.read,
} as const;

const SETTLE = {
  ...option.either(option.BOOLEAN, option.OBJECT),
  default: false,
  read: option.DICTIONARY.read,
  problems: (name: string, value: unknown) =>
    isObject(value)
      ? option.read<SettleLimits, typeof option.SETTLE_LIMITS>(value, option.SETTLE_LIMITS, `${name}.`).problems
      : [],
} as const;

const TOOLSET_OPTIONS = {
  tools: option.ARRAY,
  toolkits: option.ARRAY,
  tags: option.ARRAY,
  search: option.STRING,
  limit: option.fitting("a number", (value) => typeof value === "number"),
  lock: option.OBJECT,
  onLockMismatch: { ...option.oneOf("throw", "omit"), default: "throw" },
  versions: option.DICTIONARY,
  from: option.fitting("a toolset's toJSON()", (value) => field(value, "formatVersion") === TOOLSET_FORMAT),
  signal: option.SIGNAL,
  conversationId: option.NAME,
  isNewConversation: { ...option.BOOLEAN, default: false },
  executions: option.withMethods(["start"]),
  policy: option.fitting("a policy from policy() or customPolicy() of this copy of svc-sdk", Policy.isPolicy),
  requirePolicy: { ...option.BOOLEAN, default: false },
  approvals: option.withMethods(["resolve"]),
  validateArguments: option.withMethods(["check"]),
  openFile: option.FUNCTION,
  resultFiles: { ...option.oneOf("handle", "bytes", "link"), default: "handle" },
  files: option.withMethods(["upload"]),
  maxResultBytes: { ...BYTES, default: 32_768 },
  maxTurnBytes: { ...BYTES, default: 100_000 },
  concurrency: option.fitting("a positive integer", option.COUNT.isFit),
  settle: SETTLE,
  onAuthRequired: option.either(option.oneOf("throw"), option.FUNCTION),
  bind: option.DICTIONARY,
  use: option.FUNCTIONS,
  onEvent: option.FUNCTION,
  eventArguments: { ...option.BOOLEAN, default: false },
  audit: option.withMethods(["trail"], "audit()"),
  trustHints: { ...option.BOOLEAN, default: false },
  userId: option.STRING,
  accounts: ACCOUNTS,
  catalog: option.OBJECT,
} as const satisfies option.Rules<AnyToolsetOptions>;

/** Options that a session knows itself. */
const NOT_OF_SESSIONS: readonly string[] = ["search", "limit", "versions", "userId", "accounts"];

const RUN_OPTIONS = {
  signal: option.SIGNAL,
  deadlineMs: option.TIME,
  timeoutMs: option.TIME,
  approvals: option.fitting("an array of tokens: { approvals: [token] }", option.STRINGS.isFit),
  dryRun: { ...option.BOOLEAN, default: false },
  // Of adapters.
  onStreamEvent: option.FUNCTION,
  answer: option.FUNCTION,
} as const satisfies option.Rules<RunOptions & { onStreamEvent: unknown; answer: unknown }>;

/**
 * Reads the options of a run. A misspelled `dryRun` would otherwise run the calls.
 *
 * @throws {ConfigError} for an unknown or invalid option.
 */
export function runOptionsOf<Options extends RunOptions>(given: Options | undefined): Options {
  // Most turns have none. Each default is the same as a missing option. A new object, because it identifies the run.
  if (given === undefined) return {} as Options;
  const options: RunOptions = option.checkAll("toolset", given as RunOptions | undefined, RUN_OPTIONS);
  const isAsking = ASKS in given;
  // The rules are those of all adapters, each of which has its own options.
  return (isAsking ? { ...options, [ASKS]: true } : options) as Options;
}

/**
 * Checks what JavaScript can get wrong. A misspelled `policy` would otherwise allow every call.
 *
 * @throws {ConfigError} for an unknown or invalid option, and for one that doesn't apply to a session.
 */
export function checkedOptions(given: AnyToolsetOptions, isSession: boolean) {
  const options = option.checkAll("toolset", given, TOOLSET_OPTIONS);
  const wrong = isSession && NOT_OF_SESSIONS.find((name) => field(options, name) !== undefined);
  ensure(!wrong, `${wrong} doesn't apply to a session.`);
  const { approvals, policy, requirePolicy, executions, lock } = options;
  ensure(
    policy || !("policy" in options),
    "policy is undefined, and without a policy every call runs. Omit it if no policy is meant: { ...(policy && { policy }) }.",
  );
  ensure(policy || !requirePolicy, "requirePolicy is true, but there is no policy. Pass policy([...]).");
  ensure(!lock || lock.tools, "pass the parsed svc.lock.json.");
  const format = lock && lockFormatProblem(lock.formatVersion);
  ensure(format === undefined, `lock: ${format}`);
  ensure(!approvals || (policy && executions), "approvals need a policy and executions.");
  ensureLasting(options);
  return options;
}

/** @throws {ConfigError} if the labels of a conversation would be forgotten. */
export function ensureLasting({ policy, conversationId, isNewConversation, executions }: AnyToolsetOptions): void {
  ensure(!isNewConversation || conversationId !== undefined, "isNewConversation needs the conversationId.");
  ensure(
    !policy?.hasLabels || conversationId === undefined || executions,
    "labels need executions that live as long as the conversation. memoryExecutions() lives as long as the process.",
  );
}
