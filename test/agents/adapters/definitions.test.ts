import { existsSync } from "node:fs";
import type Anthropic from "@anthropic-ai/sdk";
import fc from "fast-check";
import type OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../../../scripts/entries.js";
import { anthropic } from "../../../src/agents/adapters/anthropic.js";
import { openai, openaiChat } from "../../../src/agents/adapters/openai.js";
import { openaiAgents } from "../../../src/agents/adapters/openai-agents.js";
import { type LocalTool, type Toolset, toolset } from "../../../src/agents/index.js";
import { reportTools } from "../../../src/agents/schema/index.js";
import { ConfigError, Svc } from "../../../src/index.js";
import { sha256 } from "../../../src/shared/sha256-sync.js";
import { longTest, sized } from "../../support/size.js";
import { GUIDES, LARGE, THROUGH, TURN_ADAPTERS } from "../every-adapter.js";
import { type Bench, bench, COUNT_WORDS, CREATE_ISSUE, USER } from "../support.js";

/** The service, which lists its tools in another order each time. */
function shuffling({ emulator }: Bench): Svc {
  const fetch = async (request: Request) => {
    const response = await emulator.fetch(request);
    const body = await response.clone().json();
    if (!Array.isArray(body.items)) return response;
    const [items] = fc.sample(fc.shuffledSubarray(body.items, { minLength: body.items.length }), 1);
    return Response.json({ ...body, items }, { headers: response.headers });
  };
  return new Svc({ ...emulator.connection, fetch, env: {} });
}

const defer = ({ name }: { readonly name: string }) => name !== COUNT_WORDS;

/** Each adapter, and those with deferred tools after a search for some. */
const SHOWN: Readonly<Record<string, (tools: Toolset) => unknown>> = {
  ...Object.fromEntries(Object.entries(THROUGH).map(([adapter, { shown }]) => [adapter, shown])),
  ...Object.fromEntries(
    Object.entries(TURN_ADAPTERS).map(([adapter, { create, response }]) => [
      `${adapter} with defer`,
      async (tools: Toolset) => {
        const { definitions, run } = create(tools, { defer });
        await run(response(undefined, [["", { query: "issue" }, "find_tools"]]));
        return definitions;
      },
    ]),
  ),
};

