import type { ListToolsQuery } from "../../resources/tools/schema.js";
import { nearestName } from "../../shared/nearest-name.js";
import { isMetaTool } from "../../shared/tools.js";
import type { ServedCatalog, VersionedTool } from "../catalog/catalog.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";
import { ApiFailure, notFound } from "../engine/responses.js";

/** The version that a request names for a toolkit, if it does. */
export function versionNamed(toolkit: string, versions: ListToolsQuery["toolkit_versions"]): string | undefined {
  return typeof versions === "object" ? versions?.[toolkit] : versions;
}

/** @throws {ApiFailure} 404 for an unknown toolkit. */
export function findToolkit(catalog: ServedCatalog, slug: string): ToolkitDefinition {
  const toolkit = catalog.toolkits.get(slug);
  if (toolkit) return toolkit;
  throw notFound("Toolkit", `Toolkit ${slug}`, 2301, meantToolkits([slug], catalog));
}

/** A sentence with the toolkits that unknown slugs probably mean. */
export function meantToolkits(unknown: readonly string[], { toolkits }: ServedCatalog): string | undefined {
  const meant = unknown.flatMap((slug) => nearestName(slug, [...toolkits.keys()]) ?? []);
  return meant.length === 0 ? undefined : `Did you mean ${meant.join(", ")}?`;
}

/**
 * Returns a tool in a version.
 *
 * @throws {ApiFailure} 400 for a meta tool; 404 with a hint: the closest slug, or the versions that have the tool.
 */
export function findTool(catalog: ServedCatalog, slug: string, version: string): VersionedTool {
  const found = catalog.tool(slug, version);
  if (found) return found;
  // Meta tools run only in sessions. Spec: What the service does.
  if (isMetaTool(slug)) {
    const message = `${slug} can only be called inside a tool-router session`;
    throw new ApiFailure(400, 4300, "ToolRouterV2_BadRequest", message);
  }
  const versions = catalog.versionsWith(slug);
  const meant = nearestName(slug, catalog.toolSlugs);
  const fix = versions
    ? `Version ${version} does not have it; available versions: ${versions.join(", ")}`
    : meant && `${slug.toUpperCase() === meant ? "Tool slugs are case-sensitive: did" : "Did"} you mean ${meant}?`;
  throw new ApiFailure(404, 2401, "Tool_ToolNotFound", `Tool ${slug} not found`, fix);
}
