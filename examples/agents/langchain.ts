// LangChain, which runs the loop itself. Run it with: node examples/agents/langchain.ts
// #region langchain
// npm install svc-sdk @langchain/core @langchain/openai langchain, save this as agent.mts, then: node agent.mts
import { DynamicStructuredTool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { langchain } from "svc-sdk/agents/langchain";

const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const agent = createAgent({ model: "openai:gpt-5", tools: langchain(tools, { DynamicStructuredTool }) });
const { messages } = await agent.invoke({ messages: "Open an issue in octo-org/hello-world: the build is broken." });
console.log(messages.at(-1)?.text);
// #endregion
