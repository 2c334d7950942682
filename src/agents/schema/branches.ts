import { hasKind } from "../../json-schema/drafts.js";
import { haveCommon } from "../../json-schema/json-equal.js";
import type { Kind } from "../../json-schema/keywords.js";
import type { SchemaNode } from "../../json-schema/node.js";
import { spend } from "../../json-schema/work.js";
import { formOf } from "./forms.js";
import { type Piece, piecesOf, someLeaf } from "./pieces.js";
import type { Dialect } from "./targets.js";

/**
 * Whether two branches take, or are written with, the same type, so that the type of a value doesn't show which of them
 * it belongs to.
 */
export function isCrowded(node: SchemaNode, dialect: Dialect): boolean {
  const pieces = piecesOf(node);
  if (pieces.length < 2) return false;
  const accepted = pieces.map(({ kind }) => (kind === "integer" ? "number" : kind));
  const written = pieces.map((piece, index) => formOf(piece, dialect)?.kind ?? accepted[index]);
  return [written, accepted].some((kinds) => new Set(kinds).size < kinds.length);
}

/** Whether no value can satisfy two branches. */
export function areDisjoint(branches: readonly SchemaNode[]): boolean {
  return pairsOf(branches).every(([one, other]) =>
    one.leaves.every((a) => other.leaves.every((b) => a.kinds.every((kind) => !meets(a, b, kind)))),
  );
}

/**
 * Whether the structure of each value shows which branch to complete with null for absent properties. Branches without
 * anything to complete need no choice.
 */
export function canChoose(branches: readonly SchemaNode[], seen: readonly SchemaNode[] = []): boolean {
  const leaves = branches.flatMap((branch) => branch.leaves);
  const incomplete = new Set(leaves.filter((leaf) => someLeaf(leaf, hasOptional)));
  return pairsOf(leaves).every(([one, other]) => {
    if (!incomplete.has(one) && !incomplete.has(other)) return true;
    if (bothTake(one, other, "object") && !isSeparable(one, other, true)) return false;
    return !bothTake(one, other, "array") || canChooseItems(one, other, seen);
  });
}

function canChooseItems(one: SchemaNode, other: SchemaNode, seen: readonly SchemaNode[]): boolean {
  if (one.tuple.length > 0 || other.tuple.length > 0 || !one.items || !other.items || seen.includes(one)) return false;
  return one.items === other.items || canChoose([one.items, other.items], [...seen, one]);
}

const bothTake = (one: SchemaNode, other: SchemaNode, kind: Kind) =>
  one.kinds.includes(kind) && other.kinds.includes(kind);

const hasOptional = ({ fields, tuple }: SchemaNode) =>
  tuple.length > 0 || [...fields.values()].some(({ isRequired }) => !isRequired);

/**
 * Whether the structure of a value shows which of two objects it is: a property that only one of them can have like
 * that.
 */
function isSeparable(one: SchemaNode, other: SchemaNode, isClosed: boolean): boolean {
  return needsMore(one, other, isClosed) || needsMore(other, one, isClosed) || hasDiscriminator(one, other);
}

function needsMore(one: SchemaNode, other: SchemaNode, isClosed: boolean): boolean {
  const rejectsMore = other.rest === false || (isClosed && other.rest === undefined && other.fields.size > 0);
  return rejectsMore && [...one.fields].some(([name, { isRequired }]) => isRequired && !other.fields.has(name));
}

function hasDiscriminator(one: SchemaNode, other: SchemaNode): boolean {
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

function meets(one: SchemaNode, other: SchemaNode, kind: Kind): boolean {
  if (!other.kinds.some((known) => overlaps(kind, known))) return false;
  if (one.values && other.values) return haveCommon(one.values, other.values);
  return !(kind === "object" && isSeparable(one, other, false));
}

function pairsOf<Value>(values: readonly Value[]): (readonly [Value, Value])[] {
  spend(values.length ** 2);
  return values.flatMap((one, index) => values.slice(index + 1).map((other) => [one, other] as const));
}
