import type { Mismatch } from "../../errors/local.js";
import { counted, formatPath, hint, kindName, receivedAt } from "../../errors/mismatch-words.js";
import { child, isObject, isString, type Json, kindOf } from "../../shared/json.js";
import { structureFitting } from "../fit/fits-structure.js";
import { type Fitting, MOST_STEPS } from "../fit/schema-tests.js";
import { hasType } from "../fit/type-bits.js";
import { unlistedProperties } from "../fit/unlisted.js";
import { itemSchema } from "../items.js";
import { valueTest } from "../listed-values.js";
import { listOf, type Resolve, referencesOf, resolverOf } from "../references.js";
import { atMost, spend, TooMuchWork } from "../step-limit.js";
import { closestBranch, meantBranches } from "./closest-branch.js";

/** Maximum number of names that are compared with all others. A model misspells a few of them. */
const MOST_HINTS = 5;
/** Maximum number of mismatches. A model reads a few of them. */
const MOST_MISMATCHES = 2_000;

/**
 * Compares a value with a JSON Schema as far as their structure goes: types, required and unknown properties, enums.
 * Bounds, patterns and everything else in a schema are left to `svc-sdk/arguments` and to the service. The work grows
 * with the size of both, whatever they are. Of very many mismatches, only the first are listed.
 *
 * @param takesLongIntegers - Whether a long integer, which is a string of its digits in arguments, is a number.
 * @throws {Error} if the value or the schema is nested too deeply to be compared.
 * @throws {TooMuchWork} if the comparison takes too long.
 */
export function structuralMismatches(schema: Json, value: unknown, takesLongIntegers = false): Mismatch[] {
  const fitting = structureFitting(schema, takesLongIntegers);
  if (fitting.fits(schema, value)) return [];
  const found: Mismatch[] = [];
  try {
    atMost(MOST_STEPS, () => new Listing(fitting, resolverOf(schema)).add(schema, value, ROOT, found));
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
  }
  return found.length > 0 ? [...new Set(found)].slice(0, MOST_MISMATCHES) : [mismatch(ROOT, "another value", value)];
}

/**
 * The properties that a schema neither lists nor mentions in another way: a misspelled one would be ignored.
 *
 * @throws {TooMuchWork} if the comparison takes too long.
 */
export function unlistedMismatches(schema: Json, value: unknown): Mismatch[] {
  return atMost(MOST_STEPS, () => unlistedProperties(schema, value)).map(({ path, listed, value: member }, index) => {
    const meant = index < MOST_HINTS ? hint(String(path.at(-1)), [...listed]) : "";
    return { path: formatPath(path), expected: `no such property${meant}`, received: kindOf(member) };
  });
}

interface ArgumentPlace {
  readonly outer: ArgumentPlace | undefined;
  readonly key: PropertyKey;
}

const ROOT: ArgumentPlace = { outer: undefined, key: "" };

interface KnownMismatches {
  /** The list that they were added to. */
  readonly into: Mismatch[];
  readonly mismatches: readonly Mismatch[];
}

/**
 * Lists why a value that doesn't fit a schema doesn't. Only what doesn't fit is read. Mismatches are added to a list as
 * they are found: those found before it takes too long are enough.
 */
class Listing {
  readonly #fitting: Fitting;
  readonly #resolve: Resolve;
  /** The known mismatches of each schema, by the object or list it describes, or by the place of another value. */
  readonly #known = new Map<Json, Map<unknown, KnownMismatches>>();
  #hints = 0;

  constructor(fitting: Fitting, resolve: Resolve) {
    this.#fitting = fitting;
    this.#resolve = resolve;
  }

