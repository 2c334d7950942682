import { ANY, acceptsNull, leavesOf, type Node } from "../../json-schema/node.js";
import { child, isObject, isString } from "../../shared/json.js";
import { DEEPEST_VALUE } from "./nulls.js";
import { type Form, formOf, hasJsonForm, isAny, isBoxed, isCrowded, type Piece, piecesOf } from "./pieces.js";
import type { Writing } from "./writing.js";

/** The target and aliases for which a value is rewritten. */
export type Rewriting = Pick<Writing, "dialect" | "aliases">;

/** One place in a value, with all nodes that may describe it. */
interface Place {
  readonly nodes: readonly Node[];
  /** Whether several branches look alike here: then only names are rewritten, in the same way for all of them. */
  readonly isCrowded: boolean;
  readonly depth: number;
}

/** Converts a tool's value to the names and shapes of a target. */
export function toForms(root: Node, value: unknown, rewriting: Rewriting): unknown {
  return written({ nodes: [root], isCrowded: false, depth: 0 }, value, rewriting);
}

/** Undoes `toForms`. Parts without the target's shape stay as they are. */
export function fromForms(root: Node, value: unknown, rewriting: Rewriting): unknown {
  return restored({ nodes: [root], isCrowded: false, depth: 0 }, value, rewriting);
}

function written(place: Place, value: unknown, rewriting: Rewriting): unknown {
  const { leaves, leafWith, isJson, boxes, below } = look(place, rewriting, written);
  if (isJson) return jsonForm(value);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => below(itemNode(index), item));
    const list = leafWith("tuple");
    if (!list || items.length > list.tuple.length) return items;
    const nulls = rewriting.dialect.allRequired ? list.tuple.slice(items.length).map(() => null) : [];
    return Object.fromEntries(
      [...items, ...nulls].map((item, index) => [rewriting.aliases.aliasOf(String(index)), item]),
    );
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, below(memberNode(name), member)] as const);
  if (leafWith("entries")) return entries.map(([key, member]) => ({ key, value: member }));
  const isDeclared = (name: string) => leaves.some(({ fields }) => fields.has(name));
  const absent = boxes.filter((name) => !Object.hasOwn(value, name));
  const members = [
    ...entries.map(([name, member]) => [name, boxes.includes(name) ? { value: member } : member] as const),
    ...absent.map((name) => [name, null] as const),
  ];
  return Object.fromEntries(
    members.map(([name, member]) => [isDeclared(name) ? rewriting.aliases.aliasOf(name) : name, member]),
  );
}

function restored(place: Place, value: unknown, rewriting: Rewriting): unknown {
  const { leaves, leafWith, isJson, boxes, below } = look(place, rewriting, restored);
  if (isJson) return fromJsonForm(value);
  if (isString(value)) return rewriting.dialect.ignoresCase ? withCase(leaves, value) : value;
  if (Array.isArray(value)) {
    const entries = leafWith("entries") && entriesOf(value);
    if (entries) return Object.fromEntries(entries.map(([name, member]) => [name, below(memberNode(name), member)]));
    return value.map((item, index) => below(itemNode(index), item));
  }
  if (!isObject(value)) return value;
  const { nameOf } = rewriting.aliases;
  const list = leafWith("tuple");
  if (list) {
    const named = new Map(Object.entries(value).map(([alias, item]) => [nameOf(alias), item]));
    const items = [...named.keys()].map((_, index) => named.get(String(index)));
    const isWhole = [...named.keys()].every((name) => Number(name) < named.size && String(Number(name)) === name);
    while (items.at(-1) === null && isAbsentItem(list, items.length - 1)) items.pop();
    if (isWhole) return items.map((item, index) => below(({ tuple }) => tuple[index], item));
  }
  const isDeclared = (name: string) => leaves.some(({ fields }) => fields.has(name));
  return Object.fromEntries(
    Object.entries(value).flatMap(([alias, member]) => {
      const name = isDeclared(nameOf(alias)) ? nameOf(alias) : alias;
      if (!boxes.includes(name)) return [[name, below(memberNode(name), member)]];
      const isBox = isObject(member) && Object.keys(member).join() === "value";
      return member === null ? [] : [[name, below(memberNode(name), isBox ? member["value"] : member)]];
    }),
  );
}

