import type { SchemaNode } from "../../json-schema/node.js";
import { limited, spend } from "../../json-schema/step-limit.js";
import { isObject, isString } from "../../shared/json.js";
import type { Aliases } from "./aliases.js";
import { branchesShareType } from "./branches.js";
import {
  AnyJson,
  Box,
  DEEPEST_VALUE,
  type DecodePart,
  formOf,
  itemNode,
  memberNode,
  type NodeOfPart,
} from "./forms.js";
import { isAbsentIfNull, LeafFinder } from "./leaf-finder.js";
import type { Dialect } from "./targets.js";
import { piecesOf } from "./type-pieces.js";

/** The most steps of one conversion of arguments: enough for megabytes, and less than a second. */
const MOST_STEPS = 5_000_000;

/** One place in a value, with all nodes that may describe it. */
interface ValuePlace {
  readonly nodes: readonly SchemaNode[];
  /** Whether several branches look alike here: then no shape is restored. */
  readonly isCrowded: boolean;
  readonly depth: number;
}

/** Converts what a model wrote for a target to a tool's arguments. What can't be converted stays as it is. */
export class Decoder {
  readonly #root: SchemaNode;
  readonly #dialect: Dialect;
  readonly #aliases: Aliases;
  /** Whether the target has other values or shapes than the tool. */
  readonly #isReshaped: boolean;

  constructor(root: SchemaNode, dialect: Dialect, aliases: Aliases, isReshaped: boolean) {
    this.#root = root;
    this.#dialect = dialect;
    this.#aliases = aliases;
    this.#isReshaped = isReshaped || dialect.ignoresCase === true;
  }

