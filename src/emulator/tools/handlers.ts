// The room of executions: a tool runs with an account, a stub or samples, for a client or a session. Definitions are in
// `catalog`. It imports `catalog`, `connected-accounts`, `engine`, `files`, `toolkits`, `src/contract`,
// `src/json-schema` and `src/resources`. Start here, then `run-tool.ts`.

import type { ListToolsQuery, ProxyRequestBody } from "../../resources/tools/schema.js";
import type { ServedCatalog, VersionedTool } from "../catalog/catalog.js";
import { ProviderError, type ProxiedCall, type ToolkitDefinition } from "../catalog/definitions.js";
import { isMetaSlug, metaTool } from "../catalog/meta-tool-definitions.js";
import { usableAccount } from "../connected-accounts/execution-rules.js";
import type { Engine, HandlersOf } from "../engine/engine.js";
import { paginate } from "../engine/pages.js";
import { ApiFailure, invalidRequest } from "../engine/responses.js";
import type { State } from "../engine/state.js";
import { findTool, versionNamed } from "../toolkits/find-tool.js";
import { dataOf, execute } from "./run-tool.js";
import { shownTool } from "./show.js";
import { deriveArguments } from "./text-arguments.js";

export const tools: HandlersOf<"tools"> = {
  "tools.list": ({ query, catalog, state, defaultVersion }) => {
    const matching = allTools(catalog, query.toolkit_versions, defaultVersion).filter((tool) =>
      matchesQuery(tool, query, state),
    );
    return paginate(matching.map(shownTool), query);
  },

  "tools.get": ({ params, query, catalog, defaultVersion }) => {
    const { tool_slug: slug } = params;
    const toolkit = catalog.toolkitOf(slug);
    // The meta tools' toolkit isn't in the catalog.
    if (toolkit === undefined && isMetaSlug(slug)) return shownTool(metaTool(slug));
    const { version = versionNamed(toolkit ?? "", query.toolkit_versions) } = query;
    return shownTool(findTool(catalog, slug, version ?? defaultVersion));
  },

  "tools.listSlugs": ({ catalog }) => catalog.toolSlugs,

  "tools.getRequiredScopes": ({ body, catalog, defaultVersion }) => {
    const found = body.tools.map((slug) => findTool(catalog, slug, body.version ?? defaultVersion));
    if (new Set(found.map(({ toolkit }) => toolkit.slug)).size > 1) {
      throw invalidRequest(["body.tools: expected tools of one toolkit"]);
    }
    return {
      scopes_required: [...new Set(found.flatMap(({ facts }) => facts.scopes ?? []))],
      per_tool_requirements: found.map(({ tool, facts }) => ({
        tool: tool.slug,
        scope_requirements: facts.scopeRequirements ?? null,
      })),
    };
  },

  "tools.execute": execute,

  "tools.generateArguments": ({ params, body, catalog, defaultVersion }) => {
    const { facts } = findTool(catalog, params.tool_slug, body.version ?? defaultVersion);
    const { found, missing } = deriveArguments(facts.input, body.text);
    return missing.length > 0
      ? { arguments: found, error: `The text does not say: ${missing.join(", ")}` }
      : { arguments: found };
  },

  /** Proxies a request to the provider through a connected account. */
  "tools.proxy": ({ body, ...engine }) => {
    const toolkit = toolkitOf(body, engine);
    const { baseUrl } = toolkit;
    if (baseUrl === undefined) throw proxyError("MissingBaseUrl", `Toolkit ${toolkit.slug} has no base URL`);
    const url = endpointUrl(body.endpoint, baseUrl);
    if (!url || siteOf(url) !== siteOf(new URL(baseUrl))) {
      throw proxyError("OriginMismatch", `The endpoint is not where ${toolkit.slug} lives: ${baseUrl}`);
    }
    for (const { name, value, type } of body.parameters ?? []) {
      if (type === "query") url.searchParams.append(name, value);
    }
    const base = new URL(baseUrl).pathname.replace(/\/+$/, "");
    const path = url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : url.pathname;
    const call = { method: body.method, path, query: url.searchParams, body: body.body };
    return {
      ...callProvider(toolkit, { ...call, data: dataOf(toolkit, engine.state) }),
      headers: { "content-type": "application/json" },
    };
  },
};

