import { aiSdk } from "../../src/agents/adapters/ai-sdk.js";
import { langchain } from "../../src/agents/adapters/langchain.js";
import { mastra } from "../../src/agents/adapters/mastra.js";
import { mcpServer } from "../../src/agents/adapters/mcp.js";
import { openaiAgents } from "../../src/agents/adapters/openai-agents.js";
import type { Toolset } from "../../src/agents/index.js";
import { TURN_ADAPTERS, type TurnAdapter } from "./turn-adapters.js";

/** An adapter: what it shows a model, and the text with which it answers a call. */
export interface Through {
  /** Whether it gets a call's arguments as text, with all digits. Others get them parsed. */
  readonly passesText: boolean;
  shown(tools: Toolset): unknown;
  run(tools: Toolset, name: string, args: object): Promise<string>;
}

// biome-ignore lint/suspicious/noExplicitAny: libraries of many makers, read field by field; a wrong one shows in a test.
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
  ...Object.fromEntries(Object.entries(TURN_ADAPTERS).map(([name, adapter]) => [name, throughTurns(adapter)])),
  aiSdk: {
    passesText: false,
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
    passesText: true,
    shown: agentsTools,
    run: (tools, name, args) => named(agentsTools(tools), name).invoke({}, JSON.stringify(args)),
  },
  langchain: {
    passesText: false,
    shown: (tools) => langchain(tools, { DynamicStructuredTool }).map(({ fields }) => fields),
    run: async (tools, name, args) =>
      String(await named(langchain(tools, { DynamicStructuredTool }), name).invoke(args as never)),
  },
  mastra: {
    passesText: false,
    shown: (tools) => Object.entries(mastra(tools)).map(withSchema),
    run: async (tools, name, args) => String(await mastra(tools)[name]?.execute(args, {})),
  },
  mcp: {
    passesText: false,
    shown: (tools) => [...mcpTools(tools)].map(([name, { config }]) => withSchema([name, config])),
    run: async (tools, name, args) => (await mcpTools(tools).get(name).handler(args, { mcpReq })).content[0].text,
  },
};

/** An adapter that takes the turns of a model: each call is one turn. */
function throughTurns({ create, response, passesText }: TurnAdapter): Through {
  return {
    passesText,
    shown: (tools) => create(tools).definitions,
    run: async (tools, name, args) => {
      const { results } = await create(tools).run(response(undefined, [["", args, name]]));
      return results[0]?.text ?? "";
    },
  };
}

/** A tool with its schema as JSON. */
function withSchema([name, { inputSchema, ...tool }]: [string, Any]): unknown {
  return { name, ...tool, schema: inputSchema["~standard"].jsonSchema.input({ target: "draft-2020-12" }) };
}
