import * as z from "zod/mini";
import {
  boolean,
  deprecated,
  JsonObject,
  list,
  nullish,
  number,
  object,
  openEnum,
  request,
  string,
} from "../schema-kit.js";
import { pageQuery, pageTotals, timestamps } from "../shared.js";

const sharedMeta = {
  ...timestamps,
  description: string,
  /** URL of the logo. */
  logo: string,
  app_url: nullish(string),
  triggers_count: number,
  tools_count: number,
  /** The current version, `<YYYYMMDD>_<NN>`. */
  version: string,
};

const sharedFields = {
  /** Unique, in lower case. */
  slug: string,
  name: string,
  /** `native` toolkits are the service's, `custom` toolkits are yours. */
  type: z.optional(openEnum(["native", "custom"])),
  /** Schemes for which the service has its own credentials. */
  svc_managed_auth_schemes: z.optional(z.array(string)),
  /** URL of a page about setting up authentication. */
  auth_guide_url: nullish(string),
  /** @deprecated Always false. */
  is_local_toolkit: deprecated(boolean),
};

/** A provider's application, as in lists. */
export const Toolkit = object({
  ...sharedFields,
  /** Schemes that users can authenticate with. */
  auth_schemes: z.optional(z.array(string)),
  /** True if its tools need no account. */
  no_auth: z.optional(boolean),
  /** @deprecated Old identifiers. */
  deprecated: deprecated(object({ toolkitId: string })),
  /** Display details and counts. */
  meta: object({
    ...sharedMeta,
    categories: z.array(object({ id: string, name: string })),
  }),
});
export interface Toolkit extends z.infer<typeof Toolkit> {}

/** A page of toolkits. */
export const ToolkitPage = object({ items: z.array(Toolkit), ...pageTotals });
export interface ToolkitPage extends z.infer<typeof ToolkitPage> {}

/** A field that must or can be filled in for connecting. */
export const AuthField = object({
  name: string,
  displayName: string,
  /** Type of the value, such as `string`. */
  type: string,
  description: string,
  /** Whether the field is required. */
  required: boolean,
  /** Default value, or null. */
  default: nullish(string),
  /** True if the value must not be displayed. */
  is_secret: z.optional(boolean),
  /** The field's older name. */
  legacy_template_name: z.optional(string),
});
export interface AuthField extends z.infer<typeof AuthField> {}

const authFields = object({ required: z.array(AuthField), optional: z.array(AuthField) });

/** The fields of one of a toolkit's auth schemes. */
export const AuthConfigDetails = object({
  /** The auth scheme. */
  mode: string,
  name: string,
  /** Fields by who provides them. */
  fields: object({
    /** Provided by you when you create an auth config. */
    auth_config_creation: authFields,
    /** Provided by the user when connecting an account. */
    connected_account_initiation: authFields,
  }),
  /** URLs for the scheme's requests. */
  proxy: z.optional(object({ base_url: string })),
  /** URL of a page that shows where to find the values. */
  auth_hint_url: nullish(string),
  /** @deprecated */
  deprecated_auth_provider_details: deprecated(
    z.optional(object({ authorization_url: z.optional(string), token_url: z.optional(string) })),
  ),
});
export interface AuthConfigDetails extends z.infer<typeof AuthConfigDetails> {}

const availableScopes = object({ available: z.array(string) });

/** A provider's application with all its fields. */
export const ToolkitDetail = object({
  ...sharedFields,
  /** Whether the toolkit is enabled. */
  enabled: boolean,
  /** Scopes of the service's own credentials, by scheme. */
  svc_managed_auth: z.optional(
    z.array(object({ mode: string, scopes: availableScopes, user_scopes: z.optional(availableScopes) })),
  ),
  /** Requirements of each scheme. */
  auth_config_details: z.optional(z.array(AuthConfigDetails)),
  /** URL of the toolkit's own API. */
  base_url: z.optional(string),
  /** Request to the toolkit's API that returns the connected user. */
  get_current_user_endpoint: z.optional(string),
  /** HTTP method of that request. */
  get_current_user_endpoint_method: z.optional(string),
  /** Display details and counts. */
  meta: object({
    ...sharedMeta,
    /** Categories. They have a `slug` here, and an `id` in lists. */
    categories: z.array(object({ name: string, slug: string })),
    /** Versions that its tools can be pinned to. */
    available_versions: z.array(string),
  }),
  /** @deprecated Old identifiers. */
  deprecated: deprecated(
    object({
      toolkitId: string,
      getCurrentUserEndpoint: z.optional(string),
      rawProxyInfoByAuthSchemes: z.array(JsonObject),
    }),
  ),
});
export interface ToolkitDetail extends z.infer<typeof ToolkitDetail> {}

const listFilters = {
  /** Id or name of a category. */
  category: z.optional(string),
  /** Who provides the credentials. */
  managed_by: z.optional(z.enum(["svc", "all", "project"])),
  /** `usage`: most used first. `alphabetically`: by name. */
  sort_by: z.optional(z.enum(["usage", "alphabetically"])),
  ...pageQuery,
};

/** Filters of the toolkit list. */
export const ListToolkitsQuery = request({
  ...listFilters,
  /** Kind of toolkit. Overrides `managed_by`. */
  type: z.optional(z.enum(["native", "custom", "all"])),
  /** Whether to include deprecated toolkits. The default is false. */
  include_deprecated: nullish(boolean),
  /** String to search for, at least 3 characters. */
  search: z.optional(string.check(z.minLength(3))),
});
export interface ListToolkitsQuery extends z.infer<typeof ListToolkitsQuery> {}

/** Filters of a list of named toolkits. */
export const ListNamedToolkitsBody = request({
  /** Toolkit slugs. */
  toolkits: z.optional(list(string)),
  ...listFilters,
});
export interface ListNamedToolkitsBody extends z.infer<typeof ListNamedToolkitsBody> {}

/** Parameters of one toolkit. */
export const GetToolkitQuery = request({
  /** Version of the toolkit: `<YYYYMMDD>_<NN>` or `latest`, the default. */
  version: z.optional(string),
});
export interface GetToolkitQuery extends z.infer<typeof GetToolkitQuery> {}

/** A group of toolkits. */
export const ToolkitCategory = object({
  /** Value for the filter `category`. */
  id: string,
  name: string,
});
export interface ToolkitCategory extends z.infer<typeof ToolkitCategory> {}

/** A page of categories. */
export const ToolkitCategoryPage = object({ items: z.array(ToolkitCategory), ...pageTotals });
export interface ToolkitCategoryPage extends z.infer<typeof ToolkitCategoryPage> {}

/** Changes of a toolkit in its last 10 versions at most. */
export const ToolkitChanges = object({
  /** Slug of the toolkit. */
  slug: string,
  name: string,
  display_name: string,
  /** Changes of each version. */
  versions: z.array(object({ version: string, changelog: string })),
});
export interface ToolkitChanges extends z.infer<typeof ToolkitChanges> {}

/** The changes of all toolkits, in one response. */
export const ToolkitChangelog = object({ items: z.array(ToolkitChanges) });
export interface ToolkitChangelog extends z.infer<typeof ToolkitChangelog> {}
