import type { Catalog } from "../catalog/catalog.js";
import type { ToolLock } from "../index.js";
import { digestsOf, type ToolDigests } from "./hash.js";

/** A difference between a lockfile and the service. */
export interface LockFinding {
  /**
   * `moved`: the locked version's schemas changed since it was locked. `gone`: the locked version no longer has the
   * tool. `changed`: the latest version has other schemas. `removed`: the latest version doesn't have the tool.
   * `reworded`: callers notice nothing, but a model reads another name, description, tag or schema text.
   */
  readonly kind: "moved" | "gone" | "changed" | "removed" | "reworded";
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
 * Finds the locked tools that the service serves differently now, or no longer.
 *
 * @param locked - The locked toolkits in their locked versions.
 * @param latest - The locked toolkits in their latest versions. Those that are still the locked ones aren't compared
 * twice.
 */
export async function checkLock(lock: ToolLock, locked: Catalog, latest?: Catalog): Promise<LockFinding[]> {
  const newer = latest ? await findingsIn(lock, latest) : [];
  return [...(await findingsIn(lock, locked)), ...newer.filter(({ version, seenIn }) => version !== seenIn)];
}

async function findingsIn(lock: ToolLock, served: Catalog): Promise<LockFinding[]> {
  const digests = await digestsIn(served);
  const versions = new Map(served.toolkits.map(({ slug, version }) => [slug, version]));
  return Object.entries(lock.tools).flatMap(([tool, { toolkit, version, hash, textHash }]): LockFinding[] => {
    const now = digests.get(tool);
    if (now?.hash === hash && now.textHash === textHash) return [];
    const seenIn = versions.get(toolkit) ?? version;
    const [missing, different] = seenIn === version ? (["gone", "moved"] as const) : (["removed", "changed"] as const);
    const kind = now?.hash === hash ? "reworded" : different;
    return [{ kind: now === undefined ? missing : kind, toolkit, tool, version, seenIn }];
  });
}

/** The digests of each tool, by slug. */
export async function digestsIn({ toolkits }: Catalog): Promise<ReadonlyMap<string, ToolDigests>> {
  const tools = toolkits.flatMap((toolkit) => toolkit.tools);
  return new Map(await Promise.all(tools.map(async (tool) => [tool.slug, await digestsOf(tool)] as const)));
}
