import { isFailure } from "./call-result.js";
import { type AcceptingSchema, acceptingSchema } from "./standard-schema.js";
import type { AgentTool } from "./tool.js";
import type { Toolset } from "./toolset.js";

/** The result of a call, as an MCP server returns it. */
export interface McpResult {
  /** The text for the model. */
  content: { type: "text"; text: string }[];
  /** Present unless the call succeeded. */
  isError?: boolean;
  [field: string]: unknown;
}

/** The part of an `McpServer` of `@modelcontextprotocol/server` that is used. */
export interface McpServerLike {
  /** Registers a tool. */
  registerTool(
    name: string,
    config: { description: string; inputSchema: AcceptingSchema; annotations: McpAnnotations },
    handler: (args: unknown, context: McpContext) => Promise<McpResult>,
  ): unknown;
}

/** The hints among a tool's tags, as MCP names them. */
export interface McpAnnotations {
  /** It changes nothing. */
  readOnlyHint?: boolean;
  /** It may destroy something. */
  destructiveHint?: boolean;
  /** Running it again changes nothing more. */
  idempotentHint?: boolean;
  /** It reaches beyond its own data. */
  openWorldHint?: boolean;
}

/** The part of a handler's context that is used. */
export interface McpContext {
  /** The request, whose signal cancels the call. */
  readonly mcpReq: { readonly signal: AbortSignal };
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/**
 * Registers a toolset's tools with an MCP server, and returns the server.
 *
 * ```ts
 * const server = mcpServer(tools, new McpServer({ name: "my-tools", version: "1.0.0" }));
 * ```
 *
 * Every request is a new call: ids of MCP requests aren't unique across clients.
 */
export function mcpServer<Server extends McpServerLike>(tools: Toolset, server: Server): Server {
  const compiled = tools.compile("json-schema");
  compiled.tools.forEach(({ name, description, schema }, index) => {
    const config = {
      description,
      inputSchema: acceptingSchema(schema),
      annotations: annotationsOf(tools.tools[index]),
    };
    server.registerTool(name, config, async (args, { mcpReq }) => {
      const call = { callId: crypto.randomUUID(), name, arguments: args };
      const [result] = await compiled.run([call], { signal: mcpReq.signal });
      const isError = isFailure(result?.status);
      return { content: [{ type: "text", text: result?.text ?? "" }], ...(isError && { isError }) };
    });
  });
  return server;
}

function annotationsOf(tool: AgentTool | undefined): McpAnnotations {
  return Object.fromEntries(HINTS.flatMap((hint) => (tool?.tags.includes(hint) ? [[hint, true]] : [])));
}
