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

/** Every difference between a copy and the state. */
export function changesSince(kept: KeptState, state: State): readonly Change[] {
  const comparison = new Comparison();
  comparison.compare(kept, state);
  return comparison.changes;
}

/** Finds changes. Most of a state hasn't any, so a value without one makes no objects. */
class Comparison {
  readonly changes: Change[] = [];
  /** Keys to the value that is being compared. */
  readonly #path: (string | number)[] = [];

  compare(kept: unknown, value: unknown): void {
    if (Array.isArray(kept) && Array.isArray(value)) this.#compareLists(kept, value);
    else if (kept instanceof Map && value instanceof Map) this.#compareMaps(kept, value);
    else if (isObject(kept) && isObject(value)) this.#compareObjects(kept, value);
    // In JSON, undefined in a list is null.
    else this.changes.push({ at: [...this.#path], set: value ?? null });
  }

  #compareMember(key: string | number, kept: unknown, value: unknown): void {
    if (Object.is(kept, value)) return;
    this.#path.push(key);
    this.compare(kept, value);
    this.#path.pop();
  }

  #delete(key: string): void {
    this.changes.push({ at: [...this.#path, key], delete: true });
  }

  #compareMaps(kept: Map<string, unknown>, value: Map<string, unknown>): void {
    if (!isInSameOrder(kept, value)) {
      this.changes.push({ at: [...this.#path], entries: [...value] });
      return;
    }
    for (const key of kept.keys()) if (!value.has(key)) this.#delete(key);
    for (const [key, item] of value) this.#compareMember(key, kept.get(key), item);
  }

  #compareObjects(kept: Json, value: Json): void {
    for (const key of Object.keys(kept)) {
      const item = Object.hasOwn(value, key) ? value[key] : undefined;
      if (item !== undefined) this.#compareMember(key, kept[key], item);
      else if (kept[key] !== undefined) this.#delete(key);
    }
    for (const key of Object.keys(value)) {
      if (value[key] !== undefined && !Object.hasOwn(kept, key)) this.#compareMember(key, undefined, value[key]);
    }
  }

  #compareLists(kept: readonly unknown[], value: readonly unknown[]): void {
    // Lists with a maximum length lose their oldest items.
    const found = kept.findIndex((item) => isDeepStrictEqual(item, value[0]));
    const drop = Math.max(0, found);
    if (value.length < kept.length - drop) {
      this.changes.push({ at: [...this.#path], set: value });
      return;
    }
    if (drop > 0) this.changes.push({ at: [...this.#path], drop });
    for (const [index, item] of value.entries()) this.#compareMember(index, kept[drop + index], item);
  }
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
