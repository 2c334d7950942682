import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import type { ApiPromise } from "../../core/promises.js";
import { createToolRouterSession, getToolRouterSession } from "./endpoints.js";
import type { CreateToolRouterSessionBody } from "./schema.js";
import { opened, type ToolRouterSession, ToolRouterSessionHandle } from "./session.js";

/** Agent sessions: one user, a choice of tools, one MCP address. Spec: What the service does. */
export class ToolRouter {
  readonly #core: Core;

  /** @internal */
  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * Creates a session for a user.
   *
   * ```ts
   * const session = await svc.toolRouter.create({ user_id: "ada", toolkits: { enable: ["github", "textkit"] } });
   * const { url, headers } = session.mcp; // What an MCP client needs. `headers` holds your key: never print it.
   * ```
   *
   * Every call makes a new session, so it is never sent twice when the first may have run.
   *
   * @throws {BadRequestError} 400: an unknown toolkit or tool slug, or an account of another user.
   */
  create(body: CreateToolRouterSessionBody, options?: RequestOptions): ApiPromise<ToolRouterSession> {
    return opened(this.#core, this.#core.call(createToolRouterSession, { body }, options));
  }

  /**
   * A session that exists, with its record.
   *
   * @throws {BadRequestError} 400: not a `trs_` id.
   * @throws {NotFoundError} 404: no such session, or it was deleted.
   */
  get(sessionId: string, options?: RequestOptions): ApiPromise<ToolRouterSession> {
    return opened(this.#core, this.#core.call(getToolRouterSession, { params: { session_id: sessionId } }, options));
  }

  /**
   * A handle on a session that exists. Sends nothing, so it has no record and no MCP address; `get` on it asks for both.
   */
  use(sessionId: string): ToolRouterSessionHandle {
    return new ToolRouterSessionHandle(this.#core, sessionId);
  }
}
