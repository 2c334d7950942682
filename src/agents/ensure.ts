import { ConfigError } from "../errors/local.js";
import { field, isString } from "../shared/json.js";
import { didYouMean, nearestName } from "../shared/nearest-name.js";

/** @throws {ConfigError} that states the problem, unless the condition holds. */
export function ensure(holds: unknown, problem: string): asserts holds {
  if (!holds) throw new ConfigError(`toolset: ${problem}`);
}

/**
 * @param mayMiss - Whether a missing name isn't always a typo.
 * @param existing - Names that may have been meant.
 * @throws {ConfigError} for a name that isn't known: with the one that was probably meant, otherwise with advice.
 */
export function ensureKnown(
  names: readonly string[],
  known: readonly string[],
  what: "tool" | "toolkit" | "tools of",
  isSession: boolean,
  mayMiss?: boolean,
  existing = known,
): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const isNoTypo = [undefined, ...names].includes(nearestName(name, known));
    const advice = isSession ? " Preload it in the session." : " Check its slug and version.";
    const hint = existing.includes(name) ? " It exists, but not in the chosen version." : undefined;
    ensure(mayMiss && isNoTypo, `no ${what} ${name}.${hint ?? didYouMean(name, existing, advice)}`);
  }
}

/** Names of a call's fields in the libraries of model providers. */
const CALL_FIELDS = {
  callId: ["id", "call_id", "toolCallId", "tool_call_id"],
  name: ["toolName", "tool_name", "tool", "slug", "function"],
  arguments: ["args", "input", "params", "parameters"],
} as const;

const LIST = "run needs a list of { callId, name, arguments }";

/** @throws {ConfigError} for anything but a list of calls: which call it is, and which of its fields. */
export function ensureCalls(calls: unknown): void {
  ensure(Array.isArray(calls), `${LIST}, even for one call.`);
  for (const [index, call] of calls.entries()) {
    for (const [name, others] of Object.entries(CALL_FIELDS)) {
      const value = field(call, name);
      const isGiven = name === "arguments" ? value !== undefined : isString(value);
      if (isGiven) continue;
      const found = others.find((other) => field(call, other) !== undefined);
      // A tool may take no arguments.
      if (name === "arguments" && !found) continue;
      const problem =
        value !== undefined ? `${name} isn't a string` : found ? `it has ${found}, not ${name}` : `it has no ${name}`;
      ensure(
        false,
        `calls[${index}]: ${problem}. ${LIST}. For a model's calls, use the run of an adapter, such as openai(tools).`,
      );
    }
  }
}

const isSource = (value: unknown) => typeof field(field(value, "tools"), "list") === "function";

/** @throws {ConfigError} for anything but a client or a session: what was probably meant. */
export function ensureSource(source: unknown): void {
  if (isSource(source) || field(source, "executeMeta")) return;
  const [name] = Object.entries(Object(source)).find(([, value]) => isSource(value)) ?? [];
  ensure(!field(source, "then"), "await the client or the session before you pass it.");
  ensure(!field(source, "connection"), "pass a client, not the emulator: new Svc(emulator.connection).");
  ensure(!field(source, "list"), "pass the client itself, not its tools: toolset(svc, { userId, … }).");
  ensure(name === undefined, `pass ${name} itself, and the options after it: toolset(${name}, { userId, … }).`);
  ensure(false, "pass a client or a session: toolset(svc, { userId, … }).");
}
