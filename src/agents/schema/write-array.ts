import type { Json } from "../../shared/json.js";
import { factsOf, isWritable, notStrict, type WriteChild, type WrittenPiece } from "./facts.js";
import { isAbsentItem } from "./forms.js";
import { ANY, type Node } from "./node.js";
import type { Piece } from "./pieces.js";
import { unionOf, withNull } from "./unions.js";
import { itemPath, type Place, type Writing } from "./writing.js";

export function tupleObject(writing: Writing, { leaf }: Piece, place: Place, writeChild: WriteChild): WrittenPiece {
  const { dialect, aliases } = writing;
  const { minItems = 0, ...facts } = leaf.facts;
  const names = leaf.tuple.map((_, index) => aliases.aliasOf(String(index)));
  const isRequired = (index: number) => index < Number(minItems);
  const properties = leaf.tuple.map((node, index): [string, Json] => {
    const isFilled = dialect.allRequired && !isRequired(index);
    if (isFilled && !isAbsentItem(leaf, index)) notStrict(writing, place, "An item may be absent and may be null");
    const schema = writeChild(node, itemPath(place.path), !isRequired(index));
    return [names[index] ?? "", isFilled ? withNull(schema, dialect) : schema];
  });
  if (names.length - Number(minItems) !== 0)
    writing.note(place.path, "described", "prefixItems: no position may be absent before another one.");
  const needed = names.filter((_, index) => dialect.allRequired || isRequired(index));
  const { constraints } = factsOf(
    { ...writing, dialect: { ...dialect, constraints: [] } },
    { kind: "array", leaf: { ...leaf, facts } },
  );
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

export function array(
  writing: Writing,
  { tuple, items, facts }: Node,
  place: Place,
  writeChild: WriteChild,
): WrittenPiece {
  const path = itemPath(place.path);
  const anything = (): Json => writeChild(ANY, path);
  const written = () => tuple.map((node) => writeChild(node, path));
  const schema = { type: "array" };
  if (tuple.length === 0) {
    if (items !== false)
      return { schema: { ...schema, items: items ? writeChild(items, path) : anything() }, constraints: [] };
    const isWritten = isWritable("maxItems", 0, writing.dialect);
    return {
      schema: { ...schema, items: anything(), ...(isWritten && { maxItems: 0 }) },
      constraints: isWritten ? [] : [{ maxItems: 0 }],
    };
  }
  if (writing.dialect.tuples) {
    const most = Math.min(tuple.length, Number(facts["maxItems"] ?? tuple.length));
    return {
      schema: {
        ...schema,
        prefixItems: written(),
        items: items ? writeChild(items, path) : anything(),
        ...(items === false && { maxItems: most }),
      },
      constraints: [],
    };
  }
  notStrict(writing, place, "The list has schemas for single positions and for more items");
  const variants = [...written(), ...(items ? [writeChild(items, path)] : [])];
  return {
    schema: { ...schema, items: unionOf(variants, writing.dialect) },
    constraints: [{ prefixItems: "each position has its own form, in this order" }],
  };
}
