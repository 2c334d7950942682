import { hasKind } from "../../json-schema/drafts.js";
import { haveCommon } from "../../json-schema/json-equal.js";
import type { Kind } from "../../json-schema/keywords.js";
import type { SchemaNode } from "../../json-schema/node.js";
import { spend } from "../../json-schema/step-limit.js";
import { formOf } from "./forms.js";
import type { Dialect } from "./targets.js";
import { type Piece, piecesOf, someLeaf } from "./type-pieces.js";

/**
 * Whether two branches take, or are written with, the same type, so that the type of a value doesn't show which of them
 * it belongs to.
 */
export function branchesShareType(node: SchemaNode, dialect: Dialect): boolean {
  const pieces = piecesOf(node);
  if (pieces.length < 2) return false;
  const accepted = pieces.map(({ kind }) => (kind === "integer" ? "number" : kind));
  const written = pieces.map((piece, index) => formOf(piece, dialect)?.kind ?? accepted[index]);
  return [written, accepted].some((kinds) => new Set(kinds).size < kinds.length);
}

/** Whether no value can satisfy two branches. */
export function areDisjoint(branches: readonly SchemaNode[]): boolean {
  return pairsOf(branches).every(([left, right]) =>
    left.leaves.every((a) => right.leaves.every((b) => a.kinds.every((kind) => !meets(a, b, kind)))),
  );
}

/**
 * Whether the structure of each value shows which branch to complete with null for absent properties. Branches without
 * anything to complete need no choice.
 */
export function canChoose(branches: readonly SchemaNode[], seen: readonly SchemaNode[] = []): boolean {
  const leaves = branches.flatMap((branch) => branch.leaves);
  const incomplete = new Set(leaves.filter((leaf) => someLeaf(leaf, hasOptional)));
  return pairsOf(leaves).every(([left, right]) => {
    if (!incomplete.has(left) && !incomplete.has(right)) return true;
    if (bothTake(left, right, "object") && !isSeparable(left, right, true)) return false;
    return !bothTake(left, right, "array") || canChooseItems(left, right, seen);
  });
}

function canChooseItems(left: SchemaNode, right: SchemaNode, seen: readonly SchemaNode[]): boolean {
  if (left.tuple.length > 0 || right.tuple.length > 0 || !left.items || !right.items || seen.includes(left))
    return false;
  return left.items === right.items || canChoose([left.items, right.items], [...seen, left]);
}

const bothTake = (left: SchemaNode, right: SchemaNode, kind: Kind) =>
  left.kinds.includes(kind) && right.kinds.includes(kind);

const hasOptional = ({ fields, tuple }: SchemaNode) =>
  tuple.length > 0 || [...fields.values()].some(({ isRequired }) => !isRequired);

/**
 * Whether the structure of a value shows which of two objects it is: a property that only one of them can have like
 * that.
 */
function isSeparable(left: SchemaNode, right: SchemaNode, isClosed: boolean): boolean {
  return needsMore(left, right, isClosed) || needsMore(right, left, isClosed) || hasDiscriminator(left, right);
}

function needsMore(left: SchemaNode, right: SchemaNode, isClosed: boolean): boolean {
  const rejectsMore = right.rest === false || (isClosed && right.rest === undefined && right.fields.size > 0);
  return rejectsMore && [...left.fields].some(([name, { isRequired }]) => isRequired && !right.fields.has(name));
}

function hasDiscriminator(left: SchemaNode, right: SchemaNode): boolean {
  return [...left.fields].some(([name, field]) => {
    const counterpart = right.fields.get(name);
    if (!field.isRequired || !counterpart?.isRequired) return false;
    const [ones, others] = [piecesOf(field.node), piecesOf(counterpart.node)];
    if (ones.length === 0 || others.length === 0) return false;
    // null may mean an absent property, so it decides nothing.
    return ones.every((a) => others.every((b) => isScalar(a.kind) && isScalar(b.kind) && areScalarsApart(a, b)));
  });
}

const isScalar = (kind: Kind) => kind !== "object" && kind !== "array";

function areScalarsApart(left: Piece, right: Piece): boolean {
  if (!overlaps(left.kind, right.kind)) return true;
  const [values, others] = [left.leaf.values, right.leaf.values];
  if (!values || !others) return false;
  // null may mean an absent property.
  const scalars = values.filter((value) => value !== null);
  return !haveCommon(scalars, others);
}

function overlaps(left: Kind, right: Kind): boolean {
  return hasKind([left], right) || hasKind([right], left);
}

function meets(left: SchemaNode, right: SchemaNode, kind: Kind): boolean {
  if (!right.kinds.some((known) => overlaps(kind, known))) return false;
  if (left.values && right.values) return haveCommon(left.values, right.values);
  return !(kind === "object" && isSeparable(left, right, false));
}

function pairsOf<Value>(values: readonly Value[]): (readonly [Value, Value])[] {
  spend(values.length ** 2);
  return values.flatMap((left, index) => values.slice(index + 1).map((right) => [left, right] as const));
}
