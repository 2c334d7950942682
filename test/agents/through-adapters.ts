import { aiSdk } from "../../src/agents/adapters/ai-sdk.js";
import { anthropic } from "../../src/agents/adapters/anthropic.js";
import { google } from "../../src/agents/adapters/google.js";
import { langchain } from "../../src/agents/adapters/langchain.js";
import { mastra } from "../../src/agents/adapters/mastra.js";
import { mcpServer } from "../../src/agents/adapters/mcp.js";
import { openai, openaiChat } from "../../src/agents/adapters/openai.js";
import { openaiAgents } from "../../src/agents/adapters/openai-agents.js";
import type { Toolset } from "../../src/agents/index.js";

/** An adapter: what it shows a model, and the text with which it answers a call. */
export interface Through {
  shown(tools: Toolset): unknown;
  run(tools: Toolset, name: string, args: object): Promise<string>;
}

// biome-ignore lint/suspicious/noExplicitAny: libraries of eight makers, read field by field; a wrong one shows in a test.
type Any = any;

const named = (tools: readonly Any[], name: string) => tools.find((tool) => tool.name === name);

/** Replaces LangChain's class. */
class DynamicStructuredTool {
  readonly fields: Any;
  readonly name: string;
  constructor(fields: Any) {
    this.fields = fields;
    this.name = fields.name;
  }
  invoke(...given: never[]): unknown {
    return this.fields.func(given[0]);
  }
}

const agentsTools = (tools: Toolset): Any[] => openaiAgents(tools, { tool: (options) => options });

function mcpTools(tools: Toolset): Map<string, Any> {
  const registered = new Map<string, Any>();
  mcpServer(tools, {
    registerTool: (name, config, handler) => registered.set(name, { config, handler }),
  });
  return registered;
}

const mcpReq = {
  signal: new AbortController().signal,
  requestState: () => undefined,
  notify: async () => undefined,
};

/** Every adapter. */
export const THROUGH: Readonly<Record<string, Through>> = {
  openai: {
    shown: (tools) => openai(tools).definitions,
    run: async (tools, name, args) => {
      const item = { type: "function_call", call_id: "", name, arguments: JSON.stringify(args) };
      return (await openai(tools).run({ output: [item] } as Any)).results[0]?.text ?? "";
    },
  },
  openaiChat: {
    shown: (tools) => openaiChat(tools).definitions,
    run: async (tools, name, args) => {
      const call = { id: "", type: "function", function: { name, arguments: JSON.stringify(args) } };
      const response = { choices: [{ message: { role: "assistant", tool_calls: [call] } }] };
      return (await openaiChat(tools).run(response as Any)).results[0]?.text ?? "";
    },
  },
  anthropic: {
    shown: (tools) => anthropic(tools).definitions,
    run: async (tools, name, input) => {
      const message = { stop_reason: "tool_use", content: [{ type: "tool_use", id: "", name, input }] };
      return (await anthropic(tools).run(message as Any)).results[0]?.text ?? "";
    },
  },
  google: {
    shown: (tools) => google(tools).definitions,
    run: async (tools, name, args) => {
      const response = { candidates: [{ content: { parts: [{ functionCall: { name, args } }] } }] };
      return (await google(tools).run(response as Any)).results[0]?.text ?? "";
    },
  },
  aiSdk: {
    shown: (tools) => Object.entries(aiSdk(tools)).map(withSchema),
    run: async (tools, name, args) => {
      try {
        return (await aiSdk(tools)[name]?.execute(args, { toolCallId: "" })) ?? "";
      } catch (error) {
        return (error as Error).message;
      }
    },
  },
  openaiAgents: {
    shown: agentsTools,
    run: (tools, name, args) => named(agentsTools(tools), name).invoke({}, JSON.stringify(args)),
  },
  langchain: {
    shown: (tools) => langchain(tools, { DynamicStructuredTool }).map(({ fields }) => fields),
    run: async (tools, name, args) =>
      String(await named(langchain(tools, { DynamicStructuredTool }), name).invoke(args as never)),
  },
  mastra: {
    shown: (tools) => Object.entries(mastra(tools)).map(withSchema),
    run: async (tools, name, args) => String(await mastra(tools)[name]?.execute(args, {})),
  },
  mcp: {
    shown: (tools) => [...mcpTools(tools)].map(([name, { config }]) => withSchema([name, config])),
    run: async (tools, name, args) => (await mcpTools(tools).get(name).handler(args, { mcpReq })).content[0].text,
  },
};

/** A tool with its schema as JSON. */
function withSchema([name, { inputSchema, ...tool }]: [string, Any]): unknown {
  return { name, ...tool, schema: inputSchema["~standard"].jsonSchema.input({ target: "draft-2020-12" }) };
}
