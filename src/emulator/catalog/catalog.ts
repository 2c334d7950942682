// The room of the emulator's catalog: definitions of toolkits, their versions and the meta tools, and sample values for
// schemas. Built-in toolkits are in `toolkits/`, the endpoints of toolkits in `emulator/toolkits`. It imports
// `src/contract`, `src/json-schema` and `src/resources`, and no room beside it. Start here, then `definitions.ts`.

import { ConfigError } from "../../errors/local.js";
import { seedOf } from "../../shared/random.js";
import { DATED_VERSION } from "../../shared/tools.js";
import type { Publication, ToolVersionFields } from "./catalog-schema.js";
import { wrongFields } from "./definition-fields.js";
import type { ToolDefinition, ToolkitDefinition } from "./definitions.js";

/** The version every tool had before versioning. Spec: Versioning. */
export const PINNED_VERSION = "00000000_00";

/** A tool in one version, with what its record shows of its toolkit. */
export interface ListedTool {
  readonly toolkit: Pick<ToolkitDefinition, "slug" | "name" | "auth">;
  readonly tool: Pick<ToolDefinition, "slug" | "name">;
  readonly version: string;
  /** Every version that has it, oldest first. */
  readonly versions: readonly string[];
  readonly facts: ToolVersionFields;
}

/** A tool in one version. */
export interface VersionedTool extends ListedTool {
  readonly toolkit: ToolkitDefinition;
  readonly tool: ToolDefinition;
}

/** The emulator's toolkits: the registered ones, plus the versions published since, which are part of the state. */
export function catalogOf(
  registered: readonly ToolkitDefinition[],
  published: { readonly items: readonly Publication[] },
) {
  let known: ReturnType<typeof indexOf> | undefined;

  const index = () => {
    const { items } = published;
    // Each publication and each reset replaces the list.
    if (known?.published !== items) known = indexOf(registered, items);
    return known;
  };

  /** The tool in a version (or `latest`); `undefined` if that version doesn't have it. */
  const tool = (slug: string, version: string): VersionedTool | undefined => {
    const { tools, versioned } = index();
    const key = `${slug} ${version}`;
    const found = versioned.get(key);
    if (found) return found;
    const registration = tools.get(slug);
    const made = registration && toolAt(registration.toolkit, registration.tool, version);
    if (made) versioned.set(key, made);
    return made;
  };

  return {
    tool,

    /** By slug. */
    get toolkits(): ReadonlyMap<string, ToolkitDefinition> {
      return index().toolkits;
    },

    /** Slugs of tools in the latest versions. */
    get toolSlugs() {
      return [...index().tools.keys()].filter((slug) => tool(slug, "latest"));
    },

    /** Slug of a tool's toolkit; `undefined` for an unknown tool. */
    toolkitOf: (slug: string) => index().tools.get(slug)?.toolkit.slug,

    /** Versions that have a tool; `undefined` for an unknown tool. */
    versionsWith: (slug: string) => {
      const found = index().tools.get(slug);
      return found && versionsOf(found.toolkit, found.tool);
    },

    /** All tools of a toolkit in a version. */
    toolsOf: (toolkit: ToolkitDefinition, version: string) =>
      toolkit.tools.flatMap((tool) => toolAt(toolkit, tool, version) ?? []),
  };
}

export type ServedCatalog = ReturnType<typeof catalogOf>;

function toolAt(toolkit: ToolkitDefinition, tool: ToolDefinition, wanted: string): VersionedTool | undefined {
  const version = wanted === "latest" ? latestVersion(toolkit) : wanted;
  const versions = versionsOf(toolkit, tool);
  return versions.includes(version) ? { toolkit, tool, version, versions, facts: factsIn(tool, version) } : undefined;
}

function indexOf(registered: readonly ToolkitDefinition[], published: readonly Publication[]) {
  const toolkits = new Map(registered.map((toolkit) => [toolkit.slug, toolkit]));
  for (const publication of published) {
    const toolkit = toolkits.get(publication.toolkit);
    if (toolkit) toolkits.set(toolkit.slug, withVersion(toolkit, publication));
  }
  const tools = [...toolkits.values()].flatMap((toolkit) =>
    toolkit.tools.map((tool) => [tool.slug, { toolkit, tool }] as const),
  );
  /** The tools that were asked for, by slug and version. */
  const versioned = new Map<string, VersionedTool>();
  return { published, toolkits, tools: new Map(tools), versioned };
}

