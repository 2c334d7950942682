import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ClientToolsetOptions, tool } from "../../../src/agents/index.js";
import { ask, policy } from "../../../src/agents/policy-entry.js";
import { sized } from "../../support/size.js";
import { gated } from "../approvals/support.js";
import { bench, CREATE_ISSUE, ISSUE } from "../support.js";

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** A tool that returns as much as it's asked for, or fails with it. */
const give = tool({
  name: "give",
  description: "Returns something.",
  parameters: { type: "object" },
  execute: ({ bytes, kind }) => {
    const size = Number(bytes);
    if (kind === "failure") throw new Error("x".repeat(size));
    if (kind === "list") return Array.from({ length: size / 16 }, (_, index) => ({ id: index, n: "abc" }));
    return kind === "wide" ? "爆".repeat(size / 3) : { text: "x".repeat(size) };
  },
});

async function turnOf(calls: readonly object[], options: Partial<ClientToolsetOptions> = {}) {
  const { tools } = await bench({ tools: [give], ...options });
  return tools.run(calls.map((args, index) => ({ callId: `call_${index}`, name: "give", arguments: args })));
}

describe("the results of a turn", () => {
  const title = "never have more than maxTurnBytes, and each stays valid JSON, of 1 to 50 results of 0 to 1 MB";
  test(title, { timeout: 600_000 }, async () => {
    const bytes = fc.oneof(fc.nat(300), fc.nat(40_000), fc.constantFrom(0, 2_000, 32_768, 1_000_000));
    const call = fc.record({ bytes, kind: fc.constantFrom("list", "text", "wide", "failure") });
    const calls = fc.array(call, { minLength: 1, maxLength: 50, size: "max" });
    const limits = fc.constantFrom([100_000, 32_768], [1_024, 32_768], [10_000, 1_024], [100_000, 2_000_000]);
    await fc.assert(
      fc.asyncProperty(calls, limits, async (args, [maxTurnBytes, maxResultBytes]) => {
        const results = await turnOf(args, { maxTurnBytes, maxResultBytes });
        expect(results.reduce((total, { text }) => total + bytesOf(text), 0)).toBeLessThanOrEqual(maxTurnBytes ?? 0);
        for (const { status, text, data } of results) {
          if (status !== "succeeded") continue;
          const read = JSON.parse(text);
          if (JSON.stringify(data) !== text) expect(read === 0 || read.shortened).toBeTruthy();
        }
      }),
      { numRuns: sized(2, 300) },
    );
  });

  test("are whole if they fit", async () => {
    const results = await turnOf(Array(3).fill({ bytes: 30_000 }));
    expect(results.every(({ text }) => text.length > 30_000)).toBe(true);
  });

  test("share the bytes fairly: what short ones leave, long ones get in equal parts", async () => {
    const calls = [{ bytes: 1_000 }, ...Array(10).fill({ bytes: 30_000 })];
    const [short, ...long] = (await turnOf(calls)).map(({ text }) => bytesOf(text));
    expect(short).toBe(1_011);
    expect(Math.min(...long)).toBeGreaterThan(9_800);
    expect(Math.max(...long)).toBeLessThan(10_000);
  });

  test("are shortened once: the note says how large the result was", async () => {
    const [first] = await turnOf(Array(2).fill({ bytes: 500_000 }), { maxTurnBytes: 10_000 });
    const { shortened, result } = JSON.parse(first?.text ?? "");
    expect(shortened).toMatch(/^Shortened from 500011 bytes to fit 5000:/);
    expect(result.text).toMatch(/^x+…$/);
  });

  test("give failures their whole text first", async () => {
    const calls = [...Array(49).fill({ bytes: 30_000 }), { bytes: 3_000, kind: "failure" }];
    const results = await turnOf(calls, { maxTurnBytes: 20_000 });
    expect(results.at(-1)?.text).toContain("x".repeat(3_000));
    expect(results.at(-1)?.text).toContain("It may have run.");
  });

  test("give a call that waits for approval its whole text first", async () => {
    const rules = policy([ask({ tools: [CREATE_ISSUE] }), { allow: {} }]);
    const { tools } = await gated({ tools: [CREATE_ISSUE, give], policy: rules, maxTurnBytes: 2_000 });
    const large = Array.from({ length: 20 }, (_, index) => ({
      callId: `${index}`,
      name: "give",
      arguments: { bytes: 30_000 },
    }));
    const results = await tools.run([...large, { callId: "issue", name: CREATE_ISSUE, arguments: ISSUE }]);
    expect(results.at(-1)).toMatchObject({ status: "pending", text: expect.stringMatching(/Don't call it again\.$/) });
  });

  test("keep the whole data for the program", async () => {
    const results = await turnOf(Array(20).fill({ bytes: 30_000 }));
    expect(results.map(({ data }) => JSON.stringify(data).length)).toEqual(Array(20).fill(30_011));
  });
});
