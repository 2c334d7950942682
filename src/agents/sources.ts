import { ConfigError } from "../errors/local.js";
import type { ListToolsQuery, Svc, Tool, ToolLock, ToolRouterSessionHandle } from "../index.js";
import { isString, type Json } from "../shared/json.js";
import type { OwnTool } from "./own-tool.js";
import type { CallLimits } from "./tool.js";

/** The part of a client that a toolset uses. */
export interface ToolClient {
  /** Lists and runs tools. */
  readonly tools: Pick<Svc["tools"], "list" | "execute">;
  /** For arguments and results that are files. */
  readonly files?: Pick<Svc["files"], "upload" | "download">;
  /** For links to connect an account, and for the account that an approval is for. */
  readonly connectedAccounts?: Pick<Svc["connectedAccounts"], "link" | "list">;
  /** For links without an auth config. */
  readonly authConfigs?: Pick<Svc["authConfigs"], "list">;
}

/** The part of an agent session that a toolset uses. */
export type ToolSession = Pick<ToolRouterSessionHandle, "id" | "tools" | "execute" | "executeMeta" | "link"> & {
  /** The session's record, which names its user. A handle made of an id alone has none. */
  readonly record?: { readonly config: { readonly user_id: string } } | undefined;
};

/** Which tools a toolset contains. */
export interface ToolSelection {
  /** Slugs of tools, and your own tools. */
  readonly tools?: readonly (string | OwnTool)[] | undefined;
  /** Tools of these toolkits. */
  readonly toolkits?: readonly string[] | undefined;
  /** Tools with one of these tags; with `toolkits`, those of them. */
  readonly tags?: readonly string[] | undefined;
  /** Tools that a full-text search finds; with `toolkits`, among theirs. */
  readonly search?: string | undefined;
  /** Maximum number of tools of `toolkits`, `tags` and `search`. */
  readonly limit?: number | undefined;
  /**
   * The parsed content of `svc.lock.json`: tools come in their locked versions. Without any other choice, all of its
   * tools.
   */
  readonly lock?: ToolLock | undefined;
  /** Version per toolkit slug. By default the client's own, then the service's. */
  readonly versions?: Versions | undefined;
}

/** A tool as a toolset stores it. */
export interface ToolRecord {
  /** The tool's slug. */
  readonly slug: string;
  readonly description: string;
  /** Slug of its toolkit. */
  readonly toolkit: string;
  /** The version that the schema is of. */
  readonly version: string;
  /** Hints such as `readOnlyHint`. */
  readonly tags: readonly string[];
  /** JSON Schema of the arguments. */
  readonly input_parameters: Json;
}

/** The service may return fewer per page. */
const PAGE_SIZE = 500;
/** As many slugs as fit into one request: servers limit the length of a URL. This leaves room for the rest of it. */
const SLUGS_OF_REQUEST = /[^,].{0,3999}(?=,|$)/gs;

/** Reads the chosen tools: one request per page, each tool once, in the order of the choice. */
export async function readTools(client: ToolClient, selection: ToolSelection): Promise<ToolRecord[]> {
  const { tools = [], toolkits, tags, search, limit = Number.POSITIVE_INFINITY, lock } = selection;
  const named = tools.filter(isString);
  const isFiltered = (toolkits ?? tags ?? search) !== undefined;
  if (!isFiltered && !lock && tools.length === 0) {
    throw new ConfigError("toolset: pass tools, toolkits, tags, search or lock.");
  }
  const slugs = named.length > 0 || isFiltered || !lock ? named : Object.keys(lock.tools);
  const versions = versionsOf(selection);
  const found = await namedTools(client, slugs, versions);
  const missing = slugs.filter((slug) => !found.has(slug));
  if (missing.length > 0) {
    throw new ConfigError(`toolset: the service has no tool ${missing.join(", ")}. Check its slug and version.`);
  }
  if (search === "") throw new ConfigError("toolset: search is empty.");
  // An empty list, as of a user without accounts, means no tools. Sent, it would mean all of them.
  if (isFiltered && toolkits?.length !== 0 && tags?.length !== 0) {
    const most = found.size + limit;
    const query: ListToolsQuery = {
      toolkit_slug: toolkits?.join(","),
      tags: tags && [...tags],
      query: search,
      include_deprecated: false,
      limit: Math.min(PAGE_SIZE, limit),
      toolkit_versions: versions,
    };
    for await (const tool of client.tools.list(query)) {
      if (!tool.is_deprecated && !found.has(tool.slug)) found.set(tool.slug, tool);
      // Before the next one is requested, which may be on the next page.
      if (found.size >= most) break;
    }
  }
  const chosen = [...new Set([...slugs, ...found.keys()])].flatMap((slug) => found.get(slug) ?? []);
  checkToolkits(selection, chosen);
  if (lock) for (const tool of chosen) checkLocked(tool, lock);
  return chosen.map(toRecord);
}

