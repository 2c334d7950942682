import type { GetTriggerTypeQuery, TriggerType } from "../../resources/triggers/schema.js";
import { type Catalogue, factsIn, latestVersion, versionsOf } from "../catalogue.js";
import type { ToolkitDefinition, TriggerDefinition } from "../definitions.js";
import { logoOf } from "../new-auth-config.js";
import { notFound } from "../refusal.js";

/** A trigger type with its toolkit. */
export interface FoundType {
  readonly toolkit: ToolkitDefinition;
  readonly definition: TriggerDefinition;
}

/** Every trigger type, by slug. */
export function allTypes({ toolkits }: Catalogue): FoundType[] {
  return [...toolkits.values()].flatMap((toolkit) =>
    (toolkit.triggers ?? []).map((definition) => ({ toolkit, definition })),
  );
}

/** The trigger type with a slug in any case; `undefined` where there is none. */
export function typeNamed(slug: string, catalogue: Catalogue): FoundType | undefined {
  return allTypes(catalogue).find(({ definition }) => definition.slug === slug.toUpperCase());
}

/** @throws {Refusal} 404 for an unknown one. */
export function findType(slug: string, catalogue: Catalogue): FoundType {
  const found = typeNamed(slug, catalogue);
  if (found) return found;
  throw notFound("TriggerType", `Trigger type ${slug.toUpperCase()}`, 1202);
}

type ToolkitVersions = GetTriggerTypeQuery["toolkit_versions"];

/** The version that a request means, the latest when it names none; `undefined` for one that the toolkit does not have. */
export function versionIn(toolkit: ToolkitDefinition, versions: ToolkitVersions): string | undefined {
  const wanted = versionWanted(toolkit, versions);
  if (wanted === "latest") return latestVersion(toolkit);
  return versionsOf(toolkit).includes(wanted) ? wanted : undefined;
}

/**
 * The version that a request means, for a toolkit that must have it.
 *
 * @throws {Refusal} 404 where it does not.
 */
export function versionFor(toolkit: ToolkitDefinition, versions: ToolkitVersions): string {
  const version = versionIn(toolkit, versions);
  if (version !== undefined) return version;
  throw notFound("Toolkit", `Toolkit ${toolkit.slug} in version ${versionWanted(toolkit, versions)}`, 2301);
}

function versionWanted({ slug }: ToolkitDefinition, versions: ToolkitVersions): string {
  return (typeof versions === "object" ? versions?.[slug] : versions) ?? "latest";
}

/** A trigger type as answers show it. */
export function shownType({ toolkit, definition }: FoundType, version: string): TriggerType {
  const { slug, name, description, instructions = "", type, config, payload } = factsIn(definition, version);
  return {
    slug,
    name,
    description,
    instructions,
    type,
    toolkit: { slug: toolkit.slug, name: toolkit.name, logo: logoOf(toolkit.slug) },
    config,
    payload,
    version,
    requires_webhook_endpoint_setup: definition.requiresWebhookEndpointSetup ?? false,
  };
}
