import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import type { RequestOptions } from "../../client/request-options.js";
import { sessions } from "./endpoints.js";
import type { CreateToolRouterSessionBody } from "./schema.js";
import { openedSession, type ToolRouterSession, ToolRouterSessionHandle } from "./tool-router-session.js";

/** Agent sessions: one user, a selection of tools, one MCP URL. */
export class ToolRouter extends Resource {
  /**
   * Creates a session for a user.
   *
   * ```ts
   * const session = await svc.toolRouter.create({ user_id: "ada", toolkits: { enable: ["github", "textkit"] } });
   * const { url, headers } = session.mcp; // For an MCP client. `headers` contains your key: never print it.
   * ```
   *
   * Each call creates a new session, so a call that may have run is never retried.
   *
   * @throws {BadRequestError} 400: an unknown toolkit or tool slug, or an account of another user.
   */
  create(body: CreateToolRouterSessionBody, options?: RequestOptions): ApiPromise<ToolRouterSession> {
    return openedSession(coreOf(this), coreOf(this).call(sessions().create, { body }, options));
  }

  /**
   * Returns an existing session with its record.
   *
   * @throws {BadRequestError} 400: the id doesn't start with `trs_`.
   * @throws {NotFoundError} 404: no such session, or it was deleted.
   */
  get(sessionId: string, options?: RequestOptions): ApiPromise<ToolRouterSession> {
    return openedSession(
      coreOf(this),
      coreOf(this).call(sessions().get, { params: { session_id: sessionId } }, options),
    );
  }

  /**
   * Returns a handle for an existing session. Sends nothing, so the handle has no record and no MCP URL: call its `get`
   * for both.
   */
  use(sessionId: string): ToolRouterSessionHandle {
    return new ToolRouterSessionHandle(coreOf(this), sessionId);
  }
}
