import { createOpenAI } from "@ai-sdk/openai";
import { Agent, type AgentInputItem, OpenAIProvider, Runner, setTracingDisabled, tool } from "@openai/agents";
import { generateText, isStepCount, type ModelMessage } from "ai";
import { expect, test } from "vitest";
import { aiSdk } from "../../../src/agents/adapters/ai-sdk.js";
import { openaiAgents } from "../../../src/agents/adapters/openai-agents.js";
import { THROUGH } from "../every-adapter.js";
import { COUNT_WORDS, CREATE_ISSUE, ISSUE } from "../support.js";
import { newcomer } from "./connecting.js";
import { startModel } from "./model-server.js";

setTracingDisabled(true);
const model = await startModel();
const modelProvider = new OpenAIProvider({ baseURL: `${model.url}/v1`, apiKey: "test", useResponses: true });
const runner = new Runner({ modelProvider, tracingDisabled: true });
const aiModel = createOpenAI({ baseURL: `${model.url}/v1`, apiKey: "test" }).chat("m");

const issue = (id: string) => ({ id, name: CREATE_ISSUE, arguments: ISSUE });
const words = { id: "call_words", name: COUNT_WORDS, arguments: { text: "one two" } };
const CONNECTED = "I have connected my account.";
const LINK = "The user got a link. Wait.";

/** A program whose user gets the link while the model waits. */
async function program() {
  const links: string[] = [];
  const made = await newcomer({
    onAuthRequired: async ({ linkUrl }) => {
      links.push(await linkUrl());
      return LINK;
    },
  });
  return { ...made, links };
}

test("the AI SDK goes on with the stored messages once the account is connected", async () => {
  const { tools, connect, issues, words: counted, links } = await program();
  const ask = async (messages: ModelMessage[]) => {
    const settings = { model: aiModel, tools: aiSdk(tools), stopWhen: isStepCount(5), maxRetries: 0 };
    const { text, responseMessages } = await generateText({ ...settings, messages });
    return { text, messages: [...messages, ...responseMessages] };
  };
  model.script({ calls: [issue("call_a"), words] }, { text: "I wait for you." });
  const first = await ask([{ role: "user", content: "Do it." }]);
  expect(first.text).toBe("I wait for you.");
  expect(JSON.stringify(first.messages)).toContain(LINK);
  expect([issues(), links.length]).toEqual([0, 1]);
  const stored: ModelMessage[] = JSON.parse(JSON.stringify(first.messages));
  await connect();
  model.script({ calls: [issue("call_a")] }, { text: "done" });
  expect((await ask([...stored, { role: "user", content: CONNECTED }])).text).toBe("done");
  expect([issues(), counted()]).toEqual([1, 1]);
});

test("the OpenAI Agents SDK goes on with the stored history once the account is connected", async () => {
  const { tools, connect, issues, words: counted, links } = await program();
  const agent = new Agent({ name: "Helper", model: "m", tools: openaiAgents(tools, { tool }) });
  model.script({ calls: [issue("call_a"), words] }, { text: "I wait for you." });
  const first = await runner.run(agent, "Do it.");
  expect([first.finalOutput, issues(), links.length]).toEqual(["I wait for you.", 0, 1]);
  const stored: AgentInputItem[] = JSON.parse(JSON.stringify(first.history));
  await connect();
  model.script({ calls: [issue("call_b")] }, { text: "done" });
  const second = await runner.run(agent, [...stored, { role: "user", content: CONNECTED }]);
  expect([second.finalOutput, issues(), counted()]).toEqual(["done", 1, 1]);
});

test.each(Object.entries(THROUGH))(
  "%s tells the model, and runs the same call once the account is connected",
  async (_, through) => {
    const { tools, connect, issues } = await newcomer();
    const told = await through.run(tools, CREATE_ISSUE, ISSUE);
    expect(told).toMatch(/did not run\. The user has no connected github account\./);
    await connect();
    expect(await through.run(tools, CREATE_ISSUE, ISSUE)).toContain(ISSUE.title);
    expect(issues()).toBe(1);
  },
);
