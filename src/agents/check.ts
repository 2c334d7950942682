import type { Mismatch } from "../errors/local.js";
import { counted, formatPath, hint, kindName } from "../errors/mismatch-words.js";
import { itemSchema } from "../json-schema/items.js";
import { TYPES } from "../json-schema/keywords.js";
import { listOf, type Resolve, referencesOf, resolverOf } from "../json-schema/references.js";
import { unlistedProperties } from "../json-schema/unlisted.js";
import { limited } from "../json-schema/work.js";
import { child, isObject, isString, type Json, kindOf } from "../shared/json.js";
import { canonicalJson } from "./canonical.js";

/** Maximum depth of values and combinators. The stack lasts longer, and real arguments stay below. */
const DEEPEST = 400;
/** Maximum number of names that are compared with all others. A model misspells a few of them. */
const MOST_HINTS = 5;
/** Maximum steps of the search for properties that a schema doesn't list. */
const MOST_STEPS = 4_000_000;

/**
 * Compares a value with a JSON Schema as far as their structure goes: types, required and unknown properties, enums.
 * Bounds, patterns and everything else in a schema are left to `svc-sdk/arguments` and to the service. The work grows
 * with the size of both, whatever they are.
 *
 * @param isAlsoNumber - Whether a string counts as a number, as a long integer in arguments does.
 * @throws {Error} if the value or the schema is nested too deeply to be compared.
 */
export function structuralMismatches(
  schema: Json,
  value: unknown,
  isAlsoNumber: (value: unknown) => boolean = () => false,
): readonly Mismatch[] {
  const comparison = { resolve: resolverOf(schema), known: new Map(), enums: new Map(), hints: 0, isAlsoNumber };
  return mismatchesAt(schema, value, { path: [], depth: 0, comparison });
}

/**
 * The properties that a schema neither lists nor mentions in another way: a misspelled one would be ignored.
 *
 * @throws {Error} if the comparison takes too long.
 */
export function unlistedMismatches(schema: Json, value: unknown): Mismatch[] {
  const found = limited(MOST_STEPS, () => unlistedProperties(schema, value));
  if (!found) throw new Error("Comparing the arguments takes too long.");
  return found.map(({ path, listed, value: member }, index) => {
    const meant = index < MOST_HINTS ? hint(String(path.at(-1)), [...listed]) : "";
    return { path: formatPath(path), expected: `no such property${meant}`, received: kindOf(member) };
  });
}

interface Comparison {
  readonly resolve: Resolve;
  /** The mismatches of each schema, by the object or list it describes, or by the path of another value. */
  readonly known: Map<Json, Map<unknown, readonly Mismatch[]>>;
  readonly enums: Map<unknown, ReadonlySet<string>>;
  readonly isAlsoNumber: (value: unknown) => boolean;
  hints: number;
}

interface ArgumentPlace {
  readonly path: readonly PropertyKey[];
  readonly depth: number;
  readonly comparison: Comparison;
}

function mismatchesAt(schema: unknown, value: unknown, place: ArgumentPlace): readonly Mismatch[] {
  if (schema === false) return [mismatch(place, place.path.length === 0 ? "another value" : "no such property", value)];
  if (!isObject(schema)) return [];
  if (place.depth > DEEPEST) throw new Error("The arguments or their schema are nested too deeply.");
  const { known: bySchema } = place.comparison;
  const key = Object(value) === value ? value : place.path;
  const known = bySchema.get(schema) ?? new Map<unknown, readonly Mismatch[]>();
  bySchema.set(schema, known);
  // A schema that refers to itself adds nothing to itself.
  if (!known.has(key)) known.set(key, []).set(key, mismatchesOf(schema, value, place));
  return known.get(key) ?? [];
}

function mismatchesOf(schema: Json, value: unknown, place: ArgumentPlace): readonly Mismatch[] {
  if (value === null && schema["nullable"] === true) return [];
  const whole = wholeMismatch(schema, value, place);
  if (whole) return [whole];
  const deeper = { ...place, depth: place.depth + 1 };
  const found: (readonly Mismatch[])[] = [];
  for (const reference of referencesOf(schema)) {
    found.push(mismatchesAt(place.comparison.resolve(reference), value, deeper));
  }
  for (const part of listOf(schema["allOf"])) found.push(mismatchesAt(part, value, deeper));
  for (const union of [listOf(schema["anyOf"]), listOf(schema["oneOf"])]) {
    if (union.length === 0) continue;
    const branches = union.map((branch) => mismatchesAt(branch, value, deeper));
    found.push(closest(branches, formatPath(place.path)));
  }
  if (isObject(value)) found.push(propertyMismatches(schema, value, deeper));
  if (Array.isArray(value)) found.push(itemMismatches(schema, value, deeper));
  // Several parts may lead to the same schema, and what breaks it counts once.
  return [...new Set(found.flat())];
}

