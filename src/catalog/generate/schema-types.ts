import { itemsOf } from "../../json-schema/items.js";
import { TYPES } from "../../json-schema/keywords.js";
import { pointerSteps, resolverOf } from "../../json-schema/references.js";
import { escapeHidden } from "../../shared/hidden-text.js";
import { isObject, type Json, kindOf } from "../../shared/json.js";
import { LIST_KEYWORDS, OBJECT_KEYWORDS, onlySetsBounds, sorted, takesNothing } from "./keywords.js";
import { ANYTHING, declaration, grouped, intersection, isAnything, type Type, union, written } from "./type-text.js";

const NO_PROPERTIES: Type = [["Record<string, never>"]];

/** Maximum depth of types. Real schemas stay below, and compilers can compare it. */
const DEEPEST = 40;
/** A list with more values becomes the types of its values. */
const MOST_VALUES = 10_000;
/** A longer tuple becomes an array. */
const LONGEST_TUPLE = 30;
/** A longer index signature becomes `unknown`. It repeats the types of its fields, and so at every level of nesting. */
const LONGEST_INDEX = 2_000;

/**
 * Turns a JSON Schema of any draft into TypeScript declarations: of `name`, and of the definitions it refers to, whose
 * names start with it.
 *
 * Accepts any value. What decides no type becomes `unknown`, and no schema can write code.
 *
 * @param isInput - Whether an object without listed properties takes none.
 */
export function schemaTypes(schema: unknown, name: string, isInput: boolean): string {
  const root = isObject(schema) ? schema : {};
  const blocks =
    isInput && takesNothing(root)
      ? [declaration(`type ${name} =`, root, NO_PROPERTIES, 1)]
      : new TypeWriter(root, name).declarations();
  // Comments have no invisible characters anymore. Names and values must keep theirs.
  return escapeHidden(blocks.join("\n"));
}

/** Where a schema is used. */
interface TypePlace {
  readonly depth: number;
  readonly level: number;
  /** The definition that has the same type as this schema. `undefined` inside an object or an array. */
  readonly owner?: Json;
  /** The type of a reference that leads back to the owner: nothing in a union, anything elsewhere. */
  readonly circle?: Type;
}

/** Writes the type of a schema, and of each definition that it refers to. */
class TypeWriter {
  readonly #root: Json;
  readonly #name: string;
  /** Names of types, each with the depth of the deepest reference to it found so far. */
  readonly #definitions: Map<Json, { readonly name: string; readonly depth: number }>;

  constructor(root: Json, name: string) {
    this.#root = root;
    this.#name = name;
    this.#definitions = new Map([[root, { name, depth: 0 }]]);
  }

  declarations(): string[] {
    const blocks: string[] = [];
    // Writing a definition may find more, which the loop reaches too.
    for (const [schema, { name, depth }] of this.#definitions) {
      const type = this.#type(schema, { depth, level: 1, owner: schema });
      const isAnyObject = schema === this.#root && isAnything(type);
      const known = isAnyObject ? this.#object({}, { depth, level: 1 }) : type;
      blocks.push(declaration(`type ${name} =`, schema, known, 1));
    }
    return blocks;
  }

