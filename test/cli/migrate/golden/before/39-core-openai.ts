import { Composio } from "@composio/core";
import { OpenAIProvider } from "@composio/openai";
import OpenAI from "openai";

const client = new OpenAI();
const composio = new Composio({
  apiKey: "ak_1",
  provider: new OpenAIProvider(),
});

const tools = await composio.tools.get("user-4711", "TEXTKIT_REVERSE");
const response = await client.chat.completions.create({
  model: "gpt-5",
  messages: [{ role: "user", content: "Reverse stressed." }],
  tools,
});
export const result = await composio.provider.handleToolCalls("user-4711", response);
