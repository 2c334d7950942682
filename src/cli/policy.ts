import { type DecisionOutcome, OUTCOMES } from "../agents/decision.js";
import type { AgentTool } from "../agents/index.js";
import { type Explanation, type PolicyCall, policyFromJson } from "../agents/policy-entry.js";
import { counted } from "../errors/mismatch-words.js";
import { isObject, isString, type Json, parseJson } from "../shared/json.js";
import { didYouMean, nearestName } from "../shared/nearest-name.js";
import { declareCommand, flag, JSON_OUTPUT, text, UsageError, VERBOSE_ERRORS } from "./command.js";
import { EXIT } from "./exit-codes.js";
import { readJson, readText } from "./files.js";
import { type Cell, print, printJson, printRows } from "./print.js";
import type { Terminal } from "./terminal.js";

export const command = declareCommand({
  usage: [["check policy.json --calls calls.json", "test recorded calls"]],
  options: {
    calls: text("file", "recorded calls: a JSON array, or one JSON object per line"),
    "accept-changes": flag("list calls whose outcome differs from the recorded outcome, without failing"),
    "expect-recorded": flag("fail if a call has no outcome to compare with: neither a recorded one nor expect"),
    json: JSON_OUTPUT,
    verbose: VERBOSE_ERRORS,
  },
  notes: `The policy is a JSON file with rules as data: { "rules": [{ "allow": { "tools": ["GITHUB_GET_*"] } }] }.
A call is { "tool": { "name", "toolkit", "tags", "version" }, "arguments", "userId", "accountId", "labels", "expect" }. Only the
tool's name is required, and "tool" can be a slug. "labels" are the labels of the conversation: without them, restricting rules with
"after" match. "expect" is the expected outcome: allow, ask, dry_run or deny. To record calls, write the decided events of a toolset
with eventArguments: true. Their outcome must be the recorded one. If new rules are meant to change outcomes, pass --accept-changes.
In CI, pass --expect-recorded: a call that is compared with nothing fails, and so does a file in which nothing is compared.
Budgets aren't checked, because they depend on the time of calls.`,
  exitCodes: {
    0: "every call has its expected or recorded outcome",
    3: "a call has a different outcome, or with --expect-recorded none",
  },
  takesArguments: true,
  run: async ({ calls: callsFile, json, ...flags }, [verb, file, ...others], terminal) => {
    if (others.length > 0) throw new UsageError(`Unexpected argument ${others[0]}.`);
    if (verb !== "check" || file === undefined)
      throw new UsageError("Pass a policy and recorded calls: svc-sdk policy check <file> --calls <file>.");
    if (callsFile === undefined) throw new UsageError("--calls is missing.");
    const { "accept-changes": acceptsChanges, "expect-recorded": expectsRecorded } = flags;
    if (acceptsChanges && expectsRecorded) {
      throw new UsageError("--accept-changes and --expect-recorded contradict each other. Pass one of them.");
    }
    const rules = policyFromJson(await readJson(terminal, file, "policy"));
    const recorded = await readCalls(terminal, callsFile);
    const checked = recorded.map((recording) => ({ ...recording, explanation: rules.explain(recording.call) }));
    const wrong = checked.filter(({ expect, explanation: { outcome } }) => (expect ?? outcome) !== outcome);
    const changed = checked.filter(hasChanged);
    const missing = expectsRecorded ? checked.filter(hasNoOutcome) : [];
    // Decisions of budgets are the only ones without an outcome to compare with then.
    const isNothing = expectsRecorded && checked.every(isUncompared);
    const isFound = wrong.length > 0 || (changed.length > 0 && !acceptsChanges) || missing.length > 0 || isNothing;
    const unused = unusedRules(checked.map(({ explanation }) => explanation));
    if (json) {
      const shown = checked.map(({ place, call, expect, recorded, explanation: { outcome, rule, trace } }) => {
        const matched = trace.filter((step) => step.matched).map((step) => step.rule);
        return { place, tool: call.tool.name, expect, recorded, outcome, rule, matched };
      });
      printJson(terminal, { ok: !isFound, digest: rules.digest, calls: shown, unused });
    } else {
      printRows(
        terminal,
        checked.map((entry) => describeCall(entry, missing.includes(entry))),
      );
      if (unused.length > 0) print(terminal, ["", `No call matched: ${unused.join(", ")}.`]);
      const isChecked = checked.some(({ expect }) => expect !== undefined);
      const isRecorded = checked.some(({ recorded }) => recorded !== undefined);
      const unexpected = isChecked ? `${wrong.length} with an unexpected outcome` : "none with an expected outcome";
      const summary = [
        counted(checked.length, "call"),
        ...(isChecked || !isRecorded ? [unexpected] : []),
        ...(isRecorded ? [`${changed.length} with a changed outcome`] : []),
        ...(expectsRecorded ? [`${missing.length} without a recorded outcome`] : []),
        ...(isNothing ? ["nothing was compared"] : []),
      ];
      print(terminal, ["", `${summary.join(", ")}.`]);
    }
    return isFound ? EXIT.found : EXIT.done;
  },
});

interface CheckedCall extends RecordedCall {
  readonly explanation: Explanation;
}

function hasChanged({ recorded, explanation: { outcome } }: CheckedCall): boolean {
  return (recorded ?? outcome) !== outcome;
}

const isUncompared = ({ expect, recorded }: RecordedCall) => expect === undefined && recorded === undefined;

/** Whether a call should have an outcome to compare with, and has none. */
const hasNoOutcome = (call: RecordedCall) => isUncompared(call) && call.isOfRules;

