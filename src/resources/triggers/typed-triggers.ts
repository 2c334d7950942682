import type { TriggerCatalogue } from "../typed-catalogue.js";
import type { UpsertTriggerBody } from "./schema.js";

/** The configuration of a trigger type as a field of the body, which may be left out where nothing in it is required. */
type ConfigOf<Config> = Record<never, never> extends Config ? { trigger_config?: Config } : { trigger_config: Config };

/** Body of a trigger's creation or update: with the type's own configuration where types were generated for it. */
export type UpsertTriggerBodyOf<Slug extends string> =
  // Asked as in ExecuteToolBodyOf, for its reason.
  TriggerCatalogue extends Readonly<Record<Slug, { config: infer Config }>>
    ? Omit<UpsertTriggerBody, "trigger_config" | "triggerConfig"> & ConfigOf<Config>
    : UpsertTriggerBody;
