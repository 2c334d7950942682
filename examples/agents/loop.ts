// A loop with a limit, with a tool of the service. Run it with: node examples/agents/loop.ts
// #region loop
// npm install svc-sdk openai, save this as agent.mts, then: node agent.mts (Node 22.18 or later)
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";

const client = new OpenAI();
const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const { definitions, run } = openai(tools);

async function answer(task: string): Promise<string> {
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: task }];
  for (let turns = 0; turns < 10; turns += 1) {
    const response = await client.responses.create({ model: "gpt-5", input, tools: definitions });
    const turn = await run(response); // Runs the calls in the response.
    if (turn.hasCalls) input.push(...turn.items);
    else if (turn.isIncomplete) throw new Error(`The model didn't finish: ${turn.incompleteReason}`);
    else return response.output_text;
  }
  throw new Error("The model still calls tools after ten turns.");
}
console.log(await answer("Open an issue in octo-org/hello-world: the build is broken."));
// #endregion
