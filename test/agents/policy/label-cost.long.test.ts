import { expect, test } from "vitest";
import { allow, deny, label, policy, type Rule } from "../../../src/agents/policy-entry.js";
import { functionsThatRun } from "../../support/story.js";
import { call, desk } from "./desk.js";

const SHAPE = [allow({}), deny({ tools: ["send_mail"], users: ["mallory"] })];
const LABELS = [
  allow({}),
  label("untrusted", { tools: ["read_*"] }),
  deny({ tools: ["send_mail"], after: ["untrusted"] }),
];

/** Our functions that each call of a tool enters, under rules. */
async function enteredBy(name: string, rules: readonly Rule[]): Promise<string[]> {
  const { tools } = await desk({ policy: policy(rules) });
  const functions = await functionsThatRun(async () => {
    expect(await tools.run([call(name)])).toMatchObject([{ status: "succeeded" }]);
  });
  // The test runner wraps each export in a function without a name, and the rules' tests have none.
  return functions.filter((one) => one.startsWith("agents/policy/compile-rule.ts") || !/ {2}\d/.test(one));
}

const CALLS = [
  ["send_mail", "that a rule with after is about"],
  ["read_mail", "with a labeled result"],
  ["look_up", "without a label"],
] as const;

test.each(CALLS)("labels cost a call of %s, %s, at most three of our functions", async (name) => {
  // Twice, in turn: what other tests of this worker left running can run during one of the measurements.
  const shape = new Set(await enteredBy(name, SHAPE));
  const labels = new Set(await enteredBy(name, LABELS));
  const without = (await enteredBy(name, SHAPE)).filter((one) => shape.has(one));
  const withLabels = (await enteredBy(name, LABELS)).filter((one) => labels.has(one));
  expect(without.length).toBeGreaterThan(50);

  const more = withLabels.filter((one) => !shape.has(one));
  expect(withLabels.length - without.length, more.join(", ")).toBeLessThanOrEqual(3);
});

test("a policy without labels pays nothing for them", async () => {
  const { tools } = await desk({ policy: policy(SHAPE) });
  const functions = await functionsThatRun(() => tools.run([call("look_up")]));
  expect(functions.filter((one) => /^agents\/policy\/(conversation-labels|label-rules)\.ts/.test(one))).toEqual([]);
});
