// The room of the tools themselves: read from the service, local, as locked, with the schemas that toolsets share. It
// imports `src/catalog`, `src/json-schema`, types of the package's main entry, and no room beside it. Start here, then
// `tool-service.ts`.

import type { ConfigError, ToolLockError } from "../../errors/local.js";
import type { ListToolsQuery, Svc, Tool, ToolLock, ToolRouterSessionHandle } from "../../index.js";
import { field, isString, type Json, mapMembers } from "../../shared/json.js";
import { ensure, ensureKnown } from "../ensure.js";
import type { CallLimits } from "../run-options.js";
import type { LocalTool } from "./local-tool.js";
import { isReadableTool, unreadableToolError } from "./readable-tools.js";

/** The part of a client that a toolset uses. */
export interface ToolClient {
  /** Lists and runs tools. */
  readonly tools: Pick<Svc["tools"], "list" | "execute"> &
    Partial<Pick<Svc["tools"], "listSlugs" | "toolVersions" | "settle">>;
  /** Lists toolkits, for the message if a toolkit doesn't exist. */
  readonly toolkits?: Pick<Svc["toolkits"], "list">;
  /** Uploads and downloads files. */
  readonly files?: Pick<Svc["files"], "upload" | "download">;
  /** Creates links to connect accounts, and reads the account of an approval. */
  readonly connectedAccounts?: Pick<Svc["connectedAccounts"], "link" | "list">;
  /** Finds the auth config of a link. */
  readonly authConfigs?: Pick<Svc["authConfigs"], "list">;
}

/** The part of an agent session that a toolset uses. */
export type ToolSession = Pick<ToolRouterSessionHandle, "id" | "tools" | "execute" | "executeMeta" | "link"> &
  Partial<Pick<ToolRouterSessionHandle, "settle">> & {
    /** The session's record, with its user. Missing if the session was opened by its id alone. */
    readonly record?: { readonly config: { readonly user_id: string } } | undefined;
  };

/** Which tools a toolset contains. */
export interface ToolSelection {
  /** Slugs of tools, and local tools. */
  readonly tools?: readonly (string | LocalTool)[] | undefined;
  /** Tools of these toolkits. */
  readonly toolkits?: readonly string[] | undefined;
  /** Only tools with at least one of these tags. Combine with `toolkits` to narrow further. */
  readonly tags?: readonly string[] | undefined;
  /** Tools that a full-text search finds. Combine with `toolkits` to narrow further. */
  readonly search?: string | undefined;
  /** Maximum number of tools of `toolkits`, `tags` and `search`. */
  readonly limit?: number | undefined;
  /**
   * The parsed content of `svc.lock.json`: tools are read in their locked versions. If no other option chooses tools,
   * the toolset has all locked tools. A session chooses versions itself, so its tools must match the lockfile.
   */
  readonly lock?: ToolLock | undefined;
  /**
   * The reaction to a tool that doesn't match the lockfile or isn't in it. `throw`: `toolset()` throws. `omit`: the
   * tool is omitted, and `onEvent` receives an `omitted` event with the difference.
   * @default "throw"
   */
  readonly onLockMismatch?: "throw" | "omit" | undefined;
  /**
   * Version per toolkit slug. Replaces all versions of the client. By default, the client's versions apply, including
   * versions per tool, then the service's.
   */
  readonly versions?: VersionBySlug | undefined;
}

export interface ReadSelection extends ToolSelection {
  readonly signal?: AbortSignal | undefined;
  readonly onOmitted?: (error: ToolLockError | ConfigError, tool: Pick<Tool, "slug" | "toolkit">) => void;
}

/** A tool as a toolset stores it. */
export interface ToolRecord {
  /** The tool's slug. */
  readonly slug: string;
  readonly description: string;
  /** Slug of its toolkit. */
  readonly toolkit: string;
  /** The version of the schema. */
  readonly version: string;
  /** Hints such as `readOnlyHint`. */
  readonly tags: readonly string[];
  /** JSON Schema of the arguments. */
  readonly input_parameters: Json;
  /** JSON Schema of the result. Snapshots of earlier versions have none. */
  readonly output_parameters?: Json | undefined;
  /** True if it needs no connected account. */
  readonly no_auth?: boolean | undefined;
}

/** The service may return fewer per page. */
const PAGE_SIZE = 500;
/** As many slugs as fit into one request: servers limit the length of a URL. This leaves room for the rest of it. */
const SLUGS_OF_REQUEST = /[^,].{0,3999}(?=,|$)/gs;

