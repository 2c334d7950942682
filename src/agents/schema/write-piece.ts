import { factsOf, notStrict, type WriteChild, type WrittenPiece, withFacts } from "./facts.js";
import { formOf, isBothBooleans, type Piece, valuesOf } from "./pieces.js";
import { array, tupleObject } from "./write-array.js";
import { entries, object } from "./write-object.js";
import type { Place, Writing } from "./writing.js";

/** Writes the part of a leaf for values of one type. */
export function writePiece(writing: Writing, piece: Piece, place: Place, writeChild: WriteChild): WrittenPiece {
  const form = formOf(piece, writing.dialect);
  const values = valuesOf(piece);
  const isNested = piece.kind === "object" || piece.kind === "array";
  if (values && isNested) notStrict(writing, place, "The values of an enum are objects or lists");
  if (form && place.isCrowded) {
    notStrict(writing, place, "A map or tuple is below alternatives that look alike");
  }
  if (form === "entries" && place.trail.length === 1) notStrict(writing, place, "The arguments themselves are a map");
  if (form && !(place.isCrowded && !writing.dialect.plain)) {
    writing.note(place.path, "reshaped", RESHAPED[form]);
    return form === "entries"
      ? entries(writing, piece, place, writeChild)
      : tupleObject(writing, piece, place, writeChild);
  }
  const facts = factsOf(writing, piece);
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
  if (!values || isBothBooleans(values)) return { schema, constraints: facts.constraints };
  const isListable = dialect.enums.includes(kind) && !(dialect.bareUnions && values.includes(""));
  return isListable
    ? { schema: { ...schema, enum: values }, constraints: facts.constraints }
    : { schema, constraints: [...facts.constraints, { enum: values }] };
}
