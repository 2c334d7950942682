import { ConfigError } from "../../errors/local.js";
import { firstTime } from "../../shared/bounded-memory.js";
import { didYouMean } from "../../shared/nearest-name.js";
import type { GuardContext } from "../policy-base.js";
import { CODE_META_TOOLS, READABLE_META_TOOLS } from "../tools/meta-tools.js";
import type { FindTools } from "./inner-calls.js";

/** A tool or toolkit that a rule names, not by a pattern. */
export interface RuleName {
  readonly field: "tools" | "toolkits";
  readonly name: string;
  /** The place in the policy, as in `rules[1].deny.tools`. */
  readonly place: string;
}

/** Creates the check of a policy's names against the tools of each toolset. */
export function nameCheck(names: readonly RuleName[]) {
  const isNew = firstTime();
  return async (context: GuardContext, findTools: FindTools): Promise<void> => {
    const { tools, omitted, catalog, client } = context;
    const chosen = [...tools, ...omitted];
    const known = {
      tools: [...chosen.map(({ name }) => name), ...READABLE_META_TOOLS, ...CODE_META_TOOLS],
      toolkits: chosen.flatMap(({ toolkit }) => toolkit ?? []),
    };
    const isKnown = ({ field, name }: RuleName) => known[field].includes(name);
    let missing = names.filter((name) => !isKnown(name));
    if (missing.length === 0) return;
    // A session's meta tools reach tools that aren't listed.
    const reachesMore = !client && tools.some(({ kind }) => kind === "meta");
    if (reachesMore && catalog) {
      const slugs = missing.filter(({ field }) => field === "tools").map(({ name }) => name);
      const found = await findTools(slugs, {});
      for (const [slug, { toolkit }] of found) {
        known.tools.push(slug);
        if (toolkit !== undefined) known.toolkits.push(toolkit);
      }
      for (const { field, name } of missing) {
        if (field === "tools" || known.toolkits.includes(name)) continue;
        try {
          const { items } = await catalog.tools.list({ toolkit_slug: name, limit: 1 });
          for (const { toolkit } of items) known.toolkits.push(toolkit.slug);
        } catch (error) {
          // The service may reject a slug that no toolkit has.
          if (Reflect.get(Object(error), "status") !== 400) throw error;
        }
      }
      missing = missing.filter((name) => !isKnown(name));
    }
    for (const { field, name, place } of missing) {
      const problem = `policy: ${place} names ${JSON.stringify(name)}, which isn't among the ${field} of the toolset.`;
      if (!reachesMore || catalog) {
        const advice = " If several toolsets share the policy, pass { allowUnknownNames: true } to policy().";
        throw new ConfigError(problem + didYouMean(name, known[field], advice));
      }
      const advice = " Pass catalog to the toolset to look it up, or { allowUnknownNames: true } to policy().";
      if (isNew(name)) console.warn(problem + didYouMean(name, known[field], advice));
    }
  };
}
