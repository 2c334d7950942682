// The AI SDK, which runs the loop itself. Run it with: node examples/agents/ai-sdk.ts
// #region ai-sdk
// npm install svc-sdk @ai-sdk/openai ai, save this as agent.mts, then: node agent.mts
import { openai } from "@ai-sdk/openai";
import { generateText, isStepCount } from "ai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { aiSdk } from "svc-sdk/agents/ai-sdk";

const model = openai("gpt-5");
const prompt = "Open an issue in octo-org/hello-world: the build is broken.";
const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const { text } = await generateText({ model, prompt, tools: aiSdk(tools), stopWhen: isStepCount(10) });
console.log(text);
// #endregion
