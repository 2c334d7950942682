import { isObject } from "../../shared/json.js";
import { hasKind, kindOfValue } from "./drafts.js";
import { contains } from "./json-equal.js";
import { acceptsNull, type Field, leavesOf, type Node } from "./node.js";

/** How to look at a value. */
export interface Reading {
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
export function fittingLeaves(node: Node, value: unknown, reading: Reading, known: Known = new WeakMap()): Node[] {
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
export function isAbsentIfNull({ node, isRequired }: Field): boolean {
  return !isRequired && !acceptsNull(node);
}
