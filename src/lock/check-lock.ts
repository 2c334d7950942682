import type { Catalogue } from "../catalogue/catalogue.js";
import type { ToolLock } from "../index.js";
import { hashOf } from "./hash.js";

/** One way in which a lock and the service differ. */
export interface LockFinding {
  /**
   * `moved`: the tool has other schemas than when it was locked, under the same version. `gone`: the locked version has no such
   * tool any more. `outdated`: the toolkit has a newer version.
   */
  readonly kind: "moved" | "gone" | "outdated";
  /** Slug of the toolkit. */
  readonly toolkit: string;
  /** Slug of the tool; absent for a toolkit. */
  readonly tool?: string;
  /** The version in the lock. */
  readonly version: string;
  /** The newer version. */
  readonly latest?: string;
}

/**
 * Finds where the service's locked versions are not what was locked.
 *
 * @param served - The lock's toolkits in their locked versions, as the service has them now.
 */
export async function checkLock(lock: ToolLock, served: Catalogue): Promise<LockFinding[]> {
  const hashes = await hashesOf(served);
  return Object.entries(lock.tools).flatMap(([tool, { toolkit, version, hash }]): LockFinding[] => {
    const now = hashes.get(tool);
    if (now === hash) return [];
    return [{ kind: now === undefined ? "gone" : "moved", toolkit, tool, version }];
  });
}

/** Finds the toolkits that have newer versions than the locked ones. */
export function findOutdated({ toolkits }: ToolLock, latest: ReadonlyMap<string, string>): LockFinding[] {
  return Object.entries(toolkits).flatMap(([toolkit, { version }]): LockFinding[] => {
    const newest = latest.get(toolkit);
    return newest === undefined || newest === version ? [] : [{ kind: "outdated", toolkit, version, latest: newest }];
  });
}

/** The hash of each tool, by slug. */
export async function hashesOf({ toolkits }: Catalogue): Promise<ReadonlyMap<string, string>> {
  const tools = toolkits.flatMap((toolkit) => toolkit.tools);
  return new Map(await Promise.all(tools.map(async (tool) => [tool.slug, await hashOf(tool)] as const)));
}
