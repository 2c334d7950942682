import { hint } from "../errors/mismatch-words.js";
import { field, isObject } from "../shared/json.js";

/**
 * The arguments that a schema doesn't mention, each with the listed one that was probably meant. Valid, because JSON
 * Schema allows them by default, but usually misspelled. Empty if the schema says more about its properties.
 */
export function unlistedNames(schema: unknown, given: unknown): string[] {
  const listed = field(schema, "properties");
  if (!isObject(listed) || !isObject(given) || Object.keys(schema as object).some((key) => SAYS_MORE.test(key))) {
    return [];
  }
  return Object.keys(given)
    .filter((name) => !Object.hasOwn(listed, name))
    .map((name) => name + hint(name, Object.keys(listed)));
}

/** Keywords that can list or describe further properties. */
const SAYS_MORE =
  /^(additional|unevaluated|pattern)Properties$|^\$(dynamicR|r)ef$|^(all|any|one)Of$|^(then|else)$|^depend/;
