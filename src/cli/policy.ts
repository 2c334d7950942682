import { type Explanation, policyFromJson } from "../agents/policy/index.js";
import { readJson } from "./files.js";
import { parseOptions, UsageError } from "./parse-options.js";
import { print, printJson } from "./print.js";
import { type RecordedCall, readCalls } from "./recorded-calls.js";

const HELP = `svc-sdk policy: what a policy decides

Usage
  svc-sdk policy check policy.json --calls calls.json   test recorded calls

Options
  --calls <file>   recorded calls: a JSON array, or one JSON object per line
  --json           print JSON
  --verbose        log error details to standard error
  -h, --help       show this help

The policy is a JSON file with rules as data: { "rules": [{ "allow": { "tools": ["GITHUB_GET_*"] } }] }.
A call is { "tool": { "name", "toolkit", "tags", "version" }, "arguments", "userId", "accountId", "expect" }: only the tool's
name is required, and "tool" can be a slug. "expect" is the outcome it must have: allow, ask, dry_run or deny. A toolset with
eventArguments: true reports such calls as decided events. Budgets aren't checked: they depend on when calls happen.

Exit codes
  0  every call has the outcome that it expects
  1  error; see the message
  2  invalid command line
  3  a call has another outcome
`;

/** Exit code if the outcome of a call isn't the expected one. */
const DIFFERS = 3;

/** Tests recorded calls with the policy in a file. */
export async function policyCommand(commandLine: string[]): Promise<void> {
  const { verb, file, options } = readCommandLine(commandLine);
  if (options.help) {
    print(...HELP.trimEnd().split("\n"));
    return;
  }
  const { calls: callsFile, json } = options;
  if (verb !== "check" || file === undefined)
    throw new UsageError("Pass check and a policy file. See svc-sdk policy --help.");
  if (callsFile === undefined) throw new UsageError("--calls is missing. See svc-sdk policy --help.");
  const rules = policyFromJson(await readJson(file, "policy"));
  const recorded = await readCalls(callsFile);
  const checked = recorded.map((one) => ({ ...one, explanation: rules.explain(one.call) }));
  const wrong = checked.filter(({ expect, explanation }) => expect !== undefined && expect !== explanation.outcome);
  const unused = unusedRules(checked.map(({ explanation }) => explanation));
  if (json) {
    const shown = checked.map(({ place, call, expect, explanation }) => {
      const { outcome, rule, trace } = explanation;
      return {
        place,
        tool: call.tool.name,
        expect,
        outcome,
        rule,
        matched: trace.filter(({ matched }) => matched).map((one) => one.rule),
      };
    });
    printJson({ ok: wrong.length === 0, digest: rules.digest, calls: shown, unused });
  } else {
    print(...checked.map(describe));
    if (unused.length > 0) print("", `No call matched: ${unused.join(", ")}.`);
    const count = checked.length === 1 ? "1 call" : `${checked.length} calls`;
    const isChecked = checked.some(({ expect }) => expect !== undefined);
    const differing = isChecked ? `${wrong.length} with an unexpected outcome` : "none with an expected outcome";
    print("", `${count}, ${differing}.`);
  }
  if (wrong.length > 0) process.exitCode = DIFFERS;
}

function describe({ call, expect, explanation }: RecordedCall & { readonly explanation: Explanation }): string {
  const { outcome, rule = "no rule" } = explanation;
  const isWrong = expect !== undefined && expect !== outcome;
  return `${isWrong ? "!" : " "} ${outcome.padEnd(7)} ${call.tool.name}  (${rule})${isWrong ? `, expected ${expect}` : ""}`;
}

/** Rules that matched none of the calls: probably with a typo, or without a test. */
function unusedRules(explanations: readonly Explanation[]): string[] {
  const [first] = explanations;
  return (first?.trace ?? []).flatMap(({ rule }, index) =>
    explanations.some(({ trace }) => trace[index]?.matched) ? [] : [rule],
  );
}

function readCommandLine(commandLine: string[]) {
  const rest = [...commandLine];
  const verb = isOption(rest[0]) ? undefined : rest.shift();
  const file = isOption(rest[0]) ? undefined : rest.shift();
  return { verb, file, options: parseOptions("policy", OPTIONS, rest) };
}

function isOption(word: string | undefined): boolean {
  return word?.startsWith("-") ?? true;
}

/** Options of `svc-sdk policy`. */
export const OPTIONS = {
  calls: { type: "string" },
  json: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;
