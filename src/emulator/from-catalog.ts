import { type Catalog, type CatalogTool, type CatalogToolkit, toCatalog } from "../catalog/catalog.js";
import { ConfigError } from "../errors/local.js";
import * as option from "../errors/option-rules.js";
import type { JsonObject } from "../resources/schema-kit.js";
import { didYouMean } from "../shared/nearest-name.js";
import type { EmulatorOptions } from "./assembly/interface.js";
import { demoSeed } from "./assembly/seeding.js";
import { PINNED_VERSION } from "./catalog/catalog.js";
import type { ToolDefinition, ToolkitDefinition } from "./catalog/definitions.js";
import { madeUpResult } from "./catalog/toolkit-file.js";
import type { EmulatorSeed } from "./engine/seed-schema.js";

export { type SampleOptions, sampleObjectOf, sampleOf } from "./catalog/sample.js";
export { toToolkits } from "./catalog/toolkit-file.js";

/** Replaces a made-up result: recorded data, or a function. */
export type ToolOverride = JsonObject | ToolDefinition["run"];

/** Options of `fromCatalog`. */
export interface CatalogOptions {
  /**
   * Another seed makes up other results. The same seed, tool, version, and arguments always give the same result.
   * @default 1
   */
  readonly seed?: number | undefined;
  /**
   * Recorded data or functions for some tools, by slug. Results of the remaining tools are samples.
   * @default none
   */
  readonly tools?: Readonly<Record<string, ToolOverride>> | undefined;
  /**
   * Your own toolkits. The tools of one with the slug of a toolkit in the catalog replace or complete that toolkit's
   * tools.
   * @default none
   */
  readonly toolkits?: readonly ToolkitDefinition[] | undefined;
  /**
   * Where the catalog is from, for error messages.
   * @default "The catalog"
   */
  readonly source?: string | undefined;
}

const CATALOG_OPTIONS = {
  seed: { ...option.fitting("a number", Number.isFinite), default: 1 },
  tools: { ...option.DICTIONARY, default: {} },
  toolkits: { ...option.ARRAY, default: [] },
  source: { ...option.STRING, default: "The catalog" },
} as const satisfies option.Rules<CatalogOptions>;

// Assumption E101.
/**
 * Options of an emulator that runs every tool and trigger type of a catalog: the file that `svc-sdk lock --catalog-out`
 * writes. Arguments are validated, and results are made up from the tool's output schema: valid, repeatable, and marked
 * with a `log_id` that starts with `log_sample_`. The seed is the demo's with an account of each toolkit for
 * `user-4711`, because a catalog doesn't say how toolkits authenticate.
 *
 * ```ts
 * import catalog from "./catalog.json" with { type: "json" };
 *
 * const emulator = createEmulator(
 *   fromCatalog(catalog, {
 *     tools: { TRACKER_CLOSE_TICKET: ({ arguments: { id } }) => ({ id, state: "closed" }) },
 *   }),
 * );
 * ```
 *
 * @throws {ConfigError} for something that isn't a catalog, or a result for a tool that it doesn't have.
 */
export function fromCatalog(
  catalog: unknown,
  options: CatalogOptions = {},
): Required<Pick<EmulatorOptions, "toolkits" | "seed">> {
  const { seed, tools, toolkits: own, source } = option.checkAll("fromCatalog", options, CATALOG_OPTIONS);
  const { toolkits } = toCatalog(catalog, source);
  checkSlugs(tools, toolkits);
  const made = toolkits.map((toolkit) => withOwnTools(madeUpToolkit(toolkit, seed, tools), own));
  const others = own.filter(({ slug }) => !made.some((toolkit) => toolkit.slug === slug));
  return { toolkits: [...made, ...others], seed: seedFor(made) };
}

function checkSlugs(tools: object, toolkits: Catalog["toolkits"]): void {
  const known = toolkits.flatMap((toolkit) => toolkit.tools.map(({ slug }) => slug));
  const unknown = Object.keys(tools).find((slug) => !known.includes(slug));
  if (unknown === undefined) return;
  throw new ConfigError(`fromCatalog: the catalog has no tool ${unknown}.${didYouMean(unknown, known)}`);
}

function madeUpToolkit(
  { slug, name, version, tools, trigger_types }: CatalogToolkit,
  seed: number,
  overrides: Readonly<Record<string, ToolOverride>>,
): ToolkitDefinition {
  return {
    slug,
    name,
    description: `${name}, from a catalog`,
    categories: [],
    auth: [{ scheme: "OAUTH2", isManaged: true }],
    versions: version === PINNED_VERSION ? {} : { [version]: "" },
    tools: tools.map((tool) =>
      toolFrom(tool, seed, Object.hasOwn(overrides, tool.slug) ? overrides[tool.slug] : undefined),
    ),
    triggers: trigger_types.map((trigger) => ({ ...trigger, type: "webhook" })),
  };
}

function toolFrom(tool: CatalogTool, seed: number, override: ToolOverride | undefined): ToolDefinition {
  const { slug, name, description, is_deprecated, input_parameters: input, output_parameters: output } = tool;
  const facts = { slug, name, description, input, output, isDeprecated: is_deprecated };
  if (typeof override === "function") return { ...facts, run: override };
  return override === undefined
    ? { ...facts, isSample: true, run: (call) => madeUpResult(slug, output, seed, call) }
    : { ...facts, run: () => override };
}

function withOwnTools(made: ToolkitDefinition, own: readonly ToolkitDefinition[]): ToolkitDefinition {
  const toolkit = own.find(({ slug }) => slug === made.slug);
  if (!toolkit) return made;
  const replaced = new Set(toolkit.tools.map(({ slug }) => slug));
  const replacedTriggers = new Set(toolkit.triggers?.map(({ slug }) => slug));
  return {
    ...made,
    ...toolkit,
    versions: { ...made.versions, ...toolkit.versions },
    tools: [...made.tools.filter(({ slug }) => !replaced.has(slug)), ...toolkit.tools],
    triggers: [...(made.triggers ?? []).filter(({ slug }) => !replacedTriggers.has(slug)), ...(toolkit.triggers ?? [])],
  };
}

/** The demo's seed, with an auth config and an account of each toolkit that isn't in it. */
function seedFor(toolkits: readonly ToolkitDefinition[]): EmulatorSeed {
  const { authConfigs = [], connectedAccounts = [] } = demoSeed;
  const others = toolkits.filter(({ slug }) => !authConfigs.some(({ toolkit }) => toolkit === slug));
  const idOf = (prefix: string, slug: string) => `${prefix}_${slug}_demo`;
  return {
    ...demoSeed,
    authConfigs: [...authConfigs, ...others.map(({ slug, name }) => ({ id: idOf("ac", slug), toolkit: slug, name }))],
    connectedAccounts: [
      ...connectedAccounts,
      ...others.map(({ slug }) => ({ id: idOf("ca", slug), userId: "user-4711", authConfigId: idOf("ac", slug) })),
    ],
  };
}
