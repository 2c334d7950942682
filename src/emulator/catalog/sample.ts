import { mismatchesOfJsonSchema } from "../../json-schema/check/check-json-schema.js";
import { SchemaReader } from "../../json-schema/check/schema-reader.js";
import { complexity, isNull, mergedSchema } from "../../json-schema/merge.js";
import { expressionOf } from "../../json-schema/properties.js";
import type { SchemaObject } from "../../json-schema/schema-object.js";
import { atMost, spend, TooMuchWork } from "../../json-schema/step-limit.js";
import type { JsonObject } from "../../resources/schema-kit.js";
import { isObject, type Json } from "../../shared/json.js";
import { messageOf } from "../../shared/message-of.js";
import { nextRandom } from "../../shared/random.js";
import { sampleNumber, sampleText } from "./sample-plain.js";

/** How a sample is made. */
export interface SampleOptions {
  /** Equal schemas and seeds make equal samples. */
  readonly seed: number;
  /** Creates the value of a schema marked `file_downloadable`. By default, it's created like any other. */
  readonly file?: (() => unknown) | undefined;
}

/** How many samples are tried. Most schemas accept the first. */
const ATTEMPTS = 40;

/** Maximum steps of half of the attempts: each half takes less than a second. */
const MOST_STEPS = 4_000_000;

/**
 * Creates a value that a JSON Schema accepts. Examples and defaults of the schema are preferred, and recursive schemas
 * end.
 *
 * @throws {Error} if no such value was found, with the reason.
 */
export function sampleOf(given: JsonObject, { seed, file }: SampleOptions): unknown {
  const sequence = { seed };
  const random = () => nextRandom(sequence);
  const reader = new SchemaReader(given);
  let problem = "";
  const tryOnce = (isMinimal: boolean, isEven: boolean): Found | undefined => {
    try {
      const value = new SampleMaker({ reader, random, file, isMinimal, isEven }).sample(given, "", 0);
      const [mismatch] = mismatchesOfJsonSchema(given, value);
      if (!mismatch) return { value };
      problem = `${mismatch.path === "" ? "the value" : mismatch.path} must be ${mismatch.expected}`;
    } catch (error) {
      if (error instanceof TooMuchWork) throw error;
      problem = messageOf(error);
    }
    return undefined;
  };
  // Samples with only what is required may be found after larger ones took too long.
  for (const isMinimal of [false, true]) {
    try {
      const found = atMost(MOST_STEPS, () => firstOf(ATTEMPTS / 2, (attempt) => tryOnce(isMinimal, attempt % 2 === 0)));
      if (found) return found.value;
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
      problem = "it takes too long";
    }
  }
  throw new Error(`No value was found that the schema accepts: ${problem}`);
}

/**
 * Makes up an object that a JSON Schema accepts: arguments, or a tool's result.
 *
 * @throws {Error} if no such object was found, with the reason.
 */
export function sampleObjectOf(schema: JsonObject, options: SampleOptions): JsonObject {
  const sample = sampleOf({ ...schema, type: "object" }, options);
  // The schema accepts only objects.
  return sample as JsonObject;
}

interface Found {
  readonly value: unknown;
}

