import * as z from "zod/mini";
import { boolean, JsonObject, list, request, string } from "../../resources/schema-kit.js";
import { AuthField } from "../../resources/toolkits/schema.js";
import { ScopeRequirements } from "../../resources/tools/schema.js";

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
  /** Whether credentials can be revoked; by default, only those of OAuth schemes. */
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
