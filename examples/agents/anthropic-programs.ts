// Programs of Anthropic's models. Run it with: node examples/agents/anthropic-programs.ts
// #region programs
// npm install svc-sdk @anthropic-ai/sdk, save this as agent.mts, then: node agent.mts
import Anthropic from "@anthropic-ai/sdk";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { anthropic } from "svc-sdk/agents/anthropic";
import { allow, budget, policy } from "svc-sdk/agents/policy";

const client = new Anthropic();
const request = { model: "claude-opus-5-5", max_tokens: 4_096 };
const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Count the words of each chapter." }];

const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  toolkits: ["textkit"],
  // Programs can call the textkit tools. A budget counts the other tool, so only the model can call it, directly.
  policy: policy([allow({}), budget({ tools: ["GITHUB_CREATE_AN_ISSUE"], maxCalls: 10 })]),
});
const { definitions, run } = anthropic(tools, { programmatic: true });
let message = await client.messages.create({ ...request, messages, tools: definitions });
let turn = await run(message);
for (let turns = 1; turn.hasCalls; turns += 1) {
  if (turns === 10) throw new Error("The model still calls tools after ten turns.");
  messages.push(...turn.messages);
  message = await client.messages.create({ ...request, messages, tools: definitions, container: turn.container });
  turn = await run(message);
}
if (turn.isIncomplete) throw new Error(`The model didn't finish: ${turn.incompleteReason}`);
for (const block of message.content) if (block.type === "text") console.log(block.text);
// #endregion
