import { type Catalogue, PINNED_VERSION, type VersionedTool, versionsOf } from "./catalogue.js";
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
  const inOtherVersion = catalogue.tool(slug, "latest");
  const inOtherCase = catalogue.tool(slug.toUpperCase(), "latest")?.tool.slug;
  const fix = inOtherVersion
    ? `Version ${version} does not have it; available versions: ${versionsOf(inOtherVersion.toolkit, inOtherVersion.tool).join(", ")}`
    : inOtherCase !== undefined
      ? `Tool slugs are case-sensitive: did you mean ${inOtherCase}?`
      : undefined;
  throw new Refusal({
    status: 404,
    code: 2401,
    slug: "Tool_ToolNotFound",
    message: `Tool ${slug} not found`,
    ...(fix !== undefined && { suggestedFix: fix }),
  });
}
