import * as z from "zod/mini";
import type { AnyEndpoint } from "../../core/endpoint.js";
import { JsonObject } from "../../resources/schema-kit.js";
import type { ExtraRoute, RouteContext } from "../host/context.js";
import { ApiFailure } from "../host/errors.js";
import { authenticate } from "../host/guard.js";
import { projectIdOf } from "../host/lookup.js";
import { FIRST_PROJECT } from "../host/project-records.js";
import { readBody } from "../host/read-request.js";
import { json } from "../host/responses.js";
import { executeInSession, executeMetaTool } from "./execute.js";
import { exposedMetaTools, isMetaSlug } from "./meta-tools.js";
import { type SessionScope, scopeOf } from "./scope.js";
import { preloadedTools } from "./show.js";

/** The endpoint's authentication: a key of the session's project. */
const access: AnyEndpoint = {
  name: "toolRouter.mcp",
  method: "POST",
  path: "/tool_router/{session_id}/mcp",
  auth: ["apiKey"],
  retry: "effect",
  response: {},
};

/**
 * MCP over streamable HTTP, without streams: every response is one JSON body. Served at the URL in the session's record and at
 * a shorter one. See assumption E49.
 */
export const sessionMcp: readonly ExtraRoute[] = [
  "/tool_router/v3/{session_id}/mcp",
  "/tool_router/{session_id}/mcp",
].map((path) => ({ methods: ["POST", "GET", "DELETE"], path, handle: handleMcp }));

async function handleMcp(route: RouteContext): Promise<Response> {
  const { request, state, rateLimit, params, ...world } = route;
  const session_id = params["session_id"] ?? "";
  const key = needsKey(session_id, route) ? authenticate(access, request.headers, state) : undefined;
  // Requests without a key don't count toward the rate limit.
  if (key && !rateLimit.take()) {
    const retryAfter = String(rateLimit.retryAfterSeconds());
    return json(429, rateLimit.errorBody(), route, { "retry-after": retryAfter });
  }
  const projectKey = key ?? anyKeyOf(session_id, route);
  const scope = scopeOf({ ...world, state, key: projectKey, params: { session_id } });
  // The server never starts a message, so it doesn't offer a stream.
  if (request.method === "GET") return json(405, undefined, route, { allow: "POST, DELETE" });
  // There's no state between messages to delete.
  if (request.method === "DELETE") return json(200, {}, route);
  const message = await readBody(request).catch(unreadable);
  if (message === undefined) {
    const error = { code: -32_700, message: "Parse error" };
    return json(400, { jsonrpc: "2.0", id: null, error }, route);
  }
  const responses = (await Promise.all([message].flat().map((one) => mcpResponse(one, scope)))).filter(
    (response) => response !== undefined,
  );
  // Notifications and responses are accepted and ignored.
  if (responses.length === 0) return json(202, undefined, route);
  return json(200, Array.isArray(message) ? responses : responses[0], route);
}

/** Invalid JSON becomes a JSON-RPC error. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof ApiFailure) || error.details.status !== 400) throw error;
}

/** A project can make its MCP URLs public. */
function needsKey(sessionId: string, { state }: RouteContext): boolean {
  const project = state.projects.get(state.sessions.get(sessionId)?.projectId ?? FIRST_PROJECT);
  return project?.config.require_mcp_api_key !== false;
}

/** Without a key, use one of the session's project. */
function anyKeyOf(sessionId: string, { state }: RouteContext) {
  const projectId = state.sessions.get(sessionId)?.projectId;
  return [...state.keys.values()].find((key) => key.kind === "apiKey" && projectIdOf(key, state) === projectId);
}

const Message = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.optional(z.union([z.string(), z.number()])),
  method: z.optional(z.string()),
  params: z.optional(JsonObject),
});

/** Protocol versions with the same behavior in this subset, newest first. */
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

/** The response to a JSON-RPC message; `undefined` if it doesn't take one. */
async function mcpResponse(given: unknown, scope: SessionScope): Promise<object | undefined> {
  const { data: message } = Message.safeParse(given);
  if (!message) return { jsonrpc: "2.0", id: null, error: { code: -32_600, message: "Invalid Request" } };
  const { id, method, params = {} } = message;
  if (id === undefined || method === undefined) return undefined;
  const outcome = await callMethod(method, params, scope);
  return { jsonrpc: "2.0", id, ...outcome };
}

type RpcOutcome = { readonly result: object } | { readonly error: RpcError };

async function callMethod(method: string, params: Params, scope: SessionScope): Promise<RpcOutcome> {
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

/** Tools the session exposes initially. */
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

async function callTool({ name, arguments: given }: Params, scope: SessionScope): Promise<RpcOutcome> {
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
    // Return the error as content, so the model can react to it.
    if (error instanceof ApiFailure) return { result: content(error.message, true) };
    throw error;
  }
}

function content(text: string, isError: boolean): object {
  return { content: [{ type: "text", text }], isError };
}
