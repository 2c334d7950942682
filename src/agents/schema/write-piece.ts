import { KEYWORDS_OF, type Kind } from "../../json-schema/keywords.js";
import { ANY, hasImpossibleAlternative, isPossible, type Node, schemaOf } from "../../json-schema/node.js";
import type { Json } from "../../shared/json.js";
import { isAbsentItem } from "./forms.js";
import { formOf, isAny, isBoxed, type Piece, valuesOf } from "./pieces.js";
import type { Dialect } from "./targets.js";
import { unionOf, withNull } from "./unions.js";
import {
  closedObject,
  described,
  itemPath,
  listOfEntries,
  memberPath,
  type Place,
  valuePath,
  type Writing,
} from "./writing.js";

export type WriteChild = (node: Node, path: string, isOptional?: boolean) => Json;

/** A written schema, and the constraints that the target can only read in the description. */
export interface WrittenPiece {
  readonly schema: Json;
  readonly constraints: readonly Json[];
}

/** Writes the part of a leaf for values of one type. */
export function writePiece(writing: Writing, piece: Piece, place: Place, writeChild: WriteChild): WrittenPiece {
  const form = formOf(piece, writing.dialect);
  const values = valuesOf(piece);
  const isNested = piece.kind === "object" || piece.kind === "array";
  if (values && isNested) writing.notStrict(place, "The values of an enum are objects or lists");
  if (form && place.isCrowded) writing.notStrict(place, "A map or tuple is below alternatives that look alike");
  if (form === "entries" && place.trail.length === 1) writing.notStrict(place, "The arguments themselves are a map");
  if (form && !(place.isCrowded && !writing.dialect.plain)) {
    writing.note(place.path, "reshaped", RESHAPED[form]);
    const writeForm = form === "entries" ? entries : tupleObject;
    return writeForm(writing, piece, place, writeChild);
  }
  const facts = factsOf(writing.dialect, piece.kind, piece.leaf.facts);
  if (piece.kind === "object") return withFacts(object(writing, piece.leaf, place, writeChild), facts, values);
  if (piece.kind === "array") return withFacts(array(writing, piece.leaf, place, writeChild), facts, values);
  return scalar(writing, piece, facts, values);
}

const RESHAPED = {
  entries: "The map is written as a list of keys and values.",
  tuple: "The list is written as an object of its positions.",
};

function scalar(
  { dialect }: Writing,
  { kind }: Piece,
  facts: WrittenPiece,
  values: readonly unknown[] | undefined,
): WrittenPiece {
  const schema = { type: kind, ...facts.schema };
  const isBoth = values?.length === 2 && values.includes(true) && values.includes(false);
  if (!values || isBoth) return { schema, constraints: facts.constraints };
  const isListable = dialect.enums.includes(kind) && !(dialect.bareUnions && values.includes(""));
  return isListable
    ? { schema: { ...schema, enum: values }, constraints: facts.constraints }
    : { schema, constraints: [...facts.constraints, { enum: values }] };
}

function object(writing: Writing, leaf: Node, place: Place, writeChild: WriteChild): WrittenPiece {
  const { dialect, aliases } = writing;
  const properties: [string, Json][] = [];
  const required: string[] = [];
  for (const [name, field] of leaf.fields) {
    const { node, isRequired } = field;
    const path = memberPath(place.path, name);
    if (!isPossible(node)) {
      writing.note(path, "described", "The schema accepts no value here, so the property isn't shown.");
      continue;
    }
    const alias = aliases.aliasOf(name);
    if (alias !== name) writing.note(path, "renamed", `The model calls it ${alias}.`);
    const isFilled = dialect.allRequired && !isRequired;
    const own = writeChild(node, path, !isRequired);
    const schema = isBoxed(field, dialect) ? boxed(writing, own, { ...place, path }) : own;
    properties.push([alias, isFilled ? withNull(schema, dialect) : schema]);
    if (isRequired || isFilled) required.push(alias);
  }
  const { schema, constraints } = restOf(writing, leaf, place, writeChild);
  const isEmpty = properties.length === 0 && !dialect.plain && place.trail.length > 1;
  return {
    schema: {
      type: "object",
      ...(!isEmpty && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 || (dialect.plain && properties.length > 0) ? { required } : {}),
      ...schema,
    },
    constraints,
  };
}

/** Writes an optional property that takes null: null alone leaves it out. */
function boxed(writing: Writing, { description, ...value }: Json, place: Place): Json {
  if (place.isCrowded) writing.notStrict(place, "It may be absent and may be null, below alternatives that look alike");
  writing.note(
    place.path,
    "reshaped",
    "The value is written in an object, because null alone means that it is absent.",
  );
  const box = { ...closedObject({ value }), ...(description !== undefined && { description }) };
  return described(box, "(null leaves it out; {value: null} is null)");
}

