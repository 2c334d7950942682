// Tools that a model searches. Run it with: node examples/agents/many-tools.ts
// #region many-tools
// npm install svc-sdk openai, save this as agent.mts, then: node agent.mts
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { openaiChat } from "svc-sdk/agents/openai";

const client = new OpenAI();
const model = "gpt-5";
const task = "Open an issue in octo-org/hello-world: the build is broken.";
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: task }];

const tools = await toolset(new Svc(), { userId: "user-4711", toolkits: ["github", "slack", "textkit"] });
// The model gets the textkit tools, and find_tools, which searches the deferred ones.
const { definitions, run } = openaiChat(tools, { defer: ({ toolkit }) => toolkit !== "textkit" });
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

// #region continue
// Before the process ends, store the names with the messages:
const found = definitions.map((definition) => definition.function.name);

// In the next process:
const next = openaiChat(tools, { defer: ({ name, toolkit }) => toolkit !== "textkit" && !found.includes(name) });
// #endregion

console.log(next.definitions.map((definition) => definition.function.name).join(" "));
