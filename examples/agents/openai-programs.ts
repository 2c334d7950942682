// Programs of OpenAI's models. Run it with: node examples/agents/openai-programs.ts
// #region programs
// npm install svc-sdk openai, save this as agent.mts, then: node agent.mts
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";
import { allow, budget, policy } from "svc-sdk/agents/policy";

const client = new OpenAI();
const model = "gpt-5";
const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "Count the words of each chapter." }];

const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  toolkits: ["textkit"],
  // Programs can call the textkit tools. A budget counts the other tool, so only the model can call it, directly.
  policy: policy([allow({}), budget({ tools: ["GITHUB_CREATE_AN_ISSUE"], maxCalls: 10 })]),
});
const { definitions, run } = openai(tools, { programmatic: true });
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