function allTools(
  catalog: ServedCatalog,
  versions: ListToolsQuery["toolkit_versions"],
  defaultVersion: string,
): VersionedTool[] {
  return [...catalog.toolkits.values()].flatMap((toolkit) => {
    const wanted = versionNamed(toolkit.slug, versions) ?? defaultVersion;
    return catalog.toolsOf(toolkit, wanted);
  });
}

function matchesQuery({ tool, toolkit, facts }: VersionedTool, query: ListToolsQuery, state: State): boolean {
  // Slugs override every other filter.
  if (query.tool_slugs !== undefined) return query.tool_slugs.split(",").includes(tool.slug);
  const { auth_config_ids: ids } = query;
  const configs = typeof ids === "string" ? ids.split(",") : ids;
  const text = (query.query ?? query.search)?.toLowerCase();
  const searched = `${tool.slug} ${tool.name} ${facts.description}`.toLowerCase();
  const tags = facts.tags ?? [];
  return (
    (query.toolkit_slug === undefined || query.toolkit_slug.split(",").includes(toolkit.slug)) &&
    (configs === undefined || configs.some((id) => toolkitOfConfig(id, state) === toolkit.slug)) &&
    (query.important !== "true" || tags.includes("important")) &&
    (query.tags === undefined || query.tags.some((tag) => tags.includes(tag))) &&
    (!query.scopes || query.scopes.some((scope) => facts.scopes?.includes(scope))) &&
    (query.include_deprecated !== false || facts.isDeprecated !== true) &&
    (text === undefined || text.split(/\s+/).every((word) => searched.includes(word)))
  );
}

function toolkitOfConfig(id: string, { authConfigs }: State): string | undefined {
  const config = authConfigs.get(id);
  return config?.isDeleted ? undefined : config?.toolkit.slug;
}

function toolkitOf({ connected_account_id: id, custom_connection_data }: ProxyRequestBody, engine: Engine) {
  const slug = id === undefined ? custom_connection_data?.toolkitSlug : usableAccount(id, engine).toolkit;
  if (slug === undefined) {
    const message = "Pass connected_account_id or custom_connection_data";
    throw proxyError("MissingAuthContext", message, "Connect an account first");
  }
  const toolkit = engine.catalog.toolkits.get(slug);
  if (toolkit) return toolkit;
  throw proxyError("MissingBaseUrl", `Unknown toolkit ${slug}`);
}

/** The provider's response; a ProviderError becomes one. */
function callProvider(toolkit: ToolkitDefinition, call: ProxiedCall) {
  try {
    return toolkit.proxy?.(call) ?? { status: 404, data: { message: "Not Found" } };
  } catch (error) {
    if (error instanceof ProviderError) return { status: error.status, data: { message: error.message } };
    throw error;
  }
}

function endpointUrl(endpoint: string, baseUrl: string): URL | undefined {
  const base = `${baseUrl.replace(/\/+$/, "")}/`;
  // Relative to the base, except for two slashes, which start another host.
  const relative = endpoint.replace(/^\/(?!\/)/, "");
  return URL.canParse(relative, base) ? new URL(relative, base) : undefined;
}

/** Scheme and registrable domain, assumed to be the last two labels; Assumption E7. */
function siteOf({ protocol, hostname }: URL): string {
  return `${protocol}//${hostname.split(".").slice(-2).join(".")}`;
}

function proxyError(slug: string, message: string, suggestedFix?: string): ApiFailure {
  return new ApiFailure(400, 10400, slug, message, suggestedFix);
}
