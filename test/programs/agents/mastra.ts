import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { mastra } from "../../../src/agents/adapters/mastra.js";
import { AuthRequiredError, type Toolset } from "../../../src/agents/index.js";

/** Tools that suspend the run while an account is missing. */
function waitingForAccounts(tools: ReturnType<typeof mastra>): ReturnType<typeof mastra> {
  const waiting = Object.entries(tools).map(([name, tool]) => {
    const execute: typeof tool.execute = async (input, context) => {
      try {
        return await tool.execute(input, context);
      } catch (error) {
        if (!(error instanceof AuthRequiredError)) throw error;
        await context?.suspend?.({ connect: await error.linkUrl() });
        return error.message;
      }
    };
    return [name, { ...tool, execute }] as const;
  });
  return Object.fromEntries(waiting);
}

const agentOf = (
  url: string,
  tools: Toolset,
  suspendForApproval = false,
  target: "openai" | "openai-strict" = "openai",
) =>
  new Agent({
    id: "helper",
    name: "Helper",
    instructions: "Help.",
    model: { id: "custom/m", url: `${url}/v1`, apiKey: "test" },
    tools: waitingForAccounts(mastra(tools, { target, suspendForApproval })),
    maxRetries: 0,
  });
/** A run that a call has suspended, and the way to resume it. */
export interface Suspended {
  /** The value of the suspension. */
  readonly payload: unknown;
  /** Resumes the run, and returns what the model said last, or the next suspension. */
  resume(data: object): Promise<Suspended | string>;
}

/** Mastra's loop with tools that suspend it, streamed or not. */
export async function suspendingLoop(url: string, tools: Toolset, isStreamed: boolean): Promise<Suspended | string> {
  const helper = agentOf(url, tools, true);
  const agent = new Mastra({ agents: { helper }, storage: new InMemoryStore(), logger: false }).getAgent("helper");
  const outcome = async (run: Awaited<ReturnType<typeof agent.stream>>): Promise<Suspended | string> => {
    let suspended: Suspended | undefined;
    let text = "";
    for await (const part of run.fullStream) {
      if (part.type === "step-start") text = "";
      if (part.type === "text-delta") text += part.payload.text;
      if (part.type === "error") throw part.payload.error;
      if (part.type !== "tool-call-suspended") continue;
      const { suspendPayload: payload, toolCallId } = part.payload;
      const resume = async (data: object) => outcome(await agent.resumeStream(data, { runId: run.runId, toolCallId }));
      suspended = { payload, resume };
    }
    return suspended ?? text;
  };
  if (isStreamed) return outcome(await agent.stream("Do it.", { maxSteps: 5 }));
  const { runId = "", suspendPayload, finishReason, text } = await agent.generate("Do it.", { maxSteps: 5 });
  if (finishReason !== "suspended") return text;
  const { toolCallId, suspendPayload: payload } = suspendPayload;
  return {
    payload,
    resume: async (data) => {
      const resumed = await agent.resumeGenerate(data, { runId, toolCallId });
      return resumed.text;
    },
  };
}

const optionsOf = (signal: AbortSignal | undefined) => ({ maxSteps: 5, ...(signal && { abortSignal: signal }) });

/** Mastra's own loop. */
export async function agentLoop(url: string, tools: Toolset, signal?: AbortSignal): Promise<string> {
  const { steps, error } = await agentOf(url, tools).generate("Do it.", optionsOf(signal));
  if (error) throw error;
  signal?.throwIfAborted();
  return steps.at(-1)?.text ?? "";
}

/** The same, with the target that asks OpenAI to enforce schemas. */
export async function strictLoop(url: string, tools: Toolset): Promise<string> {
  return (await agentOf(url, tools, false, "openai-strict").generate("Do it.", optionsOf(undefined))).text;
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
