import type { ToolRouterConfig } from "../../resources/tool-router/schema.js";
import type { Catalogue, VersionedTool } from "../catalogue.js";
import type { ToolkitDefinition } from "../definitions.js";
import { toolkitNotAllowed, toolNotAllowed } from "./refusals.js";

/** Whether a session may use a toolkit. */
export function allowsToolkit({ toolkits }: ToolRouterConfig, slug: string): boolean {
  if (toolkits?.enabled) return toolkits.enabled.includes(slug);
  return !toolkits?.disabled?.includes(slug);
}

/**
 * Whether a session may use a tool: its toolkit must be allowed, lists of slugs win over tags, and what is said about the
 * toolkit wins over what is said about all.
 */
export function allowsTool(config: ToolRouterConfig, { toolkit, tool, facts }: VersionedTool): boolean {
  if (!allowsToolkit(config, toolkit.slug)) return false;
  const own = config.tools?.[toolkit.slug];
  if (own?.enabled) return own.enabled.includes(tool.slug);
  if (own?.disabled) return !own.disabled.includes(tool.slug);
  const { enabled, disabled } = own?.tags ?? config.tags ?? {};
  const has = (tag: string) => facts.tags?.includes(tag) === true;
  return (!enabled || enabled.some(has)) && !disabled?.some(has);
}

/** The toolkits of a session, in the catalogue's order. */
export function allowedToolkits(config: ToolRouterConfig, catalogue: Catalogue): ToolkitDefinition[] {
  return [...catalogue.toolkits.values()].filter(({ slug }) => allowsToolkit(config, slug));
}

/** The tools of a session, in their latest versions. See assumption E42. */
export function allowedTools(config: ToolRouterConfig, catalogue: Catalogue): VersionedTool[] {
  return allowedToolkits(config, catalogue)
    .flatMap((toolkit) => catalogue.toolsOf(toolkit, "latest"))
    .filter((versioned) => allowsTool(config, versioned));
}

/** @throws {Refusal} 400 for a tool that the session excludes. */
export function checkAllowed(config: ToolRouterConfig, versioned: VersionedTool): void {
  if (!allowsToolkit(config, versioned.toolkit.slug)) throw toolkitNotAllowed(versioned.toolkit.slug);
  if (!allowsTool(config, versioned)) throw toolNotAllowed(versioned.tool.slug);
}
