import type { Kind } from "../../json-schema/keywords.js";
import { ANY, acceptsNull, type Field, type SchemaNode } from "../../json-schema/node.js";
import { child, isObject, isString, type Json } from "../../shared/json.js";
import { type Dialect, isStrict, takesAll } from "./targets.js";
import { isAny, type Piece, piecesOf, someLeaf } from "./type-pieces.js";
import { withNull } from "./unions.js";
import {
  closedObject,
  describedSchema,
  itemPath,
  valuePath,
  type WritingPlace,
  type WritingState,
} from "./writing-state.js";
import { type Written, withFacts, writtenFacts } from "./written-facts.js";

/** Writes the schemas of the parts of a form. */
export interface PartWriter {
  readonly writing: WritingState;
  part(node: SchemaNode, place: WritingPlace, path: string, isOptional?: boolean): Json;
}

/** The node that a leaf has for a part of its values: of the third position, `(leaf) => leaf.tuple[2]`, for example. */
export type NodeOfPart = (leaf: SchemaNode) => SchemaNode | false | undefined;

/** Decodes a part of a value with the nodes that all leaves around it have for it. */
export type DecodePart = (nodeOf: NodeOfPart, value: unknown) => unknown;

/** Another shape in which the model writes a value, because the target has no words for the tool's own. */
export interface Form {
  /** The type of values in this form. */
  readonly kind: Kind;
  /** A sentence for developers. */
  readonly note: string;
  write(writer: PartWriter, place: WritingPlace): Written;
  /** The tool's value of one that the model wrote; `undefined` if it doesn't have this form. */
  decode(value: unknown, part: DecodePart): unknown;
}

/** The form of a piece for a target; `undefined` if it keeps its own. */
export function formOf(piece: Piece, dialect: Dialect): Form | undefined {
  if (takesAll(dialect) || piece.leaf.values) return undefined;
  return EntryList.of(piece, dialect) ?? Tuple.of(piece, dialect);
}

/** A map, as a list of its keys and values. */
class EntryList implements Form {
  readonly kind = "array";
  readonly note = "The map is written as a list of keys and values.";
  readonly #map: SchemaNode;

  constructor(map: SchemaNode) {
    this.#map = map;
  }

  /** Strict targets only take closed objects. */
  static of({ leaf, kind }: Piece, dialect: Dialect): EntryList | undefined {
    const isMap = kind === "object" && isStrict(dialect) && leaf.fields.size === 0 && leaf.rest && !isAny(leaf.rest);
    return isMap ? new EntryList(leaf) : undefined;
  }

  write(writer: PartWriter, place: WritingPlace): Written {
    const { rest, facts } = this.#map;
    const { writing } = writer;
    const value = rest ? writer.part(rest, place, valuePath(place.path)) : {};
    writing.note(place.path, "described", "additionalProperties: a list with the same key twice is rejected.");
    const { minProperties, maxProperties } = facts;
    const counts = {
      ...(minProperties !== undefined && { minItems: minProperties }),
      ...(maxProperties !== undefined && { maxItems: maxProperties }),
    };
    return withFacts({ schema: listOfEntries(value), constraints: [] }, writtenFacts(writing.dialect, "array", counts));
  }

  decode(value: unknown, part: DecodePart): unknown {
    const entries = entriesOf(value);
    return entries && Object.fromEntries(entries.map(([name, member]) => [name, part(memberNode(name), member)]));
  }
}

/** A list with a schema for each position, as an object of the positions. */
class Tuple implements Form {
  readonly kind = "object";
  readonly note = "The list is written as an object of its positions.";
  readonly #list: SchemaNode;

  constructor(list: SchemaNode) {
    this.#list = list;
  }

  static of({ leaf, kind }: Piece, { tuples }: Dialect): Tuple | undefined {
    return kind === "array" && leaf.tuple.length > 0 && !leaf.items && !tuples ? new Tuple(leaf) : undefined;
  }

