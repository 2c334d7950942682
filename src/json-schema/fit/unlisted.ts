import { child, isObject, type Json } from "../../shared/json.js";
import { itemSchema, itemsOf } from "../items.js";
import { IN_PLACE, SCHEMAS_BY_NAME } from "../keywords.js";
import { listOf, REFERENCES, type Resolve, resolverOf } from "../references.js";
import { namesOf, partsOf } from "../schema-parts.js";
import { spend } from "../step-limit.js";

/** A property that no part of a schema lists. */
export interface Unlisted {
  readonly path: readonly PropertyKey[];
  /** The properties that are listed in its place. */
  readonly listed: ReadonlySet<string>;
  readonly value: unknown;
}

/**
 * The properties of a value that its schema doesn't list, but doesn't mention in another way either. JSON Schema allows
 * them, but usually they are misspelled. A property counts as listed if any part names it: a branch, a condition, a
 * requirement.
 *
 * A place that declares no properties takes all, and so does one that says which others it takes:
 * `additionalProperties`, `patternProperties`. So does one that any part leaves free, such as a branch of a union, or
 * that a pattern of names or `contains` may describe.
 *
 * @param schema - Must not change after the first value.
 */
export function unlistedProperties(schema: unknown, value: unknown): readonly Unlisted[] {
  const found: Unlisted[] = [];
  if (!isObject(schema)) return found;
  let shape = known.get(schema);
  if (!shape || shape.document.shapes > MOST_SHAPES) {
    shape = new Shape([schema], { resolve: resolverOf(schema), shapes: 0 });
    known.set(schema, shape);
  }
  collect(shape, value, undefined, found);
  return found;
}

/** The shapes of whole values, with those of their places that a value had. They live as long as the schemas. */
const known = new WeakMap<Json, Shape>();
/** As many are kept for a schema: one that refers to itself has endlessly many places. */
const MOST_SHAPES = 1_000;

/** A schema with all that is inside of it. */
interface ShapedDocument {
  readonly resolve: Resolve;
  /** The number of shapes. */
  shapes: number;
}

/** Keywords that say what other properties or whole objects a place takes. */
const SAYS_MORE = [
  ...["additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames"],
  ...["const", "enum"],
];
const UNIONS = ["anyOf", "oneOf"];
/** Keywords with which a part says something about an object. */
const ABOUT_OBJECTS = ["properties", "required", "not", ...REFERENCES, ...IN_PLACE, ...SCHEMAS_BY_NAME];

/** The names that the schemas of one place list, with their parts. */
class Shape {
  readonly document: ShapedDocument;
  readonly #parts = new Set<Json>();
  /** By name or index. Names that aren't listed share one. */
  readonly #children = new Map<string | number | undefined, Shape>();
  readonly listed = new Set<string>();
  isOpen: boolean;
  #firstItems = 0;

  constructor(schemas: readonly unknown[], document: ShapedDocument) {
    this.document = document;
    document.shapes += 1;
    let declared = 0;
    this.isOpen = schemas.includes(true);
    for (const schema of partsOf(schemas, document.resolve)) {
      this.#parts.add(schema);
      declared += Object.keys(Object(schema["properties"])).length;
      for (const name of namesOf(schema)) this.listed.add(name);
      this.#firstItems = Math.max(this.#firstItems, itemsOf(schema).first.length);
      const branches = UNIONS.flatMap((keyword) => listOf(schema[keyword]));
      this.isOpen ||=
        SAYS_MORE.some((keyword) => keyword in schema) || takesAnyObject(schema) || branches.includes(true);
    }
    this.isOpen ||= declared === 0;
  }

  property(name: string): Shape {
    const key = this.listed.has(name) ? name : undefined;
    return this.#child(
      key,
      "patternProperties",
      (part) => child(part["properties"], name) ?? part["additionalProperties"],
    );
  }

  item(index: number): Shape {
    // Only the first items can differ.
    return this.#child(Math.min(index, this.#firstItems), "contains", (part) => itemSchema(part, index));
  }

  /** @param partial - A keyword that describes only some of the members, and not by name or index. */
  #child(key: string | number | undefined, partial: string, schemaIn: (part: Json) => unknown): Shape {
    const known = this.#children.get(key);
    if (known) return known;
    const parts = [...this.#parts];
    const shape = new Shape(parts.some((part) => partial in part) ? [true] : parts.map(schemaIn), this.document);
    this.#children.set(key, shape);
    return shape;
  }
}

/** Whether a part takes objects, and says nothing about them. */
function takesAnyObject(part: Json): boolean {
  const types = [part["type"] ?? "object"].flat();
  return types.includes("object") && !ABOUT_OBJECTS.some((keyword) => keyword in part);
}

interface UnlistedPlace {
  readonly outer: UnlistedPlace | undefined;
  readonly key: PropertyKey;
}

function collect(shape: Shape, value: unknown, place: UnlistedPlace | undefined, found: Unlisted[]): void {
  spend();
  if (Array.isArray(value)) {
    for (let key = 0; key < value.length; key += 1) {
      const item: unknown = value[key];
      if (typeof item === "object" && item !== null) collect(shape.item(key), item, { outer: place, key }, found);
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const member = value[key];
      const isUnlisted = !shape.isOpen && !shape.listed.has(key);
      if (isUnlisted) found.push({ path: pathOf({ outer: place, key }), listed: shape.listed, value: member });
      else if (typeof member === "object" && member !== null)
        collect(shape.property(key), member, { outer: place, key }, found);
    }
  }
}

function pathOf(place: UnlistedPlace): PropertyKey[] {
  const path: PropertyKey[] = [];
  for (let at: UnlistedPlace | undefined = place; at; at = at.outer) path.push(at.key);
  return path.reverse();
}
