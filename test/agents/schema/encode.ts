import { aliasesFor } from "../../../src/agents/schema/aliases.js";
import { branchesShareType } from "../../../src/agents/schema/branches.js";
import { compileSchema } from "../../../src/agents/schema/compile.js";
import type { CompiledSchema, Target } from "../../../src/agents/schema/compiled-tool.js";
import { AnyJson, Box, formOf, itemNode, memberNode } from "../../../src/agents/schema/forms.js";
import { isAbsentIfNull, LeafFinder } from "../../../src/agents/schema/leaf-finder.js";
import { mergedRoot } from "../../../src/agents/schema/merged-root.js";
import { DIALECTS, type Dialect } from "../../../src/agents/schema/targets.js";
import { piecesOf } from "../../../src/agents/schema/type-pieces.js";
import { argumentsNode } from "../../../src/json-schema/graph.js";
import { isPossible, type SchemaNode } from "../../../src/json-schema/node.js";
import { namesIn } from "../../../src/json-schema/schema-outline.js";
import { isObject } from "../../../src/shared/json.js";

/** A compiled schema with the opposite of `decode`: what a model would write for a tool's arguments. */
export function bothWays(schema: unknown, target: Target) {
  const compiled = compileSchema(schema, target);
  return { ...compiled, encode: encoderOf(schema, target, compiled) };
}

function encoderOf(schema: unknown, target: Target, { strict }: CompiledSchema) {
  const asked = DIALECTS[target];
  const dialect = asked.plain && !strict ? DIALECTS[asked.plain] : asked;
  const graph = argumentsNode(schema);
  const aliases = aliasesFor(namesIn(schema), dialect.propertyNames);
  const root = dialect.rootUnions ? graph : mergedRoot(graph, aliases);
  const encoder = new Encoder(dialect, aliases.aliasOf);
  return (args: unknown) => encoder.encode([root], dialect.allRequired ? withNulls(root, args) : args);
}

const EXACT = new LeafFinder({ isTolerant: false });

/** Whether the objects of a value have only properties that a leaf declares, if it declares any. */
function declares(leaf: SchemaNode, value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item, index) => declaresItem(itemNode(index)(leaf), item));
  if (!isObject(value) || leaf.rest !== undefined || leaf.fields.size === 0) return true;
  return Object.keys(value).every((name) => leaf.fields.has(name));
}

function declaresItem(node: SchemaNode | false | undefined, item: unknown): boolean {
  return !node || EXACT.leavesFor(node, item).some((leaf) => declares(leaf, item));
}

/** Writes null for each absent property, for targets that require all of them. */
function withNulls(node: SchemaNode | false | undefined, value: unknown, depth = 0): unknown {
  if (!node || depth > 200 || typeof value !== "object" || value === null) return value;
  const leaf = EXACT.leavesFor(node, value).find((each) => declares(each, value));
  if (!leaf) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) => withNulls(leaf.tuple[index] ?? leaf.items, item, depth + 1));
  }
  const absent = [...leaf.fields]
    .filter(([name, field]) => isPossible(field.node) && isAbsentIfNull(field) && !Object.hasOwn(value, name))
    .map(([name]) => [name, null]);
  const members = Object.entries(value).map(([name, member]) => [
    name,
    withNulls(memberNode(name)(leaf), member, depth + 1),
  ]);
  return Object.fromEntries([...members, ...absent]);
}

class Encoder {
  readonly #dialect: Dialect;
  readonly #aliasOf: (name: string) => string;

  constructor(dialect: Dialect, aliasOf: (name: string) => string) {
    this.#dialect = dialect;
    this.#aliasOf = aliasOf;
  }

  encode(nodes: readonly SchemaNode[], value: unknown, isBelowCrowd = false, depth = 0): unknown {
    const [only] = isBelowCrowd || nodes.length > 1 ? [] : nodes;
    if (only && AnyJson.isFor(only, this.#dialect)) return anyJson(value);
    const isCrowded = !only || branchesShareType(only, this.#dialect);
    const leaves = depth > 200 ? [] : nodes.flatMap((node) => node.leaves);
    const part = (nodeOf: (leaf: SchemaNode) => SchemaNode | false | undefined, member: unknown): unknown => {
      const below = [...new Set(leaves.flatMap((leaf) => nodeOf(leaf) || []))];
      return below.length === 0 ? member : this.encode(below, member, isCrowded, depth + 1);
    };
    const formed = (kind: string) =>
      isCrowded
        ? undefined
        : leaves.flatMap(piecesOf).find((piece) => {
            const form = formOf(piece, this.#dialect);
            return form !== undefined && form.kind !== kind && piece.kind === kind;
          })?.leaf;
    if (Array.isArray(value)) {
      const items = value.map((item, index) => part(itemNode(index), item));
      const list = formed("array");
      return !list || items.length > list.tuple.length ? items : this.#positions(items, list);
    }
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, member]) => [name, part(memberNode(name), member)] as const);
    if (formed("object")) return entries.map(([key, member]) => ({ key, value: member }));
    return this.#members(entries, leaves, isCrowded);
  }

  #positions(items: readonly unknown[], { tuple }: SchemaNode): unknown {
    const nulls = this.#dialect.allRequired ? tuple.slice(items.length).map(() => null) : [];
    return Object.fromEntries([...items, ...nulls].map((item, index) => [String(index), item]));
  }

  #members(
    entries: readonly (readonly [string, unknown])[],
    leaves: readonly SchemaNode[],
    isCrowded: boolean,
  ): unknown {
    const fields = isCrowded ? [] : leaves.flatMap((leaf) => [...leaf.fields]);
    const boxes = fields.flatMap(([name, field]) => (Box.isFor(field, this.#dialect) ? [name] : []));
    const absent = boxes.filter((name) => !entries.some(([present]) => present === name));
    const members = [
      ...entries.map(([name, member]) => [name, boxes.includes(name) ? { value: member } : member] as const),
      ...absent.map((name) => [name, null] as const),
    ];
    const isDeclared = (name: string) => leaves.some((leaf) => leaf.fields.has(name));
    return Object.fromEntries(members.map(([name, member]) => [isDeclared(name) ? this.#aliasOf(name) : name, member]));
  }
}

/** Any value, with its objects as lists of entries. */
function anyJson(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > 200) return value;
  if (Array.isArray(value)) return value.map((item) => anyJson(item, depth + 1));
  return { entries: Object.entries(value).map(([key, member]) => ({ key, value: anyJson(member, depth + 1) })) };
}
