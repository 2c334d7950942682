import { expect, test } from "vitest";
import { tool } from "../../src/agents/index.js";
import { functionsThatRun } from "../support/story.js";
import { bench } from "./support.js";

/** The functions of the package that a call runs. */
async function functionsOf(bind: Record<string, { owner: string }> | undefined): Promise<Set<string>> {
  const parameters = { type: "object", properties: { owner: { type: "string" }, title: { type: "string" } } };
  const act = tool({ name: "act", description: "Acts.", parameters, execute: () => 1 });
  const { tools } = await bench({ tools: [act], ...(bind && { bind }) });
  const run = (callId: string) => {
    const args = { title: "x", ...(bind ? {} : { owner: "ours" }) };
    return tools.run([{ callId, name: "act", arguments: args }]);
  };
  let count = 0;
  const names = await functionsThatRun(async () => {
    const [result] = await run(`call_${count++}`);
    expect(result?.status).toBe("succeeded");
  });
  return new Set(names.filter((name) => /^(agents|shared)\//.test(name)));
}

test("a bound argument costs a warm call at most five more functions of the package", async () => {
  const without = await functionsOf(undefined);
  const bound = await functionsOf({ act: { owner: "ours" } });
  const more = [...bound].filter((name) => !without.has(name));
  expect(without.size).toBeGreaterThan(20);
  expect(more.length, more.join("\n")).toBeLessThanOrEqual(5);
});
