import { isObject, type Json } from "../shared/json.js";
import { fillLeaf } from "./fill-leaf.js";
import { conditionalProperties, type FlatSchema, Flattener, type Union } from "./flatten.js";
import { emptyContent, isPossible, type NodeContent, SchemaNode, type Unfinished } from "./node.js";
import { resolverOf } from "./references.js";
import { spend, TooMuchWork } from "./step-limit.js";

/** The most branches that several unions in one place are multiplied into. */
const MOST_BRANCHES = 32;

/**
 * Maximum steps of reading one schema, however often that goes on: about 0.5 s. A step costs far more than one of
 * converting a value, so the limits of those don't bound it.
 */
const MOST_READING_STEPS = 100_000;

/** The node of the schema of a tool's arguments, which are always an object. */
export function argumentsNode(schema: unknown): SchemaNode {
  return new Graph(schema).node([schema, { type: ["object"] }]);
}

/** The node of a schema. */
export function nodeOf(schema: unknown): SchemaNode {
  return new Graph(schema).node([schema]);
}

/** A place: the schemas that a value in it must satisfy, and how far their unions are resolved. */
interface Place {
  readonly schemas: readonly unknown[];
  readonly flat: FlatSchema;
  readonly resolved: readonly Union[];
  /** Of the resolved unions: those that are constraints of the leaves. */
  readonly constraints: readonly Union[];
}

const NONE: readonly never[] = [];

/** The nodes of one schema document. A place is the set of schemas in it, so the same place is the same node. */
class Graph {
  readonly #flattener: Flattener;
  readonly #known = new Map<unknown, SchemaNode>();
  readonly #numbers = new Map<unknown, number>();
  /** Nodes that nothing has used yet. */
  readonly #drafts = new Map<SchemaNode, Draft>();
  #steps = 0;

  constructor(root: unknown) {
    this.#flattener = new Flattener(resolverOf(root));
  }

