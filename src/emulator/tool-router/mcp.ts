import type { AnyEndpoint } from "../../core/endpoint.js";
import type { ExtraRoute, RouteContext } from "../host/context.js";
import { authenticate } from "../host/keys-and-rate-limit.js";
import { projectIdOf } from "../host/lookup-and-page.js";
import { withBody } from "../host/mask-and-record.js";
import { FIRST_PROJECT } from "../host/project-records.js";
import { readBody } from "../host/read-request.js";
import { ApiFailure, json } from "../host/responses.js";
import { scopeOf } from "./scope.js";

/** The endpoint's authentication: a key of the session's project. */
const access: AnyEndpoint = {
  name: "toolRouter.mcp",
  method: "POST",
  path: "/tool_router/{session_id}/mcp",
  auth: ["apiKey"],
  retry: "effect",
  response: {},
};

/** MCP over streamable HTTP, served at the URL in the session's record and at a shorter one. See assumption E49. */
export const sessionMcp: readonly ExtraRoute[] = [
  "/tool_router/v3/{session_id}/mcp",
  "/tool_router/{session_id}/mcp",
].map((path) => ({ methods: ["POST", "GET", "DELETE"], path, handle: handleMcp }));

async function handleMcp(route: RouteContext): Promise<Response> {
  const { request, state, rateLimit, params, ...world } = route;
  const session_id = params["session_id"] ?? "";
  const key = needsKey(session_id, route) ? authenticate(access, request.headers, state) : undefined;
  const refusal = rateLimit.refusal(key);
  if (refusal) return refusal;
  const projectKey = key ?? anyKeyOf(session_id, route);
  const scope = scopeOf({ ...world, state, key: projectKey, params: { session_id } });
  const message = request.method === "POST" ? await readBody(request).catch(unreadable) : undefined;
  if (request.method === "POST" && message === undefined) {
    const error = { code: -32_700, message: "Parse error" };
    return json(400, { jsonrpc: "2.0", id: null, error }, route);
  }
  // Loaded with the first request, because most tests make none.
  const { serveMcp } = await import("../on-demand.js");
  const response = await serveMcp(request, message, scope);
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