/** A toolkit with one more version. */
function withVersion(
  toolkit: ToolkitDefinition,
  { version, changelog = "", tools = {}, triggers = {} }: Publication,
): ToolkitDefinition {
  return {
    ...toolkit,
    versions: { ...toolkit.versions, [version]: changelog },
    tools: toolkit.tools.map((tool) => {
      const change = tools[tool.slug];
      if (change === null) return { ...tool, until: version };
      return { ...tool, changes: { ...tool.changes, ...(change && { [version]: change }) } };
    }),
    triggers: (toolkit.triggers ?? []).map((trigger) => {
      const change = triggers[trigger.slug];
      return { ...trigger, changes: { ...trigger.changes, ...(change && { [version]: change }) } };
    }),
  };
}

/** A definition with all changes up to a version applied. Dated versions sort like their dates. */
export function factsIn<Facts extends { readonly changes?: Readonly<Record<string, object>> | undefined }>(
  definition: Facts,
  version: string,
): Facts {
  const changes = Object.entries(definition.changes ?? {})
    .filter(([since]) => since <= version)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  // A field that is undefined isn't a change.
  const changed = changes.flatMap(([, change]) => Object.entries(change).filter(([, value]) => value !== undefined));
  return Object.assign({}, definition, Object.fromEntries(changed));
}

/** Versions of a toolkit, or of one of its tools, oldest first. */
export function versionsOf(toolkit: ToolkitDefinition, tool?: ToolDefinition): string[] {
  const all = [PINNED_VERSION, ...Object.keys(toolkit.versions).sort()];
  const { since = "", until = "~" } = tool ?? {};
  return all.filter((version) => version >= since && version < until);
}

/** The newest version of a toolkit. */
export function latestVersion(toolkit: ToolkitDefinition): string {
  return versionsOf(toolkit).at(-1) ?? PINNED_VERSION;
}

/** The legacy id, derived from the slug so that it never changes. */
export function toolkitUuid({ slug }: ToolkitDefinition): string {
  return `00000000-0000-4000-a000-${(seedOf(slug) >>> 0).toString(16).padStart(12, "0")}`;
}

/** URL of an emulated toolkit's logo. */
export function logoOf(toolkit: string): string {
  return `https://logos.example.com/${toolkit}.svg`;
}

/**
 * Checks user-supplied toolkits.
 *
 * @throws {ConfigError} naming the first invalid definition.
 */
export function checkToolkits(toolkits: readonly ToolkitDefinition[]): void {
  const problem = toolkits.flatMap((toolkit) => toolkitProblems(toolkit))[0];
  if (problem !== undefined) throw new ConfigError(problem);
  const [twice] = duplicates(toolkits.map(({ slug }) => slug));
  if (twice !== undefined) throw new ConfigError(`The toolkit ${twice} is registered twice.`);
}

function toolkitProblems(toolkit: ToolkitDefinition): string[] {
  const { slug, tools, versions: given } = Object(toolkit) as Partial<ToolkitDefinition>; // Untyped callers may pass anything.
  if (slug === undefined || tools === undefined || given === undefined) {
    return [`A toolkit must be an object with slug, name, versions and tools, not ${JSON.stringify(toolkit)}.`];
  }
  const [wrong] = wrongFields(toolkit);
  if (wrong !== undefined) return [wrong];
  if (!/^[a-z0-9][a-z0-9_-]*$/.test(slug)) return [`The toolkit slug ${JSON.stringify(slug)} must be lowercase.`];
  const versions = versionsOf(toolkit);
  const prefix = `${slug.toUpperCase()}_`;
  return [
    ...versions
      .filter((version) => !DATED_VERSION.test(version))
      .map((version) => `The toolkit ${slug} has the version ${version}; expected a version like 20251023_00.`),
    ...duplicates(tools.map((tool) => tool.slug)).map((tool) => `The toolkit ${slug} defines the tool ${tool} twice.`),
    ...tools.flatMap((tool) => [
      ...(tool.slug.startsWith(prefix) || tool.isSample
        ? []
        : [`The tool ${tool.slug} of ${slug} must start with ${prefix}.`]),
      // What MCP clients accept as a tool's name.
      ...(/^[\w.-]{1,128}$/.test(tool.slug)
        ? []
        : [
            `The tool ${tool.slug} of ${slug} must have at most 128 letters, digits, underscores, hyphens and periods.`,
          ]),
      ...[tool.since ?? PINNED_VERSION, tool.until ?? PINNED_VERSION, ...Object.keys(tool.changes ?? {})]
        .filter((version) => !versions.includes(version))
        .map((version) => `The tool ${tool.slug} refers to version ${version}, which ${slug} doesn't have.`),
    ]),
    ...(toolkit.triggers ?? []).flatMap((trigger) =>
      Object.keys(trigger.changes ?? {})
        .filter((version) => !versions.includes(version))
        .map((version) => `The trigger type ${trigger.slug} refers to version ${version}, which ${slug} doesn't have.`),
    ),
  ];
}

export function duplicates(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}
