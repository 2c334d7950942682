import { type Kind, TYPES } from "../../json-schema/keywords.js";
import { pointerSteps, type Resolve, resolverOf } from "../../json-schema/references.js";
import { SchemaObject, takesNothing } from "../../json-schema/schema-object.js";
import { escapeHidden } from "../../shared/hidden-text.js";
import { isObject, type Json, kindOf } from "../../shared/json.js";
import {
  ANYTHING,
  declaration,
  groupedType,
  intersection,
  isAnything,
  type Type,
  union,
  writtenType,
} from "./type-text.js";

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
  readonly #resolve: Resolve;
  readonly #name: string;
  /** Names of types, each with the depth of the deepest reference to it found so far. */
  readonly #definitions: Map<Json, { readonly name: string; readonly depth: number }>;

  constructor(root: Json, name: string) {
    this.#root = root;
    this.#resolve = resolverOf(root);
    this.#name = name;
    this.#definitions = new Map([[root, { name, depth: 0 }]]);
  }

  declarations(): string[] {
    const blocks: string[] = [];
    // Writing a definition may find more, which the loop reaches too.
    for (const [schema, { name, depth }] of this.#definitions) {
      const type = this.#type(schema, { depth, level: 1, owner: schema });
      const isAnyObject = schema === this.#root && isAnything(type);
      const known = isAnyObject ? this.#object(new SchemaObject({}), { depth, level: 1 }) : type;
      blocks.push(declaration(`type ${name} =`, schema, known, 1));
    }
    return blocks;
  }

  #type(schema: unknown, place: TypePlace): Type {
    if (schema === false) return [];
    if (!isObject(schema) || place.depth > DEEPEST) return ANYTHING;
    const object = new SchemaObject(schema);
    const referenced = object.references.map((reference) => this.#referenced(reference, place));
    const combined = this.#combined(object, place);
    const type = referenced.length === 0 ? combined : intersection([...referenced, combined], place.level);
    return object.isNullable ? union([type, [["null"]]]) : type;
  }

  /** Keywords next to `allOf`, `anyOf` and `oneOf` count as one more member of `allOf`. */
  #combined(object: SchemaObject, place: TypePlace): Type {
    const { depth, level } = place;
    const own = this.#own(object, { depth: depth + 1, level });
    const all = this.#members(object.all, place);
    const choices = object.unions.map((members) => union(this.#members(members, { ...place, circle: [] })));
    return intersection([own, ...all, ...choices.filter((choice) => choice.length > 0)], level);
  }

  #members(members: readonly unknown[], place: TypePlace): Type[] {
    return members.map((member) => this.#type(member, { ...place, depth: place.depth + 1 }));
  }

  #referenced(reference: string, place: TypePlace): Type {
    const target = this.#resolve(reference);
    if (!isObject(target)) return this.#type(target, place);
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
      const { references, all, unions } = new SchemaObject(schema);
      for (const part of [...references.map(this.#resolve), ...all, ...unions.flat()]) found.add(part);
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
  #own(object: SchemaObject, place: TypePlace): Type {
    const { values, types, kindWithParts } = object;
    if (values && values.length > MOST_VALUES) return this.#anyOf(object, values.map(kindOf), place);
    if (values && values.length > 0) return union([values.map((value) => [JSON.stringify(value)])]);
    if (types) return this.#anyOf(object, types, place);
    return kindWithParts ? this.#anyOf(object, [kindWithParts], place) : ANYTHING;
  }

  /** The types of values of some kinds. */
  #anyOf(object: SchemaObject, kinds: readonly string[], place: TypePlace): Type {
    const known = TYPES.filter((kind) => kinds.includes(kind));
    return known.length === 0 ? ANYTHING : union(known.map((kind) => this.#ofKind(object, kind, place)));
  }

  #ofKind(object: SchemaObject, kind: Kind, place: TypePlace): Type {
    if (kind === "object") return this.#object(object, place);
    if (kind === "array") return this.#list(object, place);
    return [[kind === "integer" ? "number" : kind]];
  }

  #object({ fields: declared, requiredNames, patterns, rest }: SchemaObject, { depth, level }: TypePlace): Type {
    const inside = { depth, level: level + 1 };
    const fields = sortedByName(declared)
      .map(([name, part]) => ({ name, part, isOptional: !requiredNames.includes(name) }))
      .sort((left, right) => Number(left.isOptional) - Number(right.isOptional))
      .map((field) => ({ ...field, type: this.#type(field.part, inside) }));
    const others = sortedByName(patterns).map(([, part]) => part);
    if (rest !== undefined && rest !== false) others.push(rest);
    if (fields.length + others.length === 0) {
      if (rest === false) return NO_PROPERTIES;
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

  #list({ first, items: rest = true, itemCount }: SchemaObject, place: TypePlace): Type {
    const { level } = place;
    const members = first.map((item) => this.#type(item, place));
    const others = rest === false ? [] : this.#type(rest, place);
    if (first.length === 0 || first.length > LONGEST_TUPLE) {
      return [[`${groupedType(union([...members, others]), level)}[]`]];
    }
    const { least = 0 } = itemCount;
    const parts = members.map((type, index) =>
      index < least ? writtenType(type, level) : `${groupedType(type, level)}?`,
    );
    if (rest !== false) parts.push(`...${groupedType(others, level)}[]`);
    return [[`[${parts.join(", ")}]`]];
  }
}

/** The name of a field, in quotes if it needs them. */
function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Schemas by name, in the same order whatever the service sends. */
function sortedByName(schemas: readonly [name: string, schema: unknown][]): readonly [name: string, schema: unknown][] {
  return schemas.toSorted(([left], [right]) => (left < right ? -1 : 1));
}
