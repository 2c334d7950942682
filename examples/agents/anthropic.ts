// Anthropic's Messages API. Run it with: node examples/agents/anthropic.ts
// #region anthropic
// npm install svc-sdk @anthropic-ai/sdk, save this as agent.mts, then: node agent.mts
import Anthropic from "@anthropic-ai/sdk";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { anthropic } from "svc-sdk/agents/anthropic";

const client = new Anthropic();
const request = { model: "claude-opus-5-5", max_tokens: 4_096 };
const task = "Open an issue in octo-org/hello-world: the build is broken.";
const messages: Anthropic.MessageParam[] = [{ role: "user", content: task }];

const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const { definitions, run } = anthropic(tools);
let message = await client.messages.create({ ...request, messages, tools: definitions });
let turn = await run(message);
for (let turns = 1; turn.hasCalls; turns += 1) {
  if (turns === 10) throw new Error("The model still calls tools after ten turns.");
  messages.push(...turn.messages);
  message = await client.messages.create({ ...request, messages, tools: definitions });
  turn = await run(message);
}
if (turn.isIncomplete) throw new Error(`The model didn't finish: ${turn.incompleteReason}`);
for (const block of message.content) if (block.type === "text") console.log(block.text);
// #endregion
