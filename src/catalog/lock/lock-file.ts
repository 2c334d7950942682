// The room of the lockfile: what a lock contains, what has changed since, and the report of it. It imports the
// package's main entry, `src/client`, which also checks locks, and `src/json-schema` to compare schemas. Start here,
// then `diff-lock.ts`.

import { lockProblems } from "../../client/middleware/tool-lock.js";
import { ConfigError, type LockedTool, NotFoundError, type Svc, SvcError, type ToolLock } from "../../index.js";
import { escapeHidden } from "../../shared/hidden-text.js";
import { LOCK_FORMAT } from "../../shared/lock-format.js";
import { CATALOG_FORMAT, type Catalog, type CatalogTool, type CatalogToolkit } from "../catalog.js";
import { findToolkit, readCatalog } from "../read-catalog.js";
import { digestsOf, readableText } from "./hash.js";

/** Locks every tool of a catalog to its version and schemas. */
export async function makeLock({ toolkits }: Catalog): Promise<ToolLock> {
  const tools = await Promise.all(
    toolkits.flatMap(({ slug: toolkit, tools: listed }) =>
      listed.map(async (tool) => [tool.slug, await lockTool(toolkit, tool)] as const),
    ),
  );
  return {
    formatVersion: LOCK_FORMAT,
    toolkits: sortedRecord(toolkits.map(({ slug, version }) => [slug, { version }] as const)),
    tools: sortedRecord(tools),
  };
}

export async function lockTool(toolkit: string, tool: CatalogTool): Promise<LockedTool> {
  return { toolkit, version: tool.version, ...(await digestsOf(tool)), text: readableText(tool) };
}

/**
 * Checks that a value is a lockfile.
 *
 * @param source - The file or other source, for the message.
 * @throws {ConfigError} with the first invalid place.
 */
export function toLock(value: unknown, source: string): ToolLock {
  const [problem] = lockProblems(value, source);
  if (problem !== undefined) throw new ConfigError(problem);
  // lockProblems compared it with the type, entry by entry.
  return value as ToolLock;
}

/** The content of a lockfile. The same lock always has the same bytes. */
export function lockText({ formatVersion, toolkits, tools }: ToolLock): string {
  const ordered = {
    formatVersion,
    toolkits: sortedRecord(Object.entries(toolkits)),
    tools: sortedRecord(Object.entries(tools)),
  };
  return `${escapeHidden(JSON.stringify(ordered, null, 2))}\n`;
}

/** Sorts by code units, the same in every locale. */
function sortedRecord<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Reads the toolkits of a lockfile in their locked versions. Skips those that the service no longer has. */
export function readLocked(svc: Svc, lock: ToolLock): Promise<Catalog> {
  return readEach(lock, async (slug, version) => {
    const versions = { [slug]: version };
    return (await readCatalog(svc, { toolkits: [slug], versions })).toolkits;
  });
}

/**
 * Reads the toolkits of a lockfile in their latest versions. Skips those that the service no longer has.
 *
 * @param locked - The same toolkits in their locked versions. Those that are still the latest aren't read again.
 * Assumption A10.
 */
export function readLatest(svc: Svc, lock: ToolLock, locked: Catalog): Promise<Catalog> {
  return readEach(lock, async (slug) => {
    const { version } = (await findToolkit(svc, slug)).meta;
    const known = locked.toolkits.filter((toolkit) => toolkit.slug === slug && toolkit.version === version);
    if (known.length > 0) return known;
    return (await readCatalog(svc, { toolkits: [slug], versions: { [slug]: version } })).toolkits;
  });
}

async function readEach(
  { toolkits }: ToolLock,
  read: (slug: string, version: string) => Promise<readonly CatalogToolkit[]>,
): Promise<Catalog> {
  const found = await Promise.all(
    Object.entries(toolkits).map(async ([slug, { version }]) => {
      try {
        return await read(slug, version);
      } catch (error) {
        if (isNotFound(error)) return [];
        throw error;
      }
    }),
  );
  return { formatVersion: CATALOG_FORMAT, toolkits: found.flat() };
}

function isNotFound(error: unknown): boolean {
  return error instanceof NotFoundError || (error instanceof SvcError && error.cause instanceof NotFoundError);
}
