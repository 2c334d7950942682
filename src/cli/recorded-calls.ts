import type { PolicyCall } from "../agents/policy/index.js";
import { isObject, isString, type Json, parseJson } from "../shared/json.js";
import { didYouMean, nearestName } from "../shared/nearest-name.js";
import { readText } from "./files.js";

/** The outcomes that a recorded call can expect. */
const OUTCOMES = ["deny", "dry_run", "ask", "allow"];
const TOOL_FIELDS = ["name", "toolkit", "tags", "version", "kind"];
/** A tool of an event has all of its fields. */
const SENT_FIELDS = [...TOOL_FIELDS, "description", "parameters"];
const CALL_FIELDS = ["tool", "arguments", "userId", "accountId", "expect"];

/** A recorded call. */
export interface RecordedCall {
  /** Where it is, for messages: `calls.json: 3`. */
  readonly place: string;
  readonly call: PolicyCall;
  /** The outcome that it must have. */
  readonly expect: string | undefined;
}

/**
 * Reads recorded calls: a JSON array, or one JSON object per line, such as `decided` events.
 *
 * @throws if the file isn't readable, or one of its entries isn't a call.
 */
export async function readCalls(file: string): Promise<RecordedCall[]> {
  const calls = await entriesOf(file);
  // A check of nothing would pass.
  if (calls.length === 0) throw new Error(`${file} contains no calls.`);
  return calls;
}

async function entriesOf(file: string): Promise<RecordedCall[]> {
  const text = await readText(file, "calls");
  const whole = parseJson(text);
  if (Array.isArray(whole)) return whole.map((entry, index) => toCall(entry, `${file}: call ${index + 1}`));
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    return toCall(parseJson(line), `${file}: line ${index + 1}`);
  });
}

function toCall(entry: unknown, place: string): RecordedCall {
  const reject = (problem: string): never => {
    throw new Error(`${place} ${problem}`);
  };
  if (!isObject(entry)) return reject("isn't a JSON object. The file must be an array of calls, or have one per line.");
  const { tool: given, arguments: args = {}, userId, accountId, expect } = entry;
  const tool = isString(given) ? { name: given } : given;
  if (!isObject(tool) || !isString(tool["name"])) return reject("has no tool: a slug, or an object with a name.");
  const { toolkit, version, kind, tags = [] } = tool;
  if (!Array.isArray(tags) || !tags.every(isString)) return reject("has tags that aren't a list of strings.");
  const optional = Object.entries({ toolkit, version, kind, userId, accountId });
  const wrong = optional.find(([, value]) => value !== undefined && value !== null && !isString(value));
  if (wrong) return reject(`has a ${wrong[0]} that isn't a string.`);
  if (!isObject(args)) return reject("has arguments that aren't an object.");
  if (expect !== undefined && !(isString(expect) && OUTCOMES.includes(expect))) {
    return reject(`is wrong: expect must be one of ${OUTCOMES.join(", ")}, not ${JSON.stringify(expect)}.`);
  }
  // A misspelled field would be missing, and the call could pass. A log may have added fields to an event.
  const isEvent = entry["type"] === "decided";
  const names = Object.keys(entry).filter((name) => !isEvent || nearestName(name, ["expect"]) !== undefined);
  const problem = stranger("", names, CALL_FIELDS) ?? stranger("names a tool that ", Object.keys(tool), SENT_FIELDS);
  if (problem !== undefined) return reject(problem);
  const facts: Json = { ...tool, tags };
  const known = Object.fromEntries(TOOL_FIELDS.flatMap((name) => (facts[name] == null ? [] : [[name, facts[name]]])));
  const call = {
    tool: known,
    arguments: args,
    ...(isString(userId) && { userId }),
    ...(isString(accountId) && { accountId }),
  };
  // Each field was just checked; `Object.fromEntries` loses their names and types.
  return { place, call: call as unknown as PolicyCall, expect };
}

/** The problem with the first name that isn't known. */
function stranger(owner: string, names: readonly string[], known: readonly string[]): string | undefined {
  const name = names.find((each) => !known.includes(each));
  if (name === undefined) return undefined;
  return `${owner}has no field ${JSON.stringify(name)}.${didYouMean(name, known, ` Its fields are ${known.join(", ")}.`)}`;
}
