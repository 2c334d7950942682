import type { Mismatch } from "../errors/local.js";
import { counted, formatPath, hint, kindName } from "../errors/mismatch-words.js";
import { child, isObject, isString, type Json, kindOf } from "../shared/json.js";
import { atPointer } from "../shared/json-pointer.js";
import { canonicalJson } from "./canonical.js";

/** Every value has any other type. */
const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];
/** Deeper values are left to the service: a recursive schema must not decide how deep the stack goes. */
const DEEPEST = 64;

/**
 * Compares arguments with a JSON Schema as far as their structure goes: types, required and unknown properties, enums.
 * Bounds, patterns and everything else in a schema are left to `svc-sdk/arguments` and to the service.
 */
export function structuralMismatches(schema: Json, value: unknown): Mismatch[] {
  return mismatchesAt(schema, value, { root: schema, known: new Map(), path: [], depth: 0 });
}

interface Place {
  readonly root: Json;
  /** Mismatches of objects and lists, by schema. In a recursive union, many ways lead to the same pair of both. */
  readonly known: Map<unknown, Map<unknown, Mismatch[]>>;
  readonly path: readonly PropertyKey[];
  readonly depth: number;
}

function mismatchesAt(schema: unknown, value: unknown, place: Place): Mismatch[] {
  if (!isObject(schema) || place.depth > DEEPEST) return [];
  if (Object(value) !== value) return newMismatchesAt(schema, value, place);
  const known = place.known.get(schema) ?? new Map<unknown, Mismatch[]>();
  place.known.set(schema, known);
  // A schema that refers to itself adds nothing to itself.
  if (!known.has(value)) known.set(value, []).set(value, newMismatchesAt(schema, value, place));
  return known.get(value) ?? [];
}

function newMismatchesAt(schema: Json, value: unknown, place: Place): Mismatch[] {
  const deeper = { ...place, depth: place.depth + 1 };
  if (value === null && schema["nullable"] === true) return [];
  if (isString(schema["$ref"])) return mismatchesAt(atPointer(place.root, schema["$ref"]), value, deeper);
  const whole = mismatchOfWhole(schema, value, place);
  if (whole) return [whole];
  const union = listOf(schema["anyOf"] ?? schema["oneOf"]).map((branch) => mismatchesAt(branch, value, deeper));
  return [
    ...closest(union, formatPath(place.path)),
    ...listOf(schema["allOf"]).flatMap((part) => mismatchesAt(part, value, deeper)),
    ...(isObject(value) ? propertyMismatches(schema, value, deeper) : []),
    ...(Array.isArray(value) ? itemMismatches(schema, value, deeper) : []),
  ];
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

function mismatchOfWhole(schema: Json, value: unknown, place: Place): Mismatch | undefined {
  const types = [schema["type"]].flat().filter(isString);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return mismatch(place, types.map(kindName).join(" or "), value);
  }
  const allowed: unknown = "const" in schema ? [schema["const"]] : schema["enum"];
  if (!Array.isArray(allowed)) return undefined;
  if (allowed.map(canonicalJson).includes(canonicalJson(value))) return undefined;
  return mismatch(place, allowed.map((known) => JSON.stringify(known)).join(" or "), value);
}

function isOfType(value: unknown, type: string): boolean {
  if (!TYPES.includes(type)) return true;
  return type === "integer" ? Number.isInteger(value) : kindOf(value) === type;
}

function propertyMismatches(schema: Json, value: Json, place: Place): Mismatch[] {
  const properties: unknown = schema["properties"];
  const rest: unknown = schema["additionalProperties"];
  const missing = listOf(schema["required"]).filter(
    (name): name is string => isString(name) && !Object.hasOwn(value, name),
  );
  return [
    ...missing.map((name) => {
      const type: unknown = child(child(properties, name), "type");
      return mismatch(inside(place, name), isString(type) ? kindName(type) : "a value", undefined);
    }),
    ...Object.entries(value).flatMap(([name, member]) => {
      const declared = child(properties, name);
      if (declared !== undefined) return mismatchesAt(declared, member, inside(place, name));
      // The names that a pattern matches are left to the full check.
      if ("patternProperties" in schema) return [];
      if (rest !== false) return mismatchesAt(rest, member, inside(place, name));
      return [mismatch(inside(place, name), `no such property${hint(name, Object.keys(Object(properties)))}`, member)];
    }),
  ];
}

function itemMismatches(schema: Json, items: readonly unknown[], place: Place): Mismatch[] {
  const [fewest, most] = [schema["minItems"], schema["maxItems"]];
  if (typeof fewest === "number" && items.length < fewest) {
    return [mismatch(place, `at least ${counted(fewest, "item")}`, items)];
  }
  if (typeof most === "number" && items.length > most)
    return [mismatch(place, `at most ${counted(most, "item")}`, items)];
  return items.flatMap((item, index) => mismatchesAt(itemSchema(schema, index), item, inside(place, index)));
}

/** The schema of an item, in the words of any draft. */
export function itemSchema(schema: Json, index: number): unknown {
  const own: unknown = schema["items"];
  const first = listOf(schema["prefixItems"] ?? own);
  if (index < first.length) return first[index];
  return Array.isArray(own) ? schema["additionalItems"] : own;
}

/** The place of a property or an item. */
function inside(place: Place, key: PropertyKey): Place {
  return { ...place, path: [...place.path, key] };
}

function mismatch({ path }: Place, expected: string, value: unknown): Mismatch {
  return { path: formatPath(path), expected, received: value === undefined ? "missing" : kindOf(value) };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
