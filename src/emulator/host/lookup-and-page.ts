import { nearestName } from "../../shared/nearest-name.js";
import { type Catalog, PINNED_VERSION, type VersionedTool } from "../catalog/catalog.js";
import { FIRST_PROJECT, type StoredProject } from "./project-records.js";
import { ApiFailure, invalidRequest, notFound } from "./responses.js";
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

/** Meta tools run only in sessions. Spec: What the service does. */
const META_TOOL = /^SVC_/;

function notInSession(slug: string): ApiFailure {
  const message = `${slug} can only be called inside a tool-router session`;
  return new ApiFailure(400, 4300, "ToolRouterV2_BadRequest", message);
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
  throw new ApiFailure(404, 2401, "Tool_ToolNotFound", `Tool ${slug} not found`, fix);
}

/** Default number of items per page. See assumption E3. */
const DEFAULT_LIMIT = 20;

/** Maximum number of items per page. Spec: Limits. */
const MAX_LIMIT = 1_000;

interface PageRequest {
  readonly limit?: number | null | undefined;
  readonly cursor?: string | null | undefined;
}

/** A page of a list. Spec: Pagination envelope. */
interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
  total_pages: number;
  current_page: number;
  total_items: number;
}

/** Returns one page of a list. The cursor is base64 of page and limit, as the spec requires; see assumption E3. */
export function paginate<Item>(all: readonly Item[], request: PageRequest): Page<Item> {
  const requested = request.cursor ? decodeCursor(request.cursor) : { page: 1, limit: request.limit ?? DEFAULT_LIMIT };
  const { page, limit } = requested;
  const pages = Math.max(1, Math.ceil(all.length / limit));
  return {
    items: all.slice((page - 1) * limit, page * limit),
    next_cursor: page < pages ? btoa(JSON.stringify({ page: page + 1, limit })) : null,
    total_pages: pages,
    current_page: page,
    total_items: all.length,
  };
}

/**
 * Returns the limit in a cursor, which must be in the range of its list.
 *
 * @throws {ApiFailure} 400 for an invalid cursor.
 */
export function limitOfCursor(cursor: string): { readonly limit: number } {
  const { limit } = decodeCursor(cursor);
  return { limit };
}

function decodeCursor(cursor: string): { page: number; limit: number } {
  try {
    const { page, limit }: { page?: unknown; limit?: unknown } = JSON.parse(atob(cursor));
    if (isCount(page) && isCount(limit) && limit <= MAX_LIMIT) return { page, limit };
  } catch {
    // Not base64 or not JSON: rejected below, like any other invalid cursor.
  }
  throw invalidRequest(["query.cursor: expected the next_cursor of a page"]);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100_000;
}