/** Reads the chosen tools: one request per page, each tool once, in the order of the choice. */
export async function readTools(client: ToolClient, selection: ReadSelection): Promise<ToolRecord[]> {
  const { tools = [], toolkits, tags, search, limit = Number.POSITIVE_INFINITY, lock, signal } = selection;
  const named = tools.filter(isString);
  const isFiltered = (toolkits ?? tags ?? search) !== undefined;
  ensure(search !== "" && (isFiltered || lock || tools.length > 0), "pass tools, toolkits, tags, search or lock.");
  const slugs = lock && !isFiltered && named.length === 0 ? Object.keys(lock.tools) : named;
  const versions = versionsOf(selection);
  const found = await namedTools(client, slugs, versions, { signal });
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
    for await (const tool of countedTools(client.tools.list(query, { signal }))) {
      if (!tool.is_deprecated && !found.has(tool.slug)) found.set(tool.slug, tool);
      // Before the next one is requested, which may be on the next page.
      if (found.size >= most) break;
    }
  }
  const chosen: Tool[] = [];
  for (const slug of new Set([...slugs, ...found.keys()])) {
    // A list has one version per toolkit, so it doesn't apply the client's versions of single tools.
    const pinned = versions ? undefined : client.tools.toolVersions?.get(slug);
    let tool = found.get(slug);
    if (pinned && pinned !== tool?.version) tool = (await namedTools(client, [slug], pinned, { signal })).get(slug);
    if (!tool && slugs.includes(slug)) {
      ensureKnown([slug], [], "tool", false, false, await existingTools(client.tools.listSlugs?.()));
    }
    if (tool) chosen.push(tool);
  }
  return recordsOf(chosen, selection, false);
}

/** The most tools of a list, even if some arrive again: a list whose pages never end would use all memory. */
const MOST_READ = 100_000;

/** @throws {ConfigError} after too many tools. */
async function* countedTools(tools: AsyncIterable<Tool>): AsyncGenerator<Tool> {
  let count = 0;
  for await (const tool of tools) {
    count += 1;
    ensure(count <= MOST_READ, `the service lists more than ${MOST_READ} tools. Choose toolkits, or fewer of them.`);
    yield tool;
  }
}

/** Names for the message about one that doesn't exist. None if they can't be read: the message is worth more. */
export async function existingTools<Name>(names: PromiseLike<readonly Name[]> | undefined): Promise<readonly Name[]> {
  try {
    return (await names) ?? [];
  } catch {
    return [];
  }
}

/** The records of tools that can be read and, if there is a lock, are as they were locked. */
async function recordsOf(tools: readonly Tool[], selection: ReadSelection, isSession: boolean) {
  const readable = tools.filter((tool) => {
    if (isReadableTool(tool)) return true;
    const error = unreadableToolError(tool.slug);
    console.warn(error.message);
    selection.onOmitted?.(error, tool);
    return false;
  });
  // Only toolsets with a lock load it.
  const checked = selection.lock
    ? await (await import("./locked-tools.js")).lockedTools(readable, selection, isSession)
    : readable;
  return checked.map(toRecord);
}

/**
 * Reads the tools with these slugs as a session runs them: in their latest versions, whatever the client's are. Those
 * that don't exist are missing in the result.
 */
export async function readNamedTools(
  { tools }: Pick<ToolClient, "tools">,
  slugs: readonly string[],
  limits: CallLimits,
): Promise<ToolRecord[]> {
  // A comma in a slug would ask for several tools.
  const single = slugs.filter((slug) => /^\w+$/.test(slug));
  const found = await namedTools({ tools }, single, "latest", limits);
  return [...found.values()].filter(isReadableTool).map(toRecord);
}

/** Version per toolkit slug. */
type VersionBySlug = Readonly<Record<string, string>>;

async function namedTools(
  client: { readonly tools: Pick<ToolClient["tools"], "list"> },
  slugs: readonly string[],
  versions: ListToolsQuery["toolkit_versions"],
  limits: CallLimits,
): Promise<Map<string, Tool>> {
  const found = new Map<string, Tool>();
  for (const batch of [...new Set(slugs)].join(",").match(SLUGS_OF_REQUEST) ?? []) {
    const query = { tool_slugs: batch, limit: PAGE_SIZE, toolkit_versions: versions };
    for await (const tool of countedTools(client.tools.list(query, limits)))
      if (slugs.includes(tool.slug)) found.set(tool.slug, tool);
  }
  return found;
}

/** Reads the tools of a session: those that its agent sees, or the named ones among them. */
export async function readSessionTools(session: ToolSession, selection: ReadSelection): Promise<ToolRecord[]> {
  const { tools = [], toolkits, tags, signal } = selection;
  const named = tools.filter(isString);
  const isFiltered = (toolkits ?? tags) !== undefined;
  const found = new Map<string, Tool>();
  const listed: string[] = [];
  for await (const tool of countedTools(session.tools({ limit: PAGE_SIZE }, { signal }))) {
    const isFound =
      (isFiltered || named.length === 0) &&
      !tool.is_deprecated &&
      (toolkits?.includes(tool.toolkit.slug) ?? true) &&
      (tags?.some((tag) => tool.tags.includes(tag)) ?? true);
    if (isFound || named.includes(tool.slug)) found.set(tool.slug, tool);
    listed.push(tool.slug);
  }
  ensureKnown(named, listed, "tool", true);
  return recordsOf([...found.values()], selection, true);
}

/** `undefined` unless versions were chosen: then the client's own apply. */
function versionsOf({ lock, versions }: ToolSelection): VersionBySlug | undefined {
  return lock ? { ...Object(mapMembers(lock.toolkits, (locked) => field(locked, "version"))), ...versions } : versions;
}

function toRecord(tool: Tool): ToolRecord {
  const { slug, description, toolkit, version, tags, input_parameters, output_parameters, no_auth } = tool;
  return { slug, description, toolkit: toolkit.slug, version, tags, input_parameters, output_parameters, no_auth };
}
