// OpenAI's Responses API. Run it with: node examples/agents/openai.ts
// #region openai
// npm install svc-sdk openai, save this as agent.mts, then: node agent.mts (Node 22.18 or later)
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";

const client = new OpenAI();
const model = "gpt-5";
const task = "Open an issue in octo-org/hello-world: the build is broken.";
const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: task }];
const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const { definitions, run } = openai(tools);
let response = await client.responses.create({ model, input, tools: definitions });
let turn = await run(response);
for (let turns = 1; turn.hasCalls; turns += 1) {
  if (turns === 10) throw new Error("The model still calls tools after ten turns.");
  input.push(...turn.items);
  response = await client.responses.create({ model, input, tools: definitions });
  turn = await run(response);
}
if (turn.isIncomplete) throw new Error(`The model didn't finish: ${turn.incompleteReason}`);
console.log(response.output_text);
// #endregion
