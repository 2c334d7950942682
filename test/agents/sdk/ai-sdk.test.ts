import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, streamText, toolSearch } from "ai";
import { describe, expect, test } from "vitest";
import { aiSdk } from "../../../src/agents/adapters/ai-sdk.js";
import { tool } from "../../../src/agents/index.js";
import { bench, COUNT_WORDS } from "../support.js";
import { describeLoop } from "./loops.js";
import { startModel } from "./model-server.js";

const model = await startModel();
const provider = createOpenAI({ baseURL: `${model.url}/v1`, apiKey: "test" });

const settings = (signal: AbortSignal | undefined) => ({
  prompt: "Do it.",
  stopWhen: isStepCount(5),
  maxRetries: 0,
  ...(signal && { abortSignal: signal }),
});
const limits = { brokenJson: "library", unknownTools: "library" } as const;

describe("AI SDK", () => {
  describeLoop(
    "generateText",
    model,
    async ({ tools }, signal) => {
      const made = aiSdk(tools, { target: "openai-strict" });
      const { text } = await generateText({ model: provider("m"), tools: made, ...settings(signal) });
      return text;
    },
    limits,
  );

  describeLoop(
    "streamText",
    model,
    async ({ tools }, signal) => {
      const { fullStream } = streamText({
        model: provider.chat("m"),
        tools: aiSdk(tools),
        onError: () => {},
        ...settings(signal),
      });
      let text = "";
      for await (const part of fullStream) {
        if (part.type === "start-step") text = "";
        if (part.type === "text-delta") text += part.text;
        if (part.type === "error") throw part.error;
        if (part.type === "abort") throw signal?.reason;
      }
      return text;
    },
    { ...limits, propertyNames: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/ },
  );

  test("shows deferred tools to the model after its search", async () => {
    const { tools } = await bench();
    const deferred = aiSdk(tools, { defer: ({ name }) => name === COUNT_WORDS });
    model.script(
      { calls: [{ name: "search", arguments: { query: "count words" } }] },
      { calls: [{ name: COUNT_WORDS, arguments: { text: "one two" } }] },
    );
    const made = { search: toolSearch(), ...deferred };
    await generateText({ model: provider.chat("m"), tools: made, ...settings(undefined) });
    const shown = model.requests.map(({ body }) => JSON.stringify(body["tools"]).includes(COUNT_WORDS));
    expect(shown).toEqual([false, true, true]);
    expect(model.requests[2]?.outputs.at(-1)?.text).toContain('"words":2');
  });

  test("keeps maps open, which it closes in the schemas of others", async () => {
    const label = tool({
      name: "label",
      description: "Sets labels.",
      parameters: {
        type: "object",
        properties: { labels: { type: "object", additionalProperties: { type: "string" } } },
      },
      execute: (args) => args,
    });
    const { tools } = await bench({ tools: [label] });
    const labels = { size: "large" };
    model.script({ calls: [{ name: "label", arguments: { labels } }] });
    const made = aiSdk(tools, { target: "openai" });
    await generateText({ model: provider.chat("m"), tools: made, ...settings(undefined) });
    expect(JSON.stringify(model.requests[0]?.body["tools"])).toContain('"additionalProperties":{"type":"string"}');
    expect(JSON.parse(model.requests[1]?.outputs[0]?.text ?? "")).toEqual({ labels });
  });
});
