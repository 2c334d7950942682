// Chat Completions, which many services speak. Run it with: node examples/agents/openai-chat.ts
// #region openai-chat
// npm install svc-sdk openai, save this as chat.mts, then: node chat.mts
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { openaiChat } from "svc-sdk/agents/openai";

const client = new OpenAI();
const model = "gpt-5";
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: "user", content: "Open an issue in octo-org/hello-world: the build is broken." },
];

const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const { definitions, run } = openaiChat(tools);
let completion = await client.chat.completions.create({ model, messages, tools: definitions });
let turn = await run(completion);
for (let turns = 1; turn.hasCalls; turns += 1) {
  if (turns === 10) throw new Error("The model still calls tools after ten turns.");
  messages.push(...turn.messages);
  completion = await client.chat.completions.create({ model, messages, tools: definitions });
  turn = await run(completion);
}
if (turn.isIncomplete) throw new Error(`The model didn't finish: ${turn.incompleteReason}`);
console.log(completion.choices[0]?.message.content);
// #endregion
