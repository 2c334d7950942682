import type { AuthConfigDetails, Toolkit, ToolkitDetail } from "../../resources/toolkits/schema.js";
import { latestVersion, logoOf, type ServedCatalog, toolkitUuid, versionsOf } from "../catalog/catalog.js";
import type { AuthDefinition } from "../catalog/catalog-schema.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";

const MADE_AT = "2025-01-01T00:00:00.000Z";

function common(toolkit: ToolkitDefinition) {
  return {
    ...{ slug: toolkit.slug, name: toolkit.name, type: "native" as const },
    svc_managed_auth_schemes: toolkit.auth.filter(({ isManaged }) => isManaged).map(({ scheme }) => scheme),
    ...{ auth_guide_url: null, is_local_toolkit: false },
  };
}

export function listedToolkit(toolkit: ToolkitDefinition, catalog: ServedCatalog): Toolkit {
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

export function detailedToolkit(toolkit: ToolkitDefinition, version: string, catalog: ServedCatalog): ToolkitDetail {
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
