import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { DynamicStructuredTool } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { langchain } from "../../../src/agents/adapters/langchain.js";
import type { Toolset } from "../../../src/agents/index.js";

export { interrupt };

const modelAt = (url: string, streaming: boolean) =>
  new ChatOpenAI({ model: "m", apiKey: "test", maxRetries: 0, streaming, configuration: { baseURL: `${url}/v1` } });
const made = (tools: Toolset) => langchain(tools, { DynamicStructuredTool }, { target: "openai-strict" });
const input = { messages: [{ role: "user" as const, content: "Do it." }] };
const optionsOf = (signal: AbortSignal | undefined) => ({ ...(signal && { signal }) });

/** The same over the Responses API. */
export async function responsesLoop(url: string, tools: Toolset): Promise<string> {
  const configuration = { baseURL: `${url}/v1` };
  const model = new ChatOpenAI({ model: "m", apiKey: "test", maxRetries: 0, useResponsesApi: true, configuration });
  const { messages } = await createAgent({ model, tools: made(tools) }).invoke(input);
  return String(messages.at(-1)?.text);
}

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

/** A graph that a call has interrupted, and the way to resume it. */
export interface Interrupted {
  /** The value of the interrupt. */
  readonly values: readonly unknown[];
  /** Resumes the graph, and returns what the model said last, or the next interruption. */
  resume(data: unknown): Promise<Interrupted | string>;
}

/** Loops of `langchain` and LangGraph with tools that interrupt them, streamed or not. */
export async function interruptingLoop(
  url: string,
  tools: Toolset,
  kind: "agent" | "graph",
  isStreamed: boolean,
): Promise<Interrupted | string> {
  const own = langchain(tools, { DynamicStructuredTool, interrupt });
  const checkpointer = new MemorySaver();
  const graph =
    kind === "agent"
      ? createAgent({ model: modelAt(url, isStreamed), tools: own, checkpointer })
      : graphOf(url, own, isStreamed, checkpointer);
  const config = { configurable: { thread_id: crypto.randomUUID() } };
  const outcome = async (given: typeof input | Command): Promise<Interrupted | string> => {
    // Both kinds of graph take the same input.
    if (isStreamed) for await (const _ of await graph.stream(given as never, { ...config, streamMode: "messages" }));
    else await graph.invoke(given as never, config);
    const runnable = "graph" in graph ? graph.graph : graph;
    const { tasks, values } = await runnable.getState(config);
    const waiting = tasks.flatMap(({ interrupts }) => interrupts);
    if (waiting.length === 0) return String(values.messages.at(-1)?.content);
    return {
      values: waiting.map(({ value }) => value),
      resume: (data) => {
        const resume = Object.fromEntries(waiting.map(({ id = "" }) => [id, data]));
        return outcome(new Command({ resume: waiting.length > 1 ? resume : data }));
      },
    };
  };
  return outcome(input);
}

function graphOf(url: string, own: ReturnType<typeof made>, isStreamed: boolean, checkpointer: MemorySaver) {
  const model = modelAt(url, isStreamed).bindTools(own);
  return new StateGraph(MessagesAnnotation)
    .addNode("agent", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode("tools", new ToolNode(own))
    .addEdge("__start__", "agent")
    .addConditionalEdges("agent", toolsCondition)
    .addEdge("tools", "agent")
    .compile({ checkpointer });
}

/** A node of LangGraph that runs again because a tool beside the toolset's failed. Returns what the tools said. */
export async function retriedNode(tools: Toolset, calls: readonly ToolCall[]): Promise<unknown[]> {
  let attempts = 0;
  const func = async () => {
    await Promise.resolve();
    if (attempts++ === 0) throw new Error("The network is down.");
    return "ok";
  };
  const schema: Record<string, unknown> = { type: "object" };
  const flaky = new DynamicStructuredTool({
    name: "flaky",
    description: "Fails once.",
    schema,
    func,
  });
  const node = new ToolNode([...made(tools), flaky], { handleToolErrors: false });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("tools", node, { retryPolicy: { maxAttempts: 2, initialInterval: 1, retryOn: () => true } })
    .addEdge("__start__", "tools")
    .compile();
  const asked = new AIMessage({ content: "", tool_calls: [...calls, { id: "call_9", name: "flaky", args: {} }] });
  const { messages } = await graph.invoke({ messages: [asked] });
  return messages.slice(1, -1).map(({ content }) => content);
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