function wholeMismatch(schema: Json, value: unknown, place: ArgumentPlace): Mismatch | undefined {
  const types = [schema["type"]].flat().filter(isString);
  const kind = kindOf(value);
  const isOfType = (type: string) =>
    type === kind || !TYPES.includes(type) || (type === "integer" && Number.isInteger(value));
  const isAlsoNumber = () => /integer|number/.test(types.join()) && place.comparison.isAlsoNumber(value);
  if (types.length > 0 && !types.some(isOfType) && !isAlsoNumber())
    return mismatch(place, types.map(kindName).join(" or "), value);
  const values: unknown = schema["enum"];
  const allowed = "const" in schema ? [schema["const"]] : values;
  if (!Array.isArray(allowed)) return undefined;
  const { enums } = place.comparison;
  const known = enums.get(allowed) ?? new Set(allowed.map(canonicalJson));
  enums.set(allowed, known);
  return known.has(canonicalJson(value)) ? undefined : mismatch(place, oneOf(allowed), value);
}

function propertyMismatches(schema: Json, value: Json, place: ArgumentPlace): Mismatch[] {
  const properties: unknown = schema["properties"];
  const rest: unknown = schema["additionalProperties"];
  const found: Mismatch[] = [];
  for (const name of listOf(schema["required"])) {
    if (!isString(name) || Object.hasOwn(value, name)) continue;
    const declared = child(properties, name);
    const type: unknown = child(declared, "type");
    const expected = oneOf(child(declared, "enum")) || (isString(type) ? kindName(type) : "a value");
    found.push(mismatch(inside(place, name), expected, undefined));
  }
  for (const [name, member] of Object.entries(value)) {
    const declared = child(properties, name);
    const schemaOfMember = declared ?? ("patternProperties" in schema ? true : rest);
    // The names that a pattern matches are left to the full check.
    if (declared === undefined && schemaOfMember === false) {
      place.comparison.hints += 1;
      const meant = place.comparison.hints > MOST_HINTS ? "" : hint(name, Object.keys(Object(properties)));
      found.push(mismatch(inside(place, name), `no such property${meant}`, member));
    } else for (const one of mismatchesAt(schemaOfMember, member, inside(place, name))) found.push(one);
  }
  return found;
}

function itemMismatches(schema: Json, items: readonly unknown[], place: ArgumentPlace): readonly Mismatch[] {
  const [fewest, most] = [schema["minItems"], schema["maxItems"]];
  if (typeof fewest === "number" && items.length < fewest) {
    return [mismatch(place, `at least ${counted(fewest, "item")}`, items)];
  }
  if (typeof most === "number" && items.length > most)
    return [mismatch(place, `at most ${counted(most, "item")}`, items)];
  const found: Mismatch[] = [];
  for (const [index, item] of items.entries()) {
    for (const one of mismatchesAt(itemSchema(schema, index), item, inside(place, index))) found.push(one);
  }
  return found;
}

/** Nothing if a branch matches; otherwise what breaks the branch that came closest, or what all of them accept. */
function closest(branches: readonly (readonly Mismatch[])[], path: string): readonly Mismatch[] {
  const isHere = (mismatch: Mismatch) => mismatch.path === path;
  const near = branches.filter((branch) => !branch.some(isHere));
  const [best] = near.sort((one, other) => one.length - other.length);
  if (best) return best;
  const kinds = branches.flat().filter(isHere);
  const expected = [...new Set(kinds.map((mismatch) => mismatch.expected))].join(" or ");
  return kinds.slice(0, 1).map((mismatch) => ({ ...mismatch, expected }));
}

/** The values of an enum in words. */
function oneOf(values: unknown): string {
  return listOf(values)
    .map((one) => JSON.stringify(one))
    .join(" or ");
}

function inside(place: ArgumentPlace, key: PropertyKey): ArgumentPlace {
  return { ...place, path: [...place.path, key] };
}

function mismatch({ path }: ArgumentPlace, expected: string, value: unknown): Mismatch {
  return { path: formatPath(path), expected, received: value === undefined ? "missing" : kindOf(value) };
}
