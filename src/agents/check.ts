import type { Mismatch } from "../errors/local.js";
import { counted, formatPath, hint, kindName } from "../errors/mismatch-words.js";
import { type Resolve, referencesOf, resolverOf } from "../json-schema/references.js";
import { child, isObject, isString, type Json, kindOf } from "../shared/json.js";
import { canonicalJson } from "./canonical.js";

/** Every value has any other type. */
const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];
/** Maximum depth of values and combinators. The stack lasts longer, and real arguments stay below. */
const DEEPEST = 400;
/** Maximum number of names that are compared with all others. A model misspells a few of them. */
const MOST_HINTS = 5;

/**
 * Compares arguments with a JSON Schema as far as their structure goes: types, required and unknown properties, enums.
 * Bounds, patterns and everything else in a schema are left to `svc-sdk/arguments` and to the service. The work grows
 * with the size of both, whatever they are.
 *
 * @throws {Error} if the value or the schema is nested too deeply to be compared.
 */
export function structuralMismatches(schema: Json, value: unknown): Mismatch[] {
  const check = new StructuralCheck(schema);
  return [...check.at(schema, value, { path: [], depth: 0 })];
}

interface Place {
  readonly path: readonly PropertyKey[];
  readonly depth: number;
}

/** One comparison of a value with a schema. */
class StructuralCheck {
  readonly #resolve: Resolve;
  /** The mismatches of each schema, by the object or list it describes, or by the path of another value. */
  readonly #known = new Map<Json, Map<unknown, readonly Mismatch[]>>();
  /** The values of each enum. */
  readonly #enums = new Map<unknown, ReadonlySet<string>>();
  #hints = 0;

  constructor(root: Json) {
    this.#resolve = resolverOf(root);
  }

  at(schema: unknown, value: unknown, place: Place): readonly Mismatch[] {
    if (schema === false)
      return [mismatch(place, place.path.length === 0 ? "another value" : "no such property", value)];
    if (!isObject(schema)) return [];
    if (place.depth > DEEPEST) throw new Error("The arguments or their schema are nested too deeply.");
    const key = Object(value) === value ? value : place.path;
    const known = this.#known.get(schema) ?? new Map<unknown, readonly Mismatch[]>();
    this.#known.set(schema, known);
    // A schema that refers to itself adds nothing to itself.
    if (!known.has(key)) known.set(key, []).set(key, this.#mismatches(schema, value, place));
    return known.get(key) ?? [];
  }

  #mismatches(schema: Json, value: unknown, place: Place): readonly Mismatch[] {
    const deeper = { ...place, depth: place.depth + 1 };
    if (value === null && schema["nullable"] === true) return [];
    const whole = this.#whole(schema, value, place);
    if (whole) return [whole];
    const parts = [...referencesOf(schema).map(this.#resolve), ...listOf(schema["allOf"])];
    const unions = [listOf(schema["anyOf"]), listOf(schema["oneOf"])].filter(({ length }) => length > 0);
    // Several parts may lead to the same schema, and what breaks it counts once.
    const found = new Set<Mismatch>();
    const add = (mismatches: readonly Mismatch[]) => {
      for (const one of mismatches) found.add(one);
    };
    for (const part of parts) add(this.at(part, value, deeper));
    for (const union of unions) {
      const branches = union.map((branch) => this.at(branch, value, deeper));
      add(closest(branches, formatPath(place.path)));
    }
    if (isObject(value)) add(this.#properties(schema, value, deeper));
    if (Array.isArray(value)) add(this.#items(schema, value, deeper));
    return [...found];
  }

  #whole(schema: Json, value: unknown, place: Place): Mismatch | undefined {
    const types = [schema["type"]].flat().filter(isString);
    if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
      return mismatch(place, types.map(kindName).join(" or "), value);
    }
    const values: unknown = schema["enum"];
    const allowed = "const" in schema ? [schema["const"]] : values;
    if (!Array.isArray(allowed)) return undefined;
    const known = this.#enums.get(allowed) ?? new Set(allowed.map(canonicalJson));
    this.#enums.set(allowed, known);
    if (known.has(canonicalJson(value))) return undefined;
    return mismatch(place, oneOf(allowed), value);
  }

  #properties(schema: Json, value: Json, place: Place): Mismatch[] {
    const properties: unknown = schema["properties"];
    const rest: unknown = schema["additionalProperties"];
    const found = listOf(schema["required"])
      .filter((name): name is string => isString(name) && !Object.hasOwn(value, name))
      .map((name) => {
        const declared = child(properties, name);
        const type: unknown = child(declared, "type");
        const expected = oneOf(child(declared, "enum")) || (isString(type) ? kindName(type) : "a value");
        return mismatch(inside(place, name), expected, undefined);
      });
    for (const [name, member] of Object.entries(value)) {
      const declared = child(properties, name);
      const schemaOfMember = declared ?? ("patternProperties" in schema ? true : rest);
      // The names that a pattern matches are left to the full check.
      if (declared === undefined && schemaOfMember === false) {
        found.push(mismatch(inside(place, name), `no such property${this.#hint(name, properties)}`, member));
      } else for (const one of this.at(schemaOfMember, member, inside(place, name))) found.push(one);
    }
    return found;
  }

  #hint(name: string, properties: unknown): string {
    this.#hints += 1;
    return this.#hints > MOST_HINTS ? "" : hint(name, Object.keys(Object(properties)));
  }

  #items(schema: Json, items: readonly unknown[], place: Place): readonly Mismatch[] {
    const [fewest, most] = [schema["minItems"], schema["maxItems"]];
    if (typeof fewest === "number" && items.length < fewest) {
      return [mismatch(place, `at least ${counted(fewest, "item")}`, items)];
    }
    if (typeof most === "number" && items.length > most)
      return [mismatch(place, `at most ${counted(most, "item")}`, items)];
    const found: Mismatch[] = [];
    for (const [index, item] of items.entries()) {
      for (const one of this.at(itemSchema(schema, index), item, inside(place, index))) found.push(one);
    }
    return found;
  }
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

function isOfType(value: unknown, type: string): boolean {
  if (!TYPES.includes(type)) return true;
  return type === "integer" ? Number.isInteger(value) : kindOf(value) === type;
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
