import type { Catalog } from "../catalog/catalog.js";
import type { ToolLock } from "../index.js";
import { hashOf } from "./hash.js";

/** A difference between a lockfile and the service. */
export interface LockFinding {
  /**
   * `moved`: the locked version has other schemas than when it was locked. `gone`: the locked version no longer has the
   * tool. `changed`: the latest version has other schemas. `removed`: the latest version doesn't have the tool.
   */
  readonly kind: "moved" | "gone" | "changed" | "removed";
  /** Slug of the toolkit. */
  readonly toolkit: string;
  /** Slug of the tool. */
  readonly tool: string;
  /** The locked version. */
  readonly version: string;
  /** The version of the toolkit that differs: the locked one or the latest. */
  readonly seenIn: string;
}

/**
 * Finds the tools that the service no longer serves as they were locked.
 *
 * @param served - The locked toolkits in their locked versions, as the service has them now.
 */
export async function findMoved(lock: ToolLock, served: Catalog): Promise<LockFinding[]> {
  const hashes = await hashesOf(served);
  return Object.entries(lock.tools).flatMap(([tool, { toolkit, version, hash }]): LockFinding[] => {
    const now = hashes.get(tool);
    if (now === hash) return [];
    return [{ kind: now === undefined ? "gone" : "moved", toolkit, tool, version, seenIn: version }];
  });
}

/**
 * Finds the locked tools that the latest versions changed or removed.
 *
 * @param latest - The locked toolkits in their latest versions.
 */
export async function findOutdated(lock: ToolLock, latest: Catalog): Promise<LockFinding[]> {
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
export async function hashesOf({ toolkits }: Catalog): Promise<ReadonlyMap<string, string>> {
  const tools = toolkits.flatMap((toolkit) => toolkit.tools);
  return new Map(await Promise.all(tools.map(async (tool) => [tool.slug, await hashOf(tool)] as const)));
}
