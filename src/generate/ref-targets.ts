import type { Json } from "../shared/json.js";
import { atPointer, pointerSteps } from "../shared/json-pointer.js";

/** A referenced schema and the name of its type. */
export interface RefTarget {
  /** Its place, such as `#/$defs/Node`. */
  readonly pointer: string;
  /** Its key among the definitions. */
  readonly key: string;
  /** The name of its type. */
  readonly title: string;
  /** The depth of the deepest reference to it found so far. */
  readonly depth: number;
}

/** The targets of a schema's references. */
export class RefTargets {
  readonly #root: unknown;
  readonly #name: string;
  readonly #found = new Map<string, RefTarget>();

  constructor(root: unknown, name: string) {
    this.#root = root;
    this.#name = name;
  }

  /** The targets so far, in the order they were found. */
  wanted(): IterableIterator<RefTarget> {
    return this.#found.values();
  }

  /**
   * The reference to write instead of the given one: `undefined` if it can't be followed, `circle` if it would define a
   * type by itself alone.
   *
   * @param owner - The definition that has the same type as the place of the reference, if any.
   * @param depth - The depth of that place.
   */
  keyOf(reference: string, owner: string | undefined, depth: number): string | undefined {
    const pointer = this.#follow(reference);
    if (pointer === undefined) return undefined;
    if (owner !== undefined && this.#isSameType(pointer, owner)) return "circle";
    if (pointer === "#") return "#";
    const known = this.#found.get(pointer);
    const key = known?.key ?? `d${this.#found.size}`;
    const title = this.#name + pascal(pointer);
    this.#found.set(pointer, { pointer, key, title, depth: Math.max(known?.depth ?? 0, depth) });
    return `#/definitions/${key}`;
  }

  /** The schema at a pointer, or `undefined`. Nothing is inherited or fetched. */
  at(pointer: string): unknown {
    return atPointer(this.#root, pointer);
  }

  /** The end of a chain of schemas that are only references. */
  #follow(reference: string): string | undefined {
    const seen = new Set<string>();
    for (let pointer = reference; !seen.has(pointer); ) {
      seen.add(pointer);
      const target = this.at(pointer);
      if (typeof target === "boolean") return pointer;
      if (typeof target !== "object" || target === null) return undefined;
      const next: unknown = Reflect.get(target, "$ref");
      if (typeof next !== "string" || Object.keys(target).length > 1) return pointer;
      pointer = next;
    }
    return undefined;
  }

  /** Whether a schema contains another without an object or array in between. No type can contain itself like that. */
  #isSameType(from: string, sought: string): boolean {
    const seen = new Set<string>();
    const reaches = (pointer: string): boolean => {
      if (pointer === sought) return true;
      if (seen.has(pointer)) return false;
      seen.add(pointer);
      return directReferences(this.at(pointer)).some((reference) => {
        const next = this.#follow(reference);
        return next !== undefined && reaches(next);
      });
    };
    return reaches(from);
  }
}

function directReferences(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { $ref, allOf, anyOf, oneOf }: Json = { ...schema };
  const members = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...(typeof $ref === "string" ? [$ref] : []), ...members.flatMap(directReferences)];
}

/** A pointer's last segment as part of a type's name: `TreeNode` for `#/$defs/tree-node`. */
function pascal(pointer: string): string {
  const words = pointerSteps(pointer)
    .at(-1)
    ?.match(/[A-Za-z0-9]+/g) ?? ["Part"];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
