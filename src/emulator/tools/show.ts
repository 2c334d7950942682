import type { ListToolsQuery, Tool } from "../../resources/tools/schema.js";
import { type Catalog, latestVersion, logoOf, type VersionedTool, versionsOf } from "../catalog/catalog.js";
import { defaultVersion } from "../host/lookup-and-page.js";
import type { State } from "../host/state.js";

type ToolkitVersions = ListToolsQuery["toolkit_versions"];

export function versionFor(toolkit: string, versions: ToolkitVersions): string | undefined {
  if (versions === null || versions === undefined) return undefined;
  return typeof versions === "string" ? versions : versions[toolkit];
}

export function allTools(catalog: Catalog, versions: ToolkitVersions, apiVersion: "v3" | "v3.1"): VersionedTool[] {
  return [...catalog.toolkits.values()].flatMap((toolkit) => {
    const wanted = versionFor(toolkit.slug, versions) ?? defaultVersion(apiVersion);
    return catalog.toolsOf(toolkit, wanted === "latest" ? latestVersion(toolkit) : wanted);
  });
}

export function matchesQuery({ tool, toolkit, facts }: VersionedTool, query: ListToolsQuery, state: State): boolean {
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

/** A tool as responses show it. */
export function shownTool({ tool, toolkit, version, facts }: VersionedTool): Tool {
  const available_versions = versionsOf(toolkit, tool);
  const is_deprecated = facts.isDeprecated ?? false;
  const logo = logoOf(toolkit.slug);
  return {
    slug: tool.slug,
    name: tool.name,
    description: facts.description,
    toolkit: { slug: toolkit.slug, name: toolkit.name, logo },
    input_parameters: facts.input,
    output_parameters: facts.output,
    no_auth: toolkit.auth.length === 0,
    available_versions,
    version,
    scopes: [...(facts.scopes ?? [])],
    scope_requirements: facts.scopeRequirements ?? null,
    tags: [...(facts.tags ?? [])],
    human_description: facts.description,
    is_deprecated,
    deprecated: { displayName: tool.name, version, available_versions, is_deprecated, toolkit: { logo } },
  };
}
