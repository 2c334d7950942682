import { isDeepStrictEqual } from "node:util";
import { isObject, type Json } from "../../shared/json.js";
import type { Snapshot, State } from "../engine/state.js";

/** Keys from the state to a value in it. */
type Path = readonly (string | number)[];

/** One difference between two states, as JSON. */
export type Change =
  | { readonly at: Path; readonly set: unknown }
  | { readonly at: Path; readonly entries: readonly (readonly [string, unknown])[] }
  | { readonly at: Path; readonly delete: true }
  /** Removes that many items from the start of a list. */
  | { readonly at: Path; readonly drop: number };

/** Parts whose records never change once they are in the state. Comparing references is enough for them. */
const UNCHANGING: ReadonlySet<unknown> = new Set(["executions", "events"]);

/** A copy of a state, to compare later states with. */
export type KeptState = Json;

/** Copies a state. */
export function keep(state: State): KeptState {
  const copies = Object.entries(state).map(([part, value]) => {
    if (value instanceof Map) return [part, copyOfMap([...value], part)];
    return [part, Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item, part)]))];
  });
  return Object.fromEntries(copies);
}

/** The copy in a snapshot, which shares its values. The parts that are lists in a snapshot are maps in a state. */
export function fromSnapshot({ format: _, ...parts }: Snapshot): KeptState {
  const kept = Object.entries(parts).map(([part, content]) => [
    part,
    Array.isArray(content) ? new Map(content) : content,
  ]);
  return Object.fromEntries(kept);
}

/** Every difference between a copy and the state. Most values have none, so a value without one makes no objects. */
export function changesSince(kept: KeptState, state: State): readonly Change[] {
  const changes: Change[] = [];
  /** Keys to the value that is being compared. */
  const path: (string | number)[] = [];

  const compareMember = (key: string | number, before: unknown, value: unknown) => {
    if (Object.is(before, value)) return;
    path.push(key);
    compare(before, value);
    path.pop();
  };

  const addDeletion = (key: string) => changes.push({ at: [...path, key], delete: true });

  const compareMaps = (before: Map<string, unknown>, value: Map<string, unknown>) => {
    if (!isInSameOrder(before, value)) {
      changes.push({ at: [...path], entries: [...value] });
      return;
    }
    for (const key of before.keys()) if (!value.has(key)) addDeletion(key);
    for (const [key, item] of value) compareMember(key, before.get(key), item);
  };

  const compareObjects = (before: Json, value: Json) => {
    for (const key of Object.keys(before)) {
      const item = Object.hasOwn(value, key) ? value[key] : undefined;
      if (item !== undefined) compareMember(key, before[key], item);
      else if (before[key] !== undefined) addDeletion(key);
    }
    for (const key of Object.keys(value)) {
      if (value[key] !== undefined && !Object.hasOwn(before, key)) compareMember(key, undefined, value[key]);
    }
  };

  const compareLists = (before: readonly unknown[], value: readonly unknown[]) => {
    // Lists with a maximum length lose their oldest items.
    const found = before.findIndex((item) => isDeepStrictEqual(item, value[0]));
    const drop = Math.max(0, found);
    if (value.length < before.length - drop) {
      changes.push({ at: [...path], set: value });
      return;
    }
    if (drop > 0) changes.push({ at: [...path], drop });
    for (const [index, item] of value.entries()) compareMember(index, before[drop + index], item);
  };

  const compare = (before: unknown, value: unknown) => {
    if (Array.isArray(before) && Array.isArray(value)) compareLists(before, value);
    else if (before instanceof Map && value instanceof Map) compareMaps(before, value);
    else if (isObject(before) && isObject(value)) compareObjects(before, value);
    // In JSON, undefined in a list is null.
    else changes.push({ at: [...path], set: value ?? null });
  };

  compare(kept, state);
  return changes;
}

/** Whether both start with the same keys in the same order. Lists show records in the order of their keys. */
function isInSameOrder(kept: Map<string, unknown>, value: Map<string, unknown>): boolean {
  const keys = value.keys();
  for (const key of kept.keys()) if (value.has(key) && keys.next().value !== key) return false;
  return true;
}

/** Applies the changes to a copy. */
export function applyChanges(kept: KeptState, changes: readonly Change[]): void {
  for (const change of changes) applyChange(kept, change);
}

function applyChange(kept: KeptState, change: Change): void {
  const { at } = change;
  const target = at.slice(0, -1).reduce<unknown>(childOf, kept);
  const [part, key] = [at[0], at.at(-1) ?? ""];
  if ("delete" in change) {
    if (target instanceof Map) target.delete(key);
    else Reflect.deleteProperty(Object(target), key);
  } else if ("set" in change) {
    setChild(target, key, copyOf(change.set, part));
  } else if ("entries" in change) {
    setChild(target, key, copyOfMap(change.entries, part));
  } else {
    const list = childOf(target, key);
    if (!Array.isArray(list)) throw new Error(`There is no list at ${at.join(".")}`);
    list.splice(0, change.drop);
  }
}

function childOf(parent: unknown, key: string | number): unknown {
  if (parent instanceof Map) return parent.get(key);
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, key)) {
    throw new Error(`There is no ${key} to change`);
  }
  return Reflect.get(parent, key);
}

function setChild(parent: unknown, key: string | number, value: unknown): void {
  if (parent instanceof Map) parent.set(key, value);
  // An assignment to the key `__proto__` would change the prototype.
  else Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
}

/** A copy of a value in a part. Records that never change are shared, but not the list that they are in. */
function copyOf(value: unknown, part: unknown): unknown {
  if (!UNCHANGING.has(part)) return structuredClone(value);
  return Array.isArray(value) ? [...value] : value;
}

function copyOfMap(entries: readonly (readonly [string, unknown])[], part: unknown): Map<string, unknown> {
  return new Map(entries.map(([key, item]) => [key, copyOf(item, part)]));
}