/** Writes the schema of undeclared properties. */
function restOf(writing: Writing, leaf: Node, place: Place, writeChild: WriteChild): WrittenPiece {
  const { rest, fields, isDeclared } = leaf;
  const nothing = { schema: {}, constraints: [] };
  if (writing.dialect.plain) {
    const isFree = rest === undefined && fields.size === 0 && !(isDeclared && place.trail.length === 1);
    if (rest || isFree) writing.notStrict(place, "Any properties are accepted here");
    return { schema: { additionalProperties: false }, constraints: [] };
  }
  // An alternative that accepts no value is said where the others are written.
  if (rest === undefined || (rest && isAny(rest) && !hasImpossibleAlternative(rest))) return nothing;
  if (writing.dialect.rest) {
    return { schema: { additionalProperties: rest && writeChild(rest, valuePath(place.path)) }, constraints: [] };
  }
  if (rest) return { schema: {}, constraints: [{ additionalProperties: schemaOf(rest) }] };
  writing.note(
    place.path,
    "described",
    "additionalProperties: the target can't be told that there are no other properties.",
  );
  return nothing;
}

function entries(writing: Writing, { leaf }: Piece, place: Place, writeChild: WriteChild): WrittenPiece {
  const { minProperties, maxProperties } = leaf.facts;
  const value = leaf.rest ? writeChild(leaf.rest, valuePath(place.path)) : {};
  writing.note(place.path, "described", "additionalProperties: a list with the same key twice is rejected.");
  const counts = {
    ...(minProperties !== undefined && { minItems: minProperties }),
    ...(maxProperties !== undefined && { maxItems: maxProperties }),
  };
  const list = { schema: listOfEntries(value), constraints: [] };
  return withFacts(list, factsOf(writing.dialect, "array", counts), undefined);
}

function tupleObject(writing: Writing, { leaf }: Piece, place: Place, writeChild: WriteChild): WrittenPiece {
  const { dialect, aliases } = writing;
  const { minItems = 0, ...facts } = leaf.facts;
  const names = leaf.tuple.map((_, index) => aliases.aliasOf(String(index)));
  const isRequired = (index: number) => index < Number(minItems);
  const properties = leaf.tuple.map((node, index): [string, Json] => {
    const isFilled = dialect.allRequired && !isRequired(index);
    if (isFilled && !isAbsentItem(leaf, index)) writing.notStrict(place, "An item may be absent and may be null");
    const schema = writeChild(node, itemPath(place.path), !isRequired(index));
    return [names[index] ?? "", isFilled ? withNull(schema, dialect) : schema];
  });
  if (names.length - Number(minItems) !== 0)
    writing.note(place.path, "described", "prefixItems: no position may be absent before another one.");
  const needed = names.filter((_, index) => dialect.allRequired || isRequired(index));
  const { constraints } = factsOf({ ...dialect, constraints: [] }, "array", facts);
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(needed.length > 0 || dialect.plain ? { required: needed } : {}),
      ...(dialect.plain && { additionalProperties: false }),
    },
    constraints,
  };
}

function array(writing: Writing, { tuple, items, facts }: Node, place: Place, writeChild: WriteChild): WrittenPiece {
  const path = itemPath(place.path);
  const written = () => tuple.map((node) => writeChild(node, path));
  // Where no more items are accepted, `maxItems` says so.
  const writtenRest = () => writeChild(items || ANY, path);
  const schema = { type: "array" };
  if (tuple.length === 0) {
    const isClosed = items === false;
    const isWritten = isWritable("maxItems", 0, writing.dialect);
    return {
      schema: { ...schema, items: writtenRest(), ...(isClosed && isWritten && { maxItems: 0 }) },
      constraints: isClosed && !isWritten ? [{ maxItems: 0 }] : [],
    };
  }
  if (writing.dialect.tuples) {
    const most = Math.min(tuple.length, Number(facts["maxItems"] ?? tuple.length));
    const limit = items === false && { maxItems: most };
    return { schema: { ...schema, prefixItems: written(), items: writtenRest(), ...limit }, constraints: [] };
  }
  writing.notStrict(place, "The list has schemas for single positions and for more items");
  const variants = [...written(), ...(items ? [writeChild(items, path)] : [])];
  return {
    schema: { ...schema, items: unionOf(variants, writing.dialect) },
    constraints: [{ prefixItems: "each position has its own form, in this order" }],
  };
}

function withFacts(piece: WrittenPiece, facts: WrittenPiece, values: readonly unknown[] | undefined): WrittenPiece {
  return {
    schema: { ...facts.schema, ...piece.schema },
    constraints: [...facts.constraints, ...piece.constraints, ...(values ? [{ enum: values }] : [])],
  };
}

/** Bounds and the like: as keywords if the target takes them, otherwise as words. */
function factsOf(dialect: Dialect, kind: Kind, all: Json): WrittenPiece {
  const schema: Record<string, unknown> = {};
  const constraints: Json[] = [];
  for (const [keyword, value] of Object.entries(all)) {
    if (!KEYWORDS_OF[kind].includes(keyword)) continue;
    if (isWritable(keyword, value, dialect)) schema[keyword] = value;
    else constraints.push({ [keyword]: value });
  }
  return { schema, constraints };
}

function isWritable(keyword: string, value: unknown, dialect: Dialect): boolean {
  if (keyword === "pattern" && dialect.rejectedPatterns?.test(String(value))) return false;
  if (dialect.constraints === true) return true;
  if (!dialect.constraints.includes(keyword)) return false;
  if (keyword === "format") return dialect.formats.includes(String(value));
  return keyword !== "minItems" || Number(value) <= (dialect.mostMinItems ?? Number.POSITIVE_INFINITY);
}