  #type(schema: unknown, place: TypePlace): Type {
    if (schema === false) return [];
    if (!isObject(schema) || place.depth > DEEPEST) return ANYTHING;
    const { nullable, ...rest } = schema;
    if (nullable === true) return union([this.#type(rest, place), [["null"]]]);
    const { $ref, ...others } = schema;
    if (typeof $ref !== "string") return this.#combined(schema, place);
    return intersection([this.#referenced($ref, place), this.#combined(others, place)], place.level);
  }

  /** Keywords next to `allOf`, `anyOf` and `oneOf` count as one more member of `allOf`. */
  #combined(schema: Json, place: TypePlace): Type {
    const { allOf, anyOf, oneOf } = schema;
    const { depth, level } = place;
    const own = this.#own(schema, { depth: depth + 1, level });
    const all = this.#members(allOf, place);
    const choices = [anyOf, oneOf].map((members) => union(this.#members(members, { ...place, circle: [] })));
    return intersection([own, ...all, ...choices.filter((choice) => choice.length > 0)], level);
  }

  /** The members that decide types. Those that only set bounds would make the whole "anything". */
  #members(members: unknown, place: TypePlace): Type[] {
    if (!Array.isArray(members)) return [];
    return members
      .filter((member) => !onlySetsBounds(member))
      .map((member) => this.#type(member, { ...place, depth: place.depth + 1 }));
  }

  #referenced(reference: string, place: TypePlace): Type {
    const target = resolverOf(this.#root)(reference);
    if (!isObject(target)) return this.#type(target, place);
    const { $ref: next } = target;
    if (typeof next === "string" && Object.keys(target).length === 1) return this.#referenced(next, place);
    const { owner, depth, circle = ANYTHING } = place;
    if (target === owner) return circle;
    // More than the owner may be in it, so a union can't leave it out.
    if (owner && this.#reaches(target, owner)) return ANYTHING;
    const known = this.#definitions.get(target);
    const name = known?.name ?? this.#unusedName(reference);
    this.#definitions.set(target, { name, depth: Math.max(known?.depth ?? 0, depth) });
    return [[name]];
  }

  /** Whether a schema refers to another without an object or array in between. No type can contain itself like that. */
  #reaches(from: Json, sought: Json): boolean {
    const found = new Set<unknown>([from]);
    // A set is walked in the order in which it grows.
    for (const schema of found) {
      if (!isObject(schema)) continue;
      const { $ref, allOf, anyOf, oneOf } = schema;
      const target = typeof $ref === "string" ? resolverOf(this.#root)($ref) : undefined;
      for (const part of [target, allOf, anyOf, oneOf].flat()) found.add(part);
    }
    return found.has(sought);
  }

  /** A name that ends with the pointer's last segment: `ArgumentsTreeNode` for `#/$defs/tree-node`. */
  #unusedName(pointer: string): string {
    const words = (pointerSteps(pointer).at(-1) ?? pointer).match(/[A-Za-z0-9]+/g) ?? ["Part"];
    const title = this.#name + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
    const taken = [...this.#definitions.values()].map(({ name }) => name);
    let name = title;
    for (let count = 1; taken.includes(name); count += 1) name = title + count;
    return name;
  }

  /** The type without references and combinations. */
  #own(schema: Json, place: TypePlace): Type {
    const { type } = schema;
    const values = "const" in schema ? [schema["const"]] : schema["enum"];
    if (Array.isArray(values) && values.length > MOST_VALUES) return this.#own({ type: values.map(kindOf) }, place);
    if (Array.isArray(values) && values.length > 0) return union([values.map((value) => [JSON.stringify(value)])]);
    if (Array.isArray(type)) {
      const known = TYPES.filter((one) => type.includes(one));
      return known.length === 0 ? ANYTHING : union(known.map((one) => this.#own({ ...schema, type: one }, place)));
    }
    const isKnown = TYPES.includes(type);
    const decides = (keyword: string) => !isKnown && keyword in schema;
    if (type === "object" || OBJECT_KEYWORDS.some(decides)) return this.#object(schema, place);
    if (type === "array" || LIST_KEYWORDS.some(decides)) return this.#list(schema, place);
    return isKnown ? [[type === "integer" ? "number" : String(type)]] : ANYTHING;
  }

  #object(schema: Json, { depth, level }: TypePlace): Type {
    const { properties, patternProperties, additionalProperties, required } = schema;
    const inside = { depth, level: level + 1 };
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    const fields = sorted(properties)
      .map(([name, part]) => ({ name, part, isOptional: !needed.includes(name) }))
      .sort((one, other) => Number(one.isOptional) - Number(other.isOptional))
      .map((field) => ({ ...field, type: this.#type(field.part, inside) }));
    const others = sorted(patternProperties).map(([, part]) => part);
    if (additionalProperties !== undefined && additionalProperties !== false) others.push(additionalProperties);
    if (fields.length + others.length === 0) {
      if (additionalProperties === false) return NO_PROPERTIES;
      others.push(true);
    }
    const lines = fields.map(({ name, part, isOptional, type }) =>
      declaration(`${key(name)}${isOptional ? "?" : ""}:`, part, type, inside.level),
    );
    if (others.length > 0) {
      // TypeScript has one index signature, JSON Schema a schema per pattern. The named fields must match it too.
      const type = union([
        ...others.map((part) => this.#type(part, inside)),
        ...fields.map(({ isOptional, type }) => (isOptional ? [...type, ["undefined"]] : type)),
      ]);
      const doc = others.length === 1 ? others[0] : undefined;
      const isLong = type.flat().join().length > LONGEST_INDEX;
      lines.push(declaration("[k: string]:", doc, isLong ? ANYTHING : type, inside.level));
    }
    return [[`{\n${lines.join("\n")}\n${"  ".repeat(level)}}`]];
  }

  #list(schema: Json, place: TypePlace): Type {
    const { first, rest = true } = itemsOf(schema);
    const { minItems } = schema;
    const { level } = place;
    const members = first.map((item) => this.#type(item, place));
    const others = rest === false ? [] : this.#type(rest, place);
    if (first.length === 0 || first.length > LONGEST_TUPLE) {
      return [[`${grouped(union([...members, others]), level)}[]`]];
    }
    const least = typeof minItems === "number" ? minItems : 0;
    const parts = members.map((type, index) => (index < least ? written(type, level) : `${grouped(type, level)}?`));
    if (rest !== false) parts.push(`...${grouped(others, level)}[]`);
    return [[`[${parts.join(", ")}]`]];
  }
}

/** The name of a field, in quotes if it needs them. */
function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
