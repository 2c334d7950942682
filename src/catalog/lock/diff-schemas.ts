import { canonicalSchema } from "../../json-schema/compare/canonical-schema.js";
import {
  type AnySchema,
  type ComparedNode,
  isBound,
  meaningOf,
  readNode,
  toSchema,
} from "../../json-schema/compare/compared-node.js";
import { tighter } from "../../json-schema/keywords.js";

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

/** Callers break if fewer values are valid, readers if more are. What isn't compared may break both. */
const BREAKS: Readonly<Record<Direction, readonly ChangeKind[]>> = {
  input: ["removed", "narrowed", "replaced", "changed"],
  output: ["removed", "loosened", "replaced", "changed"],
};
const READ_IT = "changed, read it";

/**
 * Lists the changes between two JSON Schemas, and whether they break callers (`input`) or readers (`output`).
 *
 * It compares properties, `required`, `items`, `type`, `enum`, `const`, bounds and `null` in unions, and follows
 * references. A change of any other keyword reads "changed, read it" and counts as breaking. Changes of a shared
 * definition are listed once, at its first use.
 */
export function diffSchemas(before: unknown, after: unknown, direction: Direction): SchemaChange[] {
  if (canonicalSchema(before) === canonicalSchema(after)) return [];
  return new SchemaComparison(toSchema(before), toSchema(after), direction).changes;
}

class SchemaComparison {
  readonly changes: SchemaChange[] = [];
  readonly #before: AnySchema;
  readonly #after: AnySchema;
  readonly #direction: Direction;
  readonly #numbers = new Map<AnySchema, number>();
  /** The pairs of parts that were compared, so that recursive schemas end. */
  readonly #compared = new Set<string>();

  constructor(before: AnySchema, after: AnySchema, direction: Direction) {
    this.#before = before;
    this.#after = after;
    this.#direction = direction;
    this.#compare("", before, after);
  }

