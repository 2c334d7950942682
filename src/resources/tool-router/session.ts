import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import type { PagePromise } from "../../core/promises.js";
import { type ApiPromise, apiPromise } from "../../core/promises.js";
import type { ProxyResponse, Tool, ToolPage } from "../tools/schema.js";
import type { ToolSlug } from "../typed-catalogue.js";
import {
  attachToolRouterSession,
  deleteToolRouterSession,
  executeMetaTool,
  executeSessionTool,
  getToolRouterSession,
  linkToolkit,
  listConfigVersions,
  listSessionToolkits,
  listSessionTools,
  proxySessionRequest,
  searchSessionTools,
  updateToolRouterSession,
} from "./endpoints.js";
import { ToolRouterMount } from "./mount.js";
import type {
  AttachToolRouterSessionBody,
  ConfigVersion,
  ConfigVersionPage,
  DeletedToolRouterSession,
  ExecuteMetaToolBody,
  ExecuteSessionToolBody,
  LinkedToolkit,
  LinkToolkitBody,
  ListConfigVersionsQuery,
  ListToolRouterToolkitsQuery,
  ListToolRouterToolsQuery,
  SearchToolsBody,
  SessionProxyBody,
  SessionToolResult,
  ToolRouterSessionRecord,
  ToolRouterToolkit,
  ToolRouterToolkitPage,
  ToolSearch,
  UpdateToolRouterSessionBody,
} from "./schema.js";
import { SessionMcp } from "./session-mcp.js";
import type { ExecuteSessionToolBodyOf, SessionToolResultOf } from "./typed-session.js";

/**
 * An agent session, known by its id. Every call goes to that session; none names a user. Spec: What the service does.
 *
 * A session that was deleted or that belongs to another project answers every call with a 404 (`NotFoundError`).
 */
export class ToolRouterSessionHandle {
  /** Starts with `trs_`. */
  readonly id: string;
  readonly #core: Core;
  readonly #params: { readonly session_id: string };

  /** @internal */
  constructor(core: Core, id: string) {
    this.#core = core;
    this.id = id;
    this.#params = { session_id: id };
  }

