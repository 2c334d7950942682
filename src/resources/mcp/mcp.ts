import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import type { RequestOptions } from "../../client/request-options.js";
import { mcp } from "./endpoints.js";
import type * as shapes from "./schema.js";

/**
 * MCP servers of the older kind, which you create one by one. For an agent that works for one user, `toolRouter.create`
 * returns an MCP URL with less setup.
 */
export class Mcp extends Resource {
  /** Lists one page of MCP servers. There is no cursor: request each `page_no` up to `total_pages`. */
  list(query?: shapes.ListMcpServersQuery, options?: RequestOptions): ApiPromise<shapes.McpServerPage> {
    return coreOf(this).call(mcp().list, { query }, options);
  }

  /**
   * Creates an MCP server from auth configs. Never retried if it may have run.
   *
   * @throws {BadRequestError} 400: the name is too short, too long, or contains other characters.
   * @throws {NotFoundError} 404: no such auth config.
   */
  create(body: shapes.CreateMcpServerBody, options?: RequestOptions): ApiPromise<shapes.McpServer> {
    return coreOf(this).call(mcp().create, { body }, options);
  }

  /**
   * Creates an MCP server from toolkits. Never retried if it may have run.
   *
   * @throws {BadRequestError} 400: an unknown toolkit or tool.
   */
  createCustom(
    body: shapes.CreateCustomMcpServerBody,
    options?: RequestOptions,
  ): ApiPromise<shapes.CreatedCustomMcpServer> {
    return coreOf(this).call(mcp().createCustom, { body }, options);
  }

  /**
   * Generates URLs of an MCP server, one for each given user or account.
   *
   * @throws {NotFoundError} 404: no such server.
   */
  generateUrl(body: shapes.GenerateMcpUrlBody, options?: RequestOptions): ApiPromise<shapes.McpUrls> {
    return coreOf(this).call(mcp().generateUrl, { body }, options);
  }

  /**
   * Returns an MCP server.
   *
   * @throws {NotFoundError} 404: no such server.
   */
  get(id: string, options?: RequestOptions): ApiPromise<shapes.McpServer> {
    return coreOf(this).call(mcp().get, { params: { id } }, options);
  }

  /**
   * Changes the given fields of an MCP server. Other fields stay unchanged.
   *
   * @throws {NotFoundError} 404: no such server.
   */
  update(id: string, body: shapes.UpdateMcpServerBody, options?: RequestOptions): ApiPromise<shapes.McpServer> {
    return coreOf(this).call(mcp().update, { params: { id }, body }, options);
  }

  /**
   * Deletes an MCP server.
   *
   * @throws {NotFoundError} 404: no such server, or it was already deleted.
   */
  delete(id: string, options?: RequestOptions): ApiPromise<shapes.DeletedMcpServer> {
    return coreOf(this).call(mcp().delete, { params: { id } }, options);
  }

  /**
   * Lists one page of the MCP servers of an app, the older name of a toolkit. There is no cursor: request each
   * `page_no` up to `total_pages`.
   *
   * @throws {NotFoundError} 404: no such app.
   */
  listByApp(
    appKey: string,
    query?: shapes.ListMcpServersQuery,
    options?: RequestOptions,
  ): ApiPromise<shapes.McpServerPage> {
    return coreOf(this).call(mcp().listByApp, { params: { appKey }, query }, options);
  }

  /**
   * Lists one page of an MCP server's instances, one per user. They are in `instances`. There is no cursor: request
   * each `page_no` up to `total_pages`.
   *
   * @throws {NotFoundError} 404: no such server.
   */
  listInstances(
    serverId: string,
    query?: shapes.ListMcpInstancesQuery,
    options?: RequestOptions,
  ): ApiPromise<shapes.McpInstancePage> {
    return coreOf(this).call(mcp().listInstances, { params: { serverId }, query }, options);
  }

  /**
   * Creates a user's instance of an MCP server. Never retried if it may have run.
   *
   * @throws {PermissionDeniedError} 403: the user hasn't connected the accounts that the server needs.
   * @throws {ConflictError} 409: the user already has an instance.
   */
  createInstance(
    serverId: string,
    body: shapes.CreateMcpInstanceBody,
    options?: RequestOptions,
  ): ApiPromise<shapes.McpInstance> {
    return coreOf(this).call(mcp().createInstance, { params: { serverId }, body }, options);
  }

  /**
   * Deletes a user's instance of an MCP server, and its accounts.
   *
   * @deprecated Delete the user's accounts.
   * @throws {NotFoundError} 404: no such server or instance.
   */
  deleteInstance(
    serverId: string,
    instanceId: string,
    options?: RequestOptions,
  ): ApiPromise<shapes.DeletedMcpInstance> {
    return coreOf(this).call(mcp().deleteInstance, { params: { serverId, instanceId } }, options);
  }
}
