import { type Content, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { google } from "../../../src/agents/adapters/google.js";
import { openaiChat } from "../../../src/agents/adapters/openai.js";
import type { Toolset } from "../../../src/agents/index.js";
import { bench, CREATE_ISSUE, ISSUE } from "../support.js";
import { startModel } from "./model-server.js";

const model = await startModel();
const ofOpenAI = new OpenAI({ baseURL: `${model.url}/v1`, apiKey: "test", maxRetries: 0 });
const ofGoogle = new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl: model.url } });
const defer = () => true;

/** Loops as the guides have them: nothing in them knows about the search. */
const LOOPS: Readonly<Record<string, (tools: Toolset) => Promise<unknown>>> = {
  "Chat Completions": async (tools) => {
    const { definitions, run } = openaiChat(tools, { defer });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Do it." }];
    let completion = await ofOpenAI.chat.completions.create({ model: "m", messages, tools: definitions });
    for (let turn = await run(completion); turn.hasCalls; turn = await run(completion)) {
      messages.push(...turn.messages);
      completion = await ofOpenAI.chat.completions.create({ model: "m", messages, tools: definitions });
    }
    return completion.choices[0]?.message.content;
  },
  "Chat Completions, streamed": async (tools) => {
    const { definitions, run } = openaiChat(tools, { defer });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Do it." }];
    const ask = () => ofOpenAI.chat.completions.create({ model: "m", messages, tools: definitions, stream: true });
    let turn = await run(await ask());
    for (; turn.hasCalls; turn = await run(await ask())) messages.push(...turn.messages);
    return turn.messages[0]?.content;
  },
  Gemini: async (tools) => {
    const { definitions, run } = google(tools, { defer });
    const contents: Content[] = [{ role: "user", parts: [{ text: "Do it." }] }];
    const config = { tools: definitions };
    let response = await ofGoogle.models.generateContent({ model: "m", contents, config });
    for (let turn = await run(response); turn.hasCalls; turn = await run(response)) {
      contents.push(...turn.contents);
      response = await ofGoogle.models.generateContent({ model: "m", contents, config });
    }
    return response.text;
  },
  "Gemini in its library's own loop": async (tools) => {
    const config = { tools: [google(tools, { defer }).callable] };
    return (await ofGoogle.models.generateContent({ model: "m", contents: "Do it.", config })).text;
  },
};

test.each(Object.entries(LOOPS))("%s: a model finds a tool, and calls it in the next turn", async (_, loop) => {
  const { tools, executions } = await bench({ tools: [], toolkits: ["github", "textkit"] });
  model.script(
    { calls: [{ name: "find_tools", arguments: { query: "open an issue" } }] },
    { calls: [{ name: CREATE_ISSUE, arguments: ISSUE }] },
  );
  expect(await loop(tools)).toBe("done");
  const sent = model.requests.map(({ body }) => JSON.stringify(body["tools"]));
  expect(sent.map((definitions) => definitions.includes(`"${CREATE_ISSUE}"`))).toEqual([false, true, true]);
  // The beginning stays, so that the provider finds it in its cache.
  const [before = "", after = ""] = sent;
  expect(after.startsWith(before.replace(/[\]}]+$/, ""))).toBe(true);
  expect(sent[2]).toBe(after);
  expect(model.requests[1]?.outputs[0]?.text).toMatch(/^You can call these tools now/);
  expect(JSON.parse(model.requests[2]?.outputs[0]?.text ?? "")).toMatchObject({ title: ISSUE.title });
  expect(executions()).toBe(1);
});
