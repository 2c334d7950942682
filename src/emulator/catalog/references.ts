import { isObject, isString, type Json } from "../../shared/json.js";
import { atPointer } from "../../shared/json-pointer.js";

const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"];

/** Schemas are checked many times, and the checker keeps what it knows about each. */
const cleaned = new WeakMap<Json, Json>();

/** The target of a reference; `undefined` if it leads nowhere, or to another document. */
export function targetOf(root: object, reference: string): unknown {
  return reference === "#" || reference.startsWith("#/") ? atPointer(root, reference) : anchorOf(root, reference);
}

/** A schema without the references that lead nowhere. What they meant isn't known, so they accept everything. */
export function withoutDeadReferences(root: Json): Json {
  const known = cleaned.get(root);
  if (known) return known;
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (!isObject(value)) return value;
    const kept = Object.entries(value).filter(([keyword, content]) => !isDead(keyword, content));
    return Object.fromEntries(kept.map(([keyword, content]) => [keyword, copy(content)]));
  };
  const isDead = (keyword: string, content: unknown) =>
    REFERENCES.includes(keyword) && isString(content) && targetOf(root, content) === undefined;
  // A copy of an object is an object.
  const result = copy(root) as Json;
  cleaned.set(root, result);
  return result;
}

function anchorOf(root: object, reference: string): unknown {
  const waiting: unknown[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if ([field(next, "$anchor"), field(next, "$dynamicAnchor")].some((name) => reference === `#${name}`)) return next;
    waiting.push(...Object.values(next).filter((value) => value !== undefined));
  }
  return undefined;
}

function field(value: object, name: string): string | undefined {
  const found: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  return isString(found) ? found : undefined;
}
