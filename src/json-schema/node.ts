import type { Json } from "../shared/json.js";
import { KINDS } from "./drafts.js";
import type { Kind } from "./keywords.js";
import { spend } from "./work.js";

export interface Field {
  readonly node: Node;
  readonly isRequired: boolean;
}

/**
 * One place of a schema, with references, drafts and `allOf` resolved: either a union of branches, or a leaf.
 * Recursive schemas are cycles of nodes.
 */
export interface Node {
  /** The branches, if it is a union. It then has only annotations next to them. */
  readonly branches?: readonly Node[];
  /** Whether it had more branches, or accepted objects, but none that can exist. */
  readonly isNarrowed?: boolean;
  /** Whether a value may satisfy one branch only. */
  readonly isExclusive?: boolean;
  /** The types it accepts; none if it accepts nothing. */
  readonly kinds: readonly Kind[];
  /** The only values it accepts. */
  readonly values?: readonly unknown[];
  readonly fields: ReadonlyMap<string, Field>;
  /** Other properties: rejected if `false`, not mentioned if `undefined`. */
  readonly rest?: Node | false;
  /** Whether `properties` is declared, even if empty. */
  readonly isDeclared?: boolean;
  readonly tuple: readonly Node[];
  /** The items after the tuple: rejected if `false`, not mentioned if `undefined`. */
  readonly items?: Node | false;
  /** Bounds, patterns and similar constraints, by keyword. */
  readonly facts: Json;
  /** Constraints that have no place in a leaf, such as `not`. */
  readonly others: readonly Json[];
  readonly annotations: Json;
  /** Why anything is accepted here. */
  readonly openings: readonly string[];
  /** The schemas it was made of. */
  readonly sources: readonly unknown[];
}

/** A node while it is being filled. */
export type Unfinished = { -readonly [Key in keyof Node]: Node[Key] };

/** Requests the node of several schemas together; it may be filled later. */
export type Request = (schemas: readonly unknown[]) => Node;

const NONE: readonly never[] = [];
/** The facts and annotations of most nodes. */
export const NOTHING: Json = {};
const NO_FIELDS: Node["fields"] = new Map();

export const emptyNode = (): Unfinished => ({
  kinds: NONE,
  fields: NO_FIELDS,
  tuple: NONE,
  facts: NOTHING,
  others: NONE,
  annotations: NOTHING,
  openings: NONE,
  sources: NONE,
});

/** The node of a schema that accepts everything. */
export const ANY: Node = { ...emptyNode(), kinds: KINDS };

/** Whether a node accepts some value. */
export function isPossible({ branches, kinds }: Node): boolean {
  return (branches ?? kinds).length > 0;
}

/** Whether an alternative of a node accepts no value. */
export function hasImpossibleAlternative({ isNarrowed = false, branches = [] }: Node): boolean {
  spend();
  return isNarrowed || branches.some(hasImpossibleAlternative);
}

/** The leaves of a node; none if it accepts no value. */
export function leavesOf(node: Node): readonly Node[] {
  spend();
  if (node.branches) return node.branches.flatMap(leavesOf);
  return isPossible(node) ? [node] : [];
}

export function acceptsNull(node: Node): boolean {
  return leavesOf(node).some(({ kinds, values }) => kinds.includes("null") && (values?.includes(null) ?? true));
}

/** The schema that a node was made of. */
export function schemaOf({ branches, sources }: Node): unknown {
  if (branches && sources.length === 0) return { anyOf: branches.map(schemaOf) };
  return sources.length > 1 ? { allOf: sources } : (sources[0] ?? {});
}
