// Anthropic's Messages API. Run it with: node examples/agents/anthropic.ts
// #region anthropic
import Anthropic from "@anthropic-ai/sdk";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { anthropic } from "svc-sdk/agents/anthropic";

const client = new Anthropic();
const request = { model: "claude-opus-4-5", max_tokens: 4_096 };
const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Report that the build is broken." }];

const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const { definitions, run } = anthropic(tools);
let message = await client.messages.create({ ...request, messages, tools: definitions });
for (let turn = await run(message); turn.hasCalls; turn = await run(message)) {
  messages.push(...turn.messages);
  message = await client.messages.create({ ...request, messages, tools: definitions });
}
for (const block of message.content) if (block.type === "text") console.log(block.text);
// #endregion
