import * as z from "zod/mini";
import { boolean, JsonObject, list, request, string } from "../../resources/schema-kit.js";
import { AuthField } from "../../resources/toolkits/schema.js";
import { ScopeRequirements } from "../../resources/tools/schema.js";

/** A function, whose parameters and result aren't checked. */
export const functionOf = <Code>() => z.custom<Code>((value) => typeof value === "function", "a function");

/** Fields of a tool that can change between versions. */
export const ToolVersionFields = request({
  description: string,
  /** JSON Schema of the arguments. */
  input: JsonObject,
  /** JSON Schema of the result. */
  output: JsonObject,
  /**
   * Required scopes.
   * @default none
   */
  scopes: z.optional(list(string)),
  /** Structured scope requirements; if omitted, only `scopes` apply. */
  scopeRequirements: z.optional(ScopeRequirements),
  /**
   * Hints such as `readOnlyHint`.
   * @default none
   */
  tags: z.optional(list(string)),
  /** @default false */
  isDeprecated: z.optional(boolean),
});
export interface ToolVersionFields extends Readonly<z.infer<typeof ToolVersionFields>> {}

/** The fields of a tool that a version changes. */
export const ToolVersionChanges = z.partial(ToolVersionFields);
export interface ToolVersionChanges extends Readonly<z.infer<typeof ToolVersionChanges>> {}

/** Fields of a trigger type that can change between versions. */
export const TriggerVersionFields = request({
  description: string,
  /** JSON Schema of the configuration. */
  config: JsonObject,
  /** JSON Schema of an event. */
  payload: JsonObject,
});
export interface TriggerVersionFields extends Readonly<z.infer<typeof TriggerVersionFields>> {}

/** The fields of a trigger type that a version changes. */
export const TriggerVersionChanges = z.partial(TriggerVersionFields);
export interface TriggerVersionChanges extends Readonly<z.infer<typeof TriggerVersionChanges>> {}

/** Changes in a new version of a toolkit. */
export const VersionChanges = request({
  /** Changelog entry. */
  changelog: z.optional(string),
  /** Changes by tool slug, starting with this version. Null removes the tool. */
  tools: z.optional(z.record(string, z.nullable(ToolVersionChanges))),
  /** Changes by trigger type, starting with this version. */
  triggers: z.optional(z.record(string, TriggerVersionChanges)),
});
export interface VersionChanges extends Readonly<z.infer<typeof VersionChanges>> {}

/** A version published while the emulator ran. */
export const Publication = request({ ...VersionChanges.shape, toolkit: string, version: string });
export interface Publication extends Readonly<z.infer<typeof Publication>> {}

/** One authentication scheme of an emulated toolkit. */
export const AuthDefinition = request({
  /** `OAUTH2`, `API_KEY`, … */
  scheme: string,
  /** Whether the service manages credentials for it. */
  isManaged: z.optional(boolean),
  /** Scopes it can grant. */
  scopes: z.optional(list(string)),
  /** Fields required to create a custom auth config. */
  configFields: z.optional(list(AuthField)),
  /** Fields a user fills in to connect. */
  accountFields: z.optional(list(AuthField)),
  /** Whether credentials can be revoked. By default, only credentials of OAuth schemes. */
  isRevocable: z.optional(boolean),
});
export interface AuthDefinition extends Readonly<z.infer<typeof AuthDefinition>> {}

/** A setup field of an inbound webhook endpoint. */
export const WebhookFieldDefinition = request({
  displayName: string,
  description: string,
  /** Whether a replacement must include it. */
  isRequired: boolean,
  /** Whether responses mask it. */
  isSecret: boolean,
});
export interface WebhookFieldDefinition extends Readonly<z.infer<typeof WebhookFieldDefinition>> {}

/** The facts of a tool. */
export const ToolFacts = request({
  /** SCREAMING_SNAKE_CASE; starts with the toolkit's slug. */
  slug: string,
  name: string,
  ...ToolVersionFields.shape,
  /** First version that has the tool; if omitted, all do. */
  since: z.optional(string),
  /** First version without the tool. */
  until: z.optional(string),
  /** Changes by version. */
  changes: z.optional(z.record(string, ToolVersionChanges)),
});
export interface ToolFacts extends Readonly<z.infer<typeof ToolFacts>> {}

/** An emulated trigger type. */
export const TriggerDefinition = request({
  /** SCREAMING_SNAKE_CASE; starts with the toolkit's slug. */
  slug: string,
  name: string,
  ...TriggerVersionFields.shape,
  /** Changes by version. */
  changes: z.optional(z.record(string, TriggerVersionChanges)),
  /** Setup instructions. */
  instructions: z.optional(string),
  /** `webhook`: the provider reports events. `poll`: the service polls for them. */
  type: z.enum(["webhook", "poll"]),
  /** Whether an inbound webhook endpoint must be set up first. */
  requiresWebhookEndpointSetup: z.optional(boolean),
});
export interface TriggerDefinition extends Readonly<z.infer<typeof TriggerDefinition>> {}

/** The facts of a toolkit. */
export const ToolkitFacts = request({
  /** Lowercase. */
  slug: string,
  name: string,
  description: string,
  /** Categories, for the `category` filter. */
  categories: list(request({ id: string, name: string })),
  /** Authentication schemes. If empty, its tools don't need an account. */
  auth: list(AuthDefinition),
  /** Changelog entry by version, oldest first. The pinned version `00000000_00` is added automatically. */
  versions: z.record(string, string),
  /**
   * Trigger types.
   * @default none
   */
  triggers: z.optional(list(TriggerDefinition)),
  /** Setup fields of its inbound webhook endpoints, by key; if omitted, it has no endpoints. */
  webhookFields: z.optional(z.record(string, WebhookFieldDefinition)),
  /** The provider's initial data. */
  data: z.optional(JsonObject),
  /** Base URL for proxied requests. */
  baseUrl: z.optional(string),
});
export interface ToolkitFacts extends Readonly<z.infer<typeof ToolkitFacts>> {}
