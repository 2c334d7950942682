import type { Work } from "../../arguments/checking.js";
import type { SchemaReader } from "../../arguments/schema-reader.js";
import { isObject, type Json } from "../../shared/json.js";
import { sampleNumber, sampleText } from "./sample-plain.js";
import { propertiesOf } from "./sample-properties.js";
import { Impossible, listOf, type Making, type Shape, shapeOf } from "./sample-shape.js";

/** How one attempt makes a sample. */
export interface MakerOptions {
  /** Ends the attempt after too many steps. */
  readonly work: Work;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly file: (() => unknown) | undefined;
  /** Whether examples and defaults of the schema are used. */
  readonly usesExamples: boolean;
  /** Whether optional properties and items are omitted. */
  readonly isMinimal: boolean;
  /** Number of the attempt. */
  readonly attempt: number;
}

/** Below this depth, only what is required is made, so that recursive schemas end. */
const FULL_DEPTH = 5;

/** Nothing real is nested deeper. */
const DEEPEST = 60;

/** After this many values, only what is required is made. */
const FULL_VALUES = 1_500;

/** Types in the order in which they are guessed from keywords. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  object: ["properties", "required", "additionalProperties", "patternProperties", "minProperties", "propertyNames"],
  array: ["items", "prefixItems", "minItems", "maxItems", "contains", "uniqueItems"],
  string: ["minLength", "maxLength", "format", "contentEncoding"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
};

/** Makes one sample of a schema. It may be invalid, if parts of the schema exclude each other. */
export class SampleMaker implements Making {
  readonly #options: MakerOptions;
  readonly #reader: SchemaReader;
  #values = 0;

