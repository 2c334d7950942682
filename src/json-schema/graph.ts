import { isObject, type Json } from "../shared/json.js";
import { type Claim, type Flatten, flattenerFor, type Union } from "./claims.js";
import { leafOf } from "./leaf.js";
import { emptyNode, isPossible, type Node, type Unfinished } from "./node.js";
import { resolverOf } from "./references.js";
import { spend } from "./work.js";

/** The most branches that several unions in one place are multiplied into. */
const MOST_BRANCHES = 32;

interface Task {
  readonly node: Unfinished;
  readonly schemas: readonly unknown[];
  readonly claim: Claim;
  readonly resolved: readonly Union[];
  /** Of the resolved unions: those that are constraints of the leaves. */
  readonly kept: readonly Union[];
}

const NONE: readonly never[] = [];

/**
 * The node of a tool's schema, with those of everything in it. Uses a queue, because schemas may be too deep for
 * recursion.
 */
export function graphOf(root: unknown): Node {
  const flatten = flattenerFor(resolverOf(root));
  const known = new Map<unknown, Node>();
  const numbers = new Map<unknown, number>();
  const tasks: Task[] = [];
  const numberOf = (value: unknown): number => {
    if (!numbers.has(value)) numbers.set(value, numbers.size);
    return numbers.get(value) ?? 0;
  };
  const keyOf = ({ schemas, claim, resolved, kept }: Omit<Task, "node">, inherited: number): unknown => {
    const { origins, isImpossible } = claim;
    const [only] = origins;
    if (origins.size === 1 && inherited + resolved.length + kept.length === 0 && !isImpossible) return only;
    const own = inherited > 0 ? flatten(schemas.slice(inherited)).origins : undefined;
    const marks = Array.from(origins, (origin) => `${numberOf(origin)}${own?.has(origin) ? "!" : ""}`);
    const unions = resolved.map(({ schemas: members }) => numberOf(members)).sort();
    return `${marks.sort()}|${unions}|${kept.length}|${isImpossible}`;
  };
  const request: RequestBranch = (schemas, inherited = 0, resolved = NONE, kept = NONE) => {
    spend(schemas.length + resolved.length);
    const task = { schemas, claim: flatten(schemas, inherited), resolved, kept };
    const key = keyOf(task, inherited);
    const existing = known.get(key);
    if (existing) return existing;
    const node = emptyNode();
    known.set(key, node);
    tasks.push({ node, ...task });
    return node;
  };
  const found = request([root, { type: ["object"] }]);
  for (const task of tasks) fill(task, flatten, request);
  const filled = tasks.map(({ node }) => node).reverse();
  // Children are after their parents, so this visits them bottom up, except in recursive schemas.
  do spend(filled.length);
  while (filled.filter(hasLessAfterPruning).length > 0);
  return found;
}

/**
 * Removes what accepts no value, so that no later step meets it: alternatives, and objects that require such a
 * property.
 */
function hasLessAfterPruning(node: Unfinished): boolean {
  if (node.branches) {
    const possible = node.branches.filter(isPossible);
    if (possible.length === node.branches.length) return false;
    node.branches = possible;
  } else {
    if (node.fields.size === 0) return false;
    if (![...node.fields.values()].some((field) => field.isRequired && !isPossible(field.node))) return false;
    node.kinds = node.kinds.filter((kind) => kind !== "object");
    node.fields = new Map();
    delete node.rest;
  }
  node.isNarrowed = true;
  return true;
}

type RequestBranch = (
  schemas: readonly unknown[],
  inherited?: number,
  resolved?: readonly Union[],
  kept?: readonly Union[],
) => Node;

function fill(task: Task, flatten: Flatten, request: RequestBranch): void {
  const { node, schemas, claim, resolved } = task;
  node.sources = schemas;
  const isOpen = ({ schemas: members }: Union) => !resolved.some((union) => union.schemas === members);
  const [[union], added] = affordable(claim.unions.filter(isOpen), claim.schemas);
  const kept = added.length === 0 ? task.kept : [...task.kept, ...added];
  leafOf(node, claim, conditionalProperties(claim.schemas, flatten), (parts) => request(parts));
  if (kept.length > 0)
    node.others = [...node.others, ...kept.map(({ keyword, schemas: members }) => ({ [keyword]: members }))];
  if (!union || node.kinds.length === 0) return;
  const handled = [...resolved, union, ...added];
  const owners = handled.map(({ owner }) => owner);
  // A branch that leads back to its own union adds nothing to it.
  const members = union.schemas.filter((member) => !owners.some((owner) => flatten([member]).origins.has(owner)));
  node.branches = members.map((member) => request([...schemas, member], schemas.length, handled, kept));
  node.isExclusive = union.keyword === "oneOf";
}

const CONDITIONAL = ["then", "else", "dependentSchemas"];
const NO_PROPERTIES: ReadonlyMap<string, readonly unknown[]> = new Map();

/** The properties that conditions declare, with their schemas. */
function conditionalProperties(schemas: readonly Json[], flatten: Flatten): ReadonlyMap<string, readonly unknown[]> {
  const isConditional = (schema: Json) => CONDITIONAL.some((keyword) => schema[keyword] !== undefined);
  if (!schemas.some(isConditional)) return NO_PROPERTIES;
  const properties = new Map<string, Set<unknown>>();
  const seen = new Set(schemas);
  // Conditions are often chained: `else` has another `if`.
  for (const schema of seen) {
    const { then, else: otherwise, dependentSchemas } = schema;
    for (const inner of flatten([then, otherwise, ...Object.values(Object(dependentSchemas))]).schemas) {
      seen.add(inner);
      for (const [name, property] of Object.entries(Object(inner["properties"]))) {
        properties.set(name, (properties.get(name) ?? new Set()).add(property));
      }
    }
  }
  return new Map([...properties].map(([name, declared]) => [name, [...declared]]));
}

/** The unions to distribute, and those that only require more or would multiply into too many branches. */
function affordable(unions: readonly Union[], schemas: readonly Json[]): [distributed: Union[], kept: Union[]] {
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
