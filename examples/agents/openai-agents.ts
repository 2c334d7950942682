// The OpenAI Agents SDK, which runs the loop itself. Run it with: node examples/agents/openai-agents.ts
// #region openai-agents
// npm install svc-sdk @openai/agents, save this as agent.mts, then: node agent.mts
import { Agent, run, setTracingDisabled, tool } from "@openai/agents";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { openaiAgents } from "svc-sdk/agents/openai-agents";

setTracingDisabled(true); // Traces would go to OpenAI.
const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const agent = new Agent({ name: "Reporter", tools: openaiAgents(tools, { tool }) });
const { finalOutput } = await run(agent, "Open an issue in octo-org/hello-world: the build is broken.");
console.log(finalOutput);
// #endregion
