import * as z from "zod/mini";
import type { AnyEndpoint } from "../../core/endpoint.js";
import { JsonObject } from "../../schema-kit.js";
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

/** The guard's view of the endpoint: it takes the key of the session's project. */
const access: AnyEndpoint = {
  name: "toolRouter.mcp",
  method: "POST",
  path: "/tool_router/{session_id}/mcp",
  auth: ["apiKey"],
  repeat: "effect",
  response: {},
};

/**
 * The streamable HTTP transport of MCP, without a stream: every answer is one JSON body. The address of the session's
 * record, and the shorter one. See assumption E49.
 */
export const sessionMcp: readonly ExtraRoute[] = [
  "/tool_router/v3/{session_id}/mcp",
  "/tool_router/{session_id}/mcp",
].map((path) => ({ methods: ["POST", "GET", "DELETE"], path, open: handleMcp }));

async function handleMcp(visit: RouteContext): Promise<Response> {
  const { request, state, rateWindow, params, ...world } = visit;
  const session_id = params["session_id"] ?? "";
  const key = needsKey(session_id, visit) ? authenticate(access, request.headers, state) : undefined;
  // Like every operation that needs no key, an open endpoint spends nobody's budget.
  if (key && !rateWindow.take()) {
    const retryAfter = String(rateWindow.retryAfterSeconds());
    return json(429, rateWindow.refusal(), visit, { "retry-after": retryAfter });
  }
  const asked = key ?? anyKeyOf(session_id, visit);
  const scope = scopeOf({ ...world, state, key: asked, params: { session_id } });
  // No message ever begins on this side, so there is no stream to open.
  if (request.method === "GET") return json(405, undefined, visit, { allow: "POST, DELETE" });
  // Nothing is kept between messages, so there is nothing to end.
  if (request.method === "DELETE") return json(200, {}, visit);
  const message = await readBody(request).catch(unreadable);
  if (message === undefined) {
    const error = { code: -32_700, message: "Parse error" };
    return json(400, { jsonrpc: "2.0", id: null, error }, visit);
  }
  const answers = (await Promise.all([message].flat().map((one) => mcpResponse(one, scope)))).filter(
    (answer) => answer !== undefined,
  );
  // Notifications and answers are only taken note of.
  if (answers.length === 0) return json(202, undefined, visit);
  return json(200, Array.isArray(message) ? answers : answers[0], visit);
}

/** What isn't JSON is an error in the protocol's own words. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof ApiFailure) || error.details.status !== 400) throw error;
}

/** A project can open its MCP addresses to whoever knows them. */
function needsKey(sessionId: string, { state }: RouteContext): boolean {
  const project = state.projects.get(state.sessions.get(sessionId)?.projectId ?? FIRST_PROJECT);
  return project?.config.require_mcp_api_key !== false;
}

/** Without a key, the session's own project is asked. */
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
    // The model is to read why, and to do something about it.
    if (error instanceof ApiFailure) return { result: content(error.message, true) };
    throw error;
  }
}

function content(text: string, isError: boolean): object {
  return { content: [{ type: "text", text }], isError };
}
