import type {
  AuthConfigDetails,
  ListNamedToolkitsBody,
  Toolkit,
  ToolkitDetail,
} from "../../resources/toolkits/schema.js";
import { latestVersion, logoOf, type ServedCatalog, toolkitUuid, versionsOf } from "../catalog/catalog.js";
import type { AuthDefinition } from "../catalog/catalog-schema.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";
import type { HandlersOf } from "../engine/engine.js";
import { paginate } from "../engine/pages.js";
import { notFound } from "../engine/responses.js";
import { findToolkit } from "./find-tool.js";

const MADE_AT = "2025-01-01T00:00:00.000Z";

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
    return detailed(toolkit, versionFor(toolkit, query.version), catalog);
  },

  "toolkits.listCategories": ({ catalog }) => {
    const all = [...catalog.toolkits.values()].flatMap(({ categories }) => categories);
    const unique = new Map(all.map((category) => [category.id, { ...category }]));
    return paginate([...unique.values()], { limit: 1_000 });
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

function common(toolkit: ToolkitDefinition) {
  return {
    ...{ slug: toolkit.slug, name: toolkit.name, type: "native" as const },
    svc_managed_auth_schemes: toolkit.auth.filter(({ isManaged }) => isManaged).map(({ scheme }) => scheme),
    ...{ auth_guide_url: null, is_local_toolkit: false },
  };
}

function listedToolkit(toolkit: ToolkitDefinition, catalog: ServedCatalog): Toolkit {
  return {
    ...common(toolkit),
    auth_schemes: toolkit.auth.map(({ scheme }) => scheme),
    no_auth: toolkit.auth.length === 0,
    deprecated: { toolkitId: toolkitUuid(toolkit) },
    meta: {
      ...meta(toolkit, latestVersion(toolkit), catalog),
      categories: toolkit.categories.map(({ id, name }) => ({ id, name })),
    },
  };
}

function detailed(toolkit: ToolkitDefinition, version: string, catalog: ServedCatalog): ToolkitDetail {
  return {
    ...common(toolkit),
    enabled: true,
    svc_managed_auth: toolkit.auth
      .filter(({ isManaged }) => isManaged)
      .map(({ scheme, scopes = [] }) => ({ mode: scheme, scopes: { available: [...scopes] } })),
    auth_config_details: toolkit.auth.map((auth) => authDetails(toolkit, auth)),
    ...(toolkit.baseUrl !== undefined && { base_url: toolkit.baseUrl }),
    meta: {
      ...meta(toolkit, version, catalog),
      categories: toolkit.categories.map(({ id, name }) => ({ name, slug: id })),
      available_versions: versionsOf(toolkit),
    },
    deprecated: { toolkitId: toolkitUuid(toolkit), rawProxyInfoByAuthSchemes: [] },
  };
}

function meta(toolkit: ToolkitDefinition, version: string, catalog: ServedCatalog) {
  return {
    created_at: MADE_AT,
    updated_at: MADE_AT,
    description: toolkit.description,
    logo: logoOf(toolkit.slug),
    app_url: null,
    triggers_count: toolkit.triggers?.length ?? 0,
    tools_count: catalog.toolsOf(toolkit, version).length,
    version,
  };
}

function authDetails(toolkit: ToolkitDefinition, auth: AuthDefinition): AuthConfigDetails {
  const split = (fields: AuthDefinition["configFields"] = []) => ({
    required: fields.filter(({ required }) => required),
    optional: fields.filter(({ required }) => !required),
  });
  return {
    mode: auth.scheme,
    name: `${toolkit.slug}_${auth.scheme.toLowerCase()}`,
    fields: {
      auth_config_creation: split(auth.configFields),
      connected_account_initiation: split(auth.accountFields),
    },
    ...(toolkit.baseUrl !== undefined && { proxy: { base_url: toolkit.baseUrl } }),
    auth_hint_url: null,
  };
}
