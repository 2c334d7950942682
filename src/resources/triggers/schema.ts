import * as z from "zod/mini";
import {
  boolean,
  deprecated,
  identifier,
  JsonObject,
  nullish,
  object,
  openEnum,
  request,
  string,
} from "../schema-kit.js";
import { pageQuery, pageTotals, several, severalIds } from "../shared.js";
import { ListToolsQuery } from "../tools/schema.js";

const toolkitVersions = ListToolsQuery.shape.toolkit_versions;

/** An event that triggers can listen for, with the configuration it needs. */
export const TriggerType = object({
  /** Upper case, starting with the toolkit. */
  slug: string,
  name: string,
  description: string,
  /** Setup instructions, in words. */
  instructions: string,
  /** `webhook`: the provider sends events. `poll`: the service polls for them at an interval. */
  type: openEnum(["webhook", "poll"]),
  /** The toolkit whose events it listens for. */
  toolkit: object({
    slug: string,
    /** @deprecated Use `slug`. */
    name: deprecated(string),
    /** URL of the logo. */
    logo: string,
  }),
  /** JSON Schema of `trigger_config`. */
  config: JsonObject,
  /** JSON Schema of the event's `data`. */
  payload: JsonObject,
  /** The toolkit version this record describes. */
  version: string,
  /** True if events arrive through a webhook endpoint that must be set up first. */
  requires_webhook_endpoint_setup: z.optional(boolean),
});
export interface TriggerType extends z.infer<typeof TriggerType> {}

/** A page of trigger types. */
export const TriggerTypePage = object({ items: z.array(TriggerType), ...pageTotals });
export interface TriggerTypePage extends z.infer<typeof TriggerTypePage> {}

/** Filters of the trigger type list. */
export const ListTriggerTypesQuery = request({
  /** Trigger types of these toolkits. */
  toolkit_slugs: several,
  /** `latest` (the default), a version, or a version per toolkit slug. */
  toolkit_versions: toolkitVersions,
  ...pageQuery,
});
export interface ListTriggerTypesQuery extends z.infer<typeof ListTriggerTypesQuery> {}

/** Parameters of one trigger type. */
export const GetTriggerTypeQuery = request({
  /** `latest` (the default), a version, or a version per toolkit slug. */
  toolkit_versions: toolkitVersions,
});
export interface GetTriggerTypeQuery extends z.infer<typeof GetTriggerTypeQuery> {}

/** Every trigger type slug. */
export const TriggerTypeSlugs = z.array(string);
export type TriggerTypeSlugs = z.infer<typeof TriggerTypeSlugs>;

/** Body for creating or updating a trigger. Pass an account, or a user whose account is used. */
export const UpsertTriggerBody = request({
  /** Starts with `ca_`. The default is the first active account of `user_id` for the trigger's toolkit. */
  connected_account_id: z.optional(identifier("connectedAccountId")),
  /** The end user. If the project requires it, this user must own `connected_account_id`. */
  user_id: z.optional(string),
  /**
   * Configuration that matches the trigger type's `config`. Polling types also accept `interval`, in minutes: the
   * default is 15, the minimum 15 with managed credentials and 1 with your own.
   */
  trigger_config: z.optional(JsonObject),
  /** `latest` (the default), a version, or a version per toolkit slug. */
  toolkit_versions: toolkitVersions,
  /** @deprecated Use `connected_account_id`. */
  connectedAuthId: deprecated(z.optional(identifier("connectedAccountId"))),
  /** @deprecated Use `trigger_config`. */
  triggerConfig: deprecated(z.optional(JsonObject)),
  /** @deprecated Use `toolkit_versions`. */
  version: deprecated(toolkitVersions),
});
export interface UpsertTriggerBody extends z.infer<typeof UpsertTriggerBody> {}

/** The created or updated trigger instance. */
export const UpsertedTrigger = object({
  /** Starts with `ti_`. */
  trigger_id: identifier("triggerInstanceId"),
  /** @deprecated Old identifier that only older services send. Use `trigger_id`. */
  deprecated: deprecated(z.optional(object({ uuid: string }))),
});
export interface UpsertedTrigger extends z.infer<typeof UpsertedTrigger> {}

