import { nearestName } from "../../shared/nearest-name.js";
import { type Catalog, PINNED_VERSION, type VersionedTool } from "../catalog/catalog.js";
import { ApiFailure, notFound } from "./errors.js";
import { FIRST_PROJECT, type StoredProject } from "./project-records.js";
import type { KeySeed } from "./seed.js";
import type { State } from "./state.js";

/**
 * The project of a key; for a user or organization key, the first project. See assumption E54.
 *
 * @throws {ApiFailure} 404 if it was deleted.
 */
export function projectOf(key: KeySeed | undefined, state: State): StoredProject {
  const id = projectIdOf(key, state);
  const project = state.projects.get(id);
  if (project && !project.isDeleted) return project;
  throw notFound("Project", `Project ${id}`, 10404);
}

/** The id of a key's project, even if it was deleted. */
export function projectIdOf(key: KeySeed | undefined, { projectKeys }: State): string {
  return (key && projectKeys.get(key.value)?.projectId) ?? FIRST_PROJECT;
}

/** 404 for an auth config, which says what its id looks like if this isn't one. */
export function authConfigNotFound(id: string): ApiFailure {
  const { details } = notFound("AuthConfig", `Auth config ${id}`, 301);
  if (id.startsWith("ac_")) return new ApiFailure(details);
  return new ApiFailure({
    ...details,
    suggestedFix: "The id of an auth config starts with ac_; authConfigs.list() returns it",
  });
}

/** Meta tools run only in sessions. Spec: What the service does. */
const META_TOOL = /^SVC_/;

function notInSession(slug: string): ApiFailure {
  const message = `${slug} can only be called inside a tool-router session`;
  return new ApiFailure({ status: 400, code: 4300, slug: "ToolRouterV2_BadRequest", message });
}

/** The version used if a request omits it. Spec: Versioning. */
export function defaultVersion(apiVersion: "v3" | "v3.1"): string {
  return apiVersion === "v3" ? PINNED_VERSION : "latest";
}

/**
 * Returns a tool in a version.
 *
 * @throws {ApiFailure} 400 for a meta tool; 404 with a hint: the closest slug, or the versions that have the tool.
 */
export function findTool(catalog: Catalog, slug: string, version: string): VersionedTool {
  const found = catalog.tool(slug, version);
  if (found) return found;
  if (META_TOOL.test(slug)) throw notInSession(slug);
  const versions = catalog.versionsWith(slug);
  const meant = nearestName(slug, catalog.toolSlugs);
  const fix = versions
    ? `Version ${version} does not have it; available versions: ${versions.join(", ")}`
    : meant && `${slug.toUpperCase() === meant ? "Tool slugs are case-sensitive: did" : "Did"} you mean ${meant}?`;
  throw new ApiFailure({
    status: 404,
    code: 2401,
    slug: "Tool_ToolNotFound",
    message: `Tool ${slug} not found`,
    ...(fix !== undefined && { suggestedFix: fix }),
  });
}
