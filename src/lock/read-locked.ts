import type { Catalogue } from "../catalogue/catalogue.js";
import { readCatalogue } from "../catalogue/read-catalogue.js";
import { NotFoundError, type Svc, SvcError, type ToolLock } from "../index.js";

/** Which state of the locked toolkits to read. */
export type LockedState = "locked" | "latest";

/**
 * Reads the toolkits of a lock, in their locked versions or in the latest ones. A toolkit or version that the service does not
 * have any more is left out.
 */
export async function readLocked(svc: Svc, lock: ToolLock, state: LockedState): Promise<Catalogue> {
  const read = await Promise.all(
    Object.entries(lock.toolkits).map(async ([slug, { version }]) => {
      const versions = state === "locked" ? { [slug]: version } : {};
      try {
        return (await readCatalogue(svc, { toolkits: [slug], versions })).toolkits;
      } catch (error) {
        if (error instanceof SvcError && error.cause instanceof NotFoundError) return [];
        throw error;
      }
    }),
  );
  return { snapshot: 1, toolkits: read.flat() };
}

/** The latest version of each toolkit of a lock, as the service says; without those that are gone. See assumption A10. */
export async function latestVersions(svc: Svc, lock: ToolLock): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    Object.keys(lock.toolkits).map(async (slug) => {
      try {
        return [[slug, (await svc.toolkits.get(slug)).meta.version] as const];
      } catch (error) {
        if (error instanceof NotFoundError) return [];
        throw error;
      }
    }),
  );
  return new Map(found.flat());
}
