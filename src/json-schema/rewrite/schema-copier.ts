// The room of edits: copies of a schema with something changed, such as its draft or an argument. It imports `check`.
// Start here, the copy that keeps references.

import { isObject, isString, type Json } from "../../shared/json.js";
import { mapMember } from "../map-schemas.js";
import { isReference, listOf, pointerSteps, type Resolve, resolverOf } from "../references.js";

/** Keywords that say how references name a schema. All references are written anew. */
const IDENTITIES = ["$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$defs", "definitions"];

/** Copies parts of a schema into another one, with what they refer to and nothing else. */
export class SchemaCopier {
  readonly resolve: Resolve;
  /** By name. */
  readonly #definitions = new Map<string, unknown>();
  /** The names of the schemas that are copied. */
  readonly #names = new Map<Json, string>();

  constructor(root: Json) {
    this.resolve = resolverOf(root);
  }

  /** A schema with everything that it and its copied parts refer to. */
  whole(schema: Json): Json {
    return this.#definitions.size > 0 ? { ...schema, $defs: Object.fromEntries(this.#definitions) } : schema;
  }

  alone(schema: Json): Json {
    return this.whole(Object(this.of(schema)));
  }

  /** A name for the definition of what a reference leads to, which `define` needs. */
  newName(reference: string): string {
    const base = (pointerSteps(reference).at(-1) ?? reference).replace(/[^\w.-]+/g, "_").replace(/^_*$/, "schema");
    let name = base;
    for (let count = 2; this.#definitions.has(name); count++) name = `${base}_${count}`;
    this.define(name, {});
    return name;
  }

  define(name: string, schema: unknown): void {
    this.#definitions.set(name, schema);
  }

  /** A copy of a schema, or of a list of schemas. */
  of(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((member) => this.of(member));
    if (!isObject(schema)) return schema;
    const keywords = new Map<string, unknown>();
    const all: unknown[] = [];
    for (const [keyword, member] of Object.entries(schema)) {
      if (isReference(keyword) && isString(member)) {
        const copy = this.reference(member);
        if (isObject(copy) && !keywords.has("$ref")) keywords.set("$ref", copy["$ref"]);
        else all.push(copy);
      } else if (!isIdentity(keyword, member)) keywords.set(keyword, this.member(keyword, member));
    }
    if (all.length > 0) keywords.set("allOf", [...listOf(keywords.get("allOf")), ...all]);
    return Object.fromEntries(keywords);
  }

  /** A copy of a keyword's value. */
  member(keyword: string, value: unknown): unknown {
    return mapMember(keyword, value, (schemas) => this.of(schemas));
  }

  /** The same reference in the copy. A broken one stays. */
  reference(reference: string): unknown {
    const target = this.resolve(reference);
    if (target === undefined) return { $ref: reference };
    if (!isObject(target)) return target;
    let name = this.#names.get(target);
    if (name === undefined) {
      name = this.newName(reference);
      this.#names.set(target, name);
      this.define(name, this.of(target));
    }
    return { $ref: `#/$defs/${name}` };
  }
}

/** Whether a keyword says how references name its schema. */
export function isIdentity(keyword: string, member: unknown): boolean {
  return IDENTITIES.includes(keyword) || (keyword === "id" && isString(member));
}
