import type { Json } from "../shared/json.js";

/** The schemas of the first items, and that of the rest, in any draft. */
export function itemsOf({ prefixItems, items, additionalItems }: Json): { first: readonly unknown[]; rest: unknown } {
  if (Array.isArray(prefixItems)) return { first: prefixItems, rest: items };
  return Array.isArray(items) ? { first: items, rest: additionalItems } : { first: [], rest: items };
}

/** The schema of an item. */
export function itemSchema(schema: Json, index: number): unknown {
  const { first, rest } = itemsOf(schema);
  return index < first.length ? first[index] : rest;
}
