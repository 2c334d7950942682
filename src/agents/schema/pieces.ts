import { hasKind, KINDS, kindOfValue } from "../../json-schema/drafts.js";
import { haveCommon } from "../../json-schema/json-equal.js";
import type { Kind } from "../../json-schema/keywords.js";
import { acceptsNull, type Field, leavesOf, type Node } from "../../json-schema/node.js";
import { spend } from "../../json-schema/work.js";
import type { Dialect } from "./targets.js";

/** The part of a leaf for values of one type. */
export interface Piece {
  readonly leaf: Node;
  readonly kind: Kind;
}

/** Another shape in which the model writes a value: a map as a list, a tuple as an object. */
export type Form = "entries" | "tuple";

/** The pieces of a node, `null` apart. */
export function piecesOf(node: Node): Piece[] {
  const pieces: Piece[] = [];
  for (const leaf of leavesOf(node)) for (const kind of leaf.kinds) if (kind !== "null") pieces.push({ leaf, kind });
  return pieces;
}

/** Whether a node accepts everything. */
export function isAny(node: Node): boolean {
  if (node.branches) return !node.isExclusive && node.branches.length > 0 && node.branches.every(isAny);
  return (
    node.values === undefined &&
    KINDS.every((kind) => node.kinds.includes(kind)) &&
    node.fields.size === 0 &&
    node.rest === undefined &&
    node.tuple.length === 0 &&
    node.items === undefined &&
    Object.keys(node.facts).length === 0 &&
    node.others.length === 0
  );
}

/** The shape a piece has for a target, if it isn't its own. */
export function formOf({ leaf, kind }: Piece, dialect: Dialect): Form | undefined {
  if (dialect.constraints === true) return undefined;
  const isMap = kind === "object" && leaf.fields.size === 0 && leaf.rest && !isAny(leaf.rest);
  if (isMap && dialect.plain && !leaf.values) return "entries";
  const isTuple = kind === "array" && leaf.tuple.length > 0 && !leaf.items;
  return isTuple && !dialect.tuples && !leaf.values ? "tuple" : undefined;
}

/**
 * Whether an optional property is written as `{value}`, if each property is required and null stands for an absent one:
 * it takes null itself.
 */
export function isBoxed({ node, isRequired }: Field, { allRequired }: Dialect): boolean {
  return allRequired === true && !isRequired && acceptsNull(node);
}

/**
 * Whether a target that requires all objects to be closed can be told to take any value: as JSON whose objects are
 * lists of entries.
 */
export function hasJsonForm({ plain, references }: Dialect): boolean {
  return plain !== undefined && references === "all";
}

/** Whether a value has another shape for a target, here or further down. */
export function isReshaped(node: Node, dialect: Dialect): boolean {
  return someLeaf(
    node,
    (leaf) =>
      (isAny(leaf) && hasJsonForm(dialect)) ||
      piecesOf(leaf).some((piece) => formOf(piece, dialect) !== undefined) ||
      [...leaf.fields.values()].some((field) => isBoxed(field, dialect)),
  );
}

/**
 * Whether two branches take, or are written with, the same type, so that the type of a value doesn't show which of them
 * it belongs to.
 */
export function isCrowded(node: Node, dialect: Dialect): boolean {
  const pieces = piecesOf(node);
  if (pieces.length < 2) return false;
  const accepted = pieces.map(({ kind }) => (kind === "integer" ? "number" : kind));
  const kindOfForm = { entries: "array", tuple: "object" };
  const written = pieces.map((piece, index) => {
    const form = formOf(piece, dialect);
    return form ? kindOfForm[form] : accepted[index];
  });
  return [written, accepted].some((kinds) => new Set(kinds).size < kinds.length);
}

export function valuesOf({ leaf, kind }: Piece): readonly unknown[] | undefined {
  return leaf.values?.filter((value) => value !== null && hasKind([kind], kindOfValue(value)));
}

