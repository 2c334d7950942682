// OpenAI's Responses API, streamed. Run it with: node examples/agents/openai-stream.ts
// #region openai-stream
// npm install svc-sdk openai, save this as stream.mts, then: node stream.mts
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";

const client = new OpenAI();
const task = "Open an issue in octo-org/hello-world: the build is broken.";
const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: task }];

const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const { definitions, run } = openai(tools);
const ask = (tool_choice: "auto" | "none") =>
  client.responses.create({ model: "gpt-5", input, tools: definitions, tool_choice, stream: true });
const onStreamEvent = (event: OpenAI.Responses.ResponseStreamEvent) => {
  if (event.type === "response.output_text.delta") process.stdout.write(event.delta);
};
let turn = await run(await ask("auto"), { onStreamEvent });
for (let turns = 1; turn.hasCalls; turns += 1) {
  input.push(...turn.items);
  turn = await run(await ask(turns < 10 ? "auto" : "none"), { onStreamEvent }); // At most ten turns with calls.
}
if (turn.isIncomplete) throw new Error(`The model didn't finish: ${turn.incompleteReason}`);
// #endregion
