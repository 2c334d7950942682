import { AIMessageChunk } from "@langchain/core/messages";
import { DynamicStructuredTool } from "@langchain/core/tools";
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import type { Toolset } from "../../src/agents/index.js";
import { langchain } from "../../src/agents/langchain.js";

const modelAt = (url: string, streaming: boolean) =>
  new ChatOpenAI({ model: "m", apiKey: "test", maxRetries: 0, streaming, configuration: { baseURL: `${url}/v1` } });
const made = (tools: Toolset) => langchain(tools, { DynamicStructuredTool }, { target: "openai-strict" });
const input = { messages: [{ role: "user" as const, content: "Do it." }] };
const optionsOf = (signal: AbortSignal | undefined) => ({ ...(signal && { signal }) });

/** The loop of `langchain`. */
export async function agentLoop(url: string, tools: Toolset, signal?: AbortSignal): Promise<string> {
  const agent = createAgent({ model: modelAt(url, false), tools: made(tools) });
  const { messages } = await agent.invoke(input, optionsOf(signal));
  return String(messages.at(-1)?.content);
}

/** The same, with the model's tokens streamed. */
export async function streamedAgentLoop(url: string, tools: Toolset, signal?: AbortSignal): Promise<string> {
  const agent = createAgent({ model: modelAt(url, true), tools: made(tools) });
  let text = "";
  for await (const [message] of await agent.stream(input, { ...optionsOf(signal), streamMode: "messages" })) {
    if (message instanceof AIMessageChunk) text = message.id === undefined ? text : text + message.text;
    else text = "";
  }
  return text;
}

/** A graph of LangGraph with its own tool node. */
export async function graphLoop(url: string, tools: Toolset, signal?: AbortSignal): Promise<string> {
  const own = made(tools);
  const model = modelAt(url, false).bindTools(own);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("agent", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode("tools", new ToolNode(own))
    .addEdge("__start__", "agent")
    .addConditionalEdges("agent", toolsCondition)
    .addEdge("tools", "agent")
    .compile();
  const { messages } = await graph.invoke(input, optionsOf(signal));
  return String(messages.at(-1)?.content);
}
