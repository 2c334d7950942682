import * as z from "zod/mini";
import { JsonObject, nullish, object, request } from "../../schema-kit.js";
import { pageQuery } from "../shared.js";
import { ProxyRequestBody } from "../tools/schema.js";
import { CustomDefinitions } from "./custom-tool-schema.js";

/** The tools by which an agent works in a session. They can only be called inside one. */
export const META_TOOLS = [
  "SVC_SEARCH_TOOLS",
  "SVC_GET_TOOL_SCHEMAS",
  "SVC_MULTI_EXECUTE_TOOL",
  "SVC_MANAGE_CONNECTIONS",
  "SVC_WAIT_FOR_CONNECTIONS",
  "SVC_REMOTE_WORKBENCH",
  "SVC_REMOTE_BASH_TOOL",
] as const;

const customDefinitions = {
  /** The session's custom tools again: on v3.1 they are not stored. See assumption R3. */
  experimental: z.optional(CustomDefinitions),
};

/** Body of an attachment: what the session does not store and needs again. See assumption R3. */
export const AttachToolRouterSessionBody = request(customDefinitions);
/** Body of an attachment: what the session does not store and needs again. See assumption R3. */
export interface AttachToolRouterSessionBody extends z.infer<typeof AttachToolRouterSessionBody> {}

/** Filters of a session's toolkits. */
export const ListToolRouterToolkitsQuery = request({
  ...pageQuery,
  /** Items per page, from 1 to 50; the service may give fewer. */
  limit: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(50))),
  /** Toolkit slugs, as an array or separated by commas. */
  toolkits: z.optional(z.nullable(z.union([z.string(), z.array(z.string())]))),
  /** Only toolkits for which the user has an account. The default is false. */
  is_connected: z.optional(z.nullable(z.boolean())),
  /** Text to look for. */
  search: z.optional(z.string()),
});
/** Filters of a session's toolkits. */
export interface ListToolRouterToolkitsQuery extends z.infer<typeof ListToolRouterToolkitsQuery> {}

/** Parameters of a session's tool list. */
export const ListToolRouterToolsQuery = request({
  ...pageQuery,
  /** Items per page, at most 500; the service may give fewer. */
  limit: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(500))),
});
/** Parameters of a session's tool list. */
export interface ListToolRouterToolsQuery extends z.infer<typeof ListToolRouterToolsQuery> {}

/** Body of an execution in a session. It names no user and no version: the session knows them. */
export const ExecuteSessionToolBody = request({
  /** At least 1 character. */
  tool_slug: z.string().check(z.minLength(1)),
  /** What the tool's `input_parameters` ask for. None when left out. */
  arguments: z.optional(JsonObject),
  /** Id (`ca_…`) or alias of the user's account to act through. */
  account: z.optional(z.string()),
  /** Put a large result into the sandbox instead of the answer. */
  enable_auto_workbench_offload: z.optional(z.boolean()),
  ...customDefinitions,
});
/** Body of an execution in a session. It names no user and no version: the session knows them. */
export interface ExecuteSessionToolBody extends z.infer<typeof ExecuteSessionToolBody> {}

/** Body of a meta tool's execution. */
export const ExecuteMetaToolBody = request({
  /** Which one. */
  slug: z.enum(META_TOOLS),
  /** None when left out. */
  arguments: z.optional(JsonObject),
  ...customDefinitions,
});
/** Body of a meta tool's execution. */
export interface ExecuteMetaToolBody extends z.infer<typeof ExecuteMetaToolBody> {}

/** How an execution in a session went. There is no `successful` here: it went well when `error` is null. */
export const SessionToolResult = object({
  /** The tool's result, as its `output_parameters` describe it. */
  data: JsonObject,
  /** What went wrong, in words; null when nothing did. A failure of the tool is data, not an exception. */
  error: z.nullable(z.string()),
  /** Starts with `log_`. */
  log_id: z.string(),
});
/** How an execution in a session went. There is no `successful` here: it went well when `error` is null. */
export interface SessionToolResult extends z.infer<typeof SessionToolResult> {}

const { connected_account_id, ...proxied } = ProxyRequestBody.shape;

/** Body of a request that goes through the session's account of a toolkit to the external service. */
export const SessionProxyBody = request({
  /** The toolkit whose account is used. */
  toolkit_slug: z.string(),
  ...proxied,
});
/** Body of a request that goes through the session's account of a toolkit to the external service. */
export interface SessionProxyBody extends z.infer<typeof SessionProxyBody> {}

/** Body of a request for a page on which the user connects an account. */
export const LinkToolkitBody = request({
  /** Slug of the toolkit, at least 1 character. */
  toolkit: z.string().check(z.minLength(1)),
  /** A name for the new account, unique per user and toolkit. */
  alias: z.optional(z.string()),
  /** Where the browser goes afterwards, with `status` and `connected_account_id` appended. Absolute address. */
  callback_url: z.optional(z.url()),
  /** Experimental settings of the account. See assumption R4. */
  experimental: z.optional(JsonObject),
});
/** Body of a request for a page on which the user connects an account. */
export interface LinkToolkitBody extends z.infer<typeof LinkToolkitBody> {}

/** A page on which the user connects an account. */
export const LinkedToolkit = object({
  /** Opaque. */
  link_token: z.string(),
  /** Send the user's browser there. */
  redirect_url: z.string(),
  /** The account that will become active. Starts with `ca_`. */
  connected_account_id: z.string(),
  /** Experimental settings of the account. */
  experimental: nullish(JsonObject),
});
/** A page on which the user connects an account. */
export interface LinkedToolkit extends z.infer<typeof LinkedToolkit> {}
