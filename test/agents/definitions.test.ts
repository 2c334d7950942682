import type Anthropic from "@anthropic-ai/sdk";
import fc from "fast-check";
import type OpenAI from "openai";
import { expect, test } from "vitest";
import { aiSdk } from "../../src/agents/adapters/ai-sdk.js";
import { anthropic } from "../../src/agents/adapters/anthropic.js";
import { google } from "../../src/agents/adapters/google.js";
import { openai, openaiChat } from "../../src/agents/adapters/openai.js";
import { toolset } from "../../src/agents/index.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, USER } from "./support.js";

test("definitions are the same, whatever order the tools are listed in", async () => {
  const { svc, tools: all } = await bench({ tools: [], toolkits: ["github", "textkit"] });
  const names = all.tools.map(({ name }) => name);
  const digests = new Set<string>();
  const shuffled = fc.shuffledSubarray(names, { minLength: names.length });
  await fc.assert(
    fc.asyncProperty(shuffled, async (slugs) => {
      const tools = await toolset(svc, { userId: USER, tools: slugs });
      const definitions = [openai(tools), openaiChat(tools), anthropic(tools), google(tools)].map(
        ({ definitions }) => definitions,
      );
      digests.add(JSON.stringify([definitions, Object.keys(aiSdk(tools))]));
    }),
    { numRuns: 100 },
  );
  expect(names.length).toBeGreaterThan(5);
  expect(digests.size).toBe(1);
});

test("deferred tools are marked, and the provider's search comes with them", async () => {
  const { tools } = await bench();
  const defer = ({ name }: { readonly name: string }) => name === COUNT_WORDS;
  const ofOpenAI: OpenAI.Responses.Tool[] = openai(tools, { defer }).definitions;
  const ofAnthropic: Anthropic.ToolUnion[] = anthropic(tools, { defer }).definitions;
  expect(ofOpenAI).toMatchObject([
    { name: CREATE_ISSUE },
    { name: COUNT_WORDS, defer_loading: true },
    { type: "tool_search" },
  ]);
  expect(ofAnthropic).toMatchObject([
    { name: CREATE_ISSUE },
    { name: COUNT_WORDS, defer_loading: true },
    { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" },
  ]);
  for (const definitions of [openai(tools).definitions, anthropic(tools, { defer: () => false }).definitions]) {
    expect(definitions).toHaveLength(2);
    expect(JSON.stringify(definitions)).not.toContain("defer_loading");
  }
});

test("a call of a deferred tool that the provider found runs", async () => {
  const { tools, executions } = await bench();
  const output = [
    { type: "tool_search_call", call_id: null, execution: "server", status: "completed" },
    { type: "tool_search_output", call_id: null, execution: "server", tools: [] },
    { type: "function_call", call_id: "call_k3j9x", name: COUNT_WORDS, arguments: '{"text":"one"}' },
  ];
  const { outputs } = await openai(tools, { defer: () => true }).run({ output });
  expect(outputs).toMatchObject([{ call_id: "call_k3j9x", output: expect.stringContaining('"words":1') }]);
  expect(executions()).toBe(1);
});
