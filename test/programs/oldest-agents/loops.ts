import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { type Content, GoogleGenAI } from "@google/genai";
import { DynamicStructuredTool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { Agent as MastraAgent } from "@mastra/core/agent";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from "@openai/agents";
import { generateText, stepCountIs } from "ai";
import { createAgent } from "langchain";
import OpenAI from "openai";
import { aiSdk } from "../../../src/agents/adapters/ai-sdk.js";
import { anthropic } from "../../../src/agents/adapters/anthropic.js";
import { google } from "../../../src/agents/adapters/google.js";
import { langchain } from "../../../src/agents/adapters/langchain.js";
import { mastra } from "../../../src/agents/adapters/mastra.js";
import { mcpServer } from "../../../src/agents/adapters/mcp.js";
import { openai, openaiChat } from "../../../src/agents/adapters/openai.js";
import { openaiAgents } from "../../../src/agents/adapters/openai-agents.js";
import type { Toolset } from "../../../src/agents/index.js";
import type { LoopLimits } from "../../agents/sdk/loop-limits.js";

setTracingDisabled(true);
const prompt = "Do it.";
const optionsOf = <Name extends string>(name: Name, signal: AbortSignal | undefined) =>
  // The one property is there or not; the libraries take no undefined.
  (signal ? { [name]: signal } : {}) as { [Key in Name]?: AbortSignal };

/** OpenAI's Responses. */
async function openaiLoop(url: string, tools: Toolset, signal?: AbortSignal): Promise<string> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "test", maxRetries: 0 });
  const { definitions, run } = openai(tools);
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: prompt }];
  let response = await client.responses.create({ model: "m", input, tools: definitions });
  for (let turn = await run(response, { signal }); turn.hasCalls; turn = await run(response, { signal })) {
    input.push(...turn.items);
    response = await client.responses.create({ model: "m", input, tools: definitions });
  }
  return response.output_text;
}

/** OpenAI's Chat Completions, streamed. */
async function openaiChatLoop(url: string, tools: Toolset, signal?: AbortSignal): Promise<string> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "test", maxRetries: 0 });
  const { definitions, run } = openaiChat(tools);
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: prompt }];
  const ask = () => client.chat.completions.create({ model: "m", messages, tools: definitions, stream: true });
  let turn = await run(await ask(), { signal });
  for (; turn.hasCalls; turn = await run(await ask(), { signal })) messages.push(...turn.messages);
  return String(turn.messages[0]?.content);
}

/** Anthropic's Messages. */
async function anthropicLoop(url: string, tools: Toolset, signal?: AbortSignal): Promise<string> {
  const client = new Anthropic({ baseURL: url, apiKey: "test", maxRetries: 0 });
  const { definitions, run } = anthropic(tools);
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: prompt }];
  const ask = () => client.messages.create({ model: "m", max_tokens: 100, messages, tools: definitions });
  let message = await ask();
  for (let turn = await run(message, { signal }); turn.hasCalls; turn = await run(message, { signal })) {
    messages.push(...turn.messages);
    message = await ask();
  }
  return message.content.map((block) => ("text" in block ? block.text : "")).join("");
}

/** Gemini's `generateContent`. */
async function googleLoop(url: string, tools: Toolset, signal?: AbortSignal): Promise<string> {
  const client = new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl: url } });
  const { definitions, run } = google(tools);
  const contents: Content[] = [{ role: "user", parts: [{ text: prompt }] }];
  const ask = () => client.models.generateContent({ model: "m", contents, config: { tools: definitions } });
  let response = await ask();
  for (let turn = await run(response, { signal }); turn.hasCalls; turn = await run(response, { signal })) {
    contents.push(...turn.contents);
    response = await ask();
  }
  return response.text ?? "";
}

/** The AI SDK's own loop. */
async function aiSdkLoop(url: string, tools: Toolset, signal?: AbortSignal): Promise<string> {
  const model = createOpenAI({ baseURL: `${url}/v1`, apiKey: "test" }).chat("m");
  const settings = { model, prompt, stopWhen: stepCountIs(5), maxRetries: 0, ...optionsOf("abortSignal", signal) };
  const { text } = await generateText({ ...settings, tools: aiSdk(tools, { target: "openai-strict" }) });
  return text;
}

/** The Agents SDK's own loop. */
async function agentsLoop(url: string, tools: Toolset, signal?: AbortSignal): Promise<string> {
  const modelProvider = new OpenAIProvider({ baseURL: `${url}/v1`, apiKey: "test", useResponses: true });
  const agent = new Agent({ name: "Helper", model: "m", tools: openaiAgents(tools, { tool }) });
  const { finalOutput } = await new Runner({ modelProvider }).run(agent, prompt, optionsOf("signal", signal));
  return String(finalOutput);
}

/** LangChain's own loop. */
async function langchainLoop(url: string, tools: Toolset, signal?: AbortSignal): Promise<string> {
  const model = new ChatOpenAI({ model: "m", apiKey: "test", maxRetries: 0, configuration: { baseURL: `${url}/v1` } });
  const made = langchain(tools, { DynamicStructuredTool }, { target: "openai-strict" });
  const agent = createAgent({ model, tools: made });
  const { messages } = await agent.invoke(
    { messages: [{ role: "user", content: prompt }] },
    optionsOf("signal", signal),
  );
  return String(messages.at(-1)?.content);
}

/** Mastra's own loop. */
async function mastraLoop(url: string, tools: Toolset, signal?: AbortSignal): Promise<string> {
  const agent = new MastraAgent({
    id: "helper",
    name: "Helper",
    instructions: "Help.",
    model: { id: "custom/m", url: `${url}/v1`, apiKey: "test" },
    tools: mastra(tools, { target: "openai" }),
    maxRetries: 0,
  });
  const { steps, error } = await agent.generate(prompt, { maxSteps: 5, ...optionsOf("abortSignal", signal) });
  if (error) throw error;
  signal?.throwIfAborted();
  return steps.at(-1)?.text ?? "";
}

/** One call over MCP; returns what the client's model reads. */
export async function mcpCall(tools: Toolset, name: string, args: Record<string, unknown>): Promise<unknown> {
  const server = mcpServer(tools, new McpServer({ name: "tools", version: "1.0.0" }));
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1.0.0" });
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  const { content } = await client.callTool({ name, arguments: args });
  return content;
}

/** A loop for each library, with its limits: one prompt, and the model's last text. */
export const loops = {
  openaiLoop: [openaiLoop, { knowsCutCalls: true }],
  openaiChatLoop: [openaiChatLoop, { knowsCutCalls: true }],
  anthropicLoop: [anthropicLoop, { knowsCutCalls: true, brokenJson: "never", propertyNames: /^[\w.-]{1,64}$/ }],
  googleLoop: [googleLoop, { brokenJson: "never", propertyNames: /^[A-Za-z_]\w{0,63}$/ }],
  aiSdkLoop: [aiSdkLoop, { brokenJson: "library", unknownTools: "library" }],
  agentsLoop: [agentsLoop, { brokenJson: "library", unknownTools: "never", answersIdsOnce: true }],
  // The library ends the run if the model calls a tool that does not exist.
  langchainLoop: [langchainLoop, { brokenJson: "never", unknownTools: "never" }],
  mastraLoop: [mastraLoop, { brokenJson: "never", unknownTools: "library" }],
} satisfies Record<string, [loop: (url: string, tools: Toolset, signal?: AbortSignal) => Promise<string>, LoopLimits]>;
