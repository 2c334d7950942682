import Anthropic from "@anthropic-ai/sdk";
import { describe } from "vitest";
import { anthropic } from "../../../src/agents/adapters/anthropic.js";
import { describeLoop } from "./loops.js";
import { startModel } from "./model-server.js";

const model = await startModel();
const client = new Anthropic({ baseURL: model.url, apiKey: "test", maxRetries: 0 });
const base = { model: "m", max_tokens: 100 };

const textOf = (content: readonly { readonly type: string; readonly text?: string }[]) =>
  content.map(({ text = "" }) => text).join("");

const limits = { knowsCutCalls: true, propertyNames: /^[A-Za-z0-9_.-]{1,64}$/ };

describe("Anthropic Messages", () => {
  describeLoop(
    "whole",
    model,
    async ({ tools }, signal) => {
      const { definitions, run } = anthropic(tools);
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Do it." }];
      let message = await client.messages.create({ ...base, messages, tools: definitions });
      for (let turn = await run(message, { signal }); turn.hasCalls; turn = await run(message, { signal })) {
        messages.push(...turn.messages);
        message = await client.messages.create({ ...base, messages, tools: definitions });
      }
      return textOf(message.content as Anthropic.TextBlock[]);
    },
    { ...limits, brokenJson: "never" },
  );

  describeLoop(
    "streamed",
    model,
    async ({ tools }, signal) => {
      const { definitions, run } = anthropic(tools);
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Do it." }];
      const ask = () => client.messages.create({ ...base, messages, tools: definitions, stream: true });
      let turn = await run(await ask(), { signal });
      for (; turn.hasCalls; turn = await run(await ask(), { signal })) messages.push(...turn.messages);
      return textOf(turn.messages[0]?.content as Anthropic.TextBlock[]);
    },
    limits,
  );

  describeLoop(
    "streamed by messages.stream",
    model,
    async ({ tools }, signal) => {
      const { definitions, run } = anthropic(tools);
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Do it." }];
      const ask = () => client.messages.stream({ ...base, messages, tools: definitions });
      let turn = await run(ask(), { signal });
      for (; turn.hasCalls; turn = await run(ask(), { signal })) messages.push(...turn.messages);
      return textOf(turn.messages[0]?.content as Anthropic.TextBlock[]);
    },
    limits,
  );
});
