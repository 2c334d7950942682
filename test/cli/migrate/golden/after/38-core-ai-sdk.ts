import { openai } from "@ai-sdk/openai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { aiSdk } from "svc-sdk/agents/ai-sdk";
import { generateText } from "ai";

const composio = new Svc();

const tools = aiSdk(await toolset(composio, { userId: "user-4711", toolkits: ["textkit"], limit: 10 }));
const { text } = await generateText({ model: openai("gpt-5"), prompt: "Reverse stressed.", tools });
console.log(text);

export async function inSession() {
  const session = await composio.toolRouter.create({ user_id: "user-4711" });
  const meta = aiSdk(await toolset(session));
  return generateText({ model: openai("gpt-5"), prompt: "Open an issue.", tools: meta });
}
