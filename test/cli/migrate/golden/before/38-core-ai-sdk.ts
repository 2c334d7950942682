import { openai } from "@ai-sdk/openai";
import { Composio } from "@composio/core";
import { VercelProvider } from "@composio/vercel";
import { generateText } from "ai";

const composio = new Composio({ provider: new VercelProvider() });

const tools = await composio.tools.get("user-4711", { toolkits: ["textkit"], limit: 10 });
const { text } = await generateText({ model: openai("gpt-5"), prompt: "Reverse stressed.", tools });
console.log(text);

export async function inSession() {
  const session = await composio.create("user-4711");
  const meta = await session.tools();
  return generateText({ model: openai("gpt-5"), prompt: "Open an issue.", tools: meta });
}
