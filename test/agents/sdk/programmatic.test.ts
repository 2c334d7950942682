import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { anthropic } from "../../../src/agents/adapters/anthropic.js";
import { openai } from "../../../src/agents/adapters/openai.js";
import { tool, toolset } from "../../../src/agents/index.js";
import { allow, ask, budget, deny, dryRun, policy } from "../../../src/agents/policy-entry.js";
import { gated } from "../approvals/support.js";
import { type Bench, BLOCKS, bench, COUNT_WORDS, CREATE_ISSUE, deciding, ISSUE } from "../support.js";
import { startModel } from "./model-server.js";

const model = await startModel();
const openaiClient = new OpenAI({ baseURL: model.url, apiKey: "test", maxRetries: 0 });
const anthropicClient = new Anthropic({ baseURL: model.url, apiKey: "test", maxRetries: 0 });

/** Runs a loop until the model calls nothing anymore. */
type Loop = (tools: Bench["tools"], isStream: boolean) => Promise<void>;

const loopOpenai: Loop = async (tools, isStream) => {
  const { definitions, run } = openai(tools, { programmatic: true });
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "Do it." }];
  const request = { model: "m", tools: definitions };
  const next = async () =>
    isStream
      ? run(await openaiClient.responses.create({ ...request, input, stream: true }))
      : run(await openaiClient.responses.create({ ...request, input }));
  for (let turn = await next(); turn.hasCalls; turn = await next()) input.push(...turn.items);
};

const loopAnthropic: Loop = async (tools, isStream) => {
  const { definitions, run } = anthropic(tools, { programmatic: true, eagerInputStreaming: true });
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Do it." }];
  let container: string | null = null;
  const request = () => ({ model: "m", max_tokens: 100, messages, tools: definitions, container });
  const next = async () =>
    isStream
      ? run(await anthropicClient.messages.create({ ...request(), stream: true }))
      : run(await anthropicClient.messages.create(request()));
  for (let turn = await next(); turn.hasCalls; turn = await next()) {
    container = turn.container;
    messages.push(...turn.messages);
  }
};

const LOOPS: readonly (readonly [string, Loop, boolean])[] = [
  ["OpenAI", loopOpenai, false],
  ["OpenAI, streamed", loopOpenai, true],
  ["Anthropic", loopAnthropic, false],
  ["Anthropic, streamed", loopAnthropic, true],
];

const WORDS = { id: "call_words", name: COUNT_WORDS, arguments: { text: "one two" } };
const REPORT = { id: "call_issue", name: CREATE_ISSUE, arguments: ISSUE };
const askAboutIssues = () => policy([allow({}), ask({ tools: [CREATE_ISSUE] })]);

describe.each(LOOPS)("a program at %s", (_, loop, isStream) => {
  test("calls the tools that the policy always allows", async () => {
    const made = await bench({ policy: askAboutIssues() });
    model.script(
      { calls: [{ ...WORDS, program: "prog_1" }] },
      {
        calls: [
          { ...WORDS, id: "call_a" },
          { ...WORDS, id: "call_b" },
        ],
      },
    );
    await loop(made.tools, isStream);
    expect(model.requests.flatMap(({ outputs }) => outputs.map(({ text }) => JSON.parse(text)))).toMatchObject([
      { words: 2 },
      { words: 2 },
      { words: 2 },
    ]);
  });

  test("gets words for a tool that the policy asks about, and nothing runs or is asked", async () => {
    const made = await gated({ policy: askAboutIssues() });
    model.script({
      calls: [
        { ...REPORT, program: "prog_1" },
        { ...REPORT, id: "call_direct" },
      ],
    });
    await loop(made.tools, isStream);
    const [refused, direct] = model.requests[1]?.outputs ?? [];
    expect(refused?.text).toContain("can't be called by a program, so nothing ran");
    expect(direct?.text).toContain("needs the approval of a person");
    expect(made.executions()).toBe(0);
    expect(made.events.filter(({ callId }) => callId === "call_issue").map(({ type }) => type)).toEqual(["finished"]);
  });
});

