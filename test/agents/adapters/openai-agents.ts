import { openaiAgents } from "../../../src/agents/adapters/openai-agents.js";
import type { Toolset } from "../../../src/agents/index.js";
import { type AdaptersUnderTest, type Any, named } from "../adapter-under-test.js";

const toolsOf = (tools: Toolset): Any[] => openaiAgents(tools, { tool: (options) => options });

export const adapters: AdaptersUnderTest = {
  guide: {
    page: "openai-agents",
    title: "OpenAI Agents SDK",
    about: "OpenAI's agent library",
    packages: ["@openai/agents"],
  },
  libraries: {
    openaiAgents: {
      passesText: true,
      shown: toolsOf,
      run: (tools, name, args) => named(toolsOf(tools), name).invoke({}, JSON.stringify(args)),
    },
  },
  options: (tools) => ({
    openaiAgents: {
      call: (o) => openaiAgents(tools, { tool: () => ({}) }, o),
      good: { approvals: [] },
      wrong: { approvals: "token" },
    },
  }),
};
