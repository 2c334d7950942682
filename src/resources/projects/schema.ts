import * as z from "zod/mini";
import { PAYLOAD_VERSIONS } from "../events/schema.js";
import { boolean, deprecated, identifier, nullish, number, object, openEnum, request, string } from "../schema-kit.js";
import { pageQuery, pageTotals } from "../shared.js";

/** A project, which contains keys, auth configs and accounts. Only `id` and `name` are always present. */
export const Project = object({
  /** The id that methods such as `projects.get` take. */
  id: string,
  name: string,
  /** Starts with `pr_`. */
  nano_id: z.optional(identifier("projectId")),
  /** The organization it belongs to. */
  org_id: z.optional(identifier("orgId")),
  email: nullish(string),
  /** Older, project-wide webhook URL. Use a subscription instead. */
  webhook_url: nullish(string),
  /** Older, project-wide webhook URL for events. Use a subscription instead. */
  event_webhook_url: nullish(string),
  /** Signing secret of the project-wide webhook. Don't print it. */
  webhook_secret: nullish(string),
  /** Payload version of the project. A subscription has its own `version`. */
  webhook_version: nullish(openEnum(PAYLOAD_VERSIONS)),
  /** Whether its triggers fire. */
  triggers_enabled: z.optional(boolean),
  /** Time of the last subscription. The format isn't documented. */
  last_subscribed_at: nullish(string),
  /** @deprecated Belongs to the older, project-wide webhooks. */
  is_new_webhook: deprecated(z.optional(boolean)),
  deleted: z.optional(boolean),
  /** ISO 8601. */
  created_at: z.optional(string),
  /** ISO 8601. */
  updated_at: z.optional(string),
});
export interface Project extends z.infer<typeof Project> {}

/** A page of projects. */
export const ProjectPage = object({
  /** The projects of this page. Other lists call this field `items`. */
  data: z.array(Project),
  ...pageTotals,
});
export interface ProjectPage extends z.infer<typeof ProjectPage> {}

/** Parameters of a project list. */
export const ListProjectsQuery = request(pageQuery);
export interface ListProjectsQuery extends z.infer<typeof ListProjectsQuery> {}

/** Parameters of a user's project list. */
export const ListMyProjectsQuery = request({
  ...pageQuery,
  /** Whether to list all projects of the organization. */
  list_all_org_projects: nullish(boolean),
});
export interface ListMyProjectsQuery extends z.infer<typeof ListMyProjectsQuery> {}

/** Parameters for deleting a project. */
export const DeleteProjectQuery = request({
  /** Whether to revoke the credentials of its accounts at their providers, in a background job. */
  revoke_on_delete: nullish(boolean),
});
export interface DeleteProjectQuery extends z.infer<typeof DeleteProjectQuery> {}

/** A key of a project. */
export const ProjectApiKey = object({
  /** UUID. */
  id: string,
  name: string,
  /** The key itself, possibly masked. Don't print it. */
  key: string,
  /** ISO 8601. */
  created_at: string,
});
export interface ProjectApiKey extends z.infer<typeof ProjectApiKey> {}

/** A project with its keys. */
export const ProjectDetail = object({
  ...Project.shape,
  /** Its keys, possibly masked. */
  api_keys: z.array(ProjectApiKey),
});
export interface ProjectDetail extends z.infer<typeof ProjectDetail> {}

/** Settings of a project. */
export const ProjectConfig = object({
  /** If true, a trigger with both a user and an account requires that the account is the user's. */
  is_2FA_enabled: nullish(boolean),
  /** Whether secret values of accounts are cut to their first 4 characters. */
  mask_secret_keys_in_connected_account: nullish(boolean),
  /** Whether the logs keep the input and output of tools. */
  log_visibility_setting: nullish(openEnum(["show_all", "dont_store_data"])),
  /** URL of the logo on the pages your users see. */
  logo_url: nullish(string),
  /** Name on the pages your users see. */
  display_name: nullish(string),
  /** Whether MCP URLs require a key. */
  require_mcp_api_key: nullish(boolean),
  /** Whether links can be created for managed auth configs. Not documented further. */
  is_svc_link_enabled_for_managed_auth: nullish(boolean),
  /** How long signed URLs of files are valid, in seconds. */
  signed_url_file_expiry_in_seconds: nullish(number),
});
export interface ProjectConfig extends z.infer<typeof ProjectConfig> {}