/** The callers that both adapters let call a tool. */
function callersOf(tools: Bench["tools"], tool = CREATE_ISSUE): unknown[] {
  const all = [openai(tools, { programmatic: true }), anthropic(tools, { programmatic: true })];
  return all.map(({ definitions }) => {
    const found = definitions.find((one) => "name" in one && one.name === tool);
    return Reflect.get(found ?? {}, "allowed_callers");
  });
}

const DIRECT = [["direct"], ["direct"]];
const BOTH = [
  ["direct", "programmatic"],
  ["direct", "code_execution_20260120"],
];
const always = allow({});
const when = { owner: { is: "octo-org" } };
const issues = { tools: [CREATE_ISSUE] };

describe("programs can call a tool", () => {
  test.each([
    ["is allowed", [always]],
    ["is allowed for the toolset's user", [allow({ users: ["user-4711"] })]],
    ["isn't counted, as others are", [always, budget({ tools: [COUNT_WORDS], maxCalls: 1 })]],
    ["isn't what a rule with a condition is about", [always, ask({ tools: [COUNT_WORDS], when })]],
  ])("that %s", async (_, rules) => {
    expect(callersOf((await bench({ policy: policy(rules) })).tools)).toEqual(BOTH);
  });

  test("if there is no policy", async () => {
    expect(callersOf((await bench()).tools)).toEqual(BOTH);
  });
});

describe("programs can't call a tool", () => {
  test.each([
    ["that no rule allows", [allow({ tools: [COUNT_WORDS] })]],
    ["that is allowed with a condition", [allow({ when })]],
    ["that is allowed for another user", [allow({ users: ["ada"] })]],
    ["that is allowed through one account", [allow({ accounts: ["ca_1"] })]],
    ["that needs an approval", [always, ask(issues)]],
    ["that may need an approval", [always, ask({ ...issues, when })]],
    ["that may be denied", [always, deny({ ...issues, when: () => false })]],
    ["that may be a dry run", [always, dryRun({ ...issues, when })]],
    ["that may be denied for the account of a call", [always, deny({ accounts: ["ca_1"] })]],
    ["that a budget of all tools counts", [always, budget({ maxCalls: 1_000 })]],
    ["that a budget of its toolkit counts", [always, budget({ toolkits: ["github"], maxArgumentBytes: 1_000 })]],
  ])("%s", async (_, rules) => {
    const { tools, executions } = await bench({ policy: policy(rules) });
    expect(callersOf(tools)).toEqual(DIRECT);
    const item = { type: "function_call", call_id: "fc_1abc", name: CREATE_ISSUE, arguments: JSON.stringify(ISSUE) };
    const caller = { type: "program", caller_id: "prog_1" };
    const { outputs } = await openai(tools).run({ output: [{ ...item, caller }] });
    expect(outputs).toMatchObject([{ caller, output: expect.stringContaining("nothing ran") }]);
    expect(executions()).toBe(0);
  });

  test("of a policy whose rules can't be read", async () => {
    const { tools } = await bench({ policy: deciding(() => ({ outcome: "allow" })) });
    expect(callersOf(tools)).toEqual(DIRECT);
  });

  test("that runs others, because each of them is decided", async () => {
    const { svc } = await bench();
    const session = await svc.toolRouter.create({ user_id: "user-4711" });
    const tools = await toolset(session, { policy: policy([always], { allowUnknownNames: true }) });
    expect(callersOf(tools, "SVC_MULTI_EXECUTE_TOOL")).toEqual(DIRECT);
    expect(callersOf(tools, "SVC_SEARCH_TOOLS")).toEqual(BOTH);
  });

  test("with an id of a kind of caller that isn't known", async () => {
    const { tools, executions } = await bench({ policy: askAboutIssues() });
    const block = { type: "tool_use", id: "toolu_1abc", name: CREATE_ISSUE, input: ISSUE, caller: { type: "agent" } };
    const { results } = await anthropic(tools).run({ content: [block], stop_reason: "tool_use" });
    expect(results).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(0);
  });

  test("with a recursive schema at Anthropic, which rejects it", async () => {
    const nested = tool({ name: "nested", description: "", parameters: BLOCKS, execute: () => ({}) });
    const { tools } = await bench({ tools: [nested, COUNT_WORDS] });
    expect(callersOf(tools, "nested")).toEqual([BOTH[0], DIRECT[1]]);
    expect(callersOf(tools, COUNT_WORDS)).toEqual(BOTH);
  });
});

