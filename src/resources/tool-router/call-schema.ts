import * as z from "zod/mini";
import { META_TOOLS } from "../../shared/tools.js";
import { boolean, identifier, JsonObject, list, nullish, number, object, request, string } from "../schema-kit.js";
import { pageQuery } from "../shared.js";
import { ProxyRequestBody } from "../tools/schema.js";
import { CustomDefinitions } from "./custom-tool-schema.js";

const customDefinitions = {
  /** The session's custom tools. Pass them to each call that needs them, because v3.1 doesn't store them. */
  experimental: z.optional(CustomDefinitions),
};

/** Body for attaching custom tools to a session. */
export const AttachToolRouterSessionBody = request(customDefinitions);
export interface AttachToolRouterSessionBody extends z.infer<typeof AttachToolRouterSessionBody> {}

/** Filters of a session's toolkits. */
export const ListToolRouterToolkitsQuery = request({
  ...pageQuery,
  /** Items per page, from 1 to 50. The service may return fewer. */
  limit: z.optional(number.check(z.int(), z.minimum(1), z.maximum(50))),
  /** Toolkit slugs, as an array or separated by commas. */
  toolkits: nullish(z.union([string, list(string)])),
  /** Whether to list only toolkits that the user has an account for. The default is false. */
  is_connected: nullish(boolean),
  /** String to search for. */
  search: z.optional(string),
});
export interface ListToolRouterToolkitsQuery extends z.infer<typeof ListToolRouterToolkitsQuery> {}

/** Parameters of a session's tool list. */
export const ListToolRouterToolsQuery = request({
  ...pageQuery,
  /** Items per page, from 1 to 500. The service may return fewer. */
  limit: z.optional(number.check(z.int(), z.minimum(1), z.maximum(500))),
});
export interface ListToolRouterToolsQuery extends z.infer<typeof ListToolRouterToolsQuery> {}

/** Body for executing a tool in a session, which determines the user and the version. */
export const ExecuteSessionToolBody = request({
  /** Slug of the tool, at least 1 character. */
  tool_slug: string.check(z.minLength(1)),
  /** Arguments that match the tool's `input_parameters`, if it has any. */
  arguments: z.optional(JsonObject),
  /** Id (`ca_…`) or alias of the user's account to use. */
  account: z.optional(string),
  /** Whether to put a large result into the sandbox instead of the response. */
  enable_auto_workbench_offload: z.optional(boolean),
  ...customDefinitions,
});
export interface ExecuteSessionToolBody extends z.infer<typeof ExecuteSessionToolBody> {}

/** Body for executing a meta tool. */
export const ExecuteMetaToolBody = request({
  /** Slug of the meta tool. */
  slug: z.enum(META_TOOLS),
  /** Arguments of the meta tool, if it has any. */
  arguments: z.optional(JsonObject),
  ...customDefinitions,
});
export interface ExecuteMetaToolBody extends z.infer<typeof ExecuteMetaToolBody> {}

/**
 * Result of an execution in a session. Unlike `ToolResult`, it has no `successful`: the tool succeeded if `error` is
 * null.
 */
export const SessionToolResult = object({
  /** The tool's result, as its `output_parameters` describe it. */
  data: JsonObject,
  /** Error message. Null if the tool succeeded. If the tool fails, nothing is thrown. */
  error: z.nullable(string),
  /** Starts with `log_`. */
  log_id: string,
});
export interface SessionToolResult extends z.infer<typeof SessionToolResult> {}

const { connected_account_id, ...proxied } = ProxyRequestBody.shape;

/** Body for sending a request to the provider with the session's account of a toolkit. */
export const SessionProxyBody = request({
  /** Slug of the toolkit whose account to use. */
  toolkit_slug: string,
  ...proxied,
});
export interface SessionProxyBody extends z.infer<typeof SessionProxyBody> {}

/** Body for creating a page on which the user connects an account. */
export const LinkToolkitBody = request({
  /** Slug of the toolkit, at least 1 character. */
  toolkit: string.check(z.minLength(1)),
  /** Your name for the new account, unique per user and toolkit. */
  alias: z.optional(string),
  /**
   * Absolute URL to which the browser returns afterwards, with `status` and `connected_account_id` added to its query.
   */
  callback_url: z.optional(z.url()),
  // See assumption R4.
  /** Experimental settings of the account. */
  experimental: z.optional(JsonObject),
});
export interface LinkToolkitBody extends z.infer<typeof LinkToolkitBody> {}

/** A page on which the user connects an account. */
export const LinkedToolkit = object({
  /** Opaque token. */
  link_token: string,
  /** Send the user's browser to this URL. */
  redirect_url: string,
  /** Id of the account, which becomes ACTIVE when the user has finished. Starts with `ca_`. */
  connected_account_id: identifier("connectedAccountId"),
  /** Experimental settings of the account. */
  experimental: nullish(JsonObject),
});
export interface LinkedToolkit extends z.infer<typeof LinkedToolkit> {}

const place = {
  /** Path of the file inside the mount. */
  mount_relative_path: string,
  /** Path of the mount in the sandbox, such as `/mnt/files`. */
  sandbox_mount_prefix: string,
};

/** A file in a session's mount. */
export const MountItem = object({
  ...place,
  /** Size in bytes. */
  size: number,
  /** ISO 8601. */
  last_modified: string,
});
export interface MountItem extends z.infer<typeof MountItem> {}

/** A page of a mount's files. This list has no totals. */
export const MountItemPage = object({
  items: z.array(MountItem),
  /** Opaque cursor of the next page. Absent on the last page. */
  next_cursor: nullish(string),
});
export interface MountItemPage extends z.infer<typeof MountItemPage> {}

/** Filters of a mount's files. */
export const ListMountItemsQuery = request({
  ...pageQuery,
  /** Items per page, from 1 to 500. The default is 100. */
  limit: z.optional(number.check(z.int(), z.minimum(1), z.maximum(500))),
  /** Only files whose path starts with this. At least 1 character. */
  mount_relative_prefix: z.optional(string.check(z.minLength(1))),
});
export interface ListMountItemsQuery extends z.infer<typeof ListMountItemsQuery> {}

/** Identifies a file of a mount. */
export const MountPathBody = request({
  /** Path of the file inside the mount. */
  mount_relative_path: string,
});
export interface MountPathBody extends z.infer<typeof MountPathBody> {}

/** Body for requesting an upload URL. */
export const MountUploadBody = request({
  /** Path for the file inside the mount. */
  mount_relative_path: string,
  /** Media type of the file. */
  mimetype: z.optional(string),
});
export interface MountUploadBody extends z.infer<typeof MountUploadBody> {}

/** Where to upload a file. */
export const MountUpload = object({
  /** Signed URL: PUT the bytes to it, without an API key. Anyone who has it can write. */
  upload_url: string,
  ...place,
  /** When the URL expires, ISO 8601. */
  expires_at: string,
});
export interface MountUpload extends z.infer<typeof MountUpload> {}

/** Where to download a file. */
export const MountDownload = object({
  /** Signed URL: GET the bytes from it, without an API key. Anyone who has it can read. */
  download_url: string,
  ...place,
  /** When the URL expires, ISO 8601. */
  expires_at: string,
});
export interface MountDownload extends z.infer<typeof MountDownload> {}

/** Response to deleting a file. */
export const DeletedMountItem = object({
  /** Absent only if a retry found that the file was already deleted. */
  mount_relative_path: z.optional(string),
  /** Absent only if a retry found that the file was already deleted. */
  sandbox_mount_prefix: z.optional(string),
});
export interface DeletedMountItem extends z.infer<typeof DeletedMountItem> {}