  decode(args: unknown): unknown {
    // Most calls have nothing to convert.
    if (!this.#isReshaped && !this.#aliases.areUsed && !hasNull(args)) return args;
    return limited(MOST_STEPS, () => this.#converted(args)) ?? args;
  }

  #converted(args: unknown): unknown {
    const place = { nodes: [this.#root], isCrowded: false, depth: 0 };
    const named = this.#aliases.areUsed ? withNames(args, this.#aliases) : args;
    const restored = this.#isReshaped ? this.#decoded(place, named) : named;
    return hasNull(restored) ? new NullRemover().without([this.#root], restored) : restored;
  }

  #decoded(place: ValuePlace, value: unknown): unknown {
    const { nodes, depth } = place;
    const [only] = nodes.length === 1 && !place.isCrowded ? nodes : [];
    if (only && AnyJson.isFor(only, this.#dialect)) return AnyJson.decode(value);
    const leaves = depth > DEEPEST_VALUE ? [] : nodes.flatMap((node) => node.leaves);
    if (isString(value)) return this.#dialect.ignoresCase ? withCase(leaves, value) : value;
    if (typeof value !== "object" || value === null) return value;
    const isCrowded = !only || branchesShareType(only, this.#dialect);
    const part: DecodePart = (nodeOf, member) => {
      const below = nodesBelow(leaves, nodeOf);
      return below.length > 0 ? this.#decoded({ nodes: below, isCrowded, depth: depth + 1 }, member) : member;
    };
    return (
      (isCrowded ? undefined : this.#fromForm(leaves, value, part)) ??
      (Array.isArray(value)
        ? value.map((item, index) => part(itemNode(index), item))
        : this.#members(leaves, Object.entries(value), part, isCrowded))
    );
  }

  /** The value in the form of one of the leaves, if there is one and the value has it. */
  #fromForm(leaves: readonly SchemaNode[], value: object, part: DecodePart): unknown {
    const kind = Array.isArray(value) ? "array" : "object";
    const forms = leaves.flatMap(piecesOf).map((piece) => formOf(piece, this.#dialect));
    return forms.find((form) => form?.kind === kind)?.decode(value, part);
  }

  #members(
    leaves: readonly SchemaNode[],
    entries: readonly [name: string, member: unknown][],
    part: DecodePart,
    isCrowded: boolean,
  ): unknown {
    const fields = isCrowded ? [] : leaves.flatMap((leaf) => [...leaf.fields]);
    const boxes = fields.flatMap(([name, field]) => (Box.isFor(field, this.#dialect) ? [name] : []));
    const members = entries.flatMap(([name, member]) => {
      if (!boxes.includes(name)) return [[name, part(memberNode(name), member)] as const];
      const value = Box.decode(member);
      return value === undefined ? [] : [[name, part(memberNode(name), value)] as const];
    });
    return Object.fromEntries(members);
  }
}

/**
 * The nodes that leaves have for a part. Branches often share what is below them. Taken once each, they don't multiply
 * with every level.
 */
function nodesBelow(leaves: readonly SchemaNode[], nodeOf: NodeOfPart): SchemaNode[] {
  return [...new Set(leaves.flatMap((leaf) => nodeOf(leaf) || []))];
}

/** A copy with the tool's own names, which are the same everywhere: no other name of the schema is like an alias. */
function withNames(value: unknown, aliases: Aliases, depth = 0): unknown {
  spend();
  if (depth > DEEPEST_VALUE || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withNames(item, aliases, depth + 1));
  const members = Object.entries(value).map(([alias, member]) => {
    return [aliases.nameOf(alias), withNames(member, aliases, depth + 1)] as const;
  });
  return Object.fromEntries(members);
}

/** The value of an enum that differs in case only, if there is one and nothing else is accepted. */
function withCase(leaves: readonly SchemaNode[], text: string): string {
  const strings = leaves.filter(({ kinds }) => kinds.includes("string"));
  const values = strings.flatMap((leaf) => leaf.values ?? []).filter(isString);
  if (values.includes(text) || strings.some((leaf) => leaf.values === undefined)) return text;
  const alike = new Set(values.filter((value) => value.toLowerCase() === text.toLowerCase()));
  const [value = text] = alike;
  return alike.size === 1 ? value : text;
}

function hasNull(value: unknown): boolean {
  const values: unknown[] = [value];
  for (const reached of values) {
    if (reached === null) return true;
    if (typeof reached === "object") for (const inner of Object.values(reached)) values.push(inner);
  }
  return false;
}

/**
 * Removes each null that can only mean an absent property. With every API, models write null for optional properties. A
 * union's branch counts if the value fits it as it is, otherwise if it fits without such nulls, otherwise all of them
 * count.
 */
class NullRemover {
  readonly #readings = [new LeafFinder({ isTolerant: false }), new LeafFinder({ isTolerant: true })];

  without(nodes: readonly SchemaNode[], value: unknown, depth = 0): unknown {
    if (depth > DEEPEST_VALUE || typeof value !== "object" || value === null) return value;
    const leaves = this.#leavesFor(nodes, value);
    const below = (nodeOf: NodeOfPart, member: unknown) => this.without(nodesBelow(leaves, nodeOf), member, depth + 1);
    if (Array.isArray(value)) {
      return value.map((item, index) => below(({ tuple, items }) => tuple[index] ?? items, item));
    }
    const isAbsent = (name: string) => {
      const fields = leaves.flatMap((leaf) => leaf.fields.get(name) ?? []);
      return fields.length > 0 && fields.every(isAbsentIfNull);
    };
    const kept = Object.entries(value).filter(([name, member]) => member !== null || !isAbsent(name));
    return Object.fromEntries(kept.map(([name, member]) => [name, below(memberNode(name), member)]));
  }

  #leavesFor(nodes: readonly SchemaNode[], value: object): readonly SchemaNode[] {
    const kind = isObject(value) ? "object" : "array";
    const leaves = nodes.flatMap((node) => node.leaves).filter(({ kinds }) => kinds.includes(kind));
    if (leaves.length < 2) return leaves;
    for (const reading of this.#readings) {
      const fitting = nodes.flatMap((node) => reading.leavesFor(node, value));
      if (fitting.length > 0) return fitting;
    }
    return leaves;
  }
}
