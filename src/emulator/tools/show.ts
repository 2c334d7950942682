import type { Tool } from "../../resources/tools/schema.js";
import { type ListedTool, logoOf } from "../catalog/catalog.js";

/** A tool as responses show it. */
export function shownTool({ tool, toolkit, version, versions, facts }: ListedTool): Tool {
  const available_versions = [...versions];
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
