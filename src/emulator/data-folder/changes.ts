import { isObject } from "../../shared/json.js";
import { type Snapshot, type State, snapshotOf } from "../engine/state.js";

/** Keys from the state to a value in it. */
type Path = readonly (string | number)[];

/** One difference between two states, as JSON. */
export type Change =
  | { readonly at: Path; readonly set: unknown }
  | { readonly at: Path; readonly entries: readonly (readonly [string, unknown])[] }
  | { readonly at: Path; readonly delete: true }
  /** Removes that many items from the start of a list. */
  | { readonly at: Path; readonly drop: number }
  /** Cuts a list to that length. */
  | { readonly at: Path; readonly length: number };

/** Parts whose records never change once they are in the state. Comparing references is enough for them. */
const UNCHANGING: ReadonlySet<string> = new Set(["executions", "events"]);

/** A copy of a state, to compare later states with. */
export type KeptState = ReadonlyMap<string, unknown>;

/** Copies a state. */
export function keep(state: State): KeptState {
  return new Map(Object.entries(state).map(([part, value]) => [part, copyOf(value, [part])]));
}

/** Every difference between a copy and the state. */
export function changesSince(kept: KeptState, state: State): Change[] {
  const changes: Change[] = [];
  for (const [part, value] of Object.entries(state)) compare(kept.get(part), value, [part], changes);
  return changes;
}

/** Applies the changes to a copy. */
export function applyChanges(kept: KeptState, changes: readonly Change[]): void {
  for (const change of changes) applyChange(kept, change);
}

/** A copy as a snapshot, which shares its values. */
export function asSnapshot(kept: KeptState): Snapshot {
  return snapshotOf(Object.fromEntries(kept));
}

/**
 * The copy that a snapshot contains, which shares its values. The parts that are lists in a snapshot are maps in a
 * state.
 */
export function fromSnapshot({ format: _, ...parts }: Snapshot): KeptState {
  const kept = Object.entries(parts).map(([part, content]): [string, unknown] => {
    return [part, Array.isArray(content) ? new Map(content) : content];
  });
  return new Map(kept);
}

function compare(kept: unknown, value: unknown, at: Path, changes: Change[]): void {
  if (Object.is(kept, value)) return;
  if (kept instanceof Map && value instanceof Map) compareMaps(kept, value, at, changes);
  else if (Array.isArray(kept) && Array.isArray(value)) compareLists(kept, value, at, changes);
  else if (isObject(kept) && isObject(value)) compareObjects(kept, value, at, changes);
  // In JSON, undefined in a list is null.
  else changes.push({ at, set: value ?? null });
}

function compareMaps(kept: Map<string, unknown>, value: Map<string, unknown>, at: Path, changes: Change[]): void {
  if (!isInSameOrder(kept, value)) {
    changes.push({ at, entries: [...value] });
    return;
  }
  for (const key of kept.keys()) if (!value.has(key)) changes.push({ at: [...at, key], delete: true });
  for (const [key, item] of value) {
    const before = kept.get(key);
    if (!isSame(before, item)) compare(before, item, [...at, key], changes);
  }
}

/** Whether both start with the same keys in the same order. Lists show records in the order of their keys. */
function isInSameOrder(kept: Map<string, unknown>, value: Map<string, unknown>): boolean {
  const keys = value.keys();
  for (const key of kept.keys()) if (value.has(key) && keys.next().value !== key) return false;
  return true;
}

function compareObjects(kept: Fields, value: Fields, at: Path, changes: Change[]): void {
  for (const key of Object.keys(kept)) {
    if (kept[key] !== undefined && ownOf(value, key) === undefined) changes.push({ at: [...at, key], delete: true });
  }
  for (const [key, item] of Object.entries(value)) {
    const before = ownOf(kept, key);
    if (item !== undefined && !isSame(before, item)) compare(before, item, [...at, key], changes);
  }
}

function compareLists(kept: readonly unknown[], value: readonly unknown[], at: Path, changes: Change[]): void {
  const dropped = droppedItems(kept, value);
  if (dropped > 0) changes.push({ at, drop: dropped });
  if (value.length < kept.length - dropped) changes.push({ at, length: value.length });
  value.forEach((item, index) => {
    const before = kept[dropped + index];
    if (dropped + index < kept.length) {
      if (!isSame(before, item)) compare(before, item, [...at, index], changes);
    } else changes.push({ at: [...at, index], set: item });
  });
}

/** How many items a list lost at its start. Lists with a maximum length lose their oldest items. */
function droppedItems(kept: readonly unknown[], value: readonly unknown[]): number {
  if (kept.length === 0) return 0;
  const [first] = value;
  const found = kept.findIndex((item) => isSame(item, first));
  return found === -1 ? 0 : found;
}

/**
 * Whether nothing changed. Most of a state hasn't, and this is the only work for that part, so it makes no objects.
 */
function isSame(kept: unknown, value: unknown): boolean {
  if (Object.is(kept, value)) return true;
  if (typeof kept !== "object" || typeof value !== "object" || kept === null || value === null) return false;
  if (Array.isArray(kept) || Array.isArray(value)) {
    if (!Array.isArray(kept) || !Array.isArray(value) || kept.length !== value.length) return false;
    for (let index = 0; index < kept.length; index += 1) if (!isSame(kept[index], value[index])) return false;
    return true;
  }
  if (kept instanceof Map || value instanceof Map) return false;
  for (const key of Object.keys(kept)) if (!isSame(Reflect.get(kept, key), ownOf(value, key))) return false;
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(kept, key) && Reflect.get(value, key) !== undefined) return false;
  }
  return true;
}

function ownOf(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function applyChange(kept: KeptState, change: Change): void {
  const { at } = change;
  const target = at.slice(0, -1).reduce<unknown>(childOf, kept);
  const key = at.at(-1) ?? "";
  if ("delete" in change) {
    if (target instanceof Map) target.delete(key);
    else Reflect.deleteProperty(Object(target), key);
  } else if ("set" in change) {
    setChild(target, key, copyOf(change.set, at));
  } else if ("entries" in change) {
    setChild(target, key, new Map(change.entries.map(([id, item]) => [id, copyOf(item, [...at, id])])));
  } else {
    const list = childOf(target, key);
    if (!Array.isArray(list)) throw new Error(`There is no list at ${at.join(".")}`);
    if ("drop" in change) list.splice(0, change.drop);
    else list.length = change.length;
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

/** A copy of a value; in parts whose records never change, only of the containers of records. */
function copyOf(value: unknown, at: Path): unknown {
  if (!UNCHANGING.has(String(at[0]))) return structuredClone(value);
  if (value instanceof Map) return new Map(value);
  if (Array.isArray(value)) return [...value];
  // Such a part has one list of records.
  return at.length === 1 ? mapValues(Object(value), (list) => copyOf(list, [...at, ""])) : value;
}

function mapValues(fields: Fields, change: (value: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value)]));
}
