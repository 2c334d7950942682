import { Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { tool } from "../../src/agents/index.js";
import { bench } from "./support.js";

/** The functions of the package that a call uses once everything is loaded. */
async function functionsOf(bind: Record<string, { owner: string }> | undefined): Promise<Set<string>> {
  const parameters = { type: "object", properties: { owner: { type: "string" }, title: { type: "string" } } };
  const act = tool({ name: "act", description: "Acts.", parameters, execute: () => 1 });
  const { tools } = await bench({ tools: [act], ...(bind && { bind }) });
  const run = (callId: string) => {
    const args = { title: "x", ...(bind ? {} : { owner: "ours" }) };
    return tools.run([{ callId, name: "act", arguments: args }]);
  };
  for (let call = 0; call < 3; call += 1) await run(`warm_${call}`);
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const [result] = await run("measured");
  const { result: scripts } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  expect(result?.status).toBe("succeeded");
  const used = scripts
    .filter(({ url }) => /\/src\/(agents|shared)\//.test(url))
    .flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges: [range] }) => (range?.count ?? 0) > 0)
        .map(({ functionName, ranges: [range] }) => `${url.split("/src/")[1]} ${functionName} ${range?.startOffset}`),
    );
  return new Set(used);
}

test("a bound argument costs a warm call at most five more functions of the package", async () => {
  const without = await functionsOf(undefined);
  const bound = await functionsOf({ act: { owner: "ours" } });
  const more = [...bound].filter((name) => !without.has(name));
  expect(without.size).toBeGreaterThan(20);
  expect(more.length, more.join("\n")).toBeLessThanOrEqual(5);
});