describe("definitions", () => {
  const hostedIn = (definitions: readonly object[]) => definitions.filter((one) => !("description" in one));

  test("have the tool that runs programs if programs can call any", async () => {
    const { tools } = await bench();
    expect(hostedIn(openai(tools, { programmatic: true }).definitions)).toEqual([
      { type: "programmatic_tool_calling" },
    ]);
    expect(hostedIn(anthropic(tools, { programmatic: true, defer: () => true }).definitions)).toMatchObject([
      { name: "tool_search_tool_bm25" },
      { type: "code_execution_20260120", name: "code_execution" },
    ]);
    const asking = await bench({ policy: policy([ask({})]) });
    for (const { definitions } of [
      openai(asking.tools, { programmatic: true }),
      anthropic(asking.tools, { programmatic: true }),
    ])
      expect(hostedIn(definitions)).toEqual([]);
  });

  test("are strict at Anthropic for the tools that programs can't call", async () => {
    const { tools } = await bench({ policy: askAboutIssues() });
    const strictIn = (options: Parameters<typeof anthropic>[1]) =>
      anthropic(tools, options).definitions.map((one) => Reflect.get(one, "strict"));
    expect(strictIn({})).toEqual([true, true]);
    expect(strictIn({ programmatic: true } as object)).toEqual([true, undefined, undefined]);
  });

  test("say nothing about callers without the option", async () => {
    const { tools } = await bench();
    for (const { definitions } of [openai(tools), anthropic(tools), openai(tools, { programmatic: false })]) {
      expect(JSON.stringify(definitions)).not.toContain("allowed_callers");
      expect(hostedIn(definitions)).toEqual([]);
    }
  });

  test("describe results to OpenAI's programs, of tools that they can call", async () => {
    const { tools } = await bench({ policy: askAboutIssues() });
    const { definitions } = openai(tools, { programmatic: true });
    expect(definitions).toMatchObject([
      { name: CREATE_ISSUE, allowed_callers: ["direct"] },
      { name: COUNT_WORDS, output_schema: { type: "object", properties: { words: { type: "integer" } } } },
      { type: "programmatic_tool_calling" },
    ]);
    expect(definitions[0]).not.toHaveProperty("output_schema");
  });

  test("stream arguments eagerly from Anthropic, of all tools or of those that a function chooses", async () => {
    const { tools } = await bench();
    const eagerIn = (eagerInputStreaming?: Parameters<typeof anthropic>[1]) =>
      anthropic(tools, eagerInputStreaming).definitions.map((one) => Reflect.get(one, "eager_input_streaming"));
    expect(eagerIn({ eagerInputStreaming: true })).toEqual([true, true]);
    expect(eagerIn({ eagerInputStreaming: ({ name }) => name === COUNT_WORDS })).toEqual([undefined, true]);
    expect(eagerIn()).toEqual([undefined, undefined]);
  });
});

test("OpenAI's program reads JSON of the output schema, whatever happened to its call", async () => {
  const { tools } = await bench({ tools: ["TEXTKIT_REVERSE"], maxResultBytes: 1_024 });
  const { run } = openai(tools, { programmatic: true });
  const call = (call_id: string, text: unknown, caller: object) => {
    return { type: "function_call", call_id, name: "TEXTKIT_REVERSE", arguments: JSON.stringify({ text }), caller };
  };
  const program = { type: "program", caller_id: "prog_1" };
  const { outputs } = await run({
    output: [
      call("fc_1abc", "ab", program),
      call("fc_2abc", "ab ".repeat(1_000), program),
      call("fc_3abc", 7, program),
      call("fc_4abc", 7, { type: "direct" }),
    ],
  });
  const [whole, cut, wrong, direct] = outputs.map((one) => String(Reflect.get(one, "output")));
  expect(JSON.parse(whole ?? "")).toEqual({ text: "ba" });
  expect(JSON.parse(cut ?? "")).toEqual({ no_result: expect.stringMatching(/^Shortened from/) });
  expect(JSON.parse(wrong ?? "")).toEqual({ no_result: expect.stringContaining("text: expected a string") });
  expect(direct).toMatch(/^The arguments of TEXTKIT_REVERSE/);
});
