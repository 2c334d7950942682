import type { Catalog, CatalogToolkit } from "../catalog/catalog.js";
import { readCatalog } from "../catalog/read-catalog.js";
import { NotFoundError, type Svc, SvcError, type ToolLock } from "../index.js";

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
    const { version } = (await svc.toolkits.get(slug)).meta;
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
  return { snapshot: 1, toolkits: found.flat() };
}

function isNotFound(error: unknown): boolean {
  return error instanceof NotFoundError || (error instanceof SvcError && error.cause instanceof NotFoundError);
}