  constructor(reader: SchemaReader, options: MakerOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  make(): unknown {
    return this.value(this.#reader.root, "", 0);
  }

  isSmall(depth: number): boolean {
    return this.#options.isMinimal || depth > FULL_DEPTH || this.#values > FULL_VALUES;
  }

  pick<Value>(values: readonly Value[]): Value | undefined {
    return values[Math.floor(this.#options.random() * values.length)];
  }

  shape(schema: unknown, depth: number): Shape {
    const { root } = this.#reader;
    return shapeOf({ root, work: this.#options.work, choose: (variants) => this.#variant(variants, depth) }, schema);
  }

  matches(source: string, text: string): boolean {
    const { work } = this.#options;
    const pattern = this.#reader.pattern(source, work);
    if (!(pattern instanceof Error)) return pattern.matches(text, work);
    // The check skips patterns of other languages, as every validator does.
    if (!isJavaScript(source)) return true;
    throw new Impossible(`a pattern can't be checked: ${pattern.message}`);
  }

  value(schema: unknown, name: string, depth: number): unknown {
    if (depth > DEEPEST) throw new Impossible("the schema never ends");
    this.#values += 1;
    this.#options.work.spend(100);
    const shape = this.shape(schema, depth);
    const { file, usesExamples } = this.#options;
    if (shape["file_downloadable"] === true && file) return file();
    const examples = usesExamples ? examplesOf(shape) : [];
    if (examples.length > 0) return structuredClone(this.pick(examples));
    if (shape["nullable"] === true && this.#allowsNull) return null;
    const values = shape["enum"];
    if (Array.isArray(values)) return structuredClone(this.#allowed(values, shape));
    switch (this.#type(shape)) {
      case "object":
        return propertiesOf(shape, this, depth);
      case "array":
        return this.#items(shape, name, depth);
      case "boolean":
        return this.#options.random() < 0.5;
      case "null":
        return null;
      case "integer":
        return sampleNumber(shape, true, this.#options.random);
      case "number":
        return sampleNumber(shape, false, this.#options.random);
      default:
        return sampleText(shape, { ...this.#options, name, matches: (source, text) => this.matches(source, text) });
    }
  }

  /** Null says little, so it's only tried after other values. */
  get #allowsNull(): boolean {
    return this.#options.attempt % 4 === 3;
  }

  #allowed(values: readonly unknown[], shape: Shape): unknown {
    const types = listOf(shape["type"], true);
    const fitting = values.filter((value) => types.length === 0 || types.some((type) => isOfType(value, type)));
    if (fitting.length === 0) throw new Impossible("an enum has no value of the type");
    return this.pick(fitting);
  }

  #type(shape: Shape): unknown {
    const { type } = shape;
    if (type === undefined) {
      if (shape.patterns.length > 0) return "string";
      return Object.keys(KEYWORDS).find((guess) => KEYWORDS[guess]?.some((keyword) => keyword in shape));
    }
    const types = listOf(type, true);
    if (types.length === 0) throw new Impossible("types exclude each other");
    const useful = types.filter((one) => one !== "null" || this.#allowsNull);
    return useful.length > 0 ? this.pick(useful) : "null";
  }

  /** Deep down, the simplest variant; otherwise any, but rather not null. */
  #variant(variants: readonly unknown[], depth: number): unknown {
    const possible = variants.filter((variant) => variant !== false);
    if (this.isSmall(depth)) {
      const [simplest] = possible.toSorted((one, other) => complexity(one) - complexity(other));
      return this.#options.attempt % 2 === 0 ? simplest : this.pick(possible);
    }
    const useful = possible.filter((variant) => !(isObject(variant) && variant["type"] === "null") || this.#allowsNull);
    return this.pick(useful.length > 0 ? useful : possible);
  }

  #items(shape: Shape, name: string, depth: number): unknown[] {
    const { minItems, maxItems, items: rest = true, prefixItems, contains, minContains } = shape;
    const first = listOf(prefixItems ?? rest);
    const others = Array.isArray(rest) ? (shape["additionalItems"] ?? true) : rest;
    const needed = contains === undefined ? 0 : typeof minContains === "number" ? minContains : 1;
    const least = Math.max(typeof minItems === "number" ? minItems : 0, needed);
    const usual = this.isSmall(depth)
      ? least
      : Math.max(least, first.length, 1 + Math.floor(this.#options.random() * 2));
    const most = others === false ? first.length : Number.POSITIVE_INFINITY;
    const length = Math.min(usual, typeof maxItems === "number" ? maxItems : usual, most);
    const made: unknown[] = [];
    const known = shape["uniqueItems"] === true ? new Set<string>() : undefined;
    for (let index = 0; index < length; index += 1) {
      const own = first[index] ?? others;
      const schema = index < needed ? { allOf: [own, contains] } : own;
      const item = this.#item(schema, name, depth, known);
      // Not enough different values exist.
      if (item === undefined) break;
      made.push(item.value);
    }
    return made;
  }

  /** An item that differs from the known ones, and becomes one of them. */
  #item(schema: unknown, name: string, depth: number, known?: Set<string>): { value: unknown } | undefined {
    // The last of many possible values takes many tries.
    const tries = 30 + (known?.size ?? 0) * 10;
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const value = this.value(schema, name.replace(/s$/, ""), depth + 1);
      const written = known && JSON.stringify(value);
      if (written === undefined || !known?.has(written)) {
        if (written !== undefined) known?.add(written);
        return { value };
      }
    }
    return undefined;
  }
}

function isJavaScript(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

function examplesOf({ examples, example, default: usual }: Json): readonly unknown[] {
  if (Array.isArray(examples) && examples.length > 0) return examples;
  if (example !== undefined) return [example];
  return usual === undefined || usual === null ? [] : [usual];
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  return type === "object" ? isObject(value) : typeof value === type;
}

/** Roughly how much a schema requires: nothing, a plain value, a container, something unknown behind a reference. */
function complexity(schema: unknown): number {
  if (!isObject(schema)) return 0;
  if ("$ref" in schema || "$dynamicRef" in schema) return 5;
  if ("const" in schema || "enum" in schema || schema["type"] === "null") return 0;
  const variants = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
  if (variants.length > 0) return 1 + Math.min(...variants.map(complexity));
  if (listOf(schema["allOf"]).length > 0) return 4;
  if (schema["type"] === "array") return Number(schema["minItems"] ?? 0) > 0 ? 3 : 1;
  return schema["type"] === "object" || "properties" in schema ? 2 + listOf(schema["required"]).length : 1;
}
