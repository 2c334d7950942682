import { isObject, isString, type Json } from "../shared/json.js";
import { BY_NAME, IN_PLACE } from "./keywords.js";
import { listOf, type Resolve, referencesOf } from "./references.js";
import { spend } from "./step-limit.js";

/**
 * The schema objects that describe the same value as some schemas: those behind references and in combinations,
 * conditions and dependencies, each once. A value needn't satisfy all of them.
 *
 * @param others - Further keywords whose schemas count, such as `not`.
 */
export function* partsOf(schemas: Iterable<unknown>, resolve: Resolve, ...others: readonly string[]): Generator<Json> {
  const parts = new Set(schemas);
  // A set is walked in the order in which it grows.
  for (const part of parts) {
    spend();
    if (!isObject(part)) continue;
    yield part;
    for (const reference of referencesOf(part)) parts.add(resolve(reference));
    for (const keyword of [...IN_PLACE, ...others]) for (const schema of [part[keyword]].flat()) parts.add(schema);
    for (const keyword of BY_NAME) for (const schema of Object.values(Object(part[keyword]))) parts.add(schema);
  }
}

/** The names of properties that a schema object declares, requires, or makes others depend on. */
export function namesOf({ properties, required, ...others }: Json): string[] {
  const byName = BY_NAME.map((keyword): Json => Object(others[keyword]));
  const lists = [required, ...byName.flatMap(Object.values<unknown>)];
  return [properties, ...byName]
    .flatMap((map) => Object.keys(Object(map)))
    .concat(lists.flatMap(listOf).filter(isString));
}
