// The room of the endpoints for toolkits, and of `emulator.catalog`, which publishes versions. Definitions are in
// `catalog`. It imports `catalog`, `engine`, `src/contract` and `src/resources`. Start here, then `find-tool.ts`.

import type { ListNamedToolkitsBody } from "../../resources/toolkits/schema.js";
import { LARGEST_PAGE } from "../../shared/service-limits.js";
import { latestVersion, type ServedCatalog, versionsOf } from "../catalog/catalog.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";
import type { HandlersOf } from "../engine/engine.js";
import { paginate } from "../engine/pages.js";
import { notFound } from "../engine/responses.js";
import { findToolkit } from "./find-tool.js";
import { detailedToolkit, listedToolkit } from "./show.js";

export const toolkits: HandlersOf<"toolkits"> = {
  "toolkits.list": ({ query, catalog }) => {
    const search = query.search?.toLowerCase();
    // `type` overrides `managed_by`.
    const filters = query.type === undefined ? query : { ...query, managed_by: undefined };
    const matching = filtered(catalog, filters).filter(
      ({ slug, name, description }) =>
        search === undefined || [slug, name, description].some((text) => text.toLowerCase().includes(search)),
    );
    // All emulated toolkits are native, including user-supplied ones.
    return paginate(query.type === "custom" ? [] : matching.map((toolkit) => listedToolkit(toolkit, catalog)), query);
  },

  "toolkits.listBySlugs": ({ body, catalog }) => {
    const named = filtered(catalog, body).filter(
      ({ slug }) => body.toolkits === undefined || body.toolkits.includes(slug),
    );
    return paginate(
      named.map((toolkit) => listedToolkit(toolkit, catalog)),
      body,
    );
  },

  "toolkits.get": ({ params, query, catalog }) => {
    const toolkit = findToolkit(catalog, params.slug);
    return detailedToolkit(toolkit, versionFor(toolkit, query.version), catalog);
  },

  "toolkits.listCategories": ({ catalog }) => {
    const all = [...catalog.toolkits.values()].flatMap(({ categories }) => categories);
    const unique = new Map(all.map((category) => [category.id, { ...category }]));
    return paginate([...unique.values()], { limit: LARGEST_PAGE });
  },

  "toolkits.getChangelog": ({ catalog }) => ({
    items: [...catalog.toolkits.values()].map(({ slug, name, versions }) => ({
      slug,
      name: slug,
      display_name: name,
      versions: Object.entries(versions)
        .sort(([left], [right]) => (left < right ? 1 : -1))
        .slice(0, 10)
        .map(([version, changelog]) => ({ version, changelog })),
    })),
  }),
};

/**
 * The version that a request selects, by default the latest.
 *
 * @throws {ApiFailure} 404 if the toolkit doesn't have it.
 */
export function versionFor(toolkit: ToolkitDefinition, wanted = "latest"): string {
  const version = wanted === "latest" ? latestVersion(toolkit) : wanted;
  if (versionsOf(toolkit).includes(version)) return version;
  throw notFound("Toolkit", `Toolkit ${toolkit.slug} in version ${version}`, 2301);
}

function filtered(
  catalog: ServedCatalog,
  { category, managed_by, sort_by }: Pick<ListNamedToolkitsBody, "category" | "managed_by" | "sort_by">,
): ToolkitDefinition[] {
  const matching = [...catalog.toolkits.values()].filter((toolkit) => {
    const inCategory = toolkit.categories.some(({ id, name }) => id === category || name === category);
    const isManaged = toolkit.auth.some((auth) => auth.isManaged);
    return (
      (category === undefined || inCategory) &&
      (managed_by === undefined || managed_by === "all" || (managed_by === "svc") === isManaged)
    );
  });
  return sort_by === "alphabetically" ? matching.sort((left, right) => (left.name < right.name ? -1 : 1)) : matching;
}
