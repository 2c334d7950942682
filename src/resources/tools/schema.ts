import * as z from "zod/mini";
import { boolean, deprecated, identifier, JsonObject, list, nullish, object, request, string } from "../schema-kit.js";
import { pageQuery, pageTotals } from "../shared.js";

/** Scopes that a tool requires: every entry of `all_of`, and one of each `any_of` entry. */
export const ScopeRequirements = object({
  /**
   * Scopes that are all required. An entry with `any_of` requires one of its scopes. Newer entries may have other
   * content.
   */
  all_of: z.array(z.union([string, object({ any_of: z.optional(z.array(string).check(z.minLength(1))) })])),
});
export interface ScopeRequirements extends z.infer<typeof ScopeRequirements> {}

/** One callable operation of a toolkit, in one version. */
export const Tool = object({
  /** Unique. Case-sensitive, in SCREAMING_SNAKE_CASE. */
  slug: string,
  name: string,
  description: string,
  /** The toolkit it belongs to. */
  toolkit: object({ slug: string, name: string, logo: string }),
  /** JSON Schema of `arguments`. */
  input_parameters: JsonObject,
  /** JSON Schema of the result's `data`. */
  output_parameters: JsonObject,
  /** True if it needs no connected account. */
  no_auth: boolean,
  /** Versions it can be pinned to, `<YYYYMMDD>_<NN>`. */
  available_versions: z.array(string),
  /** The version this record describes. */
  version: string,
  /** Scopes that the tool needs, in one flat list. */
  scopes: z.array(string),
  /** Scopes with alternatives. Null for an older tool, which has only `scopes`. */
  scope_requirements: z.nullable(ScopeRequirements),
  /** Includes the hints `readOnlyHint`, `destructiveHint`, `idempotentHint`, `openWorldHint`, and `important`. */
  tags: z.array(string),
  /** A description for users rather than models. */
  human_description: z.optional(string),
  /** True if it will be removed. */
  is_deprecated: boolean,
  /** @deprecated The same fields under their old names. */
  deprecated: deprecated(
    object({
      displayName: string,
      version: string,
      available_versions: z.array(string),
      is_deprecated: boolean,
      toolkit: object({ logo: string }),
    }),
  ),
});
export interface Tool extends z.infer<typeof Tool> {}

/** A page of tools. */
export const ToolPage = object({ items: z.array(Tool), ...pageTotals });
export interface ToolPage extends z.infer<typeof ToolPage> {}

/** One version for all toolkits (`latest`, `<YYYYMMDD>_<NN>`), or one per toolkit slug. */
const toolkitVersions = nullish(z.union([string, z.record(string, string)]));

/** Filters of the tool list. */
export const ListToolsQuery = request({
  /** A toolkit slug, or several separated by commas. */
  toolkit_slug: z.optional(string),
  /** Tool slugs, separated by commas. Overrides the other filters. */
  tool_slugs: z.optional(string),
  /** Auth config ids: a list, or a string separated by commas. */
  auth_config_ids: z.optional(z.union([string, list(identifier("authConfigId"))])),
  /** `true`: featured tools only. */
  important: z.optional(z.enum(["true", "false"])),
  /** Tools with these tags. */
  tags: z.optional(list(string)),
  /** Tools that need these scopes. */
  scopes: nullish(list(string)),
  /** Full-text search. */
  query: z.optional(string),
  /** @deprecated Use `query`. */
  search: deprecated(z.optional(string)),
  /** Whether to include deprecated tools. The default is true. */
  include_deprecated: z.optional(boolean),
  /**
   * `latest`, a version, or a version per toolkit slug. The default is the client's `toolkitVersions`, then the
   * service's default.
   */
  toolkit_versions: toolkitVersions,
  ...pageQuery,
});
export interface ListToolsQuery extends z.infer<typeof ListToolsQuery> {}

/** Parameters of one tool. */
export const GetToolQuery = request({
  /** Version of the tool: `<YYYYMMDD>_<NN>` or `latest`. */
  version: z.optional(string),
  /** Versions by toolkit, as in `tools.list`. */
  toolkit_versions: toolkitVersions,
});
export interface GetToolQuery extends z.infer<typeof GetToolQuery> {}

/** Body for requesting scopes. */
export const RequiredScopesBody = request({
  /** At least one slug, all from one toolkit. */
  tools: list(string).check(z.minLength(1)),
  /** Version of the tools: `<YYYYMMDD>_<NN>` or `latest`. */
  version: z.optional(string),
});
export interface RequiredScopesBody extends z.infer<typeof RequiredScopesBody> {}

/** The scopes that tools require together and individually. */
export const RequiredScopes = object({
  /** All required scopes, each once. Pass them as `credentials.scopes` of an auth config. */
  scopes_required: z.array(string),
  /** Required scopes of each tool. Null for an older tool, which has only flat scopes. */
  per_tool_requirements: z.array(object({ tool: string, scope_requirements: z.nullable(ScopeRequirements) })),
});
export interface RequiredScopes extends z.infer<typeof RequiredScopes> {}

/** Every tool slug of the latest versions. */
export const ToolSlugs = z.array(string);
export type ToolSlugs = z.infer<typeof ToolSlugs>;

export * from "./execution-schema.js";
