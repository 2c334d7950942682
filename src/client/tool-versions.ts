import { ValidationError } from "../errors/local.js";
import { child, isObject, isRecord } from "../shared/json.js";
import { DATED_VERSION } from "../shared/tools.js";
import type { AnyEndpoint, AnyInput } from "./endpoint.js";

/** Tool versions used if a call doesn't specify one, by slug. */
export interface Versions {
  readonly toolVersions: ReadonlyMap<string, string>;
  readonly toolkitVersions: ReadonlyMap<string, string>;
}

/**
 * Adds the configured tool version to a call that doesn't specify one.
 *
 * The call's own overrides the tool's, which overrides its toolkit's. Without any, the service's default applies.
 *
 * @throws {ValidationError} if the version, or the part that it belongs to, is invalid.
 */
export function withToolVersion(endpoint: AnyEndpoint, input: AnyInput, versions: Versions): AnyInput {
  const { name, version: carrier } = endpoint;
  // A slug that isn't a string is rejected when the URL is built, with a matching message.
  if (carrier === undefined || typeof (input.params?.["tool_slug"] ?? "") !== "string") return input;
  const part = carrier === "query" || carrier === "toolkits_query" ? "query" : "body";
  const own = carrier === "toolkits_query" ? undefined : statedVersion(input[part]);
  if (own !== undefined) checkVersion(endpoint, "version", own);
  if ((part === "query" && hasToolkitVersions(endpoint, input)) || own !== undefined) return input;
  const given: unknown = input[part] ?? {};
  if (!isRecord(given)) throw new ValidationError(name, `the ${part} must be an object.`);
  if (carrier === "toolkits_query") {
    const { toolkitVersions } = versions;
    if (toolkitVersions.size === 0) return input;
    return { ...input, query: { ...given, toolkit_versions: Object.fromEntries(toolkitVersions) } };
  }
  const version = configuredVersion(name, toolsOf(input), versions);
  return version === undefined ? input : { ...input, [part]: { ...given, version } };
}

/** The version in a query or body. Its own property: what it inherits isn't sent. */
export function statedVersion(part: unknown): unknown {
  return typeof part === "object" && part !== null && Object.hasOwn(part, "version")
    ? Reflect.get(part, "version")
    : undefined;
}

/**
 * Whether a call specifies toolkit versions itself: one for all, or one for each; null requests the service's default.
 */
function hasToolkitVersions(endpoint: AnyEndpoint, { query }: AnyInput): boolean {
  const versions = child(query, "toolkit_versions");
  if (versions === undefined) return false;
  const entries = isObject(versions) ? Object.entries(versions) : [["", versions]];
  for (const [toolkit, version] of entries) {
    const name = toolkit === "" ? "toolkit_versions" : `toolkit_versions.${toolkit}`;
    if (version !== undefined && version !== null) checkVersion(endpoint, name, version);
  }
  return true;
}

function checkVersion(endpoint: AnyEndpoint, name: string, version: unknown): void {
  const problem = toolVersionProblem(version);
  if (problem) throw new ValidationError(endpoint.name, `${name} ${problem}.`);
}

/** The tools that a call names: the one in its path, those in its body, or those a list is narrowed to. */
export function toolsOf({ params, query, body }: AnyInput): readonly string[] {
  const slug = params?.["tool_slug"];
  return slug === undefined ? slugsIn(child(body, "tools") ?? child(query, "tool_slugs")) : [slug];
}

/** The slugs of a list as the service reads it: an array of strings, or one string with commas. */
export function slugsIn(value: unknown): string[] {
  const texts = [value].flat().filter((item) => typeof item === "string");
  return texts.flatMap((text) => text.split(",").map((slug) => slug.trim())).filter((slug) => slug !== "");
}

function configuredVersion(operation: string, tools: readonly string[], versions: Versions): string | undefined {
  if (versions.toolVersions.size + versions.toolkitVersions.size === 0) return undefined;
  const [first, ...others] = new Set(tools.map((tool) => versionOfTool(tool, versions)));
  if (others.length === 0) return first;
  throw new ValidationError(
    operation,
    `the client's lock, toolVersions and toolkitVersions don't set the same version for these tools. Pass version in the call, or request the tools of each version separately.`,
  );
}

function versionOfTool(tool: string, { toolVersions, toolkitVersions }: Versions): string | undefined {
  return toolVersions.get(tool) ?? toolkitVersions.get(toolkitOf(tool, toolkitVersions.keys()) ?? "");
}

// See assumption A2.
/** The toolkit whose uppercase slug and `_` start the tool's slug; the longest one wins. */
function toolkitOf(tool: string, toolkits: Iterable<string>): string | undefined {
  let longest: string | undefined;
  for (const toolkit of toolkits) {
    const begins = tool.startsWith(`${toolkit.toUpperCase()}_`);
    if (begins && toolkit.length > (longest?.length ?? 0)) longest = toolkit;
  }
  return longest;
}

/** The problem with a tool version, or `undefined`. */
export function toolVersionProblem(value: unknown): string | undefined {
  if (value === "latest" || (typeof value === "string" && DATED_VERSION.test(value))) return undefined;
  return 'must be "latest" or look like "20251023_00"';
}
