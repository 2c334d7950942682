import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from "@openai/agents";
import { describe } from "vitest";
import { openaiAgents } from "../../../src/agents/adapters/openai-agents.js";
import type { Bench } from "../support.js";
import { describeLoop } from "./loops.js";
import { startModel } from "./model-server.js";

setTracingDisabled(true);
const model = await startModel();
const limits = { brokenJson: "library", unknownTools: "never", answersIdsOnce: true } as const;

for (const useResponses of [true, false]) {
  const modelProvider = new OpenAIProvider({ baseURL: `${model.url}/v1`, apiKey: "test", useResponses });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const agentOf = ({ tools }: Bench) => new Agent({ name: "Helper", model: "m", tools: openaiAgents(tools, { tool }) });

  describe(`OpenAI Agents SDK over ${useResponses ? "Responses" : "Chat Completions"}`, () => {
    describeLoop(
      "whole",
      model,
      async (made, signal) => {
        const { finalOutput } = await runner.run(agentOf(made), "Do it.", { ...(signal && { signal }) });
        return String(finalOutput);
      },
      limits,
    );

    describeLoop(
      "streamed",
      model,
      async (made, signal) => {
        const result = await runner.run(agentOf(made), "Do it.", { stream: true, ...(signal && { signal }) });
        for await (const _ of result.toStream());
        await result.completed;
        signal?.throwIfAborted();
        return String(result.finalOutput);
      },
      limits,
    );
  });
}
