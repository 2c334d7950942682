import type { AnyEndpoint } from "../../client/endpoint.js";
import type { JsonObject } from "../../resources/schema-kit.js";
import { authenticate, projectOf } from "../engine/admission.js";
import type { RouteContext } from "../engine/engine.js";
import { FIRST_PROJECT } from "../engine/project-records.js";
import { readBody } from "../engine/read-body.js";
import { withBody } from "../engine/recording.js";
import { ApiFailure, jsonResponse } from "../engine/responses.js";
import type { McpTool } from "./mcp-server.js";
import { executeInSession } from "./meta-tools.js";
import { exposedMetaTools, type SessionScope, scopeOf } from "./scope.js";
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

/** Responds at the MCP URL of a session. Assumption E49. */
export async function handleMcp(route: RouteContext): Promise<Response> {
  const { request, state, rateLimit, params, ...engine } = route;
  const session_id = params["session_id"] ?? "";
  const owner = state.projects.get(state.sessions.get(session_id)?.projectId ?? FIRST_PROJECT);
  // A project can make its MCP URLs public.
  const needsKey = owner?.config.require_mcp_api_key !== false;
  const key = needsKey ? authenticate(access, request.headers, state) : undefined;
  const refusal = rateLimit.refusal(key);
  if (refusal) return refusal;
  const message = request.method === "POST" ? await readBody(request).catch(unreadable) : undefined;
  // The project and the session may have been deleted while the message arrived.
  const project = needsKey || owner.isDeleted ? projectOf(key, state) : owner;
  const scope = scopeOf({ ...engine, state, project, params: { session_id } });
  if (request.method === "POST" && message === undefined) {
    const error = { code: -32_700, message: "Parse error" };
    return jsonResponse(400, { jsonrpc: "2.0", id: null, error }, route);
  }
  // Larger than the emulator, because the MCP library is in it.
  const { serveMcp } = await import("./mcp-server.js");
  const response = await serveMcp(request, message, exposedTools(scope));
  for (const [name, value] of Object.entries(rateLimit.headers())) response.headers.set(name, value);
  return withReadBody(response);
}

/** A response whose JSON the log can show. A stream has to stay one, so the log has only its headers. */
async function withReadBody(response: Response): Promise<Response> {
  if (!response.headers.get("content-type")?.includes("json")) return response;
  const text = await response.text();
  return withBody(new Response(text, response), text);
}

/** Invalid JSON becomes a JSON-RPC error. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof ApiFailure) || error.details.status !== 400) throw error;
}

/** The tools that a session exposes initially. */
function exposedTools(scope: SessionScope): McpTool[] {
  return [...exposedMetaTools(scope.config), ...preloadedTools(scope)].map(({ tool: { slug }, facts }) => ({
    slug,
    description: facts.description,
    input: facts.input,
    call: (given) => callTool(slug, given, scope),
  }));
}

async function callTool(slug: string, given: JsonObject, scope: SessionScope) {
  try {
    const { data, error } = await executeInSession({ tool_slug: slug, arguments: given }, scope);
    return { text: JSON.stringify({ data, error, successful: error === null }), isError: error !== null };
  } catch (error) {
    // Return the error as content, so the model can react to it.
    if (error instanceof ApiFailure) return { text: error.message, isError: true };
    throw error;
  }
}
