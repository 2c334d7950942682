import { mismatchesOfJsonSchema } from "../../json-schema/check/check-json-schema.js";
import { numberAt } from "../../json-schema/check/checking.js";
import { SchemaReader } from "../../json-schema/check/schema-reader.js";
import { itemsOf } from "../../json-schema/items.js";
import { KEYWORDS_OF } from "../../json-schema/keywords.js";
import { expressionOf, propertySchemas } from "../../json-schema/properties.js";
import { listOf } from "../../json-schema/references.js";
import { atMost, spend, TooMuchWork } from "../../json-schema/work.js";
import { isObject, type Json } from "../../shared/json.js";
import { messageOf } from "../../shared/message-of.js";
import { nextRandom } from "../../shared/random.js";
import type { JsonObject } from "./definitions.js";
import { sampleNumber, sampleText } from "./sample-plain.js";
import { complexity, shapeOf } from "./sample-shape.js";

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
    const shape = shapeOf(schema, { root: reader.root, choose });
    if (shape["file_downloadable"] === true && file) return file();
    const chosen = this.#pick(listOf(shape["examples"])) ?? shape["example"] ?? shape["default"] ?? undefined;
    if (isEven && chosen !== undefined) return structuredClone(chosen);
    if (Array.isArray(shape["enum"])) return structuredClone(this.#pick(shape["enum"]));
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

  #typeOf(shape: Json): unknown {
    if (shape["type"] === undefined) {
      return Object.entries(KEYWORDS_OF).find(([, keywords]) => keywords.some((keyword) => keyword in shape))?.[0];
    }
    const types = [shape["type"]].flat();
    if (types.length === 0) throw new Error("types exclude each other");
    // Null says little.
    return this.#pick(types.filter((type) => type !== "null")) ?? "null";
  }

  /** Deep down, the simplest variant; otherwise any, but rather not null. */
  #chosenVariant(variants: readonly unknown[], depth: number): unknown {
    const possible = variants.filter((variant) => variant !== false);
    if (!this.#isSmall(depth)) {
      const useful = possible.filter((variant) => !(isObject(variant) && variant["type"] === "null"));
      return this.#pick(useful.length > 0 ? useful : possible);
    }
    const [simplest] = possible.toSorted((one, other) => complexity(one) - complexity(other));
    return this.#attempt.isEven ? simplest : this.#pick(possible);
  }

  /** An object with the required properties and, unless it should be small, those that are described. */
  #objectOf(shape: Json, depth: number): Json {
    const required = listOf(shape["required"]).map(String);
    const properties = Object.entries<unknown>(Object(shape["properties"]));
    const described = properties.filter(([, schema]) => schema !== false).map(([name]) => name);
    const isBare = this.#isSmall(depth);
    const most = numberAt(shape, "maxProperties") ?? Number.POSITIVE_INFINITY;
    const all = [...new Set([...required, ...(isBare ? [] : described)])];
    const names = new Set(all.slice(0, Math.max(most, required.length)));
    const isMap = isObject(shape["additionalProperties"]) || isObject(shape["patternProperties"]);
    // Shows one of the properties that a map may have.
    const usual = isMap && !isBare && names.size === 0 ? 1 : 0;
    const wanted = Math.min(Math.max(numberAt(shape, "minProperties") ?? 0, usual), most);
    const unused = described.filter((name) => !names.has(name));
    for (let tries = 0; names.size < wanted && tries < wanted * 10 + 20; tries += 1) {
      spend(100);
      const name = unused.shift() ?? this.#newName(shape, depth, tries);
      if (this.#schemaOf(shape, name) !== false) names.add(name);
    }
    const entries = [...names].map((name) => [name, this.sample(this.#schemaOf(shape, name), name, depth + 1)]);
    return Object.fromEntries(entries);
  }

  #newName(shape: Json, depth: number, tries: number): string {
    const pattern = this.#pick(Object.keys(Object(shape["patternProperties"])));
    return pattern === undefined ? `sample_${tries + 1}` : String(this.sample({ pattern }, "", depth + 1));
  }

  /** The schema of the property of a name. */
  #schemaOf(shape: Json, name: string): unknown {
    const all = propertySchemas(shape, name, this.#matches);
    return all.length > 1 ? { allOf: all } : (all[0] ?? shape["unevaluatedProperties"] ?? true);
  }

  #listOfItems(shape: Json, name: string, depth: number): unknown[] {
    const { first, rest = true } = itemsOf(shape);
    const least = numberAt(shape, "minItems") ?? 0;
    const usual = this.#isSmall(depth) ? 0 : Math.max(first.length, 1 + Math.floor(this.#attempt.random() * 2));
    const most = rest === false ? first.length : Number.POSITIVE_INFINITY;
    const length = Math.min(Math.max(least, usual), numberAt(shape, "maxItems") ?? most, most);
    const made = new Map<string, unknown>();
    // The last of many possible values takes many tries. Perhaps not enough different values exist.
    for (let tries = 0; made.size < length && tries < length * 10 + 30; tries += 1) {
      const item = this.sample(first[made.size] ?? rest, name.replace(/s$/, ""), depth + 1);
      made.set(shape["uniqueItems"] === true ? JSON.stringify(item) : String(tries), item);
    }
    return [...made.values()];
  }
}
