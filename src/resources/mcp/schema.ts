import * as z from "zod/mini";
import { boolean, deprecated, identifier, list, nullish, number, object, request, string } from "../schema-kit.js";
import { orderDirection, pageNumbers, timestamps } from "../shared.js";

/** Configuration to paste into an MCP client. */
const commands = object({ cursor: string, claude: string, windsurf: string });

const serverFields = {
  /** UUID. */
  id: string,
  name: string,
  /** Auth configs (`ac_…`) that users connect with. */
  auth_config_ids: z.array(identifier("authConfigId")),
  /** Slugs of the tools it offers. */
  allowed_tools: z.array(string),
};

/** An MCP server of the older kind: a selection of tools for many users. */
export const McpServer = object({
  ...serverFields,
  /** @deprecated Use `mcp.generateUrl`, which generates a URL per user. */
  mcp_url: deprecated(string),
  /** Slugs of its toolkits. */
  toolkits: z.array(string),
  /** URL of the logo, by toolkit slug. */
  toolkit_icons: z.record(string, string),
  /** @deprecated They contain `mcp_url`. */
  commands: deprecated(commands),
  ...timestamps,
  /** Number of users who have an instance of the server. */
  server_instance_count: number,
  /** True if the service manages the credentials. */
  managed_auth_via_svc: boolean,
  /** Present only in the response to `mcp.get`. */
  deleted: z.optional(boolean),
});
export interface McpServer extends z.infer<typeof McpServer> {}

/** A page of MCP servers. It has no cursor: request the next `page_no`. */
export const McpServerPage = object({ items: z.array(McpServer), ...pageNumbers });
export interface McpServerPage extends z.infer<typeof McpServerPage> {}

const numberedPage = {
  /** Page number, from 1. The default is 1. */
  page_no: nullish(number.check(z.int(), z.minimum(1))),
  /** Field to sort by. The default is `updated_at`. */
  order_by: z.optional(z.enum(["created_at", "updated_at"])),
  /** Sort direction. The default is `desc`. */
  order_direction: orderDirection,
};

/** Filters of the MCP server list. */
export const ListMcpServersQuery = request({
  name: z.optional(string),
  /** Toolkit slugs, separated by commas. */
  toolkits: z.optional(string),
  /** Auth config ids, separated by commas. */
  auth_config_ids: z.optional(string),
  ...numberedPage,
  /** Items per page. The default is 10. */
  limit: nullish(number.check(z.int(), z.minimum(1))),
});
export interface ListMcpServersQuery extends z.infer<typeof ListMcpServersQuery> {}

/** Body for creating an MCP server from auth configs. */
export const CreateMcpServerBody = request({
  /** 4 to 30 letters, digits, spaces and hyphens. */
  name: string.check(z.minLength(4), z.maxLength(30), z.regex(/^[A-Za-z0-9 -]*$/)),
  /** Auth configs (`ac_…`) that users connect with. */
  auth_config_ids: list(identifier("authConfigId")),
  /** Slugs of toolkits that need no account. */
  no_auth_apps: z.optional(list(string)),
  /** Slugs of the tools it offers. */
  allowed_tools: z.optional(list(string)),
  /** Whether the service manages the credentials. */
  managed_auth_via_svc: z.optional(boolean),
});
export interface CreateMcpServerBody extends z.infer<typeof CreateMcpServerBody> {}

const settings = {
  /** Auth configs (`ac_…`) that users connect with. */
  auth_config_ids: z.optional(list(identifier("authConfigId"))),
  /** Toolkit slugs. */
  toolkits: z.optional(list(string)),
  /** Slugs of the tools it offers. */
  allowed_tools: z.optional(list(string)),
  /** Whether the service manages the credentials. */
  managed_auth_via_svc: z.optional(boolean),
};

/** Body for creating an MCP server from toolkits. */
export const CreateCustomMcpServerBody = request({
  name: string,
  ...settings,
  /** @deprecated Use `allowed_tools`. */
  custom_tools: deprecated(z.optional(list(string))),
});
export interface CreateCustomMcpServerBody extends z.infer<typeof CreateCustomMcpServerBody> {}

/** Response to creating an MCP server from toolkits: a part of its record. */
export const CreatedCustomMcpServer = object({
  ...serverFields,
  /** Absolute URL. */
  mcp_url: string,
  /** Configuration to paste into an MCP client. */
  commands,
});
export interface CreatedCustomMcpServer extends z.infer<typeof CreatedCustomMcpServer> {}

/** Changes to an MCP server. Omitted fields stay unchanged. */
export const UpdateMcpServerBody = request({ name: z.optional(string), ...settings });
export interface UpdateMcpServerBody extends z.infer<typeof UpdateMcpServerBody> {}

/** Response to deleting an MCP server. */
export const DeletedMcpServer = object({
  /** UUID. */
  id: string,
  deleted: boolean,
});
export interface DeletedMcpServer extends z.infer<typeof DeletedMcpServer> {}

/** Body for generating URLs of an MCP server. */
export const GenerateMcpUrlBody = request({
  /** UUID of the server. */
  mcp_server_id: string,
  /**
   * Whether the service manages the credentials. The default is false. Other operations call it `managed_auth_via_svc`.
   */
  managed_auth_by_svc: z.optional(boolean),
  /** Users to generate URLs for. */
  user_ids: z.optional(list(string)),
  /** Accounts (`ca_…`) to generate URLs for. */
  connected_account_ids: z.optional(list(identifier("connectedAccountId"))),
});
export interface GenerateMcpUrlBody extends z.infer<typeof GenerateMcpUrlBody> {}

/** URLs of an MCP server. */
export const McpUrls = object({
  /** URL of the server itself. */
  mcp_url: string,
  /** One URL per given account. */
  connected_account_urls: z.array(string),
  /** One URL per given user. */
  user_ids_url: z.array(string),
});
export interface McpUrls extends z.infer<typeof McpUrls> {}

/** One user's instance of an MCP server. */
export const McpInstance = object({
  /** UUID. */
  id: string,
  /** Id among the server's instances. The format isn't documented. */
  instance_id: string,
  /** UUID of the server. */
  mcp_server_id: string,
  ...timestamps,
});
export interface McpInstance extends z.infer<typeof McpInstance> {}

/** A page of an MCP server's instances. It has no cursor: request the next `page_no`. */
export const McpInstancePage = object({
  /** The instances. */
  instances: z.array(McpInstance),
  /** UUID of the server. */
  server_id: string,
  /** Name of the server. */
  server_name: string,
  ...pageNumbers,
});
export interface McpInstancePage extends z.infer<typeof McpInstancePage> {}

/** Filters of an MCP server's instances. */
export const ListMcpInstancesQuery = request({
  ...numberedPage,
  /** Items per page. The default is 20. */
  limit: nullish(number.check(z.int(), z.minimum(1))),
  /** String to search for. */
  search: z.optional(string),
});
export interface ListMcpInstancesQuery extends z.infer<typeof ListMcpInstancesQuery> {}

/** Body for creating an instance. */
export const CreateMcpInstanceBody = request({
  /** The user of the instance. */
  user_id: string,
});
export interface CreateMcpInstanceBody extends z.infer<typeof CreateMcpInstanceBody> {}

/** Response to deleting an instance. */
export const DeletedMcpInstance = object({
  /** Absent only if a retry found that the instance was already deleted. */
  message: z.optional(string),
  /** Number of accounts that were deleted with the instance. */
  deleted_connected_accounts: nullish(number),
});
export interface DeletedMcpInstance extends z.infer<typeof DeletedMcpInstance> {}
