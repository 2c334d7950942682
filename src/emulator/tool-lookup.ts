import { type Catalogue, PINNED_VERSION, type VersionedTool } from "./catalogue.js";
import { Refusal } from "./refusal.js";

/** What an omitted version means. Spec: Versioning. */
export function defaultVersion(apiVersion: "v3" | "v3.1"): string {
  return apiVersion === "v3" ? PINNED_VERSION : "latest";
}

/**
 * The tool in a version.
 *
 * @throws {Refusal} 404 with a hint: the right case, or the versions that have it.
 */
export function findTool(catalogue: Catalogue, slug: string, version: string): VersionedTool {
  const found = catalogue.tool(slug, version);
  if (found) return found;
  const versions = catalogue.versionsWith(slug);
  const inCapitals = slug.toUpperCase();
  const fix = versions
    ? `Version ${version} does not have it; available versions: ${versions.join(", ")}`
    : catalogue.versionsWith(inCapitals)
      ? `Tool slugs are case-sensitive: did you mean ${inCapitals}?`
      : undefined;
  throw new Refusal({
    status: 404,
    code: 2401,
    slug: "Tool_ToolNotFound",
    message: `Tool ${slug} not found`,
    ...(fix !== undefined && { suggestedFix: fix }),
  });
}
