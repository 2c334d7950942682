import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import type { ApiPromise } from "../../core/promises.js";
import {
  createCustomMcpServer,
  createMcpInstance,
  createMcpServer,
  deleteMcpInstance,
  deleteMcpServer,
  generateMcpUrl,
  getMcpServer,
  listMcpInstances,
  listMcpServers,
  listMcpServersByApp,
  updateMcpServer,
} from "./endpoints.js";
import type {
  CreateCustomMcpServerBody,
  CreatedCustomMcpServer,
  CreateMcpInstanceBody,
  CreateMcpServerBody,
  DeletedMcpInstance,
  DeletedMcpServer,
  GenerateMcpUrlBody,
  ListMcpInstancesQuery,
  ListMcpServersQuery,
  McpInstance,
  McpInstancePage,
  McpServer,
  McpServerPage,
  McpUrls,
  UpdateMcpServerBody,
} from "./schema.js";

/**
 * MCP servers of the older kind, made by hand. For an agent that works for one user, `toolRouter.create` gives an MCP
 * address with less to set up. See assumption R8.
 */
export class Mcp {
  readonly #core: Core;

  /** @internal */
  constructor(core: Core) {
    this.#core = core;
  }

  /** One page of MCP servers. There is no cursor to follow: ask for `page_no` up to `total_pages`. */
  list(query?: ListMcpServersQuery, options?: RequestOptions): ApiPromise<McpServerPage> {
    return this.#core.call(listMcpServers, { query }, options);
  }

  /**
   * Creates an MCP server from auth configs. Never sent twice when the first may have run.
   *
   * @throws {BadRequestError} 400: the name is too short, too long, or holds other characters.
   * @throws {NotFoundError} 404: no such auth config.
   */
  create(body: CreateMcpServerBody, options?: RequestOptions): ApiPromise<McpServer> {
    return this.#core.call(createMcpServer, { body }, options);
  }

  /**
   * Creates an MCP server from toolkits. Never sent twice when the first may have run.
   *
   * @throws {BadRequestError} 400: an unknown toolkit or tool.
   */
  createCustom(body: CreateCustomMcpServerBody, options?: RequestOptions): ApiPromise<CreatedCustomMcpServer> {
    return this.#core.call(createCustomMcpServer, { body }, options);
  }

  /**
   * Makes addresses of a server: one per user or account that is named.
   *
   * @throws {NotFoundError} 404: no such server.
   */
  generateUrl(body: GenerateMcpUrlBody, options?: RequestOptions): ApiPromise<McpUrls> {
    return this.#core.call(generateMcpUrl, { body }, options);
  }

  /**
   * One MCP server.
   *
   * @throws {NotFoundError} 404: no such server.
   */
  get(id: string, options?: RequestOptions): ApiPromise<McpServer> {
    return this.#core.call(getMcpServer, { params: { id } }, options);
  }

  /**
   * Changes the given fields; the others stay.
   *
   * @throws {NotFoundError} 404: no such server.
   */
  update(id: string, body: UpdateMcpServerBody, options?: RequestOptions): ApiPromise<McpServer> {
    return this.#core.call(updateMcpServer, { params: { id }, body }, options);
  }

  /**
   * Deletes an MCP server.
   *
   * @throws {NotFoundError} 404: no such server, or it was deleted before.
   */
  delete(id: string, options?: RequestOptions): ApiPromise<DeletedMcpServer> {
    return this.#core.call(deleteMcpServer, { params: { id } }, options);
  }

  /**
   * One page of the MCP servers of an app (a toolkit, by its older name). There is no cursor to follow: ask for `page_no`
   * up to `total_pages`.
   *
   * @throws {NotFoundError} 404: no such app.
   */
  listByApp(appKey: string, query?: ListMcpServersQuery, options?: RequestOptions): ApiPromise<McpServerPage> {
    return this.#core.call(listMcpServersByApp, { params: { appKey }, query }, options);
  }

  /**
   * One page of a server's instances, one per user, in `instances`. There is no cursor to follow: ask for `page_no` up to
   * `total_pages`.
   *
   * @throws {NotFoundError} 404: no such server.
   */
  listInstances(
    serverId: string,
    query?: ListMcpInstancesQuery,
    options?: RequestOptions,
  ): ApiPromise<McpInstancePage> {
    return this.#core.call(listMcpInstances, { params: { serverId }, query }, options);
  }

  /**
   * Creates a user's instance. Never sent twice when the first may have run.
   *
   * @throws {PermissionDeniedError} 403: the user has not connected the accounts the server needs.
   * @throws {ConflictError} 409: the user has an instance already.
   */
  createInstance(serverId: string, body: CreateMcpInstanceBody, options?: RequestOptions): ApiPromise<McpInstance> {
    return this.#core.call(createMcpInstance, { params: { serverId }, body }, options);
  }

  /**
   * Deletes a user's instance, and accounts with it.
   *
   * @throws {NotFoundError} 404: no such server or instance.
   */
  deleteInstance(serverId: string, instanceId: string, options?: RequestOptions): ApiPromise<DeletedMcpInstance> {
    return this.#core.call(deleteMcpInstance, { params: { serverId, instanceId } }, options);
  }
}
