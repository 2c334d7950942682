import { hasKind, kindOfValue } from "../../json-schema/drafts.js";
import { contains } from "../../json-schema/json-equal.js";
import { acceptsNull, type Field, isPossible, leavesOf, type Node } from "../../json-schema/node.js";
import { isObject } from "../../shared/json.js";

/** Values nested deeper than this stay as they are. */
export const DEEPEST_VALUE = 200;

const EXACT: Reading = { isTolerant: false, isClosed: false };

/** Writes null for each absent property, for targets that require all of them. */
export function withNulls(node: Node | false | undefined, value: unknown, depth = 0): unknown {
  if (!node || depth > DEEPEST_VALUE || typeof value !== "object" || value === null) return value;
  const [leaf] = fittingLeaves(node, value, { isTolerant: false, isClosed: true });
  if (!leaf) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) => withNulls(leaf.tuple[index] ?? leaf.items, item, depth + 1));
  }
  const possible = [...leaf.fields].filter(([, field]) => isPossible(field.node) && isAbsentIfNull(field));
  const absent = possible.map(([name]) => name).filter((name) => !Object.hasOwn(value, name));
  const members = Object.entries(value).map(([name, member]) => [
    name,
    withNulls(leaf.fields.get(name)?.node ?? leaf.rest, member, depth + 1),
  ]);
  return Object.fromEntries([...members, ...absent.map((name) => [name, null])]);
}

/**
 * Removes each null that can only mean an absent property. With every API, models write null for optional properties. A
 * union's branch counts if the value fits it as it is, otherwise if it fits without such nulls, otherwise all of them
 * count.
 */
export function withoutNulls(nodes: readonly Node[], value: unknown, depth = 0): unknown {
  if (depth > DEEPEST_VALUE || typeof value !== "object" || value === null) return value;
  const leaves = branchesFor(nodes, value);
  // Branches often share what is below them. Taken once each, they don't multiply with every level.
  const next = (below: (leaf: Node) => Node | false | undefined, member: unknown) =>
    withoutNulls([...new Set(leaves.flatMap((leaf) => below(leaf) || []))], member, depth + 1);
  if (Array.isArray(value)) return value.map((item, index) => next(({ tuple, items }) => tuple[index] ?? items, item));
  const isAbsent = (name: string) => {
    const fields = leaves.flatMap((leaf) => leaf.fields.get(name) ?? []);
    return fields.length > 0 && fields.every(isAbsentIfNull);
  };
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => member !== null || !isAbsent(name))
      .map(([name, member]) => [name, next(({ fields, rest }) => fields.get(name)?.node ?? rest, member)]),
  );
}

function branchesFor(nodes: readonly Node[], value: object): readonly Node[] {
  const kind = isObject(value) ? "object" : "array";
  const leaves = nodes.flatMap(leavesOf).filter(({ kinds }) => kinds.includes(kind));
  if (leaves.length < 2) return leaves;
  for (const reading of [EXACT, { ...EXACT, isTolerant: true }]) {
    const fitting = nodes.flatMap((node) => fittingLeaves(node, value, reading));
    if (fitting.length > 0) return fitting;
  }
  return leaves;
}

/** How to look at a value. */
interface Reading {
  /** Whether null may mean an absent property. */
  readonly isTolerant: boolean;
  /** Whether an object with declared properties rejects others, if its schema doesn't mention them. */
  readonly isClosed: boolean;
}

type Known = WeakMap<object, Map<Node, boolean>>;

/**
 * The leaves of a node whose structure a value has: types, values, properties. Bounds and patterns aren't checked:
 * branches that differ only in those are never rewritten.
 */
function fittingLeaves(node: Node, value: unknown, reading: Reading, known: Known = new WeakMap()): Node[] {
  return leavesOf(node).filter((leaf) => fits(leaf, value, reading, known));
}

/** Caches results: nested unions would otherwise take exponential time. */
function fits(leaf: Node, value: unknown, reading: Reading, known: Known): boolean {
  if (typeof value !== "object" || value === null) return isAccepted(leaf, value);
  const found = known.get(value) ?? new Map<Node, boolean>();
  known.set(value, found);
  const before = found.get(leaf);
  if (before !== undefined) return before;
  const after =
    isAccepted(leaf, value) &&
    (isObject(value)
      ? objectFits(leaf, value, reading, known)
      : Array.isArray(value) && listFits(leaf, value, reading, known));
  found.set(leaf, after);
  return after;
}

function isAccepted({ kinds, values }: Node, value: unknown): boolean {
  return hasKind(kinds, kindOfValue(value)) && (values === undefined || contains(values, value));
}

function objectFits(leaf: Node, value: object, reading: Reading, known: Known): boolean {
  const isRestFitting = ([name, member]: [string, unknown]) => {
    if (leaf.fields.has(name)) return true;
    if (leaf.rest) return fittingLeaves(leaf.rest, member, reading, known).length > 0;
    return leaf.rest === undefined && !(reading.isClosed && leaf.fields.size > 0);
  };
  return (
    [...leaf.fields].every(([name, field]) => {
      if (!Object.hasOwn(value, name)) return !field.isRequired;
      const member: unknown = Reflect.get(value, name);
      if (reading.isTolerant && member === null && isAbsentIfNull(field)) return true;
      return fittingLeaves(field.node, member, reading, known).length > 0;
    }) && Object.entries(value).every(isRestFitting)
  );
}

function listFits({ tuple, items }: Node, value: readonly unknown[], reading: Reading, known: Known): boolean {
  return value.every((item, index) => {
    const node = tuple[index] ?? items;
    return node === undefined || (node !== false && fittingLeaves(node, item, reading, known).length > 0);
  });
}

/** Whether null can only mean that a property is absent. */
function isAbsentIfNull({ node, isRequired }: Field): boolean {
  return !isRequired && !acceptsNull(node);
}
