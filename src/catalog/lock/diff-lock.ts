import type { LockedTool, ToolLock } from "../../index.js";
import { canonicalJson } from "../../shared/canonical-json.js";
import type { Catalog, CatalogTool } from "../catalog.js";
import { diffSchemas, type SchemaChange } from "./diff-schemas.js";
import {
  accessOf,
  digestsOf,
  type LockableTool,
  placesIn,
  type ReadableText,
  readableText,
  type ToolDigests,
  textDiff,
} from "./hash.js";
import { textWarnings } from "./text-warnings.js";

/** A difference between a lockfile and the service. */
export interface LockFinding {
  /**
   * `moved`: the locked version's schemas or access changed since it was locked. `gone`: the locked version no longer
   * has the tool. `changed`: the latest version has others. `removed`: the latest version doesn't have the tool.
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

/** Slugs of the tools that these catalogs have and the lockfile doesn't, which no check compares. */
export function unlockedTools({ tools: locked }: ToolLock, served: readonly Catalog[]): string[] {
  const tools = served.flatMap(({ toolkits }) => toolkits).flatMap(({ tools }) => tools);
  return [...new Set(tools.map(({ slug }) => slug))].filter((slug) => !Object.hasOwn(locked, slug)).sort();
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

async function digestsIn({ toolkits }: Catalog): Promise<ReadonlyMap<string, ToolDigests>> {
  const tools = toolkits.flatMap((toolkit) => toolkit.tools);
  return new Map(await Promise.all(tools.map(async (tool) => [tool.slug, await digestsOf(tool)] as const)));
}

/** The difference between a locked tool and its latest version. */
export interface ToolDiff {
  readonly slug: string;
  /** Slug of the toolkit. */
  readonly toolkit: string;
  /**
   * `unknown`: the service no longer serves the locked schemas, so only their hash is known. `rewritten`: other schemas
   * with the same meaning, so callers and readers notice nothing. `reworded`: the same schemas for callers, with other
   * text for models.
   */
  readonly change: "added" | "removed" | "changed" | "rewritten" | "reworded" | "unknown";
  /** The locked version. Absent for a new tool. */
  readonly from?: string;
  /** The latest version. Absent for a removed tool. */
  readonly to?: string;
  /** Whether it is deprecated now and wasn't before. */
  readonly becameDeprecated: boolean;
  /** Changes for callers. */
  readonly input: readonly SchemaChange[];
  /** Changes for readers of results. */
  readonly output: readonly SchemaChange[];
  /** Changes of the scopes that it needs, and of whether it needs an account. */
  readonly access: readonly SchemaChange[];
  /** Changes of the text that a model reads: a line for each old and each new text, hidden characters escaped. */
  readonly text: readonly string[];
  /** Places of new or changed text with hidden characters, or with more text than a person reads. */
  readonly warnings: readonly string[];
  /** Whether programs written for the locked version may fail. What is unknown counts as breaking. */
  readonly breaks: boolean;
}

/** Whether a model reads something else than before, even if other changes break nothing. */
export function isReworded({ change, text }: ToolDiff): boolean {
  // Without the locked schemas, the text that differs isn't known.
  return change === "reworded" || text.length > 0;
}

/**
 * Compares a lockfile with the latest versions of its toolkits. Unchanged tools are omitted.
 *
 * @param known - Catalogs that may contain the locked schemas, recognized by their hash.
 */
export async function diffLock(lock: ToolLock, known: readonly Catalog[], latest: Catalog): Promise<ToolDiff[]> {
  const before = await lockedTools(lock, known);
  const after = new Map(latest.toolkits.flatMap(({ tools }) => tools.map((tool) => [tool.slug, tool] as const)));
  const digests = await digestsIn(latest);
  const ofLocked = Object.entries(lock.tools).flatMap(([slug, locked]): ToolDiff[] => {
    const [old, fresh, now] = [before.get(slug), after.get(slug), digests.get(slug)];
    const isSame = now?.hash === locked.hash && now.textHash === locked.textHash;
    const becameDeprecated = isNewlyDeprecated(old, fresh);
    if (isSame && !becameDeprecated) return [];
    if (fresh && now?.hash === locked.hash && !isSame) {
      const { toolkit, version: from } = locked;
      const text = old ? textDiff(wordsOf(old), wordsOf(fresh)) : [];
      const warnings = textWarnings(locked.text ?? {}, readableText(fresh));
      const news = { ...UNCHANGED, becameDeprecated, text, warnings };
      return [{ slug, toolkit, change: "reworded", from, to: fresh.version, ...news, breaks: false }];
    }
    return [lockedDiff(slug, locked, old, fresh)];
  });
  const added = latest.toolkits.flatMap(({ slug: toolkit, tools }) =>
    tools
      .filter(({ slug }) => !Object.hasOwn(lock.tools, slug))
      .map((tool): ToolDiff => {
        const warnings = textWarnings({}, readableText(tool));
        const { slug, version: to } = tool;
        return { slug, toolkit, change: "added", to, ...UNCHANGED, warnings, breaks: false };
      }),
  );
  return [...ofLocked, ...added].sort((left, right) => (left.slug < right.slug ? -1 : 1));
}

/** The tools as they were locked, if a catalog still has them. */
async function lockedTools(lock: ToolLock, known: readonly Catalog[]): Promise<ReadonlyMap<string, CatalogTool>> {
  const found = new Map<string, CatalogTool>();
  for (const catalog of known) {
    const digests = await digestsIn(catalog);
    for (const tool of catalog.toolkits.flatMap(({ tools }) => tools)) {
      const locked = Object.hasOwn(lock.tools, tool.slug) ? lock.tools[tool.slug] : undefined;
      const now = digests.get(tool.slug);
      if (locked && locked.hash === now?.hash && locked.textHash === now.textHash) found.set(tool.slug, tool);
    }
  }
  return found;
}

/** Without the locked tool, it isn't known. */
function isNewlyDeprecated(before: CatalogTool | undefined, after: CatalogTool | undefined): boolean {
  return before?.is_deprecated === false && after?.is_deprecated === true;
}

const UNCHANGED = { becameDeprecated: false, input: [], output: [], access: [], text: [], warnings: [] };

function lockedDiff(
  slug: string,
  { toolkit, version: from, text: lockedText = {} }: LockedTool,
  before: CatalogTool | undefined,
  after: CatalogTool | undefined,
): ToolDiff {
  if (!after) return { slug, toolkit, change: "removed", from, ...UNCHANGED, breaks: true };
  const to = after.version;
  const warnings = textWarnings(lockedText, readableText(after));
  if (!before) return { slug, toolkit, change: "unknown", from, to, ...UNCHANGED, warnings, breaks: true };
  const input = diffSchemas(before.input_parameters, after.input_parameters, "input");
  const output = diffSchemas(before.output_parameters, after.output_parameters, "output");
  const access = diffAccess(before, after);
  const becameDeprecated = isNewlyDeprecated(before, after);
  const changes = [...input, ...output, ...access];
  const isSame = changes.length === 0 && !becameDeprecated;
  const breaks = changes.some((change) => change.breaks);
  const change = isSame ? "rewritten" : "changed";
  const text = textDiff(wordsOf(before), wordsOf(after));
  return { slug, toolkit, change, from, to, becameDeprecated, input, output, access, text, warnings, breaks };
}

/** The words of a tool: everything else in the schemas is compared by its meaning. */
function wordsOf({ name, description, tags, input_parameters, output_parameters }: CatalogTool): ReadableText {
  const places = { ...placesIn(input_parameters, "input"), ...placesIn(output_parameters, "output") };
  const words = Object.entries(places).filter(([place]) => WORDS.test(place));
  return { name, description, tags: tags?.toSorted(), ...Object.fromEntries(words) };
}

const WORDS = /\.(title|description|examples?|\$comment)(\.\d+)?$/;

/**
 * Lists the changes of the access that a tool needs. More scopes break callers whose accounts don't have them. A tool
 * that needs an account, or no longer needs one, breaks them too: its calls run with another identity.
 */
function diffAccess(before: LockableTool, after: LockableTool): SchemaChange[] {
  if (canonicalJson(accessOf(before)) === canonicalJson(accessOf(after))) return [];
  const changes: SchemaChange[] = [];
  if (!before.no_auth !== !after.no_auth) {
    const text = after.no_auth ? "can now be called without an account" : "now needs a connected account";
    changes.push({ path: "", kind: after.no_auth ? "loosened" : "narrowed", text, breaks: true });
  }
  const [were, are] = [requirementsOf(before), requirementsOf(after)];
  for (const scopes of are.filter((needed) => !isImplied(needed, were))) {
    changes.push({ path: "", kind: "narrowed", text: `now needs ${scopes.join(" or ")}`, breaks: true });
  }
  for (const scopes of were.filter((needed) => !isImplied(needed, are))) {
    changes.push({ path: "", kind: "loosened", text: `no longer needs ${scopes.join(" or ")}`, breaks: false });
  }
  // Without a change of the requirements, the flat list may still have another scope.
  const added = (after.scopes ?? []).filter((scope) => !before.scopes?.includes(scope));
  if (changes.length === 0 && added.length > 0) {
    changes.push({ path: "", kind: "narrowed", text: `now lists ${added.join(" and ")}`, breaks: true });
  }
  if (changes.length > 0) return changes;
  return [{ path: "", kind: "noted", text: "has the same scopes, listed differently", breaks: false }];
}

/** The scopes that a tool needs: one of each list. An entry of an unknown form stands for itself. */
function requirementsOf({ scopes = [], scope_requirements }: LockableTool): string[][] {
  return (scope_requirements?.all_of ?? scopes).map((entry) => {
    if (typeof entry === "string") return [entry];
    const { any_of } = Object(entry);
    return Array.isArray(any_of) ? any_of.map(String) : [canonicalJson(entry)];
  });
}

/** Whether an account that meets these requirements has one of the scopes. */
function isImplied(scopes: readonly string[], requirements: readonly (readonly string[])[]): boolean {
  return requirements.some((alternatives) => alternatives.every((scope) => scopes.includes(scope)));
}
