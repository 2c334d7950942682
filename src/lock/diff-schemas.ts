import { canonicalSchema } from "./hash.js";
import { type Resolved, readNode, resolve, type Schema, type SchemaNode, toSchema } from "./schema-node.js";

/** The side that uses a schema: callers send `input`, readers receive `output`. */
export type Direction = "input" | "output";

/**
 * The kind of a change.
 *
 * `added`, `removed`: a property. `loosened`: more values are valid. `narrowed`: fewer are. `replaced`: other values
 * are. `changed`: a keyword that isn't compared changed. `noted`: a default or a deprecation changed.
 */
export type ChangeKind = "added" | "removed" | "loosened" | "narrowed" | "replaced" | "changed" | "noted";

/** A change of a schema, as `svc-sdk lock --diff` reports it. */
export interface SchemaChange {
  /** The place, such as `labels[].name`. Empty for the schema itself. */
  readonly path: string;
  readonly kind: ChangeKind;
  /** The change in words. */
  readonly text: string;
  /** Whether a program that works with the old schema may fail with the new one. */
  readonly breaks: boolean;
}

interface Change extends Omit<SchemaChange, "breaks"> {
  /** A new property that callers must send. */
  readonly isRequired?: boolean;
}

/** Callers break if fewer values are valid, readers if more are. What isn't compared may break both. */
const BREAKS: Readonly<Record<ChangeKind, readonly Direction[]>> = {
  added: [],
  removed: ["input", "output"],
  loosened: ["output"],
  narrowed: ["input"],
  replaced: ["input", "output"],
  changed: ["input", "output"],
  noted: [],
};

/**
 * Lists the changes between two JSON Schemas, and whether they break callers (`input`) or readers (`output`).
 *
 * It compares properties, `required`, `items`, `type`, `enum`, `const`, bounds and `null` in unions, and follows
 * references. A change of any other keyword reads "changed, read it" and counts as breaking. Changes of a shared
 * definition are listed once, at its first use.
 */
export function diffSchemas(before: unknown, after: unknown, direction: Direction): SchemaChange[] {
  if (canonicalSchema(before) === canonicalSchema(after)) return [];
  const [old, fresh] = [toSchema(before), toSchema(after)];
  return new Comparison(old, fresh).changes(old, fresh).map(({ path, kind, text, isRequired }) => ({
    path: path.replace(/^\./, ""),
    kind,
    text,
    breaks: BREAKS[kind].includes(direction) || (isRequired === true && direction === "input"),
  }));
}

class Comparison {
  readonly #before: Schema;
  readonly #after: Schema;
  readonly #numbers = new Map<Schema, number>();
  /** The pairs of parts that were compared, so that recursive schemas end. */
  readonly #compared = new Set<string>();

  constructor(before: Schema, after: Schema) {
    this.#before = before;
    this.#after = after;
  }