  node(
    schemas: readonly unknown[],
    inherited = 0,
    resolved: Place["resolved"] = NONE,
    constraints: Place["constraints"] = NONE,
  ): SchemaNode {
    const steps = schemas.length + resolved.length;
    this.#steps += steps;
    if (this.#steps > MOST_READING_STEPS) throw new TooMuchWork();
    spend(steps);
    const place = { schemas, flat: this.#flattener.flatten(schemas, inherited), resolved, constraints };
    const key = this.#keyOf(place, inherited);
    const existing = this.#known.get(key);
    if (existing) return existing;
    const draft: Draft = { place, content: undefined, isFinal: false };
    const node: SchemaNode = new SchemaNode(() => this.#finished(node, draft));
    this.#known.set(key, node);
    this.#drafts.set(node, draft);
    return node;
  }

  #keyOf({ schemas, flat, resolved, constraints }: Place, inherited: number): unknown {
    const { origins, isImpossible } = flat;
    const [only] = origins;
    if (origins.size === 1 && inherited + resolved.length + constraints.length === 0 && !isImpossible) return only;
    const own = inherited > 0 ? this.#flattener.flatten(schemas.slice(inherited)).origins : undefined;
    // `!`: the branch has it itself, so its annotations count. Those of what is inherited belong to the union.
    const marks = Array.from(origins, (origin) => `${this.#numberOf(origin)}${own?.has(origin) ? "!" : ""}`);
    const unions = resolved.map(({ schemas: members }) => this.#numberOf(members)).sort();
    return `${marks.sort()}|${unions}|${constraints.length}|${isImpossible}`;
  }

  #numberOf(value: unknown): number {
    const number = this.#numbers.get(value) ?? this.#numbers.size;
    this.#numbers.set(value, number);
    return number;
  }

  /**
   * The content of a node without what accepts no value: alternatives, and objects that require such a property. That
   * depends on the nodes that it can't do without, so those are read, too.
   */
  #finished(node: SchemaNode, draft: Draft): NodeContent {
    if (!draft.isFinal) {
      const needed = new Set([draft]);
      // A set is walked in the order in which it grows.
      for (const next of needed) for (const below of neededBy(this.#contentOf(next))) this.#add(below, needed);
      const bottomUp = [...needed].reverse();
      // What one loses may leave another one impossible, so this ends when a round changes nothing.
      let hasChanged: boolean;
      do {
        spend(needed.size);
        hasChanged = false;
        for (const node of bottomUp) if (this.#prune(node)) hasChanged = true;
      } while (hasChanged);
      for (const node of needed) node.isFinal = true;
    }
    this.#drafts.delete(node);
    return this.#contentOf(draft);
  }

  #add(node: SchemaNode, needed: Set<Draft>): void {
    const draft = this.#drafts.get(node);
    if (draft && !draft.isFinal && !isCertain(draft.place.flat)) needed.add(draft);
  }

  #contentOf(draft: Draft): Unfinished {
    draft.content ??= this.#read(draft.place);
    return draft.content;
  }

  #isPossible(node: SchemaNode): boolean {
    const draft = this.#drafts.get(node);
    if (!draft) return isPossible(node);
    return isCertain(draft.place.flat) || isPossible(this.#contentOf(draft));
  }

  /** Removes what accepts no value from a node. Returns whether there was any. */
  #prune(draft: Draft): boolean {
    const content = this.#contentOf(draft);
    if (content.branches) {
      const possible = content.branches.filter((branch) => this.#isPossible(branch));
      if (possible.length === content.branches.length) return false;
      content.branches = possible;
    } else {
      if (content.fields.size === 0) return false;
      if (neededBy(content).every((node) => this.#isPossible(node))) return false;
      content.kinds = content.kinds.filter((kind) => kind !== "object");
      content.fields = new Map();
      content.rest = undefined;
    }
    content.isNarrowed = true;
    return true;
  }

  #read(place: Place): Unfinished {
    const { schemas, flat, resolved } = place;
    const content = emptyContent();
    content.sources = schemas;
    const isOpen = ({ schemas: members }: Union) => !resolved.some((union) => union.schemas === members);
    // One union per node: its branches distribute the next one.
    const [[union], added] = affordable(flat.unions.filter(isOpen), flat.schemas);
    const constraints = added.length === 0 ? place.constraints : [...place.constraints, ...added];
    fillLeaf(content, flat, conditionalProperties(flat, this.#flattener), (parts) => this.node(parts));
    if (constraints.length > 0) {
      const others = constraints.map(({ keyword, schemas: members }) => ({ [keyword]: members }));
      content.others = [...content.others, ...others];
    }
    if (!union || content.kinds.length === 0) return content;
    const handled = [...resolved, union, ...added];
    const owners = handled.map(({ owner }) => owner);
    // A branch that leads back to its own union adds nothing to it.
    const isOther = (member: unknown) => {
      const { origins } = this.#flattener.flatten([member]);
      return owners.every((owner) => !origins.has(owner));
    };
    content.branches = union.schemas
      .filter(isOther)
      .map((member) => this.node([...schemas, member], schemas.length, handled, constraints));
    content.isExclusive = union.keyword === "oneOf";
    return content;
  }
}

/** Whether a place accepts some value for certain: one schema can't contradict itself without these keywords. */
function isCertain({ schemas, unions, isImpossible }: FlatSchema): boolean {
  const [only] = schemas;
  if (schemas.length > 1 || unions.length > 0 || isImpossible) return false;
  return !only || CONTRADICTING.every((keyword) => only[keyword] === undefined);
}

const CONTRADICTING = ["enum", "const", "required"];

/** A node before what accepts no value is removed from it. */
interface Draft {
  readonly place: Place;
  content: Unfinished | undefined;
  isFinal: boolean;
}

/** The nodes of which a node needs one, or all. */
function neededBy({ branches, fields }: NodeContent): readonly SchemaNode[] {
  if (branches) return branches;
  if (fields.size === 0) return NONE;
  return [...fields.values()].filter(({ isRequired }) => isRequired).map(({ node }) => node);
}

/** The unions to distribute, and those that only require more or would multiply into too many branches. */
function affordable(unions: readonly Union[], schemas: readonly Json[]): [distributed: Union[], constraints: Union[]] {
  if (unions.length === 0) return [[], []];
  const declared = new Set(schemas.flatMap((schema) => Object.keys(Object(schema["properties"]))));
  const distributed: Union[] = [];
  let branches = 1;
  for (const union of unions) {
    const isTooMuch = distributed.length > 0 && branches * union.schemas.length > MOST_BRANCHES;
    if (isTooMuch || union.schemas.every((schema) => isRequirement(schema, declared))) continue;
    branches *= union.schemas.length;
    distributed.push(union);
  }
  return [distributed, unions.filter((union) => !distributed.includes(union))];
}

/** Whether a schema only requires some of the declared properties. */
function isRequirement(schema: unknown, declared: ReadonlySet<string>): boolean {
  if (!isObject(schema) || !Object.keys(schema).every((keyword) => REQUIREMENTS.includes(keyword))) return false;
  const { required } = schema;
  return Array.isArray(required) && required.every((name) => declared.has(name));
}

const REQUIREMENTS = ["required", "title", "description"];
