import { operations } from "../../contract/operations.js";
import type { Operation } from "../../resources/operation.js";
import { API_VERSIONS, type ApiVersion } from "../../shared/api-versions.js";
import { PINNED_VERSION } from "../catalog/catalog.js";

/** A path as the router takes it. */
export function withColons(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/**
 * The routes of a path. A path without a version is served under both; a v3 path is also served under v3.1, but a v3.1
 * path isn't served under v3. Assumption E4.
 */
export function routesOf(path: string): [ApiVersion, string][] {
  if (path.includes("{apiVersion}")) {
    return API_VERSIONS.map((version) => [version, path.replace("{apiVersion}", version)]);
  }
  const newest: [ApiVersion, string] = ["v3.1", path.replace("/api/v3/", "/api/v3.1/")];
  return path.startsWith("/api/v3/") ? [["v3", path], newest] : [newest];
}

/** The version of a tool, if a request names none. Spec: Versioning. */
export function defaultVersion(apiVersion: ApiVersion): string {
  return apiVersion === "v3" ? PINNED_VERSION : "latest";
}

const rankOf = ({ endpoint: { path } }: Operation) => path.replaceAll("{apiVersion}", "").replace(/\{\w+\}/g, "\uffff");

/** The operations, literal segments first, so `/tools/enum` doesn't match as a tool with the slug `enum`. */
export const literalsFirst = operations.toSorted((left, right) => (rankOf(left) < rankOf(right) ? -1 : 1));
