// Mastra, which runs the loop itself. Run it with: node examples/agents/mastra.ts
// #region mastra
// npm install svc-sdk @mastra/core, save this as agent.mts, then: node agent.mts
import { Agent } from "@mastra/core/agent";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { mastra } from "svc-sdk/agents/mastra";

const instructions = "Report problems as issues.";
const model = "openai/gpt-5";
const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const agent = new Agent({ id: "reporter", name: "Reporter", instructions, model, tools: mastra(tools) });
const { text } = await agent.generate("Open an issue in octo-org/hello-world: the build is broken.");
console.log(text);
// #endregion
