import { isObject, type Json } from "../../shared/json.js";
import { checkJsonSchema } from "../check/check-json-schema.js";
import { ANNOTATIONS } from "../keywords.js";

/** A part of a schema, as it is written. */
export interface WrittenPart {
  /** `false` if no object with the argument is valid. */
  readonly schema: unknown;
  /** Whether a value that isn't known yet decides more. */
  readonly isOpen: boolean;
}

/** Keywords that accept every value. */
const ACCEPTING = [...ANNOTATIONS, "example", "$comment"];

/** A part of a schema that is being written without an argument that is always there. */
export class RemainderWriter {
  /** How many names of the argument's path lead to the object that it describes. */
  readonly at: number;
  /** The next name, and whether it is the argument itself. */
  readonly name: string;
  readonly isLast: boolean;
  readonly keywords = new Map<string, unknown>();
  readonly required = new Set<unknown>();
  /** Schemas that apply as well. */
  readonly #all: unknown[] = [];
  #isOpen = false;
  #isImpossible = false;

  constructor(path: readonly string[], at: number) {
    this.at = at;
    this.name = path[at] ?? "";
    this.isLast = at + 1 === path.length;
  }

  written(): WrittenPart {
    const { keywords, required } = this;
    if (this.#isImpossible) return { schema: false, isOpen: false };
    if (required.size > 0) keywords.set("required", [...required]);
    if (this.#all.length > 0) keywords.set("allOf", this.#all);
    return { schema: Object.fromEntries(keywords), isOpen: this.#isOpen };
  }

  /** Whether what the part says about the argument holds; `undefined` if only its value can tell. */
  decide(holds: boolean | undefined): void {
    this.#isOpen ||= holds === undefined;
    this.#isImpossible ||= holds === false;
  }

  /** The schema of what was written, which is a part of this one. */
  include({ schema, isOpen }: WrittenPart): unknown {
    this.#isOpen ||= isOpen;
    return schema;
  }

  /** Adds a schema that applies as well. */
  add(written: WrittenPart): void {
    const schema = this.include(written);
    if (schema === false) this.#isImpossible = true;
    else if (schema !== true && Object.keys(Object(schema)).length > 0) this.#all.push(schema);
  }

  require(names: readonly unknown[]): void {
    for (const name of names) if (name !== this.name) this.required.add(name);
  }

  union(keyword: string, branches: readonly WrittenPart[]): void {
    const possible = branches.filter(({ schema }) => schema !== false);
    const isOpen = possible.some((branch) => branch.isOpen);
    const schemas = possible.map((branch) => this.include(branch));
    if (schemas.length === 0) this.#isImpossible = true;
    // The value may decide which branch is valid, so several can be without it.
    else if (isOpen && keyword === "oneOf") this.#all.push({ anyOf: schemas });
    else this.keywords.set(keyword, schemas);
  }

  condition(test: WrittenPart, positive: WrittenPart, negative: WrittenPart): void {
    this.#isOpen ||= test.isOpen;
    if (test.isOpen) {
      const branches = [positive, negative];
      const schema = { anyOf: branches.map((branch) => this.include(branch)) };
      if (!branches.some((branch) => branch.schema === true)) this.#all.push(schema);
    } else if (test.schema === false) this.add(negative);
    else if (acceptsObjects(test.schema)) this.add(positive);
    else {
      this.keywords.set("if", test.schema);
      if (positive.schema !== true) this.keywords.set("then", this.include(positive));
      if (negative.schema !== true) this.keywords.set("else", this.include(negative));
    }
  }

  not(written: WrittenPart): void {
    const schema = this.include(written);
    if (written.isOpen || schema === false) return;
    if (acceptsObjects(schema)) this.#isImpossible = true;
    else this.keywords.set("not", schema);
  }

  /** The argument counts, too. */
  count(keyword: string, bound: unknown): void {
    if (typeof bound !== "number") return;
    this.keywords.set(keyword, Math.max(0, this.isLast ? bound - 1 : bound));
    this.#isImpossible ||= this.isLast && keyword === "maxProperties" && bound < 1;
    // Otherwise the program might create one more.
    if (!this.isLast) this.required.add(this.name);
  }
}

/** Whether a value is valid; `undefined` if that can't be told. */
export function isValid(schema: Json, value: unknown): boolean | undefined {
  try {
    const { mismatches, unchecked } = checkJsonSchema(schema, value, true);
    return mismatches.length > 0 ? false : unchecked.length > 0 ? undefined : true;
  } catch {
    return undefined;
  }
}

/** Whether a schema accepts every value. */
export function acceptsAll(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).every((keyword) => ACCEPTING.includes(keyword)));
}

/** Whether a schema accepts every object. */
function acceptsObjects(schema: unknown): boolean {
  if (!isObject(schema)) return schema === true;
  const { type, properties, ...others } = schema;
  const isObjectType = type === undefined || [type].flat().includes("object");
  return isObjectType && Object.values(Object(properties)).every(acceptsAll) && acceptsAll(others);
}
