import { Agent } from "@mastra/core/agent";
import type { Toolset } from "../../src/agents/index.js";
import { mastra } from "../../src/agents/mastra.js";

const agentOf = (url: string, tools: Toolset) =>
  new Agent({
    id: "helper",
    name: "Helper",
    instructions: "Help.",
    model: { id: "custom/m", url: `${url}/v1`, apiKey: "test" },
    tools: mastra(tools, { target: "openai" }),
    maxRetries: 0,
  });
const optionsOf = (signal: AbortSignal | undefined) => ({ maxSteps: 5, ...(signal && { abortSignal: signal }) });

/** Mastra's own loop. */
export async function agentLoop(url: string, tools: Toolset, signal?: AbortSignal): Promise<string> {
  const { steps, error } = await agentOf(url, tools).generate("Do it.", optionsOf(signal));
  if (error) throw error;
  signal?.throwIfAborted();
  return steps.at(-1)?.text ?? "";
}

/** The same, streamed. */
export async function streamedAgentLoop(url: string, tools: Toolset, signal?: AbortSignal): Promise<string> {
  const { fullStream } = await agentOf(url, tools).stream("Do it.", optionsOf(signal));
  let text = "";
  for await (const part of fullStream) {
    if (part.type === "step-start") text = "";
    if (part.type === "text-delta") text += part.payload.text;
    if (part.type === "error") throw part.payload.error;
  }
  signal?.throwIfAborted();
  return text;
}
