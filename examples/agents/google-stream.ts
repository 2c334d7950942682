// Gemini, streamed. Run it with: node examples/agents/google-stream.ts
// #region google-stream
// npm install svc-sdk @google/genai, save this as stream.mts, then: node stream.mts
import { type Content, type GenerateContentResponse, GoogleGenAI } from "@google/genai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { google } from "svc-sdk/agents/google";

const client = new GoogleGenAI({});
const task = "Open an issue in octo-org/hello-world: the build is broken.";
const contents: Content[] = [{ role: "user", parts: [{ text: task }] }];

const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const { definitions, run } = google(tools);
const request = { model: "gemini-3-pro", contents, config: { tools: definitions } };
const ask = () => client.models.generateContentStream(request);
const onStreamEvent = ({ candidates }: GenerateContentResponse) => {
  for (const { text, thought } of candidates?.[0]?.content?.parts ?? []) if (!thought) process.stdout.write(text ?? "");
};
let turn = await run(await ask(), { onStreamEvent });
for (let turns = 1; turn.hasCalls; turns += 1) {
  if (turns === 10) throw new Error("The model still calls tools after ten turns.");
  contents.push(...turn.contents);
  turn = await run(await ask(), { onStreamEvent });
}
if (turn.isIncomplete) throw new Error(`The model didn't finish: ${turn.incompleteReason}`);
// #endregion
