import * as z from "zod/mini";
import { ConfigError } from "../errors/local.js";
import { JsonObject, object } from "../resources/schema-kit.js";
import { ScopeRequirements } from "../resources/tools/schema.js";
import { escapeHidden } from "../shared/hidden-text.js";
import { DATED_VERSION } from "../shared/tools.js";

const datedVersion = z.string().check(z.regex(DATED_VERSION, "expected a dated version such as 20251023_00"));

/** A tool of a catalog, in one version. */
export const CatalogTool = object({
  /** Unique. Case-sensitive. */
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  /** `<YYYYMMDD>_<NN>`. */
  version: datedVersion,
  is_deprecated: z.boolean(),
  /** Hints such as `destructiveHint`. Older catalogs have none. */
  tags: z.optional(z.array(z.string())),
  /** Whether the tool needs no connected account. Older catalogs don't have it. */
  no_auth: z.optional(z.boolean()),
  /** Scopes that the tool needs. Older catalogs have none. */
  scopes: z.optional(z.array(z.string())),
  /** The same with alternatives. Older catalogs have none. */
  scope_requirements: z.optional(z.nullable(ScopeRequirements)),
  /** JSON Schema of the arguments. */
  input_parameters: JsonObject,
  /** JSON Schema of the result's `data`. */
  output_parameters: JsonObject,
});
export interface CatalogTool extends z.infer<typeof CatalogTool> {}

/** A trigger type of a catalog. */
const CatalogTriggerType = object({
  /** Upper case. */
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  /** JSON Schema of the configuration. */
  config: JsonObject,
  /** JSON Schema of an event's payload. */
  payload: JsonObject,
});
/** A trigger type of a catalog. */
export interface CatalogTriggerType extends z.infer<typeof CatalogTriggerType> {}

/** A toolkit of a catalog, in one version. */
export const CatalogToolkit = object({
  /** Lower case. */
  slug: z.string(),
  name: z.string(),
  /** `<YYYYMMDD>_<NN>`, never `latest`. */
  version: datedVersion,
  /** By slug. */
  tools: z.array(CatalogTool),
  /** By slug. */
  trigger_types: z.array(CatalogTriggerType),
});
export interface CatalogToolkit extends z.infer<typeof CatalogToolkit> {}

/** The format of catalog files that this version of the package writes and reads. */
export const CATALOG_FORMAT = 1;

/** The tools and trigger types of some toolkits when they were read: the content of a catalog file. */
export const Catalog = object({
  /** The format of the file. */
  formatVersion: z.literal(CATALOG_FORMAT),
  /** By slug. */
  toolkits: z.array(CatalogToolkit),
});
export interface Catalog extends z.infer<typeof Catalog> {}

/**
 * Checks that a value is a catalog, and sorts it by slug, each slug once.
 *
 * @param value - The parsed JSON.
 * @param source - The file or other source, for the message.
 * @throws {ConfigError} with the first invalid place.
 */
export function toCatalog(value: unknown, source: string): Catalog {
  const parsed = z.safeParse(Catalog, value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join(".") || "the value itself";
    throw new ConfigError(
      `${source} isn't a valid catalog: ${place}: ${issue?.message}. Write one with svc-sdk lock --catalog-out.`,
    );
  }
  const toolkits = bySlug(parsed.data.toolkits).map((toolkit) => ({
    ...toolkit,
    tools: bySlug(toolkit.tools),
    trigger_types: bySlug(toolkit.trigger_types),
  }));
  return { formatVersion: CATALOG_FORMAT, toolkits };
}

/** The content of a catalog file. The same catalog always has the same bytes. */
export function catalogText(catalog: Catalog): string {
  return `${escapeHidden(JSON.stringify(catalog, null, 2))}\n`;
}

/**
 * Sorts by code units, the same in every locale, each slug once. A slug can be repeated by a list that changes while it
 * is read, and by another toolkit.
 */
export function bySlug<Item extends { readonly slug: string }>(items: readonly Item[]): Item[] {
  const unique = new Map(items.map((item) => [item.slug, item]));
  return [...unique.values()].sort((left, right) => (left.slug < right.slug ? -1 : 1));
}
