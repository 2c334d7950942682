import * as z from "zod/mini";
import { mismatchesOf } from "../contract/check.js";
import { DATED_VERSION } from "../dated-version.js";
import { ConfigError, describeMismatches } from "../errors/local.js";
import { JsonObject, request } from "../schema-kit.js";
import { type Catalogue, latestVersion, type VersionChanges } from "./catalogue.js";
import type { World } from "./context.js";

/** What happens to the toolkits while programs use them. */
export interface CatalogueVerbs {
  /**
   * Publishes a new version of a toolkit: from now on it is the latest one. Older versions stay what they were. `reset()` takes
   * it back.
   *
   * ```ts
   * emulator.catalogue.publish("github", "20260101_00", {
   *   tools: { GITHUB_GET_AN_ISSUE: { isDeprecated: true }, GITHUB_STAR_A_REPOSITORY: null },
   * });
   * ```
   *
   * @param version `<YYYYMMDD>_<NN>`, newer than the toolkit's latest.
   * @throws {ConfigError} for a toolkit, tool or trigger type that does not exist, for a version that is not newer, and for
   * changes that are none.
   */
  publish(toolkit: string, version: string, changes?: VersionChanges): void;
}

const text = z.optional(z.string());
const texts = z.optional(z.array(z.string()));
const schema = z.optional(JsonObject);

const ChangesShape = request({
  changelog: text,
  tools: z.optional(
    z.record(
      z.string(),
      z.nullable(
        request({
          description: text,
          input: schema,
          output: schema,
          scopes: texts,
          scopeRequirements: schema,
          tags: texts,
          isDeprecated: z.optional(z.boolean()),
        }),
      ),
    ),
  ),
  triggers: z.optional(z.record(z.string(), request({ description: text, config: schema, payload: schema }))),
});

/** The catalogue's verbs in a world. */
export function catalogueVerbs({ catalogue, state: { published } }: World): CatalogueVerbs {
  return {
    publish: (slug, version, changes = {}) => {
      const mismatches = mismatchesOf(ChangesShape, changes);
      const [problem] =
        mismatches.length > 0
          ? [`the changes do not fit: ${describeMismatches(mismatches)}`]
          : problemsOf(slug, version, changes, catalogue);
      if (problem !== undefined) throw new ConfigError(`catalogue.publish: ${problem}.`);
      // A copy: what the caller changes later was not published.
      published.items = [...published.items, structuredClone({ ...changes, toolkit: slug, version })];
    },
  };
}

function problemsOf(
  slug: string,
  version: string,
  { tools = {}, triggers = {} }: VersionChanges,
  catalogue: Catalogue,
): string[] {
  const toolkit = catalogue.toolkits.get(slug);
  if (!toolkit) return [`there is no toolkit ${slug}`];
  const latest = latestVersion(toolkit);
  const knownTools = catalogue.toolsOf(toolkit, latest).map(({ tool }) => tool.slug);
  const knownTriggers = (toolkit.triggers ?? []).map((trigger) => trigger.slug);
  const strangers = (named: object, known: readonly string[]) =>
    Object.keys(named).filter((name) => !known.includes(name));
  return [
    ...(DATED_VERSION.test(version) ? [] : [`a version looks like 20260101_00, not ${version}`]),
    ...(version > latest ? [] : [`${slug} has ${latest} already, and ${version} is not newer`]),
    ...strangers(tools, knownTools).map((name) => `${slug} ${latest} has no tool ${name}`),
    ...strangers(triggers, knownTriggers).map((name) => `${slug} has no trigger type ${name}`),
  ];
}