/** The first result of several tries. */
function firstOf<Result>(tries: number, run: (index: number) => Result | undefined): Result | undefined {
  for (let index = 0; index < tries; index += 1) {
    const result = run(index);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** One attempt. */
interface Attempt {
  readonly reader: SchemaReader;
  readonly random: () => number;
  readonly file: SampleOptions["file"];
  /** Whether optional properties and items are omitted. */
  readonly isMinimal: boolean;
  /** Even attempts trust what the schema says about itself, which may be wrong. */
  readonly isEven: boolean;
}

/** Below this depth, only what is required is made, so that recursive schemas end. */
const FULL_DEPTH = 5;

/** Nothing real is nested deeper. */
const DEEPEST = 60;

/** After this many values, only what is required is made. */
const FULL_VALUES = 1_500;

/** Makes one sample of a schema. It may be invalid, if parts of the schema exclude each other. */
class SampleMaker {
  readonly #attempt: Attempt;
  #values = 0;

  constructor(attempt: Attempt) {
    this.#attempt = attempt;
  }

  sample(schema: unknown, name: string, depth: number): unknown {
    const { reader, random, file, isEven } = this.#attempt;
    if (depth > DEEPEST) throw new Error("the schema never ends");
    this.#values += 1;
    spend(100);
    const choose = (variants: readonly unknown[]) => this.#chosenVariant(variants, depth);
    const shape = mergedSchema(schema, { root: reader.root, choose });
    if (shape.isDownload && file) return file();
    const chosen = this.#pick(shape.examples) ?? shape.example ?? shape.default ?? undefined;
    if (isEven && chosen !== undefined) return structuredClone(chosen);
    if (shape.values) return structuredClone(this.#pick(shape.values));
    switch (this.#typeOf(shape)) {
      case "object":
        return this.#objectOf(shape, depth);
      case "array":
        return this.#listOfItems(shape, name, depth);
      case "boolean":
        return random() < 0.5;
      case "null":
        return null;
      case "integer":
      case "number":
        return sampleNumber(shape, random);
      default:
        return sampleText(shape, name, { random, matches: this.#matches });
    }
  }

  #isSmall(depth: number): boolean {
    return this.#attempt.isMinimal || depth > FULL_DEPTH || this.#values > FULL_VALUES;
  }

  #pick<Value>(choices: readonly Value[]): Value | undefined {
    return choices[Math.floor(this.#attempt.random() * choices.length)];
  }

  /** Whether a string matches a pattern, in linear time. */
  readonly #matches = (source: string, text: string): boolean => {
    const pattern = this.#attempt.reader.pattern(source);
    if (!(pattern instanceof Error)) return pattern.matches(text);
    // The check skips patterns of other languages, as every validator does.
    if (!expressionOf(source)) return true;
    throw new Error(`a pattern can't be checked: ${pattern.message}`);
  };

  #typeOf({ types, likelyKind }: SchemaObject): string | undefined {
    if (!types) return likelyKind;
    if (types.length === 0) throw new Error("types exclude each other");
    // Null says little.
    return this.#pick(types.filter((type) => type !== "null")) ?? "null";
  }

  /** Deep down, the simplest variant; otherwise any, but rather not null. */
  #chosenVariant(variants: readonly unknown[], depth: number): unknown {
    const possible = variants.filter((variant) => variant !== false);
    if (!this.#isSmall(depth)) {
      const useful = possible.filter((variant) => !isNull(variant));
      return this.#pick(useful.length > 0 ? useful : possible);
    }
    const [simplest] = possible.toSorted((left, right) => complexity(left) - complexity(right));
    return this.#attempt.isEven ? simplest : this.#pick(possible);
  }

  /** An object with the required properties and, unless it should be small, those that are described. */
  #objectOf(shape: SchemaObject, depth: number): Json {
    const { fields, requiredNames, propertyCount } = shape;
    const described = fields.filter(([, schema]) => schema !== false).map(([name]) => name);
    const isBare = this.#isSmall(depth);
    const { least = 0, most = Number.POSITIVE_INFINITY } = propertyCount;
    const all = [...new Set([...requiredNames, ...(isBare ? [] : described)])];
    const names = new Set(all.slice(0, Math.max(most, requiredNames.length)));
    // Shows one of the properties that a map may have.
    const usual = isMap(shape) && !isBare && names.size === 0 ? 1 : 0;
    const wanted = Math.min(Math.max(least, usual), most);
    const unused = described.filter((name) => !names.has(name));
    for (let tries = 0; names.size < wanted && tries < wanted * 10 + 20; tries += 1) {
      spend(100);
      const name = unused.shift() ?? this.#newName(shape, depth, tries);
      if (this.#schemaOf(shape, name) !== false) names.add(name);
    }
    const entries = [...names].map((name) => [name, this.sample(this.#schemaOf(shape, name), name, depth + 1)]);
    return Object.fromEntries(entries);
  }

  #newName(shape: SchemaObject, depth: number, tries: number): string {
    const [pattern] = this.#pick(shape.patterns) ?? [];
    return pattern === undefined ? `sample_${tries + 1}` : String(this.sample({ pattern }, "", depth + 1));
  }

  /** The schema of the property of a name. */
  #schemaOf(shape: SchemaObject, name: string): unknown {
    const all = shape.schemasOf(name, this.#matches);
    return all.length > 1 ? { allOf: all } : all[0];
  }

  #listOfItems(shape: SchemaObject, name: string, depth: number): unknown[] {
    const { first, items: rest = true, itemCount, hasUniqueItems } = shape;
    const most = rest === false ? first.length : Number.POSITIVE_INFINITY;
    const usual = this.#isSmall(depth) ? 0 : Math.max(first.length, 1 + Math.floor(this.#attempt.random() * 2));
    const length = Math.min(Math.max(itemCount.least ?? 0, usual), itemCount.most ?? most, most);
    const made = new Map<string, unknown>();
    // The last of many possible values takes many tries. Perhaps not enough different values exist.
    for (let tries = 0; made.size < length && tries < length * 10 + 30; tries += 1) {
      const item = this.sample(first[made.size] ?? rest, name.replace(/s$/, ""), depth + 1);
      made.set(hasUniqueItems ? JSON.stringify(item) : String(tries), item);
    }
    return [...made.values()];
  }
}

/** Whether objects may have properties of any name. */
function isMap({ rest, patterns }: SchemaObject): boolean {
  return isObject(rest) || patterns.length > 0;
}