  /**
   * The session as it is now, as a new handle; this one stays as it is.
   *
   * @throws {BadRequestError} 400: not a `trs_` id.
   */
  get(options?: RequestOptions): ApiPromise<ToolRouterSession> {
    return opened(this.#core, this.#core.call(getToolRouterSession, { params: this.#params }, options));
  }

  /**
   * Changes the session, and gives it as a new handle. A given block replaces the stored one, null resets a block, what is
   * left out stays. The user cannot change. On v3.1 only.
   *
   * @throws {BadRequestError} 400: an unknown toolkit or tool slug, or an account of another user.
   * @throws {ConflictError} 409: it conflicts with another change. See assumption R6.
   */
  update(body: UpdateToolRouterSessionBody, options?: RequestOptions): ApiPromise<ToolRouterSession> {
    return opened(this.#core, this.#core.call(updateToolRouterSession, { params: this.#params, body }, options));
  }

  /** Deletes the session at once. Users, auth configs and accounts stay. On v3.1 only. */
  delete(options?: RequestOptions): ApiPromise<DeletedToolRouterSession> {
    return this.#core.call(deleteToolRouterSession, { params: this.#params }, options);
  }

  /**
   * Gives the session its custom tools again, which v3.1 does not store, and gives it as a new handle. On v3.1 only.
   *
   * @throws {BadRequestError} 400: a custom tool is not well formed.
   */
  attach(body: AttachToolRouterSessionBody = {}, options?: RequestOptions): ApiPromise<ToolRouterSession> {
    return opened(this.#core, this.#core.call(attachToolRouterSession, { params: this.#params, body }, options));
  }

  /** Lists the states of the session's configuration. Awaited, one page; iterated, all of them. On v3.1 only. */
  configHistory(
    query?: ListConfigVersionsQuery,
    options?: RequestOptions,
  ): PagePromise<ConfigVersionPage, ConfigVersion> {
    return this.#core.list(listConfigVersions, { params: this.#params, query }, options);
  }

  /**
   * Searches the session's toolkits for tools that do something, and says how to use them. Needs no connection.
   *
   * @throws {ApiError} 413: the request or the answer is too large.
   */
  search(body: SearchToolsBody, options?: RequestOptions): ApiPromise<ToolSearch> {
    return this.#core.call(searchSessionTools, { params: this.#params, body }, options);
  }

  /** Lists the session's toolkits with the user's accounts. Awaited, one page; iterated, all of them. */
  toolkits(
    query?: ListToolRouterToolkitsQuery,
    options?: RequestOptions,
  ): PagePromise<ToolRouterToolkitPage, ToolRouterToolkit> {
    return this.#core.list(listSessionToolkits, { params: this.#params, query }, options);
  }

  /** Lists the tools the agent sees. Awaited, one page; iterated, all of them. */
  tools(query?: ListToolRouterToolsQuery, options?: RequestOptions): PagePromise<ToolPage, Tool> {
    return this.#core.list(listSessionTools, { params: this.#params, query }, options);
  }

  /**
   * Runs a tool for the session's user.
   *
   * ```ts
   * const run = await session.execute({
   *   tool_slug: tool,
   *   arguments: { owner: "octo-org", repo: "hello-world", title: "From an agent" },
   * });
   * if (run.error === null) console.log(`Opened ${run.data["html_url"]}`);
   * else console.error(`${tool} failed: ${run.error}`);
   * ```
   *
   * A failure of the tool, missing arguments included, is an answer with `error` set. Never sent twice when the first may
   * have run.
   *
   * @throws {BadRequestError} 400, condition `tool_not_found` or `no_connected_account`; or the session does not include
   * the toolkit (code 4324), or `account` belongs to another user.
   */
  execute<Slug extends ToolSlug>(
    body: ExecuteSessionToolBodyOf<Slug>,
    options?: RequestOptions,
  ): ApiPromise<SessionToolResultOf<Slug>>;
  execute(body: ExecuteSessionToolBody, options?: RequestOptions): ApiPromise<SessionToolResult> {
    return this.#core.call(executeSessionTool, { params: this.#params, body }, options);
  }

  /**
   * Runs a meta tool: what an agent calls to search, connect and execute. Never sent twice when the first may have run.
   *
   * @throws {ApiError} 413: the request or the answer is too large.
   */
  executeMeta(body: ExecuteMetaToolBody, options?: RequestOptions): ApiPromise<SessionToolResult> {
    return this.#core.call(executeMetaTool, { params: this.#params, body }, options);
  }

  /**
   * Sends a request of your own to an external service with the session's account of its toolkit.
   *
   * A failing status of the external service is in `status`, not an exception. Never sent twice when the first may have
   * run. Takes the user key too.
   *
   * @throws {BadRequestError} 400: no account, or an address on another host.
   */
  proxyExecute(body: SessionProxyBody, options?: RequestOptions): ApiPromise<ProxyResponse> {
    return this.#core.call(proxySessionRequest, { params: this.#params, body }, options);
  }

  /**
   * A page on which the session's user connects a toolkit. Send the browser to `redirect_url`.
   *
   * @throws {BadRequestError} 400: the toolkit needs no account (code 4326), or the service has no credentials for it and
   * the session names no auth config (code 4308).
   */
  link(body: LinkToolkitBody, options?: RequestOptions): ApiPromise<LinkedToolkit> {
    return this.#core.call(linkToolkit, { params: this.#params, body }, options);
  }

  /** The session's files. Sends nothing itself. */
  mounts(mountId = "files"): ToolRouterMount {
    return new ToolRouterMount(this.#core, this.id, mountId);
  }
}

/** An agent session with what the service said about it. */
export class ToolRouterSession extends ToolRouterSessionHandle {
  /** The session as the service described it when this handle was made, untouched. `get` asks again. */
  readonly record: ToolRouterSessionRecord;
  readonly #core: Core;

  /** @internal */
  constructor(core: Core, record: ToolRouterSessionRecord) {
    super(core, record.session_id);
    this.#core = core;
    this.record = record;
  }

  /** Where and how an MCP client reaches the session. */
  get mcp(): SessionMcp {
    return new SessionMcp(this.#core, this.record.mcp);
  }
}

/** A call that answers with a session's record, as a call that answers with the handle. */
export function opened(core: Core, answered: ApiPromise<ToolRouterSessionRecord>): ApiPromise<ToolRouterSession> {
  return apiPromise(
    answered.withResponse().then(({ data, meta }) => ({ data: new ToolRouterSession(core, data), meta })),
  );
}