  #report(path: string, kind: ChangeKind, text: string, breaks = BREAKS[this.#direction].includes(kind)): void {
    this.changes.push({ path: path.replace(/^\./, ""), kind, text, breaks });
  }

  #compare(path: string, before: AnySchema, after: AnySchema): void {
    const [old, fresh] = [readNode(before, this.#before), readNode(after, this.#after)];
    const isWhole = this.#wasCompared(old, fresh) || this.#compareConstraints(path, old, fresh);
    this.#compareNotes(path, old, fresh);
    if (isWhole) return;
    const names = [old, fresh].flatMap((node) => [...node.fields.keys(), ...node.required]);
    for (const name of sortedNames(names)) this.#compareProperty(path + stepTo(name), name, old, fresh);
    this.#compare(`${path}[]`, old.items, fresh.items);
  }

  #wasCompared(old: ComparedNode, fresh: ComparedNode): boolean {
    const pair = [old, fresh].map(({ schema, isNullable }) => {
      const number = this.#numbers.get(schema) ?? this.#numbers.size;
      this.#numbers.set(schema, number);
      return `${number} ${isNullable}`;
    });
    const known = this.#compared.has(pair.join());
    if (typeof old.schema === "object" && typeof fresh.schema === "object") this.#compared.add(pair.join());
    return known;
  }

  #compareProperty(path: string, name: string, old: ComparedNode, fresh: ComparedNode): void {
    const [before, after] = [old.fields.get(name), fresh.fields.get(name)];
    const [wasRequired, isRequired] = [old.required.has(name), fresh.required.has(name)];
    const isAdded = before === undefined && !wasRequired;
    const isRemoved = after === undefined && !isRequired;
    const isListedOnce = (before === undefined) !== (after === undefined);
    const hasOtherRules = old.hasOtherRules || fresh.hasOtherRules;
    // Another rule may have been about the property, or may be now.
    if ((isAdded || isRemoved || isListedOnce) && hasOtherRules) this.#report(path, "changed", READ_IT);
    else if (isRemoved) this.#report(path, "removed", "was removed");
    else if (isAdded && isRequired) this.#report(path, "added", "is new, required", this.#direction === "input");
    else if (isAdded) this.#report(path, "added", "is new, optional");
    else {
      if (wasRequired && !isRequired) this.#report(path, "loosened", "is no longer required");
      if (!wasRequired && isRequired) this.#report(path, "narrowed", "is now required");
      this.#compare(path, before ?? old.undeclared, after ?? fresh.undeclared);
    }
  }

  /** Returns whether the parts are too different to compare what is in them. */
  #compareConstraints(path: string, old: ComparedNode, fresh: ComparedNode): boolean {
    if (old.isAnything && fresh.isAnything) return true;
    if (old.isAnything) this.#report(path, "narrowed", "could be anything, is now limited");
    else if (fresh.isAnything) this.#report(path, "loosened", "was limited, can now be anything");
    if (old.isAnything || fresh.isAnything || this.#compareValues(path, old, fresh)) return true;
    for (const keyword of sortedNames([...old.others.keys(), ...fresh.others.keys()])) {
      this.#compareKeyword(path, keyword, old.others.get(keyword), fresh.others.get(keyword));
    }
    return false;
  }

  /** Compares `type`, `enum` and `const`. Returns whether all values are other ones. */
  #compareValues(path: string, old: ComparedNode, fresh: ComparedNode): boolean {
    const [was, is] = [old.values ?? old.types, fresh.values ?? fresh.types];
    if (old.values && !fresh.values && isWithin(old.types, fresh.types)) {
      this.#report(path, "loosened", `is no longer limited to ${list(was)}`);
      return false;
    }
    if (!old.values && fresh.values && isWithin(fresh.types, old.types)) {
      this.#report(path, "narrowed", `must now be ${list(is)}`);
      return false;
    }
    const gained = is.filter((value) => !was.includes(value));
    const lost = was.filter((value) => !is.includes(value));
    if (!old.values !== !fresh.values || (gained.length > 0 && lost.length > 0 && lost.length === was.length)) {
      this.#report(path, "replaced", `was ${list(was)}, is now ${list(is)}`);
      return true;
    }
    if (gained.length > 0) this.#report(path, "loosened", `can now also be ${list(gained)}`);
    if (lost.length > 0) this.#report(path, "narrowed", `can no longer be ${list(lost)}`);
    return false;
  }

  #compareKeyword(path: string, keyword: string, was: unknown, is: unknown): void {
    if (isBound(keyword, was) && isBound(keyword, is)) {
      const isNarrower = tighter(keyword, was, is) === is;
      if (is !== was) {
        this.#report(path, isNarrower ? "narrowed" : "loosened", `its ${keyword} was ${was}, is now ${is}`);
      }
    } else if (isBound(keyword, was) && is === undefined) {
      this.#report(path, "loosened", `its ${keyword} of ${was} was removed`);
    } else if (was === undefined && isBound(keyword, is)) {
      this.#report(path, "narrowed", `its ${keyword} is now ${is}`);
    } else if (meaningOf({ [keyword]: was }, this.#before) !== meaningOf({ [keyword]: is }, this.#after)) {
      this.#report(path, "changed", `${keyword} ${READ_IT}`);
    }
  }

  /** Compares what makes no value invalid, but may change the effect of a call. */
  #compareNotes(path: string, old: ComparedNode, fresh: ComparedNode): void {
    if (old.isDeprecated !== fresh.isDeprecated) {
      this.#report(path, "noted", fresh.isDeprecated ? "is now deprecated" : "is no longer deprecated");
    }
    if (old.default !== fresh.default) {
      const [was, is] = [old.default ?? "not set", fresh.default ?? "not set"];
      this.#report(path, "noted", `its default was ${was}, is now ${is}`);
    }
  }
}

function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return inner.every((type) => outer.includes(type));
}

function sortedNames(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

function stepTo(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** `a or b`, at most ten of them. Every integer is a number. */
function list(names: readonly string[]): string {
  const shown = names.filter((name) => name !== "integer" || !names.includes("number"));
  if (shown.length === 0) return "nothing";
  const hidden = shown.length - 10;
  return shown.slice(0, 10).join(" or ") + (hidden > 0 ? ` or one of ${hidden} more` : "");
}
