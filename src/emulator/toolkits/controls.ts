import { readShape } from "../../contract/check-shape.js";
import { ConfigError } from "../../errors/local.js";
import { DATED_VERSION } from "../../shared/tools.js";
import { latestVersion, type ServedCatalog } from "../catalog/catalog.js";
import { VersionChanges } from "../catalog/catalog-schema.js";
import type { Engine } from "../engine/engine.js";

/** Controls of the emulator's tool catalog. */
export interface CatalogControls {
  /**
   * Publishes a new version of a toolkit, which becomes its latest. Older versions don't change. `reset()` removes it.
   *
   * ```ts
   * emulator.catalog.publish("github", "20260101_00", {
   *   tools: { GITHUB_GET_AN_ISSUE: { isDeprecated: true }, GITHUB_STAR_A_REPOSITORY: null },
   * });
   * ```
   *
   * @param version `<YYYYMMDD>_<NN>`, newer than the toolkit's latest.
   * @throws {ConfigError} for an unknown toolkit, tool, or trigger type, a version that isn't newer, or invalid
   * changes.
   */
  publish(toolkit: string, version: string, changes?: VersionChanges): void;
}

/** Creates the catalog controls of an emulator. */
export function catalogControls({ catalog, state: { published }, feed }: Engine): CatalogControls {
  return {
    publish: (slug, version, given = {}) => {
      const changes = readShape(VersionChanges, given, "catalog.publish: the changes are invalid");
      const [problem] = publicationProblems(slug, version, changes, catalog);
      if (problem !== undefined) throw new ConfigError(`catalog.publish: ${problem}.`);
      // Copy it, so later changes by the caller aren't published.
      published.items = [...published.items, structuredClone({ ...changes, toolkit: slug, version })];
      feed.publish({ type: "catalog" });
    },
  };
}

function publicationProblems(
  slug: string,
  version: string,
  { tools = {}, triggers = {} }: VersionChanges,
  catalog: ServedCatalog,
): string[] {
  const toolkit = catalog.toolkits.get(slug);
  if (!toolkit) return [`unknown toolkit ${slug}`];
  const latest = latestVersion(toolkit);
  const knownTools = catalog.toolsOf(toolkit, latest).map(({ tool }) => tool.slug);
  const knownTriggers = (toolkit.triggers ?? []).map((trigger) => trigger.slug);
  const unknownNames = (named: object, known: readonly string[]) =>
    Object.keys(named).filter((name) => !known.includes(name));
  return [
    ...(DATED_VERSION.test(version) ? [] : [`expected a version like 20260101_00, not ${version}`]),
    ...(version > latest ? [] : [`${version} isn't newer than ${slug}'s latest version, ${latest}`]),
    ...unknownNames(tools, knownTools).map((name) => `${slug} ${latest} has no tool ${name}`),
    ...unknownNames(triggers, knownTriggers).map((name) => `${slug} has no trigger type ${name}`),
  ];
}
