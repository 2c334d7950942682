import { describe, expect, test } from "vitest";
import { memoryExecutions, tool } from "../../../src/agents/index.js";
import { customPolicy } from "../../../src/agents/policy-entry.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, ISSUE } from "../support.js";

const MOST = 1_024;
const bytes = (text: string | undefined) => new TextEncoder().encode(text).length;
const long = "🚫é\n".repeat(50_000);
const named = (schema: object = {}) => ({
  ...{ name: "own", description: "d", parameters: { type: "object", ...schema } as const },
  execute: (): unknown => "ran",
});

describe("the text of a call for a model is within maxResultBytes", () => {
  test.each<[string, object, unknown]>([
    ["an enum of 5,000", { properties: { a: { enum: Array.from({ length: 5_000 }, (_, at) => `${at}`) } } }, { a: 1 }],
    ["a long argument name", { properties: {}, additionalProperties: false }, { [long]: 1 }],
    ["a long required name", { required: [long] }, {}],
    ["broken JSON", {}, `{"a": nope, nope, nope ${long}`],
  ])("with %s", async (_, schema, args) => {
    const own = tool(named(schema));
    const { tools } = await bench({ tools: [own], maxResultBytes: MOST });
    const [result] = await tools.run([{ callId: "1", name: "own", arguments: args }]);
    expect(result?.status).toBe("not_run");
    expect(bytes(result?.text)).toBeLessThanOrEqual(MOST);
    expect(result?.text).not.toMatch(/\p{Surrogate}/u);
    // The beginning and the end: which tool, and what to do next.
    expect(result?.text).toMatch(/^The arguments of own .*Call it again with [a-z ]+ arguments\.$/s);
  });

  test.each(["e", "é", "中", "🚫"])("and close to it, if middleware returns many times %s", async (character) => {
    for (const start of ["", "a", "ab", "abc"]) {
      const text = `${start}${character.repeat(50_000)}${start}`;
      const { tools } = await bench({ use: [async () => ({ status: "succeeded", text })], maxResultBytes: MOST });
      const [result] = await tools.run([{ callId: start, name: CREATE_ISSUE, arguments: ISSUE }]);
      expect(bytes(result?.text)).toBeLessThanOrEqual(MOST);
      expect(bytes(result?.text)).toBeGreaterThan(MOST - 8);
      const [kept = "", end = ""] = result?.text.split(/ … .* … /) ?? [];
      expect([text.startsWith(kept), text.endsWith(end)]).toEqual([true, true]);
    }
  });

  test("if the model calls an unknown tool, and there are many", async () => {
    const many = Array.from({ length: 50 }, (_, at) => tool({ ...named(), name: `own_${at}_${"x".repeat(50)}` }));
    const { tools } = await bench({ tools: many, maxResultBytes: MOST });
    const [result] = await tools.run([{ callId: "1", name: long, arguments: {} }]);
    expect(bytes(result?.text)).toBeLessThanOrEqual(MOST);
  });

  test.each(["deny", "dry_run", "ask"] as const)("with the long reason of %s", async (outcome) => {
    const policy = customPolicy({ digest: "1", decide: () => ({ outcome, reason: long }) });
    const { tools } = await bench({ policy, maxResultBytes: MOST });
    const [result] = await tools.run([{ callId: "1", name: CREATE_ISSUE, arguments: ISSUE }]);
    expect(bytes(result?.text)).toBeLessThanOrEqual(MOST);
  });

  test("if it was recorded with a larger limit, and is still JSON", async () => {
    const executions = memoryExecutions();
    const own = tool({ ...named(), execute: () => [long] });
    const call = { callId: "1", name: "own", arguments: {} };
    await (await bench({ tools: [own], executions, maxResultBytes: 1_000_000 })).tools.run([call]);
    const { tools } = await bench({ tools: [own], executions, maxResultBytes: MOST });
    const [result] = await tools.run([call]);
    expect(result?.isReplay).toBe(true);
    expect(bytes(result?.text)).toBeLessThanOrEqual(MOST);
    expect(JSON.parse(result?.text ?? "")).toHaveProperty("shortened");
  });

  test("if onAuthRequired returns it", async () => {
    const { tools } = await bench({
      ...{ userId: "user-without-accounts", maxResultBytes: MOST, onAuthRequired: () => long },
      tools: [CREATE_ISSUE, COUNT_WORDS],
    });
    const [result] = await tools.run([{ callId: "1", name: CREATE_ISSUE, arguments: ISSUE }]);
    expect(result?.text).toMatch(/^🚫/u);
    expect(bytes(result?.text)).toBeLessThanOrEqual(MOST);
  });
});
