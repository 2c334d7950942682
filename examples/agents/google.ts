// Gemini, with Google's Gen AI SDK. Run it with: node examples/agents/google.ts
// #region google
// npm install svc-sdk @google/genai, save this as agent.mts, then: node agent.mts
import { type Content, GoogleGenAI } from "@google/genai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { google } from "svc-sdk/agents/google";

const client = new GoogleGenAI({});
const model = "gemini-3-pro";
const task = "Open an issue in octo-org/hello-world: the build is broken.";
const contents: Content[] = [{ role: "user", parts: [{ text: task }] }];

const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const { definitions, run } = google(tools);
const config = { tools: definitions };
let response = await client.models.generateContent({ model, contents, config });
let turn = await run(response);
for (let turns = 1; turn.hasCalls; turns += 1) {
  if (turns === 10) throw new Error("The model still calls tools after ten turns.");
  contents.push(...turn.contents);
  response = await client.models.generateContent({ model, contents, config });
  turn = await run(response);
}
if (turn.isIncomplete) throw new Error(`The model didn't finish: ${turn.incompleteReason}`);
console.log(response.text);
// #endregion
