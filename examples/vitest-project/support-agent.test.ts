// Tests of an agent, with a model that says what a script says.
// #region scripted
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { createEmulator } from "svc-sdk/emulator";
import { scriptedModel } from "svc-sdk/testing";
import { expect, test } from "vitest";
import { answerTo } from "./support-agent.js";

const emulator = createEmulator();
const tools = await toolset(new Svc(emulator.connection), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const call = (title: unknown) => ({
  name: "GITHUB_CREATE_AN_ISSUE",
  arguments: { owner: "octo-org", repo: "hello-world", title },
});

test("opens an issue after the model has corrected its call", async () => {
  // Other providers: openai-chat, anthropic, and google, whose client takes httpOptions: { fetch }.
  const model = scriptedModel({
    provider: "openai",
    turns: [{ calls: [call(7)] }, { calls: [call("It broke")] }, "I opened issue 1."],
  });
  const client = new OpenAI({ apiKey: "none", fetch: model.fetch });
  expect(await answerTo("Report that it broke.", client, tools)).toBe("I opened issue 1.");
  const read = model.requests.map(({ outputs }) => outputs[0]?.text);
  expect(read).toEqual([
    undefined,
    expect.stringContaining("title: expected a string"),
    expect.stringContaining("/issues/1"),
  ]);
});
// #endregion

// #region faults
test("asks again if the model is overloaded, and rejects if its connection breaks", async () => {
  const turns = [{ failure: "overloaded" }, "Hello.", { text: "Hello again.", cutAfter: 0 }] as const;
  const model = scriptedModel({ provider: "openai", turns });
  const client = new OpenAI({ apiKey: "none", fetch: model.fetch });
  expect(await answerTo("Say hello.", client, tools)).toBe("Hello.");
  await expect(answerTo("Say hello.", client, tools)).rejects.toThrow("terminated");
});
// #endregion