test("each entry's file in test/agents/adapters has the adapter of its name", () => {
  const names = ADAPTERS.map((name) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
  const advice = "the function of an adapter has the name of its entry, in camel case";
  expect(Object.keys(THROUGH), advice).toEqual(expect.arrayContaining(names));
});

test.each(GUIDES)("$title has a test of its library's loop", ({ entry }) => {
  const paths = LARGE.includes(entry)
    ? [`test/programs/agents/${entry}.ts`]
    : ["", ".long"].map((kind) => `test/agents/sdk/${entry}${kind}.test.ts`);
  expect(paths.some(existsSync), `create ${paths[0]}: docs/contributing.md, Adding an adapter`).toBe(true);
});

test("every adapter has the same definitions in many orders of the service's list", async () => {
  const made = await bench();
  const svc = shuffling(made);
  const digests = new Map(Object.keys(SHOWN).map((adapter) => [adapter, new Set<string>()]));
  const orders = new Set<string>();
  for (let round = 0; round < sized(8, 100); round++) {
    const tools = await toolset(svc, { userId: USER, toolkits: ["github", "textkit"] });
    orders.add(tools.tools.map(({ name }) => name).join());
    for (const [adapter, shown] of Object.entries(SHOWN)) {
      digests.get(adapter)?.add(sha256(JSON.stringify(await shown(tools))));
    }
  }
  expect(orders.size).toBeGreaterThan(5);
  expect([...digests].map(([adapter, { size }]) => [adapter, size])).toEqual(
    Object.keys(SHOWN).map((name) => [name, 1]),
  );
});

const local = (count: number): LocalTool[] =>
  Array.from({ length: count }, (_, index) => {
    const parameters = { type: "object", properties: {} };
    return { name: `tool_${index}`, description: "Does nothing.", parameters, execute: () => "" };
  });

describe.each(Object.entries(TURN_ADAPTERS))("%s", (name, { create, mostTools, advice, search }) => {
  const tooMany = `${name}: ${mostTools + 1} tools, and a request takes at most ${mostTools}.`;
  const isLast = ({ name }: { readonly name: string }) => name === `tool_${mostTools}`;

  test(`takes no more than ${mostTools} tools, and names an option that helps`, async () => {
    const { tools } = await bench({ tools: local(mostTools + 1) });
    expect(() => create(tools)).toThrow(new ConfigError(`${tooMany} Choose fewer${advice}.`));
    if (search === "counts all") expect(() => create(tools, { defer: () => true })).toThrow(tooMany);
    else expect(create(tools, { defer: () => true })).toBeDefined();
  });

  // Definitions of 10,000 tools take seconds.
  const definitionsTest = mostTools > 1000 ? longTest : test;
  definitionsTest(`takes ${mostTools} tools`, async () => {
    expect(create((await bench({ tools: local(mostTools) })).tools).definitions).not.toEqual([]);
    const { tools } = await bench({ tools: local(mostTools + 1) });
    if (search === "counts shown") expect(create(tools, { defer: isLast }).definitions).toHaveLength(mostTools + 1);
    else expect(() => create(tools, { defer: isLast })).toThrow(tooMany);
  });
});

/** Tools that take each other's budget: 30 that could be strict, with two optional properties each. */
const withOptionals = (count: number): LocalTool[] =>
  local(count).map((own) => {
    const properties = { one: { type: "string" }, two: { type: "string" } };
    return { ...own, parameters: { type: "object", properties } };
  });
const strictIn = (definitions: readonly { readonly name?: string; readonly strict?: boolean }[]) =>
  definitions.filter(({ strict }) => strict).map(({ name }) => name);

test("the tools that a program chooses are strict, and no others", async () => {
  const { tools } = await bench({ tools: withOptionals(30) });
  const chosen = ["tool_28", "tool_29"];
  const strict = ({ name }: { readonly name: string }) => chosen.includes(name);
  expect(strictIn(anthropic(tools, { strict }).definitions)).toEqual(chosen);
  expect(strictIn(openai(tools, { strict }).definitions)).toEqual(chosen);
  expect(strictIn(openaiChat(tools, { strict }).definitions.map((one) => one.function))).toEqual(chosen);
  expect(strictIn(openaiAgents(tools, { tool: (options) => options }, { strict }))).toEqual(chosen);
  expect(strictIn(anthropic(tools).definitions)).toHaveLength(12);
  expect(strictIn(anthropic(tools, { strict: false }).definitions)).toEqual([]);
  const report = reportTools(tools, "anthropic-strict", strict);
  expect(report.find(({ tool }) => tool === "tool_0")?.notes.at(-1)?.message).toBe("The program chose other tools.");
});

test("a destructive tool is strict for Anthropic before others", async () => {
  const tools = withOptionals(30).map((own) => (own.name === "tool_29" ? { ...own, tags: ["destructiveHint"] } : own));
  expect(strictIn(anthropic((await bench({ tools })).tools).definitions)).toContain("tool_29");
});

test("the report of a tool counts the bytes of what a model gets", async () => {
  const { tools } = await bench({ tools: withOptionals(1) });
  const [report] = reportTools(tools, "openai");
  const [definition] = openai(tools, { strict: false }).definitions;
  const { name, description, parameters: schema } = definition as OpenAI.Responses.FunctionTool;
  const bytes = JSON.stringify({ name, description, schema }).length;
  expect(report).toMatchObject({ tool: "tool_0", bytes, estimatedTokens: Math.ceil(bytes / 4) });
});

test("choosing more strict tools than Anthropic takes is a ConfigError", async () => {
  const { tools: optionals } = await bench({ tools: withOptionals(13) });
  const strict = () => true;
  expect(() => anthropic(optionals, { strict })).toThrow(
    new ConfigError(
      "toolset: strict chooses 13 tools with 26 optional properties and 0 of several types. Anthropic takes 20, 24 and 16 in a request. Choose fewer.",
    ),
  );
  expect(strictIn(openai(optionals, { strict }).definitions)).toHaveLength(13);
  const { tools: many } = await bench({ tools: local(21) });
  expect(() => anthropic(many, { strict })).toThrow("toolset: strict chooses 21 tools with 0 optional properties");
  expect(strictIn(anthropic(many, { strict: ({ name }) => name !== "tool_3" }).definitions)).toHaveLength(20);
});

test("Anthropic's search comes with the tools that are deferred to it", async () => {
  const { tools } = await bench();
  const defer = ({ name }: { readonly name: string }) => name === COUNT_WORDS;
  const definitions: Anthropic.ToolUnion[] = anthropic(tools, { defer }).definitions;
  expect(definitions).toMatchObject([
    { name: CREATE_ISSUE },
    { name: COUNT_WORDS, defer_loading: true },
    { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" },
  ]);
  const all = anthropic(tools, { defer: () => false }).definitions;
  expect(all).toHaveLength(2);
  expect(JSON.stringify(all)).not.toContain("defer_loading");
});

test("the Responses API's search is answered with definitions of deferred tools, which run", async () => {
  const { tools, executions } = await bench();
  const { definitions, run } = openai(tools, { defer: ({ name }) => name === COUNT_WORDS });
  const sent: OpenAI.Responses.Tool[] = definitions;
  expect(sent).toMatchObject([
    { name: CREATE_ISSUE },
    { type: "tool_search", execution: "client", parameters: { required: ["query"] } },
  ]);
  const search = (args: unknown, call_id = "call_k3j9x"): OpenAI.Responses.ResponseToolSearchCall => {
    return {
      id: "tsc_1",
      type: "tool_search_call",
      call_id,
      execution: "client",
      status: "completed",
      arguments: args,
    };
  };
  for (const args of [{ query: "count words" }, '{"query":"count words"}']) {
    const { hasCalls, items, outputs } = await run({ output: [search(args)] });
    const input: OpenAI.Responses.ResponseInputItem[] = items;
    expect(hasCalls).toBe(true);
    expect(input).toEqual([search(args), ...outputs]);
    expect(outputs).toMatchObject([
      {
        type: "tool_search_output",
        call_id: "call_k3j9x",
        execution: "client",
        status: "completed",
        tools: [{ type: "function", name: COUNT_WORDS, strict: true, defer_loading: true }],
      },
    ]);
  }
  const nothing = await run({
    output: [search({ query: "frobnicate" }), search("{", "call_b"), search(null, "call_c")],
  });
  expect(nothing.outputs).toMatchObject([{ tools: [] }, { tools: [] }, { tools: [] }]);
  expect(definitions).toHaveLength(2);
  const output = [{ type: "function_call", call_id: "call_d81ka", name: COUNT_WORDS, arguments: '{"text":"one"}' }];
  expect((await run({ output })).results[0]?.status).toBe("succeeded");
  expect(executions()).toBe(1);
});

test("a program may answer the Responses API's search itself", async () => {
  const { tools } = await bench();
  const { run } = openai(tools, { defer: () => true });
  const output = [{ type: "tool_search_call", call_id: "call_a", execution: "client", arguments: { query: "words" } }];
  const own = { type: "tool_search_output", tools: [{ type: "namespace", name: "own" }] };
  expect((await run({ output }, { answer: () => own })).outputs).toEqual([own]);
  expect((await run({ output }, { answer: () => undefined })).outputs).toMatchObject([
    { tools: [{ name: COUNT_WORDS }] },
  ]);
});
