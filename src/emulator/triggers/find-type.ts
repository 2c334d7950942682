import { didYouMean } from "../../shared/nearest-name.js";
import type { ServedCatalog } from "../catalog/catalog.js";
import type { TriggerDefinition } from "../catalog/catalog-schema.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";
import { notFound } from "../engine/responses.js";

/** A trigger type with its toolkit. */
export interface FoundType {
  readonly toolkit: ToolkitDefinition;
  readonly definition: TriggerDefinition;
}

/** Every trigger type, by slug. */
export function allTypes({ toolkits }: ServedCatalog): FoundType[] {
  return [...toolkits.values()].flatMap((toolkit) =>
    (toolkit.triggers ?? []).map((definition) => ({ toolkit, definition })),
  );
}

/** Finds a trigger type, ignoring the case of its slug. */
export function typeNamed(slug: string, catalog: ServedCatalog): FoundType | undefined {
  return allTypes(catalog).find(({ definition }) => definition.slug === slug.toUpperCase());
}

/** @throws {ApiFailure} 404 for an unknown trigger type. */
export function findType(slug: string, catalog: ServedCatalog): FoundType {
  const found = typeNamed(slug, catalog);
  if (found) return found;
  const known = allTypes(catalog).map(({ definition }) => definition.slug);
  const fix = didYouMean(slug, known).trim() || undefined;
  throw notFound("TriggerType", `Trigger type ${slug.toUpperCase()}`, 1202, fix);
}
