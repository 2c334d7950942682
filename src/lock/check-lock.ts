import type { Catalogue } from "../catalogue/catalogue.js";
import type { ToolLock } from "../index.js";
import { hashOf } from "./hash.js";

/** One way in which a lock and the service differ. */
export interface LockFinding {
  /**
   * `moved`: the locked version has other schemas than when it was locked. `gone`: the locked version has no such tool any more.
   * `changed`: the latest version has other schemas. `removed`: the latest version has no such tool.
   */
  readonly kind: "moved" | "gone" | "changed" | "removed";
  /** Slug of the toolkit. */
  readonly toolkit: string;
  /** Slug of the tool. */
  readonly tool: string;
  /** The locked version. */
  readonly version: string;
  /** The version of the toolkit in which it differs: the locked one, or the latest. */
  readonly seenIn: string;
}

/**
 * Finds where the service's locked versions are not what was locked.
 *
 * @param served - The lock's toolkits in their locked versions, as the service has them now.
 */
export async function findMoved(lock: ToolLock, served: Catalogue): Promise<LockFinding[]> {
  const hashes = await hashesOf(served);
  return Object.entries(lock.tools).flatMap(([tool, { toolkit, version, hash }]): LockFinding[] => {
    const now = hashes.get(tool);
    if (now === hash) return [];
    return [{ kind: now === undefined ? "gone" : "moved", toolkit, tool, version, seenIn: version }];
  });
}

/**
 * Finds the locked tools that newer versions changed or removed.
 *
 * @param latest - The lock's toolkits in their latest versions.
 */
export async function findOutdated(lock: ToolLock, latest: Catalogue): Promise<LockFinding[]> {
  const hashes = await hashesOf(latest);
  const versions = new Map(latest.toolkits.map(({ slug, version }) => [slug, version]));
  return Object.entries(lock.tools).flatMap(([tool, { toolkit, version, hash }]): LockFinding[] => {
    const seenIn = versions.get(toolkit);
    const now = hashes.get(tool);
    if (seenIn === undefined || seenIn === version || now === hash) return [];
    return [{ kind: now === undefined ? "removed" : "changed", toolkit, tool, version, seenIn }];
  });
}

/** The hash of each tool, by slug. */
export async function hashesOf({ toolkits }: Catalogue): Promise<ReadonlyMap<string, string>> {
  const tools = toolkits.flatMap((toolkit) => toolkit.tools);
  return new Map(await Promise.all(tools.map(async (tool) => [tool.slug, await hashOf(tool)] as const)));
}
