import * as z from "zod/mini";
import { JsonObject } from "../../schema-kit.js";
import { Refusal } from "../refusal.js";
import { executeInSession } from "./execute.js";
import { executeMetaTool } from "./execute-meta.js";
import { exposedMetaTools, isMetaSlug } from "./meta-tools.js";
import { preloadedTools } from "./record.js";
import type { SessionScope } from "./scope.js";

const Message = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.optional(z.union([z.string(), z.number()])),
  method: z.optional(z.string()),
  params: z.optional(JsonObject),
});

/** Versions of the protocol that this subset is the same in, newest first. */
const PROTOCOLS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

type Params = Readonly<Record<string, unknown>>;

interface RpcError {
  readonly code: number;
  readonly message: string;
}

interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** The answer to one JSON-RPC message; `undefined` for one that takes none. */
export async function mcpAnswer(given: unknown, scope: SessionScope): Promise<object | undefined> {
  const { data: message } = Message.safeParse(given);
  if (!message) return { jsonrpc: "2.0", id: null, error: { code: -32_600, message: "Invalid Request" } };
  const { id, method, params = {} } = message;
  if (id === undefined || method === undefined) return undefined;
  const outcome = await call(method, params, scope);
  return { jsonrpc: "2.0", id, ...outcome };
}

type Outcome = { readonly result: object } | { readonly error: RpcError };

async function call(method: string, params: Params, scope: SessionScope): Promise<Outcome> {
  switch (method) {
    case "initialize":
      return { result: initialized(params["protocolVersion"]) };
    case "ping":
      return { result: {} };
    case "tools/list":
      return { result: { tools: toolsOf(scope) } };
    case "tools/call":
      return callTool(params, scope);
    default:
      return { error: { code: -32_601, message: `Method not found: ${method}` } };
  }
}

function initialized(wanted: unknown): object {
  const protocolVersion = PROTOCOLS.find((version) => version === wanted) ?? PROTOCOLS[0];
  return {
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "svc-tool-router", version: "1.0.0" },
    instructions: "Search for tools with SVC_SEARCH_TOOLS, connect accounts, then run the tools.",
  };
}

/** What the session shows from the start. */
function toolsOf(scope: SessionScope): McpTool[] {
  return [
    ...exposedMetaTools(scope.config).map(([name, { description, input }]) => ({
      name,
      description,
      inputSchema: input,
    })),
    ...preloadedTools(scope).map(({ tool, facts }) => ({
      name: tool.slug,
      description: facts.description,
      inputSchema: facts.input,
    })),
  ];
}

async function callTool({ name, arguments: given }: Params, scope: SessionScope): Promise<Outcome> {
  const slug = toolsOf(scope).find((tool) => tool.name === name)?.name;
  if (slug === undefined) return { error: { code: -32_602, message: `Unknown tool: ${String(name)}` } };
  const parsed = z.optional(JsonObject).safeParse(given);
  if (!parsed.success) return { error: { code: -32_602, message: "arguments must be an object" } };
  try {
    const { data, error } = isMetaSlug(slug)
      ? await executeMetaTool({ slug, arguments: parsed.data }, scope)
      : await executeInSession({ tool_slug: slug, arguments: parsed.data }, scope);
    return { result: content(JSON.stringify({ data, error }), error !== null) };
  } catch (error) {
    // The model is to read why, and to do something about it.
    if (error instanceof Refusal) return { result: content(error.message, true) };
    throw error;
  }
}

function content(text: string, isError: boolean): object {
  return { content: [{ type: "text", text }], isError };
}