/** An instance of a trigger type for a user's connected account. */
export const TriggerInstance = object({
  /** Starts with `ti_`. */
  id: identifier("triggerInstanceId"),
  /** Old identifier: `trigger_id` in V1 and V2 events. */
  uuid: z.optional(string),
  /** Starts with `ca_`. */
  connected_account_id: identifier("connectedAccountId"),
  /** Old identifier: `connection_id` in V1 and V2 events. */
  connected_account_uuid: string,
  /** The end user it belongs to. */
  user_id: string,
  /** Slug of the trigger type, upper case. */
  trigger_name: string,
  /** Configuration as passed to `upsert`. */
  trigger_config: JsonObject,
  /** Internal. The format isn't documented. */
  trigger_data: z.optional(string),
  /** The toolkit version that the instance uses. */
  version: string,
  /** ISO 8601. */
  updated_at: string,
  /** When the instance was disabled, ISO 8601. Null while it's enabled. */
  disabled_at: z.nullable(string),
  /** @deprecated Internal. Use `disabled_at` to check whether the instance is enabled. */
  state: deprecated(JsonObject),
  /** @deprecated Use `connected_account_id`. */
  connectedAccountId: deprecated(identifier("connectedAccountId")),
  /** @deprecated Use `trigger_name`. */
  triggerName: deprecated(string),
  /** @deprecated Use `trigger_config`. */
  triggerConfig: deprecated(JsonObject),
  /** @deprecated Use `updated_at`. */
  updatedAt: deprecated(string),
  /** @deprecated Use `disabled_at`. */
  disabledAt: deprecated(z.nullable(string)),
  /** @deprecated Old fields, which only older services send. */
  deprecated: deprecated(z.optional(object({ createdAt: z.optional(string) }))),
});
export interface TriggerInstance extends z.infer<typeof TriggerInstance> {}

/** A page of trigger instances. */
export const TriggerInstancePage = object({ items: z.array(TriggerInstance), ...pageTotals });
export interface TriggerInstancePage extends z.infer<typeof TriggerInstancePage> {}

const flag = nullish(boolean);

/** Filters of the trigger instance list. */
export const ListActiveTriggersQuery = request({
  /** Instances of these end users. */
  user_ids: several,
  /** Instances of these connected accounts (`ca_…`). */
  connected_account_ids: severalIds("connectedAccountId"),
  /** Instances of these auth configs (`ac_…`). */
  auth_config_ids: severalIds("authConfigId"),
  /** Instances with these ids (`ti_…`). */
  trigger_ids: severalIds("triggerInstanceId"),
  /** Instances of these trigger types, by slug in any case. */
  trigger_names: several,
  /** Whether to include disabled instances. The default is false. */
  show_disabled: flag,
  /** @deprecated Use `connected_account_ids`. */
  connectedAccountIds: deprecated(severalIds("connectedAccountId")),
  /** @deprecated Use `auth_config_ids`. */
  authConfigIds: deprecated(severalIds("authConfigId")),
  /** @deprecated Use `trigger_ids`. */
  triggerIds: deprecated(severalIds("triggerInstanceId")),
  /** @deprecated Use `trigger_names`. */
  triggerNames: deprecated(several),
  /** @deprecated Use `show_disabled`. */
  showDisabled: deprecated(flag),
  /** @deprecated Use `connected_account_ids`. */
  deprecatedConnectedAccountUuids: deprecated(several),
  /** @deprecated Use `auth_config_ids`. */
  deprecatedAuthConfigUuids: deprecated(several),
  ...pageQuery,
});
export interface ListActiveTriggersQuery extends z.infer<typeof ListActiveTriggersQuery> {}

/** Body for enabling or disabling a trigger instance. */
export const SetTriggerStatusBody = request({
  /** The action, not the state. */
  status: z.enum(["enable", "disable"]),
});
export interface SetTriggerStatusBody extends z.infer<typeof SetTriggerStatusBody> {}

/** Response to enabling or disabling a trigger instance. */
export const TriggerStatusChange = object({
  /** Always `success`: failures are errors. */
  status: openEnum(["success"]),
});
export interface TriggerStatusChange extends z.infer<typeof TriggerStatusChange> {}

/** Response to deleting a trigger instance. */
export const DeletedTrigger = object({
  /** Starts with `ti_`. */
  trigger_id: identifier("triggerInstanceId"),
});
export interface DeletedTrigger extends z.infer<typeof DeletedTrigger> {}
