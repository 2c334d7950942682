import { describe, expect, test } from "vitest";
import { z } from "zod";
import { anthropic } from "../../src/agents/adapters/anthropic.js";
import { google } from "../../src/agents/adapters/google.js";
import { openai, openaiChat } from "../../src/agents/adapters/openai.js";
import { type LocalTool, type ToolMiddleware, tool } from "../../src/agents/index.js";
import { deny, policy } from "../../src/agents/policy-entry.js";
import { THROUGH } from "./every-adapter.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, deciding, ISSUE } from "./support.js";

const HIGH = "\ud83d";
const LOW = "\ude00";
const both = (text: string) => `${HIGH}${text}${LOW}`;

/** Every string in a value, names of members included. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)]);
}
const illFormedIn = (value: unknown) => stringsIn(value).filter((text) => !text.isWellFormed());

const local = (fields: Partial<LocalTool> = {}) =>
  tool({
    name: "speak",
    description: both("Speaks."),
    parameters: {
      type: "object",
      title: HIGH,
      description: both("What it says."),
      properties: {
        text: { type: "string", description: LOW, examples: [HIGH], enum: [HIGH, "a"] },
        [both("name")]: { type: "object", description: HIGH, properties: { [LOW]: { type: "string" } } },
      },
    },
    execute: () => ({ said: both("yes"), [HIGH]: 1 }),
    ...fields,
  });

/** Reasons for a text with half of a pair, and the arguments of the call. */
const TEXTS: Readonly<Record<string, { readonly options: object; readonly args?: object; readonly name?: string }>> = {
  "a local tool's result": { options: { tools: [local()] } },
  "an error that a local tool throws": {
    options: {
      tools: [
        local({
          execute: () => {
            throw new Error(both("It failed."));
          },
        }),
      ],
    },
  },
  "the cut of a long error": {
    options: {
      tools: [
        local({
          execute: () => {
            throw new Error(`a${"\u{1f600}".repeat(40_000)}`);
          },
        }),
      ],
    },
  },
  "the names of unknown arguments": { options: { tools: [local()] }, args: { [HIGH]: 1, [both("x")]: { [LOW]: 2 } } },
  "the message of a schema": {
    options: {
      tools: [local({ parameters: z.object({ text: z.string().refine(() => false, { error: both("Not so.") }) }) })],
    },
    args: { text: "x" },
  },
  "the reason of a denial": {
    options: { tools: [local()], policy: policy([deny({ tools: ["speak"], reason: both("No.") })]) },
  },
  "the reason of a question": {
    options: { tools: [local()], policy: deciding(() => ({ outcome: "ask", reason: both("Ask.") })) },
  },
  "the text of middleware": {
    options: {
      tools: [local()],
      use: [async () => ({ status: "failed", text: both("Later.") })] satisfies ToolMiddleware[],
    },
  },
  "what onAuthRequired returns": {
    options: { userId: "nobody", onAuthRequired: () => both("Connect.") },
    name: CREATE_ISSUE,
    args: ISSUE,
  },
};

describe.each(Object.entries(THROUGH))("through %s, no half of a character leaves the toolset", (_, { shown, run }) => {
  test("in a definition", async () => {
    const { tools } = await bench({ tools: [local()] });
    expect(illFormedIn(shown(tools))).toEqual([]);
    const record = {
      ...({ slug: COUNT_WORDS, toolkit: "textkit", version: "1", tags: [] } as const),
      description: both("Counts words."),
      input_parameters: { type: "object", description: LOW, properties: { text: { type: "string", title: HIGH } } },
      output_parameters: { type: "object", description: HIGH, properties: { words: { type: "number", title: LOW } } },
    };
    const ofService = await bench({ from: { formatVersion: 1, tools: [record] } });
    expect(illFormedIn(shown(ofService.tools))).toEqual([]);
  });

  test.each(Object.entries(TEXTS))("in %s", async (_, { options, args = {}, name = "speak" }) => {
    const { tools } = await bench(options);
    expect(illFormedIn(await run(tools, name, args))).toEqual([]);
  });
});

describe("the model's own half of a character doesn't go back", () => {
  const args = `{"text": "${HIGH}"}`;
  const call = { name: COUNT_WORDS, arguments: args };

  test("to OpenAI", async () => {
    const { tools } = await bench();
    const item = { type: "function_call", call_id: `call_${HIGH}x9kQ`, ...call };
    const turn = await openai(tools).run({ output: [item, { type: "message", content: [{ text: LOW }] }] });
    expect(illFormedIn([turn.items, turn.outputs])).toEqual([]);
    expect(turn.items.at(-1)).toMatchObject({ call_id: "call_\ufffdx9kQ" });
    const message = { role: "assistant", content: LOW, tool_calls: [{ id: "a", type: "function", function: call }] };
    expect(illFormedIn((await openaiChat(tools).run({ choices: [{ message }] })).messages)).toEqual([]);
    const broken = { ...call, arguments: `${HIGH}${args}` };
    const cut = { role: "assistant", content: null, tool_calls: [{ id: "b", type: "function", function: broken }] };
    expect(illFormedIn((await openaiChat(tools).run({ choices: [{ message: cut }] })).messages)).toEqual([]);
  });

  test("to Anthropic and Gemini", async () => {
    const { tools } = await bench();
    const content = [
      { type: "text", text: LOW },
      { type: "tool_use", id: "toolu_1abc", name: `${COUNT_WORDS}${LOW}`, input: { [HIGH]: LOW } },
    ];
    const turn = await anthropic(tools).run({ content, stop_reason: "tool_use" });
    expect(illFormedIn(turn.messages)).toEqual([]);
    const parts = [{ text: LOW }, { functionCall: { id: "a", name: COUNT_WORDS, args: { text: HIGH } } }];
    const candidates = [{ content: { parts } }];
    expect(illFormedIn((await google(tools).run({ candidates })).contents)).toEqual([]);
  });
});

test("a part that is well-formed goes back as it came", async () => {
  const { tools } = await bench();
  const item = { type: "message", content: [{ type: "output_text", text: "\u{1f600}" }] };
  expect((await openai(tools).run({ output: [item] })).items[0]).toBe(item);
});