  add(schema: unknown, value: unknown, place: ArgumentPlace, found: Mismatch[]): void {
    if (found.length >= MOST_MISMATCHES || this.#fitting.fits(schema, value)) return;
    if (!isObject(schema)) {
      found.push(mismatch(place, place === ROOT ? "another value" : "no such property", value));
      return;
    }
    // What breaks a schema costs far more than whether something does.
    spend(200);
    const bySchema = this.#known.get(schema) ?? new Map<unknown, KnownMismatches>();
    this.#known.set(schema, bySchema);
    const key = Object(value) === value ? value : place;
    const known = bySchema.get(key);
    if (known) {
      // Several parts may lead to the same schema, and what breaks it counts once.
      if (known.into !== found) for (const mismatch of known.mismatches) found.push(mismatch);
      return;
    }
    // A schema that refers to itself adds nothing to itself.
    bySchema.set(key, { into: found, mismatches: [] });
    const start = found.length;
    this.#addAll(schema, value, place, found);
    bySchema.set(key, { into: found, mismatches: found.slice(start) });
  }

  #addAll(schema: Json, value: unknown, place: ArgumentPlace, found: Mismatch[]): void {
    const whole = this.#wholeMismatch(schema, value, place);
    if (whole) {
      found.push(whole);
      return;
    }
    for (const reference of referencesOf(schema)) this.add(this.#resolve(reference), value, place, found);
    for (const part of listOf(schema["allOf"])) this.add(part, value, place, found);
    for (const union of [listOf(schema["anyOf"]), listOf(schema["oneOf"])]) {
      if (union.length > 0 && !union.some((branch) => this.#fitting.fits(branch, value)))
        this.#addClosest(union, value, place, found);
    }
    if (isObject(value)) this.#addProperties(schema, value, place, found);
    if (Array.isArray(value)) this.#addItems(schema, value, place, found);
  }

  #wholeMismatch(schema: Json, value: unknown, place: ArgumentPlace): Mismatch | undefined {
    if (!hasType(this.#fitting.tests.typesOf(schema), value)) {
      return mismatch(place, [schema["type"]].flat().map(String).map(kindName).join(" or "), value);
    }
    if (valueTest(schema)?.(value) !== false) return undefined;
    return mismatch(place, oneOf("const" in schema ? [schema["const"]] : schema["enum"]), value);
  }

  /** Adds the mismatches of the closest branch, or a single one with what all branches accept. */
  #addClosest(union: readonly unknown[], value: unknown, place: ArgumentPlace, found: Mismatch[]): void {
    const path = pathOf(place);
    const isHere = (mismatch: Mismatch) => mismatch.path === path;
    const branches = meantBranches(union, value, this.#resolve).map((branch) => {
      const own: Mismatch[] = [];
      this.add(branch, value, place, own);
      return own;
    });
    const closest = closestBranch(branches, isHere);
    const kinds = branches.flat().filter(isHere);
    const expected = [...new Set(kinds.map((kind) => kind.expected))].join(" or ");
    for (const mismatch of closest ?? kinds.slice(0, 1).map((kind) => ({ ...kind, expected }))) found.push(mismatch);
  }

  #addProperties(schema: Json, value: Json, place: ArgumentPlace, found: Mismatch[]): void {
    const properties: unknown = schema["properties"];
    const rest: unknown = schema["additionalProperties"];
    for (const name of listOf(schema["required"])) {
      spend();
      if (!isString(name) || Object.hasOwn(value, name)) continue;
      const declared = child(properties, name);
      const type: unknown = child(declared, "type");
      const expected = oneOf(child(declared, "enum")) || (isString(type) ? kindName(type) : "a value");
      found.push(mismatch({ outer: place, key: name }, expected, undefined));
    }
    for (const [name, member] of Object.entries(value)) {
      const declared = child(properties, name);
      // The names that a pattern matches are left to the full check.
      const schemaOfMember = declared ?? ("patternProperties" in schema ? true : rest);
      const inner = { outer: place, key: name };
      if (declared !== undefined || schemaOfMember !== false) this.add(schemaOfMember, member, inner, found);
      else found.push(mismatch(inner, `no such property${this.#hint(name, Object.keys(Object(properties)))}`, member));
    }
  }

  #hint(name: string, names: readonly string[]): string {
    spend(10);
    this.#hints += 1;
    return this.#hints > MOST_HINTS ? "" : hint(name, names);
  }

  #addItems(schema: Json, items: readonly unknown[], place: ArgumentPlace, found: Mismatch[]): void {
    const [fewest, most] = [schema["minItems"], schema["maxItems"]];
    if (typeof fewest === "number" && items.length < fewest) {
      found.push(mismatch(place, `at least ${counted(fewest, "item")}`, items));
    } else if (typeof most === "number" && items.length > most) {
      found.push(mismatch(place, `at most ${counted(most, "item")}`, items));
    } else {
      for (const [key, item] of items.entries()) this.add(itemSchema(schema, key), item, { outer: place, key }, found);
    }
  }
}

/** The values of an enum in words. */
function oneOf(values: unknown): string {
  return listOf(values)
    .map((value) => JSON.stringify(value))
    .join(" or ");
}

function pathOf(place: ArgumentPlace): string {
  const path: PropertyKey[] = [];
  for (let at: ArgumentPlace | undefined = place; at && at !== ROOT; at = at.outer) path.push(at.key);
  return formatPath(path.reverse());
}

function mismatch(place: ArgumentPlace, expected: string, value: unknown): Mismatch {
  return { path: pathOf(place), expected, received: receivedAt(value, [], expected) };
}
