import { child, isObject, isString, type Json } from "../shared/json.js";

/** Keywords that refer to another schema. */
export const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"] as const;

/**
 * Keywords that contain schemas by name, in all drafts. A property may have the name of a keyword. The list is part of
 * the format of lockfiles: another one makes other hashes.
 */
export const MAPS = ["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"];

/** Keywords that contain data, not schemas. */
export const DATA = ["const", "default", "enum", "example", "examples"];

/** Finds the schema that a reference leads to. `undefined` if it is missing, or only refers to itself. */
export type Resolve = (reference: string) => unknown;

/** Schemas are read many times, and their names are found once. */
const resolvers = new WeakMap<object, Resolve>();

/** Resolves references by pointer, by `$id`, by `$anchor`, and by a pointer in what an `$id` names. */
export function resolverOf(root: unknown): Resolve {
  if (typeof root !== "object" || root === null) return () => undefined;
  const known = resolvers.get(root);
  if (known) return known;
  let named: ReadonlyMap<string, unknown> | undefined;
  const find: Resolve = (reference) => {
    if (/^#(\/|$)/.test(reference)) return atPointer(root, reference);
    named ??= namedSchemas(root);
    if (named.has(reference)) return named.get(reference);
    const [base = "", fragment = "#"] = reference.split(/(?=#)/);
    return atPointer(named.get(base), fragment);
  };
  const ends = new Map<string, unknown>();
  /** The end of a chain of schemas that only refer to another one. */
  const resolve: Resolve = (reference) => {
    const chain = new Set<string>();
    let next: string | undefined = reference;
    let end: unknown;
    while (next !== undefined && !ends.has(next) && !chain.has(next)) {
      chain.add(next);
      const found = find(next);
      end = found;
      next = onlyReference(found);
    }
    // A chain that leads back to itself has no end.
    if (next !== undefined) end = ends.get(next);
    for (const link of chain) ends.set(link, end);
    return ends.get(reference);
  };
  resolvers.set(root, resolve);
  return resolve;
}

/** The reference of a schema that has no other keyword. */
export function onlyReference(schema: unknown): string | undefined {
  if (!isObject(schema) || !isString(schema["$ref"])) return undefined;
  return Object.keys(schema).length === 1 ? schema["$ref"] : undefined;
}

export const isReference = (keyword: string) => REFERENCES.some((reference) => reference === keyword);

/** The references of one schema object. */
export function referencesOf(schema: Json): string[] {
  const references: string[] = [];
  for (const keyword of REFERENCES) {
    const reference = schema[keyword];
    if (isString(reference)) references.push(reference);
  }
  return references;
}

/** The members of a keyword's list; none if its value is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Every schema in some schemas, with these. Those that are added to the set meanwhile are read, too. What only looks
 * like a schema, in an example for instance, isn't one.
 */
export function* schemasIn(places: Set<unknown>): Generator<Json> {
  // A set is walked in the order in which it grows.
  for (const place of places) {
    for (const member of listOf(place)) places.add(member);
    if (!isObject(place)) continue;
    yield place;
    for (const [keyword, member] of Object.entries(place)) {
      if (typeof member !== "object") continue;
      if (MAPS.includes(keyword)) for (const schema of Object.values(Object(member))) places.add(schema);
      else if (!DATA.includes(keyword)) places.add(member);
    }
  }
}

/** A reference in a schema that leads to no other schema; `undefined` if all of them lead somewhere. */
export function danglingReference(root: object): string | undefined {
  const resolve = resolverOf(root);
  for (const schema of schemasIn(new Set([root]))) {
    const dangling = referencesOf(schema).find((reference) => resolve(reference) === undefined);
    if (dangling !== undefined) return dangling;
  }
  return undefined;
}

/** Whether a schema leads back to itself. */
export function isRecursive(root: Json): boolean {
  const resolve = resolverOf(root);
  const open = new Set<unknown>();
  const done = new Set<unknown>();
  const leadsBack = (part: unknown): boolean => {
    if (Array.isArray(part)) return part.some(leadsBack);
    if (!isObject(part) || done.has(part)) return false;
    if (open.has(part)) return true;
    open.add(part);
    const found = [...referencesOf(part).map(resolve), ...Object.values(part)].some(leadsBack);
    open.delete(part);
    done.add(part);
    return found;
  };
  return leadsBack(root);
}

/** The schemas that have an `$id` or an `$anchor`, by how references write them. */
function namedSchemas(root: object): ReadonlyMap<string, unknown> {
  const named = new Map<string, unknown>();
  for (const schema of schemasIn(new Set([root]))) {
    for (const [keyword, prefix] of NAMES) {
      const name = schema[keyword];
      if (isString(name) && !named.has(prefix + name)) named.set(prefix + name, schema);
    }
  }
  return named;
}

const NAMES = [
  ["$id", ""],
  ["id", ""],
  ["$anchor", "#"],
  ["$dynamicAnchor", "#"],
] as const;

/**
 * The property names in a JSON Pointer that is the fragment of a URI: `#/$defs/a~1b%20c` has `$defs` and `a/b c`. RFC
 * 6901, section 6; a percent-encoded slash is part of a name, because separators aren't encoded in practice.
 */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => percentDecoded(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * The value at a pointer; `undefined` if it doesn't exist or is in another document. Nothing is inherited or fetched.
 */
export function atPointer(root: unknown, pointer: string): unknown {
  return /^#(\/|$)/.test(pointer) ? pointerSteps(pointer).reduce<unknown>(child, root) : undefined;
}

/** A percent sign that encodes nothing is kept, because references often aren't encoded like URIs. */
function percentDecoded(step: string): string {
  return step.replace(/(%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}
