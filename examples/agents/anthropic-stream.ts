// Anthropic's Messages API, streamed. Run it with: node examples/agents/anthropic-stream.ts
// #region anthropic-stream
// npm install svc-sdk @anthropic-ai/sdk, save this as stream.mts, then: node stream.mts
import Anthropic from "@anthropic-ai/sdk";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { anthropic } from "svc-sdk/agents/anthropic";

const client = new Anthropic();
const request = { model: "claude-opus-5-5", max_tokens: 4_096, stream: true } as const;
const task = "Open an issue in octo-org/hello-world: the build is broken.";
const messages: Anthropic.MessageParam[] = [{ role: "user", content: task }];

const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const { definitions, run } = anthropic(tools);
const ask = () => client.messages.create({ ...request, messages, tools: definitions });
const onStreamEvent = (event: Anthropic.RawMessageStreamEvent) => {
  if (event.type === "content_block_delta" && event.delta.type === "text_delta") process.stdout.write(event.delta.text);
};
let turn = await run(await ask(), { onStreamEvent });
for (let turns = 1; turn.hasCalls; turns += 1) {
  if (turns === 10) throw new Error("The model still calls tools after ten turns.");
  messages.push(...turn.messages);
  turn = await run(await ask(), { onStreamEvent });
}
if (turn.isIncomplete) throw new Error(`The model didn't finish: ${turn.incompleteReason}`);
// #endregion
