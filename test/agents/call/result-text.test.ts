import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tool } from "../../../src/agents/index.js";
import { sized } from "../../support/size.js";
import { bench } from "../support.js";

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

async function resultOf(data: unknown, maxResultBytes: number): Promise<string> {
  const give = tool({
    name: "give",
    description: "Returns something.",
    parameters: { type: "object", properties: {} },
    execute: () => data,
  });
  const { tools } = await bench({ tools: [give], maxResultBytes });
  const [result] = await tools.run([{ callId: "1", name: "give", arguments: {} }]);
  return result?.text ?? "";
}

test("the text of a failure stays within the limit too, whatever its message is made of", async () => {
  const explode = tool({
    name: "explode",
    description: "Fails.",
    parameters: { type: "object", properties: {} },
    execute: () => {
      throw new Error("爆".repeat(5_000));
    },
  });
  const { tools } = await bench({ tools: [explode], maxResultBytes: 1_024 });
  const [result] = await tools.run([{ callId: "1", name: "explode", arguments: {} }]);
  expect(result?.text).toMatch(/^explode failed: 爆+\. It may have run\./);
  expect(bytesOf(result?.text ?? "")).toBeLessThanOrEqual(1_024);
});

describe("a large result", () => {
  test("keeps its small parts and the first items of its long arrays", async () => {
    const issues = Array.from({ length: 500 }, (_, index) => ({ number: index, title: `Issue ${index}` }));
    const { shortened, result } = JSON.parse(await resultOf({ issues, next_cursor: "abc" }, 2_048));
    expect(shortened).toMatch(/^Shortened from \d+ bytes to fit 2048/);
    expect(result.next_cursor).toBe("abc");
    expect(result.issues.length).toBeGreaterThan(20);
    expect(result.issues).toEqual(issues.slice(0, result.issues.length));
  });

  test("keeps as much of nested objects as fits", async () => {
    const field = (n: number) => [`field_${n}`, `some value of a field ${n}`];
    const users = Array.from({ length: 60 }, (_, user) => [
      `user_${user}`,
      Object.fromEntries(Array.from({ length: 20 }, (_, n) => field(n))),
    ]);
    const data = { data: Object.fromEntries(users), next_cursor: "abc" };
    const text = await resultOf(data, 32_768);
    expect(text.length).toBeGreaterThan(16_000);
    expect(text.length).toBeLessThanOrEqual(32_768);
    expect(JSON.parse(text).result).toMatchObject({
      data: { user_0: { field_0: expect.any(String) } },
      next_cursor: "abc",
    });
  });

  test("keeps its first fields if it is one flat object", async () => {
    const fields = Array.from({ length: 40 }, (_, n) => [`field_${n}`, `some value of a field ${n}`]);
    const { result } = JSON.parse(await resultOf(Object.fromEntries(fields), 1_024));
    expect(Object.keys(result).length).toBeGreaterThan(10);
  });

  test("isn't shortened if its numbers are shorter once they are parsed", async () => {
    const digits = "5".repeat(77);
    const exact = { toJSON: (): unknown => Reflect.get(JSON, "rawJSON")(digits) };
    const text = await resultOf(
      Array.from({ length: 500 }, () => exact),
      16_384,
    );
    expect(JSON.parse(text)).toHaveLength(500);
  });

  test("is shortened at the ends of long strings, and never inside a URL", async () => {
    const body = "😀".repeat(4_000);
    const { result } = JSON.parse(await resultOf({ body, url: `https://example.com/${"a".repeat(9_000)}` }, 2_048));
    expect(result.url).toBeUndefined();
    expect(result.body).toMatch(/^(😀)+…$/u);
  });

  test("is JSON within the limit in bytes, whatever it contains", async () => {
    const { resultText } = await import("../../../src/agents/call/result-text.js");
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.integer({ min: 1_024, max: 4_096 }), (value, most) => {
        const grown = { a: value, b: [value, value, JSON.stringify(value).repeat(20)], c: { d: value } };
        const text = resultText(grown, most);
        expect(bytesOf(text)).toBeLessThanOrEqual(most);
        expect(() => JSON.parse(text)).not.toThrow();
      }),
      { numRuns: sized(100, 500) },
    );
  });

  test("isn't changed if it fits", async () => {
    expect(await resultOf({ a: 1 }, 1_024)).toBe('{"a":1}');
    expect(await resultOf(undefined, 1_024)).toBe("null");
  });
});
