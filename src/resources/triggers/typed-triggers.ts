import type { TriggerCatalogue } from "../typed-catalogue.js";
import type { UpsertTriggerBody } from "./schema.js";

type Untyped = "trigger_config" | "triggerConfig";

/** The configuration of a trigger type as a field of the body, which may be left out where nothing in it is required. */
type ConfigOf<Entry> = Entry extends { readonly config: infer Config }
  ? Record<never, never> extends Config
    ? { trigger_config?: Config }
    : { trigger_config: Config }
  : Pick<UpsertTriggerBody, Untyped>;

/** Body of a trigger's creation or update: with the type's own configuration where types were generated for it. */
export type UpsertTriggerBodyOf<Slug extends string> = Slug extends keyof TriggerCatalogue
  ? Omit<UpsertTriggerBody, Untyped> & ConfigOf<TriggerCatalogue[Slug]>
  : UpsertTriggerBody;
