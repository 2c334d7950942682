import { expect, test } from "vitest";
import { tool } from "../../../src/agents/index.js";
import { THROUGH } from "../every-adapter.js";
import { bench } from "../support.js";

const ID = "7256535639334584321";

/** A tool that returns the id it gets, under the name of what comes next. */
const next = (ran: unknown[]) =>
  tool({
    name: "next",
    description: "Finds the next one.",
    parameters: {
      type: "object",
      properties: {
        id: { type: "integer" },
        ids: { type: "array", items: { type: "number" } },
        at: { type: "number" },
      },
    },
    execute: (args) => {
      ran.push(args);
      return { next: args["id"], all: args["ids"] };
    },
  });

/** What a library passes on that has parsed the arguments: the id is another one then. */
const PARSED = JSON.parse(`{"id": ${ID}, "ids": [1, -${ID}]}`);

test.each(Object.entries(THROUGH))("%s never runs a call with a rounded integer", async (_, { passesText, run }) => {
  const ran: unknown[] = [];
  const { tools } = await bench({ tools: [next(ran)] });
  if (!passesText) {
    const text = await run(tools, "next", PARSED);
    expect(text).toMatch(/id: expected .* as a string of its digits.*ids\[1\]: expected/s);
    expect(ran).toEqual([]);
  }
  const digits = await run(tools, "next", { id: ID, ids: [1, `-${ID}`], at: 1e21 });
  expect(JSON.parse(digits)).toEqual({ next: ID, all: [1, `-${ID}`] });
  expect(ran).toEqual([{ id: ID, ids: [1, `-${ID}`], at: 1e21 }]);
});

test("text is read with all digits, and a result shows all of them to the model", async () => {
  const ran: unknown[] = [];
  const { tools } = await bench({ tools: [next(ran)] });
  const [result] = await tools.run([{ callId: "1", name: "next", arguments: `{"id": ${ID}}` }]);
  expect(result).toMatchObject({ status: "succeeded", text: `{"next":"${ID}"}` });
  expect(ran).toEqual([{ id: ID }]);
});
