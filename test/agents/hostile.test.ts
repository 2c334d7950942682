import fc from "fast-check";
import { expect, test } from "vitest";
import { openai } from "../../src/agents/adapters/openai.js";
import { sized } from "../support/size.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, ISSUE } from "./support.js";

const names = fc.oneof(fc.constantFrom(CREATE_ISSUE, COUNT_WORDS, "__proto__", "parallel", ""), fc.string());
const values = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.record({ owner: fc.jsonValue(), repo: fc.jsonValue(), title: fc.jsonValue(), __proto__: fc.constant(null) }),
  fc.constantFrom<unknown>(ISSUE, { text: "a b" }, { text: null }, { ["__proto__"]: { text: "x" } }),
);
const written = fc.oneof(
  values.map((value) => JSON.stringify(value)),
  values.chain((value) => fc.nat(40).map((length) => JSON.stringify(value).slice(0, length))),
  fc.string(),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => `{"text":${"[".repeat(depth)}`),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => `{"text":${"[".repeat(depth)}${"]".repeat(depth)}}`),
);
const calls = fc.array(fc.record({ call_id: fc.string(), name: names, arguments: written }), { maxLength: 6 });

test("each call of a model gets one result, in order and never empty, whatever it calls", async () => {
  const { tools, executions, events } = await bench();
  const { run } = openai(tools);
  await fc.assert(
    fc.asyncProperty(calls, async (made) => {
      const output = made.map((call) => ({ type: "function_call", ...call }));
      const { outputs, items, results } = await run({ output });
      const ids = results.map(({ callId }) => callId);
      // A service that keeps the response knows the ids that it gave; in the items, each id is unique.
      expect(outputs).toMatchObject(made.map(({ call_id }) => ({ call_id: call_id.toWellFormed() })));
      const [own, answers] = [output, outputs].map((parts) =>
        parts.map((part, index) => ({ ...part, call_id: ids[index]?.toWellFormed() })),
      );
      expect(items).toEqual([...(own ?? []), ...(answers ?? [])]);
      expect(new Set(ids).size).toBe(ids.length);
      expect(results.every(({ text }) => text.length > 0)).toBe(true);
      expect(results.length).toBe(made.length);
    }),
    { numRuns: sized(60, 300) },
  );
  const started = events.filter(({ type }) => type === "started").length;
  expect(executions()).toBe(started);
});