function describeCall(checked: CheckedCall, isMissing: boolean): Cell[] {
  const { place, call, expect, recorded, explanation } = checked;
  const { outcome, rule = "no rule" } = explanation;
  const isWrong = expect !== undefined && expect !== outcome;
  const change = hasChanged(checked) ? `, was ${recorded} in ${place}` : "";
  const missing = isMissing ? `, without a recorded outcome in ${place}` : change;
  const problem = isWrong ? `, expected ${expect}` : missing;
  const shown = `${problem === "" ? " " : "!"} ${outcome.padEnd(6)}`;
  return [problem === "" ? shown : { text: shown, color: "bad" }, call.tool.name, `(${rule})${problem}`];
}

/** Rules that matched none of the calls: probably with a typo, or without a test. */
function unusedRules(explanations: readonly Explanation[]): string[] {
  const [first] = explanations;
  return (first?.trace ?? []).flatMap(({ rule }, index) =>
    explanations.some(({ trace }) => trace[index]?.matched) ? [] : [rule],
  );
}

/** The fields of a tool, all of which an event has. */
const TOOL_FIELDS: Readonly<Record<keyof AgentTool, string>> = {
  ...{ name: "", toolkit: "", tags: "", version: "", kind: "", description: "", parameters: "", output: "" },
};
const CALL_FIELDS: Readonly<Record<keyof PolicyCall | "expect", string>> = {
  ...{ tool: "", arguments: "", userId: "", accountId: "", labels: "", expect: "" },
};

interface RecordedCall {
  /** Where it is, for messages: `calls.json: 3`. */
  readonly place: string;
  readonly call: PolicyCall;
  readonly expect: string | undefined;
  /** The outcome that the rules had, if it is an event; `undefined` if it also has `expect`. */
  readonly recorded: string | undefined;
  /** Whether the rules decided. Otherwise it is an event of a budget, or of a call that couldn't be read. */
  readonly isOfRules: boolean;
}

/**
 * Reads recorded calls: a JSON array, or one JSON object per line, such as `decided` events.
 *
 * @throws if the file isn't readable, or one of its entries isn't a call.
 */
async function readCalls(terminal: Terminal, file: string): Promise<RecordedCall[]> {
  const text = await readText(terminal, file, "calls");
  const whole = parseJson(text);
  const calls = Array.isArray(whole)
    ? whole.map((entry, index) => toCall(entry, `${file}: call ${index + 1}`))
    : text.split("\n").flatMap((line, index) => {
        return line.trim() === "" ? [] : toCall(parseJson(line), `${file}: line ${index + 1}`);
      });
  // A check of nothing would pass.
  if (calls.length === 0) throw new Error(`${file} contains no calls.`);
  return calls;
}

function toCall(entry: unknown, place: string): RecordedCall {
  const reject = (problem: string): never => {
    throw new Error(`${place} ${problem}`);
  };
  if (!isObject(entry)) return reject("isn't a JSON object. The file must be an array of calls, or have one per line.");
  const { tool: given, arguments: args = {}, userId, accountId, labels, expect } = entry;
  const tool = isString(given) ? { name: given } : given;
  if (!isObject(tool) || !isString(tool["name"])) return reject("has no tool: a slug, or an object with a name.");
  const { name, toolkit, version, kind, tags = [] } = tool;
  if (!Array.isArray(tags) || !tags.every(isString)) return reject("has tags that aren't a list of strings.");
  const optional = withoutNull({ toolkit, version, kind, userId, accountId });
  const [wrong] = Object.keys(optional).filter((field) => !isString(optional[field]));
  if (wrong !== undefined) return reject(`has a ${wrong} that isn't a string.`);
  const hasLabels = Array.isArray(labels) ? labels.every(isString) : (labels ?? undefined) === undefined;
  if (!hasLabels) return reject("has labels that aren't a list of strings.");
  if (!isObject(args)) return reject("has arguments that aren't an object.");
  const outcome = OUTCOMES.find((known) => known === expect);
  if (expect !== outcome) {
    return reject(`is wrong: expect must be one of ${OUTCOMES.join(", ")}, not ${JSON.stringify(expect)}.`);
  }
  // A misspelled field would be missing, and the call could pass. A log may have added fields to an event.
  const isEvent = entry["type"] === "decided";
  const names = Object.keys(entry).filter((field) => !isEvent || nearestName(field, ["expect"]) !== undefined);
  const isOfRules = (entry["by"] ?? "rules") === "rules";
  const recorded = isEvent && outcome === undefined && isOfRules ? entry["outcome"] : undefined;
  if (recorded !== undefined) {
    if (!isOutcome(recorded)) return reject(`has an outcome that isn't one of ${OUTCOMES.join(", ")}.`);
    // Without them, conditions on arguments would have a different result.
    if (entry["arguments"] === undefined)
      return reject("is an event without arguments. Record events with eventArguments: true.");
  }
  const problem = stranger("", names, CALL_FIELDS) ?? stranger("names a tool that ", Object.keys(tool), TOOL_FIELDS);
  if (problem !== undefined) return reject(problem);
  const facts = withoutNull({ name, toolkit, version, kind, tags });
  const call = withoutNull({ tool: facts, arguments: args, userId, accountId, labels });
  // Each field was just checked.
  return { place, call: call as unknown as PolicyCall, expect: outcome, recorded, isOfRules };
}

function isOutcome(value: unknown): value is DecisionOutcome {
  return OUTCOMES.some((known) => known === value);
}

/** A field that is null in an event is missing in a call. */
function withoutNull(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

function stranger(owner: string, names: readonly string[], fields: object): string | undefined {
  const known = Object.keys(fields);
  const name = names.find((each) => !known.includes(each));
  if (name === undefined) return undefined;
  return `${owner}has no field ${JSON.stringify(name)}.${didYouMean(name, known, ` Its fields are ${known.join(", ")}.`)}`;
}