/** Whether some leaf at or below a node passes a test. */
export function someLeaf(start: Node, test: (leaf: Node) => boolean): boolean {
  const nodes = new Set([start]);
  for (const node of nodes) {
    for (const leaf of leavesOf(node)) {
      if (test(leaf)) return true;
      const { fields, rest, tuple, items } = leaf;
      for (const below of [...[...fields.values()].map((field) => field.node), ...tuple, rest, items])
        if (below) nodes.add(below);
    }
  }
  return false;
}

/**
 * Whether the structure of a value shows which of two objects it is: a property that only one of them can have like
 * that.
 */
function isSeparable(one: Node, other: Node, isClosed: boolean): boolean {
  return needsMore(one, other, isClosed) || needsMore(other, one, isClosed) || hasDiscriminator(one, other);
}

function needsMore(one: Node, other: Node, isClosed: boolean): boolean {
  const rejectsMore = other.rest === false || (isClosed && other.rest === undefined && other.fields.size > 0);
  return rejectsMore && [...one.fields].some(([name, { isRequired }]) => isRequired && !other.fields.has(name));
}

function hasDiscriminator(one: Node, other: Node): boolean {
  return [...one.fields].some(([name, field]) => {
    const counterpart = other.fields.get(name);
    if (!field.isRequired || !counterpart?.isRequired) return false;
    const [ones, others] = [piecesOf(field.node), piecesOf(counterpart.node)];
    if (ones.length === 0 || others.length === 0) return false;
    // null may mean an absent property, so it decides nothing.
    return ones.every((a) => others.every((b) => isScalar(a.kind) && isScalar(b.kind) && areScalarsApart(a, b)));
  });
}

const isScalar = (kind: Kind) => kind !== "object" && kind !== "array";

function areScalarsApart(one: Piece, other: Piece): boolean {
  if (!overlaps(one.kind, other.kind)) return true;
  const [values, others] = [one.leaf.values, other.leaf.values];
  if (!values || !others) return false;
  // null may mean an absent property.
  const scalars = values.filter((value) => value !== null);
  return !haveCommon(scalars, others);
}

function overlaps(one: Kind, other: Kind): boolean {
  return hasKind([one], other) || hasKind([other], one);
}

/** Whether no value can satisfy two branches. */
export function areDisjoint(branches: readonly Node[]): boolean {
  return pairsOf(branches).every(([one, other]) =>
    leavesOf(one).every((a) => leavesOf(other).every((b) => a.kinds.every((kind) => !meets(a, b, kind)))),
  );
}

function meets(one: Node, other: Node, kind: Kind): boolean {
  if (!other.kinds.some((known) => overlaps(kind, known))) return false;
  if (one.values && other.values) return haveCommon(one.values, other.values);
  return !(kind === "object" && isSeparable(one, other, false));
}

/**
 * Whether the structure of each value shows which branch to complete with null for absent properties. Branches without
 * anything to complete need no choice.
 */
export function canChoose(branches: readonly Node[], seen: readonly Node[] = []): boolean {
  const leaves = branches.flatMap(leavesOf);
  const incomplete = new Set(leaves.filter((leaf) => someLeaf(leaf, hasOptional)));
  return pairsOf(leaves).every(([one, other]) => {
    const [onlyOne, onlyOther] = [one, other].map(({ kinds }) => kinds);
    const isShared = (kind: Kind) => Boolean(onlyOne?.includes(kind) && onlyOther?.includes(kind));
    if (!incomplete.has(one) && !incomplete.has(other)) return true;
    if (isShared("object") && !isSeparable(one, other, true)) return false;
    if (!isShared("array")) return true;
    if (one.tuple.length > 0 || other.tuple.length > 0 || !one.items || !other.items || seen.includes(one))
      return false;
    return one.items === other.items || canChoose([one.items, other.items], [...seen, one]);
  });
}

const hasOptional = ({ fields, tuple }: Node) =>
  tuple.length > 0 || [...fields.values()].some(({ isRequired }) => !isRequired);

function pairsOf<Value>(values: readonly Value[]): (readonly [Value, Value])[] {
  spend(values.length ** 2);
  return values.flatMap((one, index) => values.slice(index + 1).map((other) => [one, other] as const));
}