/** Any value, with its objects as lists of entries. */
function jsonForm(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > DEEPEST_VALUE) return value;
  if (Array.isArray(value)) return value.map((item) => jsonForm(item, depth + 1));
  return { entries: Object.entries(value).map(([key, member]) => ({ key, value: jsonForm(member, depth + 1) })) };
}

/** Undoes `jsonForm`. If a key occurs twice, the last value counts, as in JSON. */
function fromJsonForm(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > DEEPEST_VALUE) return value;
  if (Array.isArray(value)) return value.map((item) => fromJsonForm(item, depth + 1));
  const { entries } = Object(value);
  const isForm = Array.isArray(entries) && entries.every((entry) => isString(child(entry, "key")));
  if (!isForm || Object.keys(value).length > 1) return value;
  return Object.fromEntries(
    entries.map((entry) => [String(child(entry, "key")), fromJsonForm(child(entry, "value"), depth + 1)]),
  );
}

/** Items that aren't mentioned may be anything. */
const itemNode =
  (index: number) =>
  ({ kinds, tuple, items }: Node) =>
    kinds.includes("array") ? (tuple[index] ?? items ?? ANY) : undefined;
const memberNode = (name: string) => (leaf: Node) => leaf.fields.get(name)?.node ?? leaf.rest;

function look(place: Place, rewriting: Rewriting, walk: typeof written) {
  const isClose =
    place.isCrowded || place.nodes.length > 1 || place.nodes.some((node) => isCrowded(node, rewriting.dialect));
  const leaves = place.depth > DEEPEST_VALUE ? [] : place.nodes.flatMap(leavesOf);
  const pieces: readonly Piece[] = isClose ? [] : leaves.flatMap(piecesOf);
  const below = (nodeOf: (leaf: Node) => Node | false | undefined, value: unknown): unknown => {
    // Branches often share what is below them. Taken once each, they don't multiply with every level.
    const nodes = [...new Set(leaves.flatMap((leaf) => nodeOf(leaf) || []))];
    return nodes.length === 0 ? value : walk({ nodes, isCrowded: isClose, depth: place.depth + 1 }, value, rewriting);
  };
  const leafWith = (form: Form) => pieces.find((piece) => formOf(piece, rewriting.dialect) === form)?.leaf;
  const [only] = place.isCrowded || place.nodes.length > 1 ? [] : place.nodes;
  const isJson = only !== undefined && isAny(only) && hasJsonForm(rewriting.dialect);
  const objects = isClose ? [] : leaves.filter(({ kinds }) => kinds.includes("object"));
  const fields = objects.flatMap((leaf) => [...leaf.fields]);
  const boxes = fields.flatMap(([name, field]) => (isBoxed(field, rewriting.dialect) ? [name] : []));
  return { leaves, leafWith, isJson, boxes, below };
}

/** Whether null at a place of a tuple can only mean that the list ends before it. */
export function isAbsentItem({ tuple, facts }: Node, index: number): boolean {
  const item = tuple[index];
  return index >= Number(facts["minItems"] ?? 0) && item !== undefined && !acceptsNull(item);
}

/** The value of an enum that differs in case only, if there is one and nothing else is accepted. */
function withCase(leaves: readonly Node[], text: string): string {
  const strings = leaves.filter(({ kinds }) => kinds.includes("string"));
  const values = strings.flatMap(({ values }) => values ?? []).filter(isString);
  if (values.includes(text) || strings.some(({ values }) => values === undefined)) return text;
  const alike = new Set(values.filter((value) => value.toLowerCase() === text.toLowerCase()));
  const [value = text] = alike;
  return alike.size === 1 ? value : text;
}

/** The entries of a map that was written as a list; `undefined` if it isn't one, or if a key occurs twice. */
function entriesOf(list: readonly unknown[]): [string, unknown][] | undefined {
  const entries = list.flatMap((entry): [string, unknown][] => {
    if (!isObject(entry) || !isString(entry["key"]) || !Object.hasOwn(entry, "value")) return [];
    return Object.keys(entry).length === 2 ? [[entry["key"], entry["value"]]] : [];
  });
  const isWhole = entries.length === list.length && new Set(entries.map(([key]) => key)).size === list.length;
  return isWhole ? entries : undefined;
}
