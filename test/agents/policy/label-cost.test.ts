import { expect, test } from "vitest";
import { allow, deny, label, policy, type Rule } from "../../../src/agents/policy-entry.js";
import { sized } from "../../support/size.js";
import { functionsThatRun } from "../../support/story.js";
import { call, desk } from "./desk.js";

const SHAPE = [allow({}), deny({ tools: ["send_mail"], users: ["mallory"] })];
const LABELS = [
  allow({}),
  label("untrusted", { tools: ["read_*"] }),
  deny({ tools: ["send_mail"], after: ["untrusted"] }),
];

/** The number of our functions that a call of a tool enters, under rules. */
async function costOf(name: string, rules: readonly Rule[]): Promise<number> {
  const { tools } = await desk({ policy: policy(rules) });
  const functions = await functionsThatRun(async () => {
    expect(await tools.run([call(name)])).toMatchObject([{ status: "succeeded" }]);
  });
  // The test runner wraps each export in a function without a name, and the rules' tests have none.
  return functions.filter((one) => one.startsWith("agents/policy/compile-rule.ts") || !/ {2}\d/.test(one)).length;
}

const CALLS = [
  ["send_mail", "that a rule with after is about"],
  ["read_mail", "with a labeled result"],
  ["look_up", "without a label"],
] as const;

test.each(sized(CALLS.slice(0, 1), [...CALLS]))(
  "labels cost a call of %s, %s, at most three of our functions",
  async (name) => {
    const without = await costOf(name, SHAPE);
    expect(without).toBeGreaterThan(50);
    expect((await costOf(name, LABELS)) - without).toBeLessThanOrEqual(3);
  },
);

test("a policy without labels pays nothing for them", async () => {
  const { tools } = await desk({ policy: policy(SHAPE) });
  const functions = await functionsThatRun(() => tools.run([call("look_up")]));
  expect(functions.filter((one) => /^agents\/policy\/(conversation-labels|label-rules)\.ts/.test(one))).toEqual([]);
});
