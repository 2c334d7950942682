// Answers to items of OpenAI's own tools. Run it with: node examples/agents/openai-answer.ts
// #region answer
// npm install svc-sdk openai, save this as answer.mts, then: node answer.mts
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";

const client = new OpenAI();
const task = "Search the docs for the build's requirements, and open an issue in octo-org/hello-world.";
const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: task }];
const docs: OpenAI.Responses.Tool.Mcp = {
  type: "mcp",
  server_label: "docs",
  server_url: "https://docs.example.com/mcp",
  require_approval: "always",
};
const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const { definitions, run } = openai(tools);
const ask = () => client.responses.create({ model: "gpt-5", input, tools: [...definitions, docs] });

/** Lets OpenAI call only the server's tool "search". */
const answer = (item: OpenAI.Responses.ResponseOutputItem) => {
  if (item.type !== "mcp_approval_request") return undefined; // The model is told that nothing ran.
  return { type: "mcp_approval_response", approval_request_id: item.id, approve: item.name === "search" } as const;
};
let response = await ask();
let turn = await run(response, { answer });
for (let turns = 1; turn.hasCalls; turns += 1) {
  if (turns === 10) throw new Error("The model still calls tools after ten turns.");
  if (turn.unanswered.length > 0) throw new Error(`No output for ${turn.unanswered.map(({ type }) => type).join()}`);
  input.push(...turn.items);
  response = await ask();
  turn = await run(response, { answer });
}
if (turn.isIncomplete) throw new Error(`The model didn't finish: ${turn.incompleteReason}`);
console.log(response.output_text);
// #endregion
