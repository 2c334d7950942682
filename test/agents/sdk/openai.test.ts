import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { openai, openaiChat } from "../../../src/agents/adapters/openai.js";
import { bench, COUNT_WORDS } from "../support.js";
import { describeLoop } from "./loops.js";
import { startModel } from "./model-server.js";

const model = await startModel();
const client = new OpenAI({ baseURL: `${model.url}/v1`, apiKey: "test", maxRetries: 0 });

const limits = { knowsCutCalls: true };

describe("OpenAI Responses", () => {
  describeLoop(
    "whole",
    model,
    async ({ tools }, signal) => {
      const { definitions, run } = openai(tools);
      const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "Do it." }];
      let response = await client.responses.create({ model: "m", input, tools: definitions });
      for (let turn = await run(response, { signal }); turn.hasCalls; turn = await run(response, { signal })) {
        input.push(...turn.items);
        response = await client.responses.create({ model: "m", input, tools: definitions });
      }
      return response.output_text;
    },
    limits,
  );

  describeLoop(
    "streamed",
    model,
    async ({ tools }, signal) => {
      const { definitions, run } = openai(tools);
      const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "Do it." }];
      const ask = () => client.responses.create({ model: "m", input, tools: definitions, stream: true });
      let text = "";
      const onEvent = (event: OpenAI.Responses.ResponseStreamEvent) => {
        if (event.type === "response.output_text.delta") text += event.delta;
      };
      for (let turn = await run(await ask(), { signal, onStreamEvent: onEvent }); turn.hasCalls; ) {
        text = "";
        input.push(...turn.items);
        turn = await run(await ask(), { signal, onStreamEvent: onEvent });
      }
      return text;
    },
    limits,
  );

  describeLoop(
    "with previous_response_id",
    model,
    async ({ tools }, signal) => {
      const { definitions, run } = openai(tools);
      let response = await client.responses.create({ model: "m", input: "Do it.", tools: definitions });
      for (let turn = await run(response, { signal }); turn.hasCalls; turn = await run(response, { signal })) {
        const previous_response_id = response.id;
        response = await client.responses.create({
          model: "m",
          input: turn.outputs,
          tools: definitions,
          previous_response_id,
        });
      }
      return response.output_text;
    },
    limits,
  );
});

describe("OpenAI Chat Completions", () => {
  describeLoop(
    "whole",
    model,
    async ({ tools }, signal) => {
      const { definitions, run } = openaiChat(tools);
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Do it." }];
      let completion = await client.chat.completions.create({ model: "m", messages, tools: definitions });
      for (let turn = await run(completion, { signal }); turn.hasCalls; turn = await run(completion, { signal })) {
        messages.push(...turn.messages);
        completion = await client.chat.completions.create({ model: "m", messages, tools: definitions });
      }
      return completion.choices[0]?.message.content ?? "";
    },
    limits,
  );

  describeLoop(
    "streamed",
    model,
    async ({ tools }, signal) => {
      const { definitions, run } = openaiChat(tools);
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Do it." }];
      const ask = () => client.chat.completions.create({ model: "m", messages, tools: definitions, stream: true });
      let turn = await run(await ask(), { signal });
      for (; turn.hasCalls; turn = await run(await ask(), { signal })) messages.push(...turn.messages);
      return String(turn.messages[0]?.content);
    },
    limits,
  );
});

describe("a response that the library has parsed", () => {
  const counting = { text: "I count.", calls: [{ name: COUNT_WORDS, arguments: { text: "a b" } }] };

  test("goes back to the Responses API without the library's fields", async () => {
    const { definitions, run } = openai((await bench()).tools);
    model.script(counting);
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "Do it." }];
    const ask = () => client.responses.parse({ model: "m", input, tools: definitions });
    const response = await ask();
    expect(response.output[1]).toMatchObject({ parsed_arguments: { text: "a b" } });
    input.push(...(await run(response)).items);
    expect((await ask()).output_text).toBe("done");
    expect(JSON.stringify(input)).not.toContain("parsed");
  });

  test("goes back to Chat Completions without the library's fields", async () => {
    const { definitions, run } = openaiChat((await bench()).tools);
    model.script(counting);
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Do it." }];
    const completion = await client.chat.completions.parse({ model: "m", messages, tools: definitions });
    expect(completion.choices[0]?.message.tool_calls).toMatchObject([
      { function: { parsed_arguments: { text: "a b" } } },
    ]);
    messages.push(...(await run(completion)).messages);
    expect(JSON.stringify(messages)).not.toContain("parsed");
  });
});
