import type { Json } from "../shared/json.js";
import { KINDS } from "./drafts.js";
import type { Kind } from "./keywords.js";
import { spend } from "./step-limit.js";

/** A property that a place declares. */
export interface Field {
  readonly node: SchemaNode;
  readonly isRequired: boolean;
}

/** The content of a node, which is either a union of branches, or a leaf. */
export interface NodeContent {
  /** The branches, if it is a union. It then has only annotations next to them. */
  readonly branches?: readonly SchemaNode[] | undefined;
  /** Whether it had more branches, or accepted objects, but none that can exist. */
  readonly isNarrowed?: boolean | undefined;
  /** Whether a value may satisfy one branch only. */
  readonly isExclusive?: boolean | undefined;
  /** The types it accepts; none if it accepts nothing. */
  readonly kinds: readonly Kind[];
  /** The only values it accepts. */
  readonly values?: readonly unknown[] | undefined;
  readonly fields: ReadonlyMap<string, Field>;
  /** Other properties: rejected if `false`, not mentioned if `undefined`. */
  readonly rest?: SchemaNode | false | undefined;
  /** Whether `properties` is declared, even if empty. */
  readonly isDeclared?: boolean | undefined;
  readonly tuple: readonly SchemaNode[];
  /** The items after the tuple: rejected if `false`, not mentioned if `undefined`. */
  readonly items?: SchemaNode | false | undefined;
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

/** A node's content while it is being read. */
export type Unfinished = { -readonly [Key in keyof NodeContent]: NodeContent[Key] };

/**
 * One place of a schema in its normal form, with references, drafts and `allOf` resolved. A recursive schema is a cycle
 * of nodes. A node is read when it is first used, and what is in it later, so large schemas cost what is used of them.
 */
export class SchemaNode implements NodeContent {
  #read: (() => NodeContent) | undefined;
  #content: NodeContent | undefined;
  #leaves: readonly SchemaNode[] | undefined;

  constructor(read: () => NodeContent) {
    this.#read = read;
  }

  /** A node that isn't a place of a schema: several places taken together, for example. */
  static of(content: Partial<NodeContent>): SchemaNode {
    return new SchemaNode(() => ({ ...emptyContent(), ...content }));
  }

  get content(): NodeContent {
    return this.#content ?? this.#load();
  }

  #load(): NodeContent {
    // If reading takes too many steps, the next use tries again.
    const content = this.#read?.() ?? emptyContent();
    this.#content = content;
    this.#read = undefined;
    return content;
  }

  /** The leaves at or below it that accept some value. */
  get leaves(): readonly SchemaNode[] {
    spend();
    this.#leaves ??= this.branches ? leavesIn(this.branches) : isPossible(this) ? [this] : NONE;
    return this.#leaves;
  }

  get branches() {
    return (this.#content ?? this.#load()).branches;
  }
  get isNarrowed() {
    return (this.#content ?? this.#load()).isNarrowed;
  }
  get isExclusive() {
    return (this.#content ?? this.#load()).isExclusive;
  }
  get kinds() {
    return (this.#content ?? this.#load()).kinds;
  }
  get values() {
    return (this.#content ?? this.#load()).values;
  }
  get fields() {
    return (this.#content ?? this.#load()).fields;
  }
  get rest() {
    return (this.#content ?? this.#load()).rest;
  }
  get isDeclared() {
    return (this.#content ?? this.#load()).isDeclared;
  }
  get tuple() {
    return (this.#content ?? this.#load()).tuple;
  }
  get items() {
    return (this.#content ?? this.#load()).items;
  }
  get facts() {
    return (this.#content ?? this.#load()).facts;
  }
  get others() {
    return (this.#content ?? this.#load()).others;
  }
  get annotations() {
    return (this.#content ?? this.#load()).annotations;
  }
  get openings() {
    return (this.#content ?? this.#load()).openings;
  }
  get sources() {
    return (this.#content ?? this.#load()).sources;
  }
}

/** A node of which a value satisfies one of several. */
export function unionOf(nodes: readonly SchemaNode[]): SchemaNode {
  const [only] = nodes;
  return only && nodes.length === 1 ? only : SchemaNode.of({ branches: nodes });
}

/** A property of an object that has one of several forms. */
export interface NamedField extends Field {
  readonly name: string;
}

/** The fields of an object: of several forms the fields of all, and only those are required that all require. */
export function namedFields({ leaves }: SchemaNode): NamedField[] {
  const names = new Set(leaves.flatMap(({ fields }) => [...fields.keys()]));
  return [...names].map((name) => {
    const same = leaves.flatMap(({ fields }) => fields.get(name) ?? []);
    const isRequired = same.length === leaves.length && same.every((field) => field.isRequired);
    return { name, node: unionOf(same.map(({ node }) => node)), isRequired };
  });
}

/** Requests the node of several schemas together. */
export type Request = (schemas: readonly unknown[]) => SchemaNode;

const NONE: readonly never[] = [];
/** The facts and annotations of most nodes. */
const NOTHING: Json = {};
const NO_FIELDS: NodeContent["fields"] = new Map();

/** With all properties, so that the engine gives all contents one shape. */
export const emptyContent = (): Unfinished => ({
  branches: undefined,
  isNarrowed: undefined,
  isExclusive: undefined,
  kinds: NONE,
  values: undefined,
  fields: NO_FIELDS,
  rest: undefined,
  isDeclared: undefined,
  tuple: NONE,
  items: undefined,
  facts: NOTHING,
  others: NONE,
  annotations: NOTHING,
  openings: NONE,
  sources: NONE,
});

/** The node of a schema that accepts everything. */
export const ANY = SchemaNode.of({ kinds: KINDS });

/** Whether a node accepts some value. */
export function isPossible({ branches, kinds }: NodeContent): boolean {
  return (branches ?? kinds).length > 0;
}

/** The leaves of branches, in their order. Unions may be too deep for recursion. */
function leavesIn(branches: readonly SchemaNode[]): readonly SchemaNode[] {
  const leaves: SchemaNode[] = [];
  const waiting = branches.toReversed();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    spend();
    if (node.branches) for (const branch of node.branches.toReversed()) waiting.push(branch);
    else if (isPossible(node)) leaves.push(node);
  }
  return leaves;
}

/** Whether an alternative of a node accepts no value. */
export function hasImpossibleAlternative(node: SchemaNode): boolean {
  const nodes = [node];
  for (const { isNarrowed, branches } of nodes) {
    spend();
    if (isNarrowed) return true;
    for (const branch of branches ?? []) nodes.push(branch);
  }
  return false;
}

export function acceptsNull(node: SchemaNode): boolean {
  return node.leaves.some(({ kinds, values }) => kinds.includes("null") && (values?.includes(null) ?? true));
}

/** The schema that a node was made of. */
export function schemaOf({ branches, sources }: NodeContent): unknown {
  if (branches && sources.length === 0) return { anyOf: branches.map(schemaOf) };
  return sources.length > 1 ? { allOf: sources } : (sources[0] ?? {});
}