  write(writer: PartWriter, place: WritingPlace): Written {
    const { writing } = writer;
    const { dialect } = writing;
    const { tuple, facts } = this.#list;
    const { minItems = 0, ...limits } = facts;
    const names = tuple.map((_, index) => String(index));
    const isRequired = (index: number) => index < Number(minItems);
    const properties = tuple.map((node, index): [string, Json] => {
      const isFilled = dialect.allRequired && !isRequired(index);
      if (isFilled && !this.#isAbsentIfNull(index))
        writing.notStrict(place.path, "An item may be absent and may be null");
      const schema = writer.part(node, place, itemPath(place.path), !isRequired(index));
      return [names[index] ?? "", isFilled ? withNull(schema, dialect) : schema];
    });
    // Even if `minItems` is more than the positions: it isn't written.
    if (names.length !== Number(minItems))
      writing.note(place.path, "described", "prefixItems: no position may be absent before another one.");
    const needed = names.filter((_, index) => dialect.allRequired || isRequired(index));
    const schema = {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(needed.length > 0 || isStrict(dialect) ? { required: needed } : {}),
      ...(isStrict(dialect) && { additionalProperties: false }),
    };
    // An object takes no keyword of a list, so all of them become words.
    return { schema, constraints: writtenFacts({ ...dialect, constraints: [] }, "array", limits).constraints };
  }

  decode(value: unknown, part: DecodePart): unknown {
    if (!isObject(value)) return undefined;
    const names = Object.keys(value);
    if (!names.every((_, index) => Object.hasOwn(value, String(index)))) return undefined;
    const items = names.map((_, index) => value[String(index)]);
    while (items.at(-1) === null && this.#isAbsentIfNull(items.length - 1)) items.pop();
    return items.map((item, index) => part(({ tuple }) => tuple[index], item));
  }

  /** Whether null at a position can only mean that the list ends before it. */
  #isAbsentIfNull(index: number): boolean {
    const { tuple, facts } = this.#list;
    const item = tuple[index];
    return index >= Number(facts["minItems"] ?? 0) && item !== undefined && !acceptsNull(item);
  }
}

/**
 * An optional property that takes null, as an object around its value: where each property is required, null alone
 * leaves it out. It isn't a {@link Form}: a property has it, not a piece.
 */
export const Box = {
  note: "The value is written in an object, because null alone means that it is absent.",

  isFor({ node, isRequired }: Field, { allRequired }: Dialect): boolean {
    return allRequired === true && !isRequired && acceptsNull(node);
  },

  write({ description, ...value }: Json): Json {
    const box = { ...closedObject({ value }), ...(description !== undefined && { description }) };
    return describedSchema(box, "(null leaves it out; {value: null} is null)");
  },

  /** The value in the box; `undefined` for an absent property. */
  decode(written: unknown): unknown {
    if (written === null) return undefined;
    return isObject(written) && Object.keys(written).join() === "value" ? written["value"] : written;
  },
};

/**
 * Any value, as JSON whose objects are lists of entries: for targets that only take closed objects, and recursive
 * references. It isn't a {@link Form}: it stands for all pieces of a node.
 */
export const AnyJson = {
  note: "Objects in it are written as lists of entries.",

  isFor(node: SchemaNode, dialect: Dialect): boolean {
    return isStrict(dialect) && dialect.references === "all" && isAny(node);
  },

  /** The definition, with a reference to itself. */
  write(json: Json): Json {
    const scalars = ["string", "number", "boolean", "null"].map((type) => ({ type }));
    return { anyOf: [...scalars, { type: "array", items: json }, closedObject({ entries: listOfEntries(json) })] };
  },

  /** If a key occurs twice, the last value counts, as in JSON. */
  decode(value: unknown, depth = 0): unknown {
    if (typeof value !== "object" || value === null || depth > DEEPEST_VALUE) return value;
    if (Array.isArray(value)) return value.map((item) => AnyJson.decode(item, depth + 1));
    const { entries } = Object(value);
    const isForm = Array.isArray(entries) && entries.every((entry) => isString(child(entry, "key")));
    if (!isForm || Object.keys(value).length > 1) return value;
    const members = entries.map((entry) => [
      String(child(entry, "key")),
      AnyJson.decode(child(entry, "value"), depth + 1),
    ]);
    return Object.fromEntries(members);
  },
};

/** Values nested deeper than this stay as they are. */
export const DEEPEST_VALUE = 200;

/** Whether a value has another form for a target, here or further down. */
export function isReshaped(node: SchemaNode, dialect: Dialect): boolean {
  return someLeaf(
    node,
    (leaf) =>
      AnyJson.isFor(leaf, dialect) ||
      piecesOf(leaf).some((piece) => formOf(piece, dialect) !== undefined) ||
      [...leaf.fields.values()].some((field) => Box.isFor(field, dialect)),
  );
}

/** The node of a member of an object. */
export const memberNode = (name: string) => (leaf: SchemaNode) => leaf.fields.get(name)?.node ?? leaf.rest;

/** The node of an item of a list. Items that aren't mentioned may be anything. */
export const itemNode =
  (index: number) =>
  ({ kinds, tuple, items }: SchemaNode) =>
    kinds.includes("array") ? (tuple[index] ?? items ?? ANY) : undefined;

/** A map as a list, for targets that only take closed objects. */
function listOfEntries(value: Json): Json {
  return { type: "array", items: closedObject({ key: { type: "string" }, value }) };
}

/** The entries of a map that was written as a list; `undefined` if it isn't one, or if a key occurs twice. */
function entriesOf(list: unknown): [string, unknown][] | undefined {
  if (!Array.isArray(list)) return undefined;
  const entries = list.flatMap((entry): [string, unknown][] => {
    if (!isObject(entry) || !isString(entry["key"]) || !Object.hasOwn(entry, "value")) return [];
    return Object.keys(entry).length === 2 ? [[entry["key"], entry["value"]]] : [];
  });
  const isWhole = entries.length === list.length && new Set(entries.map(([key]) => key)).size === list.length;
  return isWhole ? entries : undefined;
}
