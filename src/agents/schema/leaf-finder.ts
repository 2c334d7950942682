import { hasKind, kindOfValue } from "../../json-schema/drafts.js";
import { contains } from "../../json-schema/json-equal.js";
import { acceptsNull, type Field, type SchemaNode } from "../../json-schema/node.js";
import { spend } from "../../json-schema/step-limit.js";
import { isObject } from "../../shared/json.js";

/**
 * Whether values have the structure of nodes: types, values, properties. Bounds and patterns aren't checked: branches
 * that differ only in those are never rewritten. Each value is compared with each leaf once, since nested unions would
 * otherwise take exponential time.
 */
export class LeafFinder {
  /** Whether null may mean an absent property. */
  readonly #isTolerant: boolean;
  readonly #known = new WeakMap<object, Map<SchemaNode, boolean>>();

  constructor({ isTolerant }: { readonly isTolerant: boolean }) {
    this.#isTolerant = isTolerant;
  }

  /** The leaves of a node that a value fits. */
  leavesFor(node: SchemaNode, value: unknown): SchemaNode[] {
    return node.leaves.filter((leaf) => this.#fits(leaf, value));
  }

  #fitsSome(node: SchemaNode, value: unknown): boolean {
    return node.leaves.some((leaf) => this.#fits(leaf, value));
  }

  #fits(leaf: SchemaNode, value: unknown): boolean {
    spend();
    if (typeof value !== "object" || value === null) return isAccepted(leaf, value);
    const found = this.#known.get(value) ?? new Map<SchemaNode, boolean>();
    this.#known.set(value, found);
    const before = found.get(leaf);
    if (before !== undefined) return before;
    const after = isAccepted(leaf, value) && this.#fitsInside(leaf, value);
    found.set(leaf, after);
    return after;
  }

  #fitsInside(leaf: SchemaNode, value: object): boolean {
    if (isObject(value)) return this.#hasItsFields(leaf, value) && this.#hasItsRest(leaf, value);
    return Array.isArray(value) && value.every((item, index) => this.#fitsItem(leaf, item, index));
  }

  #hasItsFields({ fields }: SchemaNode, value: object): boolean {
    return [...fields].every(([name, field]) => {
      if (!Object.hasOwn(value, name)) return !field.isRequired;
      const member: unknown = Reflect.get(value, name);
      if (this.#isTolerant && member === null && isAbsentIfNull(field)) return true;
      return this.#fitsSome(field.node, member);
    });
  }

  #hasItsRest({ fields, rest }: SchemaNode, value: object): boolean {
    if (rest === undefined) return true;
    return Object.entries(value).every(
      ([name, member]) => fields.has(name) || (rest !== false && this.#fitsSome(rest, member)),
    );
  }

  #fitsItem({ tuple, items }: SchemaNode, item: unknown, index: number): boolean {
    const node = tuple[index] ?? items;
    return node === undefined || (node !== false && this.#fitsSome(node, item));
  }
}

function isAccepted({ kinds, values }: SchemaNode, value: unknown): boolean {
  return hasKind(kinds, kindOfValue(value)) && (values === undefined || contains(values, value));
}

/** Whether null can only mean that a property is absent. */
export function isAbsentIfNull({ node, isRequired }: Field): boolean {
  return !isRequired && !acceptsNull(node);
}
