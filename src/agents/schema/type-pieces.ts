import { hasKind, KINDS, kindOfValue } from "../../json-schema/drafts.js";
import type { Kind } from "../../json-schema/keywords.js";
import type { SchemaNode } from "../../json-schema/node.js";

/** The part of a leaf for values of one type. */
export interface Piece {
  readonly leaf: SchemaNode;
  readonly kind: Kind;
}

/** The pieces of a node, `null` apart. */
export function piecesOf(node: SchemaNode): Piece[] {
  const pieces: Piece[] = [];
  for (const leaf of node.leaves) for (const kind of leaf.kinds) if (kind !== "null") pieces.push({ leaf, kind });
  return pieces;
}

/** The values of an enum that have a piece's type; `undefined` if any value is accepted. */
export function valuesOf({ leaf, kind }: Piece): readonly unknown[] | undefined {
  return leaf.values?.filter((value) => value !== null && hasKind([kind], kindOfValue(value)));
}

/** Whether a node accepts everything. */
export function isAny({ content }: SchemaNode): boolean {
  const { branches, kinds } = content;
  if (branches) return !content.isExclusive && branches.length > 0 && branches.every(isAny);
  return (
    kinds.length >= KINDS.length &&
    KINDS.every((kind) => kinds.includes(kind)) &&
    content.values === undefined &&
    content.fields.size === 0 &&
    content.rest === undefined &&
    content.tuple.length === 0 &&
    content.items === undefined &&
    Object.keys(content.facts).length === 0 &&
    content.others.length === 0
  );
}

/** The leaves at or below a node. */
function* leavesBelow(start: SchemaNode): Generator<SchemaNode> {
  const nodes = new Set([start]);
  for (const node of nodes) {
    for (const leaf of node.leaves) {
      yield leaf;
      const { fields, rest, tuple, items } = leaf;
      for (const field of fields.values()) nodes.add(field.node);
      for (const below of [...tuple, rest, items]) if (below) nodes.add(below);
    }
  }
}

/** Whether some leaf at or below a node passes a test. */
export function someLeaf(start: SchemaNode, test: (leaf: SchemaNode) => boolean): boolean {
  for (const leaf of leavesBelow(start)) if (test(leaf)) return true;
  return false;
}
