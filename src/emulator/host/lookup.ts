import { type Catalog, PINNED_VERSION, type VersionedTool } from "../catalog/catalog.js";
import { ApiFailure, notFound } from "./errors.js";
import { FIRST_PROJECT, type StoredProject } from "./project-records.js";
import type { KeySeed } from "./seed.js";
import type { State } from "./state.js";

/**
 * The project a key speaks for: its own, or for a key of a person or an organization the first one. See assumption E54.
 *
 * @throws {Refusal} 404 for one that was deleted.
 */
export function projectOf(key: KeySeed | undefined, state: State): StoredProject {
  const id = projectIdOf(key, state);
  const project = state.projects.get(id);
  if (project && !project.isDeleted) return project;
  throw notFound("Project", `Project ${id}`, 10404);
}

/** The id of the project a key speaks for, deleted or not. */
export function projectIdOf(key: KeySeed | undefined, { projectKeys }: State): string {
  return (key && projectKeys.get(key.value)?.projectId) ?? FIRST_PROJECT;
}

/** What an omitted version means. Spec: Versioning. */
export function defaultVersion(apiVersion: "v3" | "v3.1"): string {
  return apiVersion === "v3" ? PINNED_VERSION : "latest";
}

/**
 * The tool in a version.
 *
 * @throws {Refusal} 404 with a hint: the right case, or the versions that have it.
 */
export function findTool(catalogue: Catalog, slug: string, version: string): VersionedTool {
  const found = catalogue.tool(slug, version);
  if (found) return found;
  const versions = catalogue.versionsWith(slug);
  const inCapitals = slug.toUpperCase();
  const fix = versions
    ? `Version ${version} does not have it; available versions: ${versions.join(", ")}`
    : catalogue.versionsWith(inCapitals)
      ? `Tool slugs are case-sensitive: did you mean ${inCapitals}?`
      : undefined;
  throw new ApiFailure({
    status: 404,
    code: 2401,
    slug: "Tool_ToolNotFound",
    message: `Tool ${slug} not found`,
    ...(fix !== undefined && { suggestedFix: fix }),
  });
}
