import { type ApiPromise, apiPromise } from "../../client/api-promise.js";
import { type Core, coreOf, Resource } from "../../client/client.js";
import type { PagePromise } from "../../client/pages.js";
import type { ExecuteOptions, RequestOptions } from "../../client/request-options.js";
import { NotFoundError } from "../../errors/api-error.js";
import { loadPart } from "../../errors/base.js";
import type { Settlement } from "../tools/log-search.js";
import type { ProxyResponse, ToolPage } from "../tools/schema.js";
import type { SettleOptions } from "../tools/settle.js";
import type { ToolCatalog, ToolSlug } from "../typed-catalog.js";
import { sessionCalls, sessions } from "./endpoints.js";
import { ToolRouterMount } from "./mount.js";
import type * as shapes from "./schema.js";
import { SessionMcp } from "./session-mcp.js";

declare global {
  /** Programs without TypeScript's `esnext.disposable` use sessions, too. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** Arguments, optional if none is required. `Pick` keeps the tool's description. */
type ArgumentsOf<Entry extends { arguments: unknown }> =
  Record<never, never> extends Entry["arguments"] ? Partial<Pick<Entry, "arguments">> : Pick<Entry, "arguments">;

type ExecutedWith<Entry extends { data: unknown }> = Omit<shapes.SessionToolResult, "data" | "error"> &
  Pick<Entry, "data"> & {
    /** Null: the tool succeeded. */
    error: null;
  };

/** Body for executing a tool in a session. Has the tool's own `arguments` if you generated types for it. */
export type ExecuteSessionToolBodyOf<Slug extends string> = {
  /** Slug of the tool, at least 1 character. */
  tool_slug: Slug;
  // The same condition as in ExecuteToolBodyOf, for the same reason.
} & (ToolCatalog extends Readonly<Record<Slug, infer Entry extends { arguments: unknown }>>
  ? Omit<shapes.ExecuteSessionToolBody, "tool_slug" | "arguments"> & ArgumentsOf<Entry>
  : Omit<shapes.ExecuteSessionToolBody, "tool_slug">);

/** Result of an execution in a session. With generated types, `data` is typed once you know that `error` is null. */
export type SessionToolResultOf<Slug extends string> =
  ToolCatalog extends Readonly<Record<Slug, infer Entry extends { data: unknown }>>
    ? ExecutedWith<Entry> | (shapes.SessionToolResult & { error: string })
    : shapes.SessionToolResult;

/**
 * An agent session, known by its id. The session determines the user, so no method takes one.
 *
 * If it was deleted or belongs to another project, every call rejects with a 404 (`NotFoundError`).
 */
export class ToolRouterSessionHandle extends Resource {
  /** Starts with `trs_`. */
  readonly id: string;

  /** @internal */
  constructor(core: Core, id: string) {
    super(core);
    this.id = id;
  }

  /** Deletes the session at the end of an `await using` block, unless it was deleted already. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.delete().catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
    });
  }

  /** Looks up an execution of this session whose outcome is unknown, as `tools.settle` does. */
  async settle(error: unknown, options: SettleOptions = {}): Promise<Settlement> {
    const { settleExecution } = await loadPart("session.settle", import("../tools/settle.js"));
    return settleExecution(coreOf(this), error, options);
  }

  /**
   * Returns the session in its current state, as a new handle. This handle doesn't change.
   *
   * @throws {BadRequestError} 400: the id doesn't start with `trs_`.
   */
  get(options?: RequestOptions): ApiPromise<ToolRouterSession> {
    return openedSession(coreOf(this), coreOf(this).call(sessions().get, { params: paramsOf(this) }, options));
  }

  // See assumption R6.
  /**
   * Changes the session. Returns it as a new handle. A given block replaces the stored one, null resets it, and omitted
   * blocks stay unchanged. The user can't be changed. On v3.1 only.
   *
   * @throws {BadRequestError} 400: an unknown toolkit or tool slug, or an account of another user.
   * @throws {ConflictError} 409: the session was changed at the same time.
   */
  update(body: shapes.UpdateToolRouterSessionBody, options?: RequestOptions): ApiPromise<ToolRouterSession> {
    return openedSession(coreOf(this), coreOf(this).call(sessions().update, { params: paramsOf(this), body }, options));
  }

  /** Deletes the session immediately. Users, auth configs and accounts stay. On v3.1 only. */
  delete(options?: RequestOptions): ApiPromise<shapes.DeletedToolRouterSession> {
    return coreOf(this).call(sessions().delete, { params: paramsOf(this) }, options);
  }

  /**
   * Attaches custom tools to the session, because v3.1 doesn't store them. Returns it as a new handle. On v3.1 only.
   *
   * @throws {BadRequestError} 400: a custom tool is invalid.
   */
  attach(body: shapes.AttachToolRouterSessionBody = {}, options?: RequestOptions): ApiPromise<ToolRouterSession> {
    return openedSession(coreOf(this), coreOf(this).call(sessions().attach, { params: paramsOf(this), body }, options));
  }

  /**
   * Lists the versions of the session's configuration. Await it for one page, or iterate over all items. On v3.1 only.
   */
  configHistory(
    query?: shapes.ListConfigVersionsQuery,
    options?: RequestOptions,
  ): PagePromise<shapes.ConfigVersionPage> {
    return coreOf(this).list(sessions().configHistory, { params: paramsOf(this), query }, options);
  }

  /**
   * Searches the session's toolkits for tools for a task, and returns how to use them. Requires no connection.
   *
   * @throws {ApiError} 413: the request or the response is too large.
   */
  search(body: shapes.SearchToolsBody, options?: RequestOptions): ApiPromise<shapes.ToolSearch> {
    return coreOf(this).call(sessions().search, { params: paramsOf(this), body }, options);
  }

  /** Lists the session's toolkits with the user's accounts. Await it for one page, or iterate over all items. */
  toolkits(
    query?: shapes.ListToolRouterToolkitsQuery,
    options?: RequestOptions,
  ): PagePromise<shapes.ToolRouterToolkitPage> {
    return coreOf(this).list(sessions().toolkits, { params: paramsOf(this), query }, options);
  }

  /** Lists the session's tools that the agent sees. Await it for one page, or iterate over all items. */
  tools(query?: shapes.ListToolRouterToolsQuery, options?: RequestOptions): PagePromise<ToolPage> {
    return coreOf(this).list(sessions().tools, { params: paramsOf(this), query }, options);
  }

  /**
   * Runs a tool for the session's user: a toolkit's tool, or a meta tool that the session offers.
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
   * A failure of the tool, including missing arguments, is a response with `error` set. Never retried if it may have
   * run, unless you pass `{ effect: "none" }` for a tool that only reads.
   *
   * @throws {BadRequestError} 400, condition `tool_not_found` or `no_connected_account`; or the session doesn't include
   * the toolkit (code 4324), or `account` belongs to another user.
   */
  execute<Slug extends ToolSlug>(
    body: ExecuteSessionToolBodyOf<Slug>,
    options?: ExecuteOptions,
  ): ApiPromise<SessionToolResultOf<Slug>>;
  execute(body: shapes.ExecuteSessionToolBody, options?: ExecuteOptions): ApiPromise<shapes.SessionToolResult> {
    return coreOf(this).call(sessionCalls().execute, { params: paramsOf(this), body }, options);
  }

  /**
   * Runs a meta tool, which agents call to search, connect and execute. {@link execute} can run meta tools as well.
   * Never retried if it may have run.
   *
   * @throws {ApiError} 413: the request or the response is too large.
   */
  executeMeta(body: shapes.ExecuteMetaToolBody, options?: ExecuteOptions): ApiPromise<shapes.SessionToolResult> {
    return coreOf(this).call(sessionCalls().executeMeta, { params: paramsOf(this), body }, options);
  }

  /**
   * Sends your own request to a provider with the credentials of the session's account.
   *
   * If the provider responds with an error, nothing is thrown: check `status`. Never retried if it may have run.
   *
   * @throws {BadRequestError} 400: the session has no account, or the URL is on another host.
   */
  proxy(body: shapes.SessionProxyBody, options?: ExecuteOptions): ApiPromise<ProxyResponse> {
    return coreOf(this).call(sessionCalls().proxy, { params: paramsOf(this), body }, options);
  }

  /**
   * Creates a page on which the session's user connects a toolkit. Send the browser to `redirect_url`.
   *
   * @throws {BadRequestError} 400: the toolkit needs no account (code 4326), or the service has no credentials for it
   * and the session has no auth config (code 4308).
   */
  link(body: shapes.LinkToolkitBody, options?: RequestOptions): ApiPromise<shapes.LinkedToolkit> {
    return coreOf(this).call(sessionCalls().link, { params: paramsOf(this), body }, options);
  }

  /** Returns a handle for the session's files. Sends nothing. */
  mounts(mountId = "files"): ToolRouterMount {
    return new ToolRouterMount(coreOf(this), this.id, mountId);
  }
}

const paramsOf = ({ id }: ToolRouterSessionHandle) => ({ session_id: id });

/** An agent session with its record. */
export class ToolRouterSession extends ToolRouterSessionHandle {
  /** The session's record as received when this handle was created. `get` requests it again. */
  readonly record: shapes.ToolRouterSessionRecord;

  /** @internal */
  constructor(core: Core, record: shapes.ToolRouterSessionRecord) {
    super(core, record.session_id);
    this.record = record;
  }

  /** URL and headers for an MCP client of the session. */
  get mcp(): SessionMcp {
    return new SessionMcp(coreOf(this), this.record.mcp);
  }
}

/** Turns a call that returns a session's record into one that returns the handle. */
export function openedSession(
  core: Core,
  response: ApiPromise<shapes.ToolRouterSessionRecord>,
): ApiPromise<ToolRouterSession> {
  return apiPromise(
    response.withResponse().then(({ data, meta }) => ({ data: new ToolRouterSession(core, data), meta })),
  );
}
