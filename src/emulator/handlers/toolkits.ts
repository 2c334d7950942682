import type {
  AuthConfigDetails,
  ListNamedToolkitsBody,
  Toolkit,
  ToolkitDetail,
} from "../../resources/toolkits/schema.js";
import { type Catalogue, latestVersion, versionsOf } from "../catalogue.js";
import type { HandlersOf } from "../context.js";
import type { AuthDefinition, ToolkitDefinition } from "../definitions.js";
import { logoOf } from "../new-auth-config.js";
import { paginate } from "../page.js";
import { notFound } from "../refusal.js";

const MADE_AT = "2025-01-01T00:00:00.000Z";

export const toolkits: HandlersOf<"toolkits"> = {
  "toolkits.list": ({ query, catalogue }) => {
    const search = query.search?.toLowerCase();
    // `type` wins over `managed_by`.
    const filters = query.type === undefined ? query : { ...query, managed_by: undefined };
    const matching = filtered(catalogue, filters).filter(
      ({ slug, name, description }) =>
        search === undefined || [slug, name, description].some((text) => text.toLowerCase().includes(search)),
    );
    // Every toolkit of the emulator is native, its user's own ones too.
    return paginate(query.type === "custom" ? [] : matching.map((toolkit) => listed(toolkit, catalogue)), query);
  },

  "toolkits.multi": ({ body, catalogue }) => {
    const named = filtered(catalogue, body).filter(
      ({ slug }) => body.toolkits === undefined || body.toolkits.includes(slug),
    );
    return paginate(
      named.map((toolkit) => listed(toolkit, catalogue)),
      body,
    );
  },

  "toolkits.get": ({ params, query, catalogue }) => {
    const toolkit = catalogue.toolkits.get(params.slug);
    const version = query.version ?? "latest";
    if (!toolkit || (version !== "latest" && !versionsOf(toolkit).includes(version))) {
      throw notFound("Toolkit", `Toolkit ${params.slug}${toolkit ? ` in version ${version}` : ""}`, 2301);
    }
    return detailed(toolkit, version === "latest" ? latestVersion(toolkit) : version, catalogue);
  },

  "toolkits.categories": ({ catalogue }) => {
    const all = [...catalogue.toolkits.values()].flatMap(({ categories }) => categories);
    const unique = new Map(all.map((category) => [category.id, { ...category }]));
    return paginate([...unique.values()], { limit: 1_000 });
  },

  "toolkits.changelog": ({ catalogue }) => ({
    items: [...catalogue.toolkits.values()].map(({ slug, name, versions }) => ({
      slug,
      name: slug,
      display_name: name,
      versions: Object.entries(versions)
        .sort(([one], [other]) => (one < other ? 1 : -1))
        .slice(0, 10)
        .map(([version, changelog]) => ({ version, changelog })),
    })),
  }),
};

function filtered(
  catalogue: Catalogue,
  { category, managed_by, sort_by }: Pick<ListNamedToolkitsBody, "category" | "managed_by" | "sort_by">,
): ToolkitDefinition[] {
  const matching = [...catalogue.toolkits.values()].filter((toolkit) => {
    const inCategory = toolkit.categories.some(({ id, name }) => id === category || name === category);
    const isManaged = toolkit.auth.some((auth) => auth.isManaged);
    return (
      (category === undefined || inCategory) &&
      (managed_by === undefined || managed_by === "all" || (managed_by === "svc") === isManaged)
    );
  });
  return sort_by === "alphabetically" ? matching.sort((one, other) => (one.name < other.name ? -1 : 1)) : matching;
}

function listed(toolkit: ToolkitDefinition, catalogue: Catalogue): Toolkit {
  return {
    slug: toolkit.slug,
    name: toolkit.name,
    type: "native",
    auth_schemes: toolkit.auth.map(({ scheme }) => scheme),
    svc_managed_auth_schemes: managedSchemes(toolkit),
    no_auth: toolkit.auth.length === 0,
    auth_guide_url: null,
    is_local_toolkit: false,
    deprecated: { toolkitId: toolkitUuid(toolkit) },
    meta: {
      ...meta(toolkit, latestVersion(toolkit), catalogue),
      categories: toolkit.categories.map(({ id, name }) => ({ id, name })),
    },
  };
}

function detailed(toolkit: ToolkitDefinition, version: string, catalogue: Catalogue): ToolkitDetail {
  return {
    slug: toolkit.slug,
    name: toolkit.name,
    type: "native",
    enabled: true,
    svc_managed_auth_schemes: managedSchemes(toolkit),
    svc_managed_auth: toolkit.auth
      .filter(({ isManaged }) => isManaged)
      .map(({ scheme, scopes = [] }) => ({ mode: scheme, scopes: { available: [...scopes] } })),
    auth_config_details: toolkit.auth.map((auth) => authDetails(toolkit, auth)),
    auth_guide_url: null,
    ...(toolkit.baseUrl !== undefined && { base_url: toolkit.baseUrl }),
    is_local_toolkit: false,
    meta: {
      ...meta(toolkit, version, catalogue),
      categories: toolkit.categories.map(({ id, name }) => ({ name, slug: id })),
      available_versions: versionsOf(toolkit),
    },
    deprecated: { toolkitId: toolkitUuid(toolkit), rawProxyInfoByAuthSchemes: [] },
  };
}

function meta(toolkit: ToolkitDefinition, version: string, catalogue: Catalogue) {
  return {
    created_at: MADE_AT,
    updated_at: MADE_AT,
    description: toolkit.description,
    logo: logoOf(toolkit.slug),
    app_url: null,
    triggers_count: toolkit.triggers?.length ?? 0,
    tools_count: catalogue.toolsOf(toolkit, version).length,
    version,
  };
}

function managedSchemes({ auth }: ToolkitDefinition): string[] {
  return auth.filter(({ isManaged }) => isManaged).map(({ scheme }) => scheme);
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

/** The legacy id, made from the slug so that it never changes. */
export function toolkitUuid({ slug }: ToolkitDefinition): string {
  const hex = [...slug]
    .map((letter) => letter.charCodeAt(0).toString(16))
    .join("")
    .padEnd(12, "0")
    .slice(0, 12);
  return `00000000-0000-4000-a000-${hex}`;
}
