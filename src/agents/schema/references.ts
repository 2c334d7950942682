import { isObject, isString } from "../../shared/json.js";
import { atPointer } from "../../shared/json-pointer.js";

/** Finds the schema that a reference leads to; `undefined` if it leads nowhere. Nothing is fetched. */
export type Resolve = (reference: string) => unknown;

export function resolverOf(root: unknown): Resolve {
  let named: ReadonlyMap<string, unknown> | undefined;
  return (reference) => {
    named ??= namedSchemas(root);
    if (named.has(reference)) return named.get(reference);
    const [base = "", fragment = ""] = reference.split(/(?=#)/);
    return atPointer(base.startsWith("#") ? root : named.get(base), base.startsWith("#") ? base : fragment || "#");
  };
}

/** The schemas that have an `$id` or an `$anchor`, by how references write them. */
function namedSchemas(root: unknown): ReadonlyMap<string, unknown> {
  const named = new Map<string, unknown>();
  const seen = new Set<unknown>();
  const queue = [root];
  for (const place of queue) {
    if (typeof place !== "object" || place === null || seen.has(place)) continue;
    seen.add(place);
    queue.push(...Object.values(place));
    if (!isObject(place)) continue;
    for (const [keyword, prefix] of [
      ["$id", ""],
      ["id", ""],
      ["$anchor", "#"],
      ["$dynamicAnchor", "#"],
    ] as const) {
      const name = place[keyword];
      if (isString(name) && !named.has(prefix + name)) named.set(prefix + name, place);
    }
  }
  return named;
}