  /** The changes from one part to the other, with paths from there. */
  changes(before: Schema, after: Schema): Change[] {
    const [was, is] = [resolve(before, this.#before), resolve(after, this.#after)];
    const notes = noteChanges(was, is);
    const pair = `${this.#nameOf(was)} ${this.#nameOf(is)}`;
    if (this.#compared.has(pair)) return notes;
    if (typeof was.schema === "object" && typeof is.schema === "object") this.#compared.add(pair);
    const [old, fresh] = [readNode(was, this.#before), readNode(is, this.#after)];
    const found = constraintChanges(old, fresh);
    const isWhole = old.isAnything || fresh.isAnything || found.some(({ kind }) => kind === "replaced");
    return [...found, ...notes, ...(isWhole ? [] : this.#partChanges(old, fresh))];
  }

  #nameOf({ schema, isNullable }: Resolved): string {
    const number = this.#numbers.get(schema) ?? this.#numbers.size;
    this.#numbers.set(schema, number);
    return `${number} ${isNullable}`;
  }

  #partChanges(old: SchemaNode, fresh: SchemaNode): Change[] {
    const names = [old, fresh].flatMap(({ properties, required }) => [...properties.keys(), ...required]);
    return [
      ...[...new Set(names)].sort().flatMap((name) => below(stepTo(name), this.#propertyChanges(name, old, fresh))),
      ...below("[]", this.changes(old.items, fresh.items)),
    ];
  }

  #propertyChanges(name: string, old: SchemaNode, fresh: SchemaNode): Change[] {
    const [before, after] = [old.properties.get(name), fresh.properties.get(name)];
    const [wasRequired, isRequired] = [old.required.has(name), fresh.required.has(name)];
    const isAdded = before === undefined && !wasRequired;
    const isRemoved = after === undefined && !isRequired;
    // Another rule may have been about the property, or may be now.
    if ((isAdded || isRemoved) && (old.hasOtherRules || fresh.hasOtherRules)) return [change("changed", READ_IT)];
    if (isRemoved) return [change("removed", "was removed")];
    if (isAdded) return [{ ...change("added", isRequired ? "is new, required" : "is new, optional"), isRequired }];
    const changes = this.changes(before ?? true, after ?? true);
    if (wasRequired && !isRequired) return [change("loosened", "is no longer required"), ...changes];
    if (!wasRequired && isRequired) return [change("narrowed", "is now required"), ...changes];
    return changes;
  }
}

const READ_IT = "changed, read it";

function constraintChanges(old: SchemaNode, fresh: SchemaNode): Change[] {
  if (old.isAnything && fresh.isAnything) return [];
  if (old.isAnything) return [change("narrowed", "could be anything, is now limited")];
  if (fresh.isAnything) return [change("loosened", "was limited, can now be anything")];
  const values = valueChanges(old, fresh);
  if (values.some(({ kind }) => kind === "replaced")) return values;
  const unread = keysOf(old.others, fresh.others).filter((name) => old.others.get(name) !== fresh.others.get(name));
  return [
    ...values,
    ...keysOf(old.bounds, fresh.bounds).flatMap((name) =>
      boundChanges(name, old.bounds.get(name), fresh.bounds.get(name)),
    ),
    ...unread.map((name) => change("changed", `${name} ${READ_IT}`)),
  ];
}

/** Changes of `type`, `enum` and `const`. */
function valueChanges(old: SchemaNode, fresh: SchemaNode): Change[] {
  const [was, is] = [old.values ?? old.types, fresh.values ?? fresh.types];
  const replaced = change("replaced", `was ${list(was)}, is now ${list(is)}`);
  if (old.values && !fresh.values) {
    if (!isWithin(old.types, fresh.types)) return [replaced];
    return [change("loosened", `is no longer limited to ${list(old.values)}`)];
  }
  if (!old.values && fresh.values) {
    if (!isWithin(fresh.types, old.types)) return [replaced];
    return [change("narrowed", `must now be ${list(fresh.values)}`)];
  }
  const gained = is.filter((value) => !was.includes(value));
  const lost = was.filter((value) => !is.includes(value));
  if (gained.length > 0 && lost.length > 0 && lost.length === was.length) return [replaced];
  return [
    ...(gained.length === 0 ? [] : [change("loosened", `can now also be ${list(gained)}`)]),
    ...(lost.length === 0 ? [] : [change("narrowed", `can no longer be ${list(lost)}`)]),
  ];
}

function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return inner.every((type) => outer.includes(type));
}

function boundChanges(name: string, was: number | undefined, is: number | undefined): Change[] {
  if (was === is) return [];
  if (was === undefined || is === undefined) {
    return [
      is === undefined
        ? change("loosened", `its ${name} of ${was} was removed`)
        : change("narrowed", `its ${name} is now ${is}`),
    ];
  }
  const isNarrower = /^(?:min|exclusiveMin)/.test(name) === is > was;
  return [change(isNarrower ? "narrowed" : "loosened", `its ${name} was ${was}, is now ${is}`)];
}

/** Changes that make no value invalid, but may change the effect of a call. */
function noteChanges(old: Resolved, fresh: Resolved): Change[] {
  const changes: Change[] = [];
  if (old.isDeprecated !== fresh.isDeprecated) {
    changes.push(change("noted", fresh.isDeprecated ? "is now deprecated" : "is no longer deprecated"));
  }
  if (old.default !== fresh.default) {
    changes.push(change("noted", `its default was ${old.default ?? "not set"}, is now ${fresh.default ?? "not set"}`));
  }
  return changes;
}

function change(kind: ChangeKind, text: string): Change {
  return { path: "", kind, text };
}

function below(step: string, changes: readonly Change[]): Change[] {
  return changes.map((one) => ({ ...one, path: step + one.path }));
}

function stepTo(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function keysOf(...maps: readonly ReadonlyMap<string, unknown>[]): string[] {
  return [...new Set(maps.flatMap((map) => [...map.keys()]))].sort();
}

/** `a or b`, at most ten of them. Every integer is a number. */
function list(names: readonly string[]): string {
  const shown = names.filter((name) => name !== "integer" || !names.includes("number"));
  if (shown.length === 0) return "nothing";
  const hidden = shown.length - 10;
  return shown.slice(0, 10).join(" or ") + (hidden > 0 ? ` or one of ${hidden} more` : "");
}
