import { child, type Json } from "../shared/json.js";

/** The schemas of a property: those for its name, otherwise the one of other properties. */
export function propertySchemas(schema: Json, name: string, matches = isMatch): readonly unknown[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const own = child(properties, name);
  const named = matchingSchemas(patternProperties, name, matches);
  if (own !== undefined) return [own, ...named];
  return named.length > 0 ? named : [additionalProperties];
}

/** The schemas of the patterns that match a name. */
export function matchingSchemas(patterns: unknown, name: string, matches = isMatch): unknown[] {
  return Object.entries<unknown>(Object(patterns))
    .filter(([pattern]) => matches(pattern, name))
    .map(([, schema]) => schema);
}

/** The most characters of a name that a pattern is matched with. */
const LONGEST_NAME = 200;
/** With several repetitions, or one after a group, the engine could take forever. */
const DEMANDING = /[)*+?{].*[*+?{]/s;

/** A demanding pattern counts as if it didn't match: the schema or its description says what it requires anyway. */
function isMatch(pattern: string, name: string): boolean {
  return name.length <= LONGEST_NAME && !DEMANDING.test(pattern) && expressionOf(pattern)?.test(name) === true;
}

/** A pattern as JavaScript reads it; `undefined` if it's one of another language. */
export function expressionOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}
