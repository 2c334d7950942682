import { ToolVersionRequiredError, ValidationError } from "../errors/local.js";
import { child, isObject, isRecord } from "../json.js";
import { toolVersionProblem } from "./checks.js";
import type { AnyEndpoint, AnyInput } from "./endpoint.js";
import { checkNames, checkVersions } from "./lock.js";
import type { Settings } from "./options.js";

type Versions = Pick<Settings, "toolVersions" | "toolkitVersions" | "requiredLock">;

/**
 * Adds the configured tool version to a call that states none. Spec: Versioning.
 *
 * The call's own wins over the tool's (from the lock or `toolVersions`, which agree), that over its toolkit's; without any,
 * the service's default holds and nothing is sent, except that a direct execution is refused.
 *
 * @throws {ToolLockError} with `requireLocked`, for what the lock does not hold or would not go out in its version.
 */
export function withToolVersion(endpoint: AnyEndpoint, input: AnyInput, versions: Versions): AnyInput {
  const { version } = endpoint;
  const { params = {} } = input;
  // A slug that is no text is refused where the address is written, in words that fit.
  if (version === undefined || ("tool_slug" in params && typeof params["tool_slug"] !== "string")) return input;
  const { requiredLock } = versions;
  if (!requiredLock) return withVersion(endpoint, input, versions);
  const tools = toolsOf(input);
  checkNames(endpoint.name, tools, requiredLock.tools);
  checkNames(endpoint.name, slugsIn(child(input.query, "toolkit_slug")), requiredLock.toolkits);
  const versioned = withVersion(endpoint, input, versions);
  checkVersions(endpoint, versioned, tools, requiredLock);
  return versioned;
}

function withVersion(endpoint: AnyEndpoint, input: AnyInput, versions: Versions): AnyInput {
  switch (endpoint.version) {
    case "toolkits_query":
      return withToolkitsQuery(endpoint, input, versions);
    case "query":
      return withQueryVersion(endpoint, input, versions);
    default:
      return withBodyVersion(endpoint, input, versions);
  }
}

function withToolkitsQuery(endpoint: AnyEndpoint, input: AnyInput, { toolkitVersions }: Versions): AnyInput {
  if (hasToolkitVersions(endpoint, input) || toolkitVersions.size === 0) return input;
  return { ...input, query: { ...input.query, toolkit_versions: Object.fromEntries(toolkitVersions) } };
}

function withQueryVersion(endpoint: AnyEndpoint, input: AnyInput, versions: Versions): AnyInput {
  const own = child(input.query, "version");
  if (own !== undefined) checkVersion(endpoint, "version", own);
  if (hasToolkitVersions(endpoint, input) || own !== undefined) return input;
  const version = configuredVersion(endpoint.name, toolsOf(input), versions);
  return version === undefined ? input : { ...input, query: { ...input.query, version } };
}

function withBodyVersion(endpoint: AnyEndpoint, input: AnyInput, versions: Versions): AnyInput {
  const body: unknown = input.body ?? {};
  if (!isRecord(body)) throw new ValidationError(endpoint.name, "its body must be an object.");
  const tools = toolsOf(input);
  // Its own: what a body inherits is not sent.
  const own = child(body, "version");
  if (own !== undefined) {
    checkVersion(endpoint, "version", own);
    return input;
  }
  const version = configuredVersion(endpoint.name, tools, versions);
  if (version !== undefined) return { ...input, body: { ...body, version } };
  if (endpoint.version === "required_body") throw new ToolVersionRequiredError(endpoint.name, tools[0] ?? "the tool");
  return input;
}

/** Whether a call says the versions of toolkits itself: one for all, or one for each; null asks for the service's default. */
function hasToolkitVersions(endpoint: AnyEndpoint, { query }: AnyInput): boolean {
  const versions = child(query, "toolkit_versions");
  const entries = isObject(versions) ? Object.entries(versions) : [["", versions]];
  for (const [toolkit, version] of entries) {
    const name = toolkit === "" ? "toolkit_versions" : `toolkit_versions.${toolkit}`;
    if (version !== undefined && version !== null) checkVersion(endpoint, name, version);
  }
  return versions !== undefined;
}

function checkVersion(endpoint: AnyEndpoint, name: string, version: unknown): void {
  const problem = toolVersionProblem(version);
  if (problem) throw new ValidationError(endpoint.name, `${name} ${problem}.`);
}

/** The tools a call is about: the one in its path, those in its body, or those a list is narrowed to. */
function toolsOf({ params, query, body }: AnyInput): readonly string[] {
  const slug = params?.["tool_slug"];
  return slug === undefined ? slugsIn(child(body, "tools") ?? child(query, "tool_slugs")) : [slug];
}

/** The slugs of a list as the service reads it: of texts, or one text with commas. */
function slugsIn(value: unknown): string[] {
  const texts = [value].flat().filter((item) => typeof item === "string");
  return texts.flatMap((text) => text.split(",").map((slug) => slug.trim())).filter((slug) => slug !== "");
}

function configuredVersion(operation: string, tools: readonly string[], versions: Versions): string | undefined {
  if (versions.toolVersions.size + versions.toolkitVersions.size === 0) return undefined;
  const [first, ...others] = new Set(tools.map((tool) => versionOfTool(tool, versions)));
  if (others.length === 0) return first;
  throw new ValidationError(
    operation,
    `the client's lock, toolVersions and toolkitVersions do not give these tools one version, and one call carries one. Pass version in the call, or ask for each version's tools separately.`,
  );
}

function versionOfTool(tool: string, { toolVersions, toolkitVersions }: Versions): string | undefined {
  return toolVersions.get(tool) ?? toolkitVersions.get(toolkitOf(tool, toolkitVersions.keys()) ?? "");
}

/** The toolkit whose upper-cased slug and `_` begin the tool's slug; the longest one wins. See assumption A2. */
function toolkitOf(tool: string, toolkits: Iterable<string>): string | undefined {
  let longest: string | undefined;
  for (const toolkit of toolkits) {
    const begins = tool.startsWith(`${toolkit.toUpperCase()}_`);
    if (begins && toolkit.length > (longest?.length ?? 0)) longest = toolkit;
  }
  return longest;
}
