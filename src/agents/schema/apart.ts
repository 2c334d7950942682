import { hasKind, type Kind } from "./drafts.js";
import { haveCommon } from "./json-equal.js";
import { type Field, leavesOf, type Node } from "./node.js";
import { type Piece, piecesOf, someLeaf } from "./pieces.js";
import { spend } from "./work.js";

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
    return counterpart !== undefined && isDiscriminator(field, counterpart);
  });
}

function isDiscriminator(one: Field, other: Field): boolean {
  if (!one.isRequired || !other.isRequired) return false;
  const [ones, others] = [piecesOf(one.node), piecesOf(other.node)];
  if (ones.length === 0 || others.length === 0) return false;
  // null may mean an absent property, so it decides nothing.
  return ones.every((a) => others.every((b) => isScalar(a.kind) && isScalar(b.kind) && areScalarsApart(a, b)));
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
