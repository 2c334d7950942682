import { type Explanation, policyFromJson } from "../agents/policy/index.js";
import { declareCommand, JSON_OUTPUT, VERBOSE } from "./command.js";
import { readJson } from "./files.js";
import { UsageError } from "./parse-options.js";
import { print, printJson } from "./print.js";
import { type RecordedCall, readCalls } from "./recorded-calls.js";

/** Exit code if the outcome of a call isn't the expected one. */
const DIFFERS = 3;

/** Tests recorded calls with the policy in a file. */
export const command = declareCommand({
  usage: [["check policy.json --calls calls.json", "test recorded calls"]],
  options: {
    calls: { type: "string", value: "file", summary: "recorded calls: a JSON array, or one JSON object per line" },
    json: JSON_OUTPUT,
    verbose: { ...VERBOSE, summary: "log error details to standard error" },
  },
  notes: `The policy is a JSON file with rules as data: { "rules": [{ "allow": { "tools": ["GITHUB_GET_*"] } }] }.
A call is { "tool": { "name", "toolkit", "tags", "version" }, "arguments", "userId", "accountId", "expect" }: only the tool's
name is required, and "tool" can be a slug. "expect" is the outcome it must have: allow, ask, dry_run or deny. A toolset with
eventArguments: true reports such calls as decided events. Budgets aren't checked: they depend on when calls happen.`,
  exitCodes: { 0: "every call has the outcome that it expects", 3: "a call has another outcome" },
  takesArguments: true,
  run: async ({ calls: callsFile, json }, [verb, file, ...others]) => {
    if (others.length > 0) throw new UsageError(`Unexpected argument ${others[0]}. See svc-sdk policy --help.`);
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
  },
});

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
