import type { Catalogue, CatalogueTool } from "../catalogue/catalogue.js";
import type { LockedTool, ToolLock } from "../index.js";
import { hashesOf } from "./check-lock.js";
import { diffSchemas } from "./diff-schemas.js";
import type { SchemaChange } from "./schema-change.js";

/** What became of one tool. */
export interface ToolDiff {
  readonly slug: string;
  /** Slug of the toolkit. */
  readonly toolkit: string;
  /**
   * `unknown`: the schemas it was locked with are no longer served under its version, so only their hash is known. `rewritten`:
   * other words for the same: nothing that a caller or reader could notice.
   */
  readonly change: "added" | "removed" | "changed" | "rewritten" | "unknown";
  /** The locked version. Absent for a new tool. */
  readonly from?: string;
  /** The latest version. Absent for one that has gone. */
  readonly to?: string;
  /** It became deprecated. */
  readonly becameDeprecated: boolean;
  /** What changed for callers. */
  readonly input: readonly SchemaChange[];
  /** What changed for readers of results. */
  readonly output: readonly SchemaChange[];
  /** Whether programs written for the locked version may not work any more. What is unknown counts as breaking. */
  readonly breaks: boolean;
}

/**
 * Compares a lock with the latest state of its toolkits. Tools that did not change are left out.
 *
 * @param known - Catalogues in which the locked schemas may be found: those whose hash is the locked one are taken.
 */
export async function diffLock(lock: ToolLock, known: readonly Catalogue[], latest: Catalogue): Promise<ToolDiff[]> {
  const before = await lockedTools(lock, known);
  const after = new Map(latest.toolkits.flatMap(({ tools }) => tools.map((tool) => [tool.slug, tool] as const)));
  const hashes = await hashesOf(latest);
  const ofLocked = Object.entries(lock.tools).flatMap(([slug, locked]) => {
    if (hashes.get(slug) === locked.hash && before.get(slug)?.is_deprecated === after.get(slug)?.is_deprecated)
      return [];
    return [lockedDiff(slug, locked, before.get(slug), after.get(slug))];
  });
  const fresh = latest.toolkits.flatMap(({ slug: toolkit, tools }) =>
    tools.filter(({ slug }) => !Object.hasOwn(lock.tools, slug)).map((tool) => addedDiff(toolkit, tool)),
  );
  return [...ofLocked, ...fresh].sort((one, other) => (one.slug < other.slug ? -1 : 1));
}

/** The tools as they were locked, as far as one of the catalogues still has them. */
async function lockedTools(lock: ToolLock, known: readonly Catalogue[]): Promise<ReadonlyMap<string, CatalogueTool>> {
  const found = new Map<string, CatalogueTool>();
  for (const catalogue of known) {
    const hashes = await hashesOf(catalogue);
    for (const tool of catalogue.toolkits.flatMap(({ tools }) => tools)) {
      const locked = Object.hasOwn(lock.tools, tool.slug) ? lock.tools[tool.slug] : undefined;
      if (locked?.hash === hashes.get(tool.slug)) found.set(tool.slug, tool);
    }
  }
  return found;
}

const UNCHANGED = { becameDeprecated: false, input: [], output: [] };

function addedDiff(toolkit: string, { slug, version }: CatalogueTool): ToolDiff {
  return { slug, toolkit, change: "added", to: version, ...UNCHANGED, breaks: false };
}

function lockedDiff(
  slug: string,
  { toolkit, version: from }: LockedTool,
  before: CatalogueTool | undefined,
  after: CatalogueTool | undefined,
): ToolDiff {
  if (!after) return { slug, toolkit, change: "removed", from, ...UNCHANGED, breaks: true };
  const to = after.version;
  if (!before) return { slug, toolkit, change: "unknown", from, to, ...UNCHANGED, breaks: true };
  const input = diffSchemas(before.input_parameters, after.input_parameters, "input");
  const output = diffSchemas(before.output_parameters, after.output_parameters, "output");
  const becameDeprecated = after.is_deprecated && !before.is_deprecated;
  const isSame = input.length + output.length === 0 && !becameDeprecated;
  const breaks = [...input, ...output].some((change) => change.breaks);
  return { slug, toolkit, change: isSame ? "rewritten" : "changed", from, to, becameDeprecated, input, output, breaks };
}
