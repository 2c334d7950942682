import type { Json } from "../../shared/json.js";
import { factsOf, notStrict, type WriteChild, type WrittenPiece, withFacts } from "./facts.js";
import { isPossible, type Node, schemaOf } from "./node.js";
import { isAny, isBoxed, type Piece } from "./pieces.js";
import { withNull } from "./unions.js";
import { closedObject, described, listOfEntries, memberPath, type Place, valuePath, type Writing } from "./writing.js";

export function object(writing: Writing, leaf: Node, place: Place, writeChild: WriteChild): WrittenPiece {
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
  if (place.isCrowded)
    notStrict(writing, place, "It may be absent and may be null, below alternatives that look alike");
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
    if (rest || isFree) notStrict(writing, place, "Any properties are accepted here");
    return { schema: { additionalProperties: false }, constraints: [] };
  }
  if (rest === undefined || (rest && isAny(rest))) return nothing;
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

export function entries(writing: Writing, { leaf }: Piece, place: Place, writeChild: WriteChild): WrittenPiece {
  const { minProperties, maxProperties } = leaf.facts;
  const value = leaf.rest ? writeChild(leaf.rest, valuePath(place.path)) : {};
  writing.note(place.path, "described", "additionalProperties: a list with the same key twice is rejected.");
  const counts: Piece = {
    kind: "array",
    leaf: {
      ...leaf,
      facts: {
        ...(minProperties !== undefined && { minItems: minProperties }),
        ...(maxProperties !== undefined && { maxItems: maxProperties }),
      },
    },
  };
  return withFacts({ schema: listOfEntries(value), constraints: [] }, factsOf(writing, counts), undefined);
}
