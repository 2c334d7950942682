import { checkNames } from "../errors/local.js";
import { kindName } from "../errors/mismatch-words.js";
import { field, isString, kindOf } from "../shared/json.js";
import { MAX_TIMER_MS } from "../shared/timers.js";
import { lockFormatProblem } from "../shared/tools.js";
import { ensure } from "./ensure.js";
import type { RunOptions } from "./tool.js";
import { type AnyToolsetOptions, Policy } from "./toolset-options.js";

/** The kind of value, the words or the method that each option must be or have. */
const OPTIONS: Readonly<Record<keyof AnyToolsetOptions, string>> = {
  tools: "an array",
  toolkits: "an array",
  tags: "an array",
  search: "a string",
  limit: "a number",
  lock: "an object",
  onLockMismatch: "throw or omit",
  versions: "an object",
  snapshot: "an object",
  conversationId: "a string",
  executions: "an object with start()",
  policy: "what policy() or customPolicy() of this svc-sdk returned",
  approvals: "an object with resolve()",
  validateArguments: "an object with check()",
  openFile: "a function",
  resultFiles: "handle or bytes or link",
  files: "an object with upload()",
  maxResultBytes: "a number",
  maxTurnBytes: "a number",
  onAuthRequired: "throw or a function",
  bind: "an object",
  use: "an array of functions",
  onEvent: "a function",
  eventArguments: "a boolean",
  userId: "a string",
  accounts: "newest or an object",
  catalog: "an object",
};

/** Options that a session knows itself. */
const NOT_OF_SESSIONS: readonly string[] = ["search", "limit", "versions", "userId", "accounts"];

/** As of the client's option: a call that fails for it would tell the model that the program had a problem. */
const TIME = `a number from 1 to ${MAX_TIMER_MS}`;

const RUN_OPTIONS: Readonly<Record<keyof RunOptions | "onEvent", string>> = {
  signal: "an object with throwIfAborted()",
  deadlineMs: TIME,
  timeoutMs: TIME,
  approvals: "an array of tokens: { approvals: [token] }",
  dryRun: "a boolean",
  // Of streams.
  onEvent: "a function",
};

/**
 * Checks what JavaScript can get wrong in the options of a run. A misspelled `dryRun` would otherwise run the calls.
 *
 * @throws {ConfigError} for an unknown or invalid option.
 */
export function checkRunOptions(options: RunOptions): void {
  checkOptions(options, RUN_OPTIONS);
}

/**
 * Checks what JavaScript can get wrong. A misspelled `policy` would otherwise allow every call.
 *
 * @throws {ConfigError} for an unknown or invalid option, and for one that doesn't apply to a session.
 */
export function checkedOptions(given: AnyToolsetOptions, isSession: boolean): AnyToolsetOptions {
  // Each is read once, wherever it is inherited from: what is checked is what is enforced.
  const options = checkOptions(given, OPTIONS);
  const wrong = isSession && NOT_OF_SESSIONS.find((name) => field(options, name) !== undefined);
  ensure(!wrong, `${wrong} doesn't apply to a session.`);
  const { approvals, policy, executions, snapshot, lock } = options;
  ensure(!lock || lock.tools, "pass the parsed svc.lock.json.");
  const format = lock && lockFormatProblem(lock.lock);
  ensure(format === undefined, `lock: ${format}`);
  ensure(!approvals || (policy && executions), "approvals need a policy and executions.");
  for (const name of ["maxResultBytes", "maxTurnBytes"] as const) {
    const { [name]: bytes = 1_024 } = options;
    // The remainder of Infinity is NaN.
    ensure(bytes % 1 === 0 && bytes >= 1_024, `${name} must be an integer of at least 1024.`);
  }
  ensure(!snapshot || snapshot.toolset === 1, "snapshot must be what snapshot() returns.");
  return options;
}

/** The known options. @throws {ConfigError} for an unknown or invalid one. */
function checkOptions<Options extends object>(given: Options, known: Readonly<Record<string, string>>): Options {
  checkNames("toolset", given, Object.keys(known));
  const entries = Object.entries(known).map(([name, expected]) => {
    const value = field(given, name);
    ensure(value === undefined || isExpected(value, expected), `${name} must be ${expected}.`);
    return [name, value];
  });
  // Its names are those of the table.
  return Object.fromEntries(entries) as Options;
}

function isExpected(value: unknown, expected: string): boolean {
  if (expected === OPTIONS.policy) return Policy.isPolicy(value);
  if (expected === TIME) return typeof value === "number" && value >= 1 && value <= MAX_TIMER_MS;
  if (expected === RUN_OPTIONS.approvals) return Array.isArray(value) && value.every(isString);
  if (expected === OPTIONS.use) return Array.isArray(value) && value.every((one) => typeof one === "function");
  const kinds = [value, kindName(kindOf(value))];
  return expected.split(" or ").some((one) => {
    // Between `an object with ` and the parentheses.
    const method = one.slice(15, -2);
    return kinds.includes(one) || typeof field(value, method) === "function";
  });
}
