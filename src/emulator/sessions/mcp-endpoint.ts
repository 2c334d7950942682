import type { AnyEndpoint } from "../../core/endpoint.js";
import { json } from "../answers.js";
import type { Door, Visit } from "../door.js";
import { authenticate } from "../guard.js";
import { projectIdOf } from "../projects/lookup.js";
import { FIRST_PROJECT } from "../projects/stored.js";
import { readBody } from "../read-body.js";
import { Refusal } from "../refusal.js";
import { mcpAnswer } from "./mcp-methods.js";
import { scopeOf } from "./scope.js";

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
export const sessionMcp: readonly Door[] = ["/tool_router/v3/{session_id}/mcp", "/tool_router/{session_id}/mcp"].map(
  (path) => ({ methods: ["POST", "GET", "DELETE"], path, open }),
);

async function open(visit: Visit): Promise<Response> {
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
  const answers = (await Promise.all([message].flat().map((one) => mcpAnswer(one, scope)))).filter(
    (answer) => answer !== undefined,
  );
  // Notifications and answers are only taken note of.
  if (answers.length === 0) return json(202, undefined, visit);
  return json(200, Array.isArray(message) ? answers : answers[0], visit);
}

/** What isn't JSON is an error in the protocol's own words. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.details.status !== 400) throw error;
}

/** A project can open its MCP addresses to whoever knows them. */
function needsKey(sessionId: string, { state }: Visit): boolean {
  const project = state.projects.get(state.sessions.get(sessionId)?.projectId ?? FIRST_PROJECT);
  return project?.config.require_mcp_api_key !== false;
}

/** Without a key, the session's own project is asked. */
function anyKeyOf(sessionId: string, { state }: Visit) {
  const projectId = state.sessions.get(sessionId)?.projectId;
  return [...state.keys.values()].find((key) => key.kind === "apiKey" && projectIdOf(key, state) === projectId);
}
