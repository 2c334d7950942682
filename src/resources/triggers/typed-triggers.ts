import type { TriggerCatalog } from "../typed-catalog.js";
import type { UpsertTriggerBody } from "./schema.js";

/** The configuration of a trigger type as a field of the body, optional if nothing in it is required. */
type ConfigOf<Config> = Record<never, never> extends Config ? { trigger_config?: Config } : { trigger_config: Config };

/** Body for creating or updating a trigger: with the type's own configuration if types were generated for it. */
export type UpsertTriggerBodyOf<Slug extends string> =
  // The same condition as in ExecuteToolBodyOf, for the same reason.
  TriggerCatalog extends Readonly<Record<Slug, { config: infer Config }>>
    ? Omit<UpsertTriggerBody, "trigger_config" | "triggerConfig"> & ConfigOf<Config>
    : UpsertTriggerBody;