/** Changes to a project's settings. Omitted fields stay unchanged. */
export const UpdateProjectConfigBody = request({
  /** If true, a trigger with both a user and an account requires that the account is the user's. */
  is_2FA_enabled: z.optional(boolean),
  /** Whether secret values of accounts are cut to their first 4 characters. */
  mask_secret_keys_in_connected_account: z.optional(boolean),
  /** Whether the logs keep the input and output of tools. */
  log_visibility_setting: z.optional(z.enum(["show_all", "dont_store_data"])),
  /** URL of the logo on the pages your users see. */
  logo_url: z.optional(string),
  /** Name on the pages your users see. */
  display_name: z.optional(string),
  /** Whether MCP URLs require a key. */
  require_mcp_api_key: z.optional(boolean),
  /** Whether links can be created for managed auth configs. Not documented further. */
  is_svc_link_enabled_for_managed_auth: z.optional(boolean),
  /** How long signed URLs of files are valid, in seconds: from 1 to 86400. The default is an hour. */
  signed_url_file_expiry_in_seconds: z.optional(number.check(z.int(), z.minimum(1), z.maximum(86_400))),
});
export interface UpdateProjectConfigBody extends z.infer<typeof UpdateProjectConfigBody> {}

/** Body for creating a project. */
export const CreateProjectBody = request({
  /** 3 to 75 letters, digits, `_` and `-`. */
  name: string.check(z.minLength(3), z.maxLength(75), z.regex(/^[A-Za-z0-9_-]*$/)),
  /** Whether to create a key for the project and return it. The default is false. */
  should_create_api_key: z.optional(boolean),
  /** Initial settings. */
  config: z.optional(UpdateProjectConfigBody),
});
export interface CreateProjectBody extends z.infer<typeof CreateProjectBody> {}

/** Response to creating a project: a part of the record. */
export const CreatedProject = object({
  /** The id that methods such as `projects.get` take. */
  id: string,
  name: z.optional(string),
  /** The new key, if `should_create_api_key` was true, otherwise null. Don't print it. */
  api_key: z.nullable(string),
});
export interface CreatedProject extends z.infer<typeof CreatedProject> {}

/** Response to deleting a project. */
export const DeletedProject = object({
  /** Always `success`: failures are errors. */
  status: openEnum(["success"]),
  /** Id of the background job that revokes the credentials of its accounts. Present only with `revoke_on_delete`. */
  revoke_job_id: z.optional(string),
});
export interface DeletedProject extends z.infer<typeof DeletedProject> {}

/** A project's new key. */
export const RegeneratedApiKey = object({
  /** The new key. Don't print it. */
  api_key: ProjectApiKey,
  /** Message about the new key. */
  message: string,
});
export interface RegeneratedApiKey extends z.infer<typeof RegeneratedApiKey> {}

/** An organization. Only its id is always present. */
export const Organization = object({
  /** Starts with `ok_`. */
  id: identifier("orgId"),
  name: z.optional(string),
  /** The plan, which determines the rate limit. */
  plan: z.optional(string),
  /** ISO 8601. */
  created_at: z.optional(string),
  /** ISO 8601. */
  updated_at: z.optional(string),
});
export interface Organization extends z.infer<typeof Organization> {}

/** Parameters of the organization list. */
export const ListOrganizationsQuery = request(pageQuery);
export interface ListOrganizationsQuery extends z.infer<typeof ListOrganizationsQuery> {}

/** A page of a user's organizations. */
export const OrganizationList = object({
  /** The organizations. */
  organizations: z.array(Organization),
  ...pageTotals,
});
export interface OrganizationList extends z.infer<typeof OrganizationList> {}