/** A misspelled toolkit would otherwise give the model no tools, and nobody would notice. A filter may match none. */
function checkToolkits({ toolkits = [], tags, search, limit }: ToolSelection, found: readonly Tool[]): void {
  const empty = toolkits.find((slug) => !found.some(({ toolkit }) => toolkit.slug === slug));
  if (empty === undefined || (tags ?? search ?? limit) !== undefined) return;
  throw new ConfigError(`toolset: the toolkit ${empty} has no tools. Is its slug right?`);
}

/** Reads the tools with these slugs. Those that don't exist are missing in the result. */
export async function readNamedTools(
  { tools }: Pick<ToolClient, "tools">,
  slugs: readonly string[],
  limits: CallLimits,
): Promise<ToolRecord[]> {
  const found = await namedTools(
    { tools: { list: (query) => tools.list(query, limits) } },
    // A comma in a slug would ask for other tools than this one.
    slugs.filter((slug) => /^\w+$/.test(slug)),
  );
  return [...found.values()].map(toRecord);
}

/** Version per toolkit slug. */
type Versions = Readonly<Record<string, string>>;

async function namedTools(
  client: { readonly tools: Pick<ToolClient["tools"], "list"> },
  slugs: readonly string[],
  versions?: Versions,
): Promise<Map<string, Tool>> {
  const found = new Map<string, Tool>();
  for (const batch of [...new Set(slugs)].join(",").match(SLUGS_OF_REQUEST) ?? []) {
    const query = { tool_slugs: batch, limit: PAGE_SIZE, toolkit_versions: versions };
    for await (const tool of client.tools.list(query)) if (slugs.includes(tool.slug)) found.set(tool.slug, tool);
  }
  return found;
}

/** Reads the tools of a session: those that its agent sees, or the named ones among them. */
export async function readSessionTools(session: ToolSession, selection: ToolSelection): Promise<ToolRecord[]> {
  const { tools = [], toolkits, tags, ...others } = selection;
  const unusable = (["search", "limit", "lock", "versions"] as const).find((name) => others[name] !== undefined);
  if (unusable) throw new ConfigError(`toolset: ${unusable} doesn't apply to a session. Configure the session.`);
  const named = tools.filter(isString);
  const isFiltered = (toolkits ?? tags) !== undefined;
  const found = new Map<string, Tool>();
  for await (const tool of session.tools({ limit: PAGE_SIZE })) {
    const isFound =
      (isFiltered || named.length === 0) &&
      !tool.is_deprecated &&
      (toolkits?.includes(tool.toolkit.slug) ?? true) &&
      (tags?.some((tag) => tool.tags.includes(tag)) ?? true);
    if (isFound || named.includes(tool.slug)) found.set(tool.slug, tool);
  }
  const missing = named.filter((slug) => !found.has(slug));
  if (missing.length > 0)
    throw new ConfigError(`toolset: the session doesn't list ${missing.join(", ")}. Preload it there.`);
  return [...found.values()].map(toRecord);
}

function versionsOf({ lock, versions }: ToolSelection): Versions {
  const locked = Object.entries(lock?.toolkits ?? {}).map(([slug, { version }]) => [slug, version] as const);
  return { ...Object.fromEntries(locked), ...versions };
}

function checkLocked({ slug, version }: Tool, { tools }: ToolLock): void {
  const { version: locked = "nothing" } = tools[slug] ?? {};
  if (locked === version) return;
  throw new ConfigError(
    `toolset: ${slug} isn't as locked: ${locked} in the lockfile, ${version} now. Run svc-sdk lock.`,
  );
}

function toRecord({ slug, description, toolkit, version, tags, input_parameters }: Tool): ToolRecord {
  return { slug, description, toolkit: toolkit.slug, version, tags, input_parameters };
}
