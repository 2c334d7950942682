import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { openaiChat } from "svc-sdk/agents/openai";
import OpenAI from "openai";

const client = new OpenAI();
const composio = new Svc({
  apiKey: "ak_1",
});

const tools = openaiChat(await toolset(composio, { userId: "user-4711", tools: ["TEXTKIT_REVERSE"] })).definitions;
const response = await client.chat.completions.create({
  model: "gpt-5",
  messages: [{ role: "user", content: "Reverse stressed." }],
  tools,
});
// TODO(svc-sdk): the adapter's run executes the model's calls and returns the messages. See node_modules/svc-sdk/docs/guide/migrating.md#tools-for-models
export const result = await composio.provider.handleToolCalls("user-4711", response);
