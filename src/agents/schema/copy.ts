import { isData, isKnown, LIST_KEYWORDS, MAP_KEYWORDS, modernized, SCHEMA_KEYWORDS } from "../../json-schema/drafts.js";
import { isTrivial } from "../../json-schema/flatten.js";
import { ANNOTATIONS, IN_PLACE } from "../../json-schema/keywords.js";
import { listOf } from "../../json-schema/references.js";
import { spend } from "../../json-schema/step-limit.js";
import { isObject, isString, type Json } from "../../shared/json.js";
import { type CopyPlace, loosen, PASSES, PASSES_FOR_WORDS, type SchemaCopy } from "./copy-passes.js";
import { DEEPEST_SCHEMA, itemPath, memberPath, referenceTo, valuePath, type WritingState } from "./writing-state.js";

/**
 * A copy of a schema for targets that take all of JSON Schema 2020-12: drafts modernized, references written out, names
 * replaced by aliases, and arrays with items. Everything else stays as it was.
 */
export function copyOf(schema: unknown, writing: WritingState, path: string): unknown {
  return new Copier(writing).copy(schema, { path, trail: [], outer: 0, depth: 0, isValue: true });
}

/** A copy for readers: recursive parts accept anything, and names stay. */
export function copyForWords(schema: Json, writing: WritingState): unknown {
  // In a description, what is deeper than half of a schema helps no model.
  const place = { path: "", trail: [], outer: 0, depth: DEEPEST_SCHEMA / 2, isValue: false };
  return new Copier(writing, true).copy(schema, place);
}

/** Copies of the parts that references point to. */
export function copiedDefinitions(writing: WritingState): Json {
  const copier = new Copier(writing);
  const place = { path: "", outer: 0, depth: 0, isValue: true };
  return writing.definitions((part) => Object(copier.copy(part, { ...place, trail: [part] })));
}

class Copier {
  readonly #writing: WritingState;
  readonly #isForWords: boolean;
  /** Whether words leave out what references point to: the budget was used up before. */
  readonly #isBrief: boolean;

  constructor(writing: WritingState, isForWords = false) {
    this.#writing = writing;
    this.#isForWords = isForWords;
    this.#isBrief = isForWords && writing.isFull;
  }

  copy(schema: unknown, place: CopyPlace): unknown {
    const modern = modernized(schema);
    if (!modern) return { not: {} };
    // What is too much isn't untyped here: references are no longer written in place.
    this.#writing.takeObject();
    spend();
    if (place.depth > DEEPEST_SCHEMA) {
      this.#untyped(place, "The schema is too deep. Anything is accepted here.");
      return {};
    }
    const copy: SchemaCopy = {};
    const inexact = this.#copyKeywords(modern, copy, place);
    for (const keyword of inexact) loosen(copy, keyword, this.#writing, place);
    for (const pass of this.#isForWords ? PASSES_FOR_WORDS : PASSES) pass(copy, this.#writing, place);
    const reference = modern["$ref"];
    return isString(reference) ? this.#withTarget(copy, reference, place) : copy;
  }

  #untyped({ path }: CopyPlace, message: string): void {
    if (!this.#isForWords) this.#writing.note(path, "untyped", message);
  }

  #aliasOf = (name: string) => this.#writing.aliases.aliasOf(name);

  /** Copies what the keywords contain. Returns those that would accept less, because what is in them accepts more. */
  #copyKeywords(modern: Json, copy: SchemaCopy, place: CopyPlace): string[] {
    const inexact: string[] = [];
    for (const [keyword, value] of Object.entries(modern)) {
      if (keyword === "$ref") continue;
      spend();
      const isWidened = this.#writing.widens(() => {
        if (isKnown(keyword)) copy[keyword] = this.#keyword(keyword, value, place);
        else if (this.#keepsUnknown(keyword) && isData(value)) copy[keyword] = value;
      });
      if (isWidened && EXACT.includes(keyword)) inexact.push(keyword);
    }
    return inexact;
  }

  #keepsUnknown(keyword: string): boolean {
    return this.#writing.dialect.unknownKeywords === true && !DECLARATIONS.includes(keyword);
  }

  #keyword(keyword: string, value: unknown, place: CopyPlace): unknown {
    if (SCHEMA_KEYWORDS.includes(keyword)) {
      const path = pathOfSchema(keyword, place.path);
      const written = typeof value === "boolean" ? booleanOf(keyword, value) : this.#below(value, keyword, place, path);
      return RESTS.includes(keyword) ? restOf(written) : written;
    }
    if (LIST_KEYWORDS.includes(keyword) && Array.isArray(value)) {
      const path = keyword === "prefixItems" ? itemPath(place.path) : place.path;
      return value.map((schema) => this.#below(schema, keyword, place, path));
    }
    if (keyword === "properties" && isObject(value)) return this.#properties(value, place);
    if (MAP_KEYWORDS.includes(keyword) && isObject(value)) {
      const rename = keyword === "patternProperties" ? (name: string) => name : this.#aliasOf;
      return mapKeys(value, rename, (schema) => this.#below(schema, keyword, place, place.path));
    }
    if (keyword === "required") return this.#aliases(value);
    if (keyword === "dependentRequired" && isObject(value)) {
      return mapKeys(value, this.#aliasOf, (names) => this.#aliases(names));
    }
    spend(listOf(value).length);
    return value;
  }

  #properties(properties: Json, place: CopyPlace): Json {
    const pathOf = (name: string) => memberPath(place.path, name);
    const rename = (name: string) =>
      this.#isForWords ? this.#aliasOf(name) : this.#writing.aliasAt(pathOf(name), name);
    return mapKeys(properties, rename, (schema, name) => this.#below(schema, "properties", place, pathOf(name)));
  }

  #below(schema: unknown, keyword: string, place: CopyPlace, path: string): unknown {
    const isInPlace = SAME_VALUE.includes(keyword);
    return this.copy(schema, {
      ...place,
      path,
      outer: isInPlace ? place.outer : place.trail.length,
      depth: place.depth + 1,
      isValue: place.isValue && VALUES.includes(keyword),
    });
  }

  #aliases(names: unknown): string[] {
    return [...new Set(listOf(names).map(String))].map(this.#aliasOf);
  }

  #withTarget(copy: Json, reference: string, place: CopyPlace): unknown {
    const target = this.#writing.resolve(reference);
    if (target === undefined) {
      this.#untyped(place, `$ref: ${reference} isn't found. Anything is accepted there.`);
      return copy;
    }
    // Followed for this same value already: a circle. Further out, for a value around it: a recursive schema.
    if (place.trail.includes(target, place.outer)) {
      this.#untyped(place, `$ref: ${reference} leads back to itself. Anything is accepted there.`);
      return copy;
    }
    const isTooMuch = this.#isForWords ? this.#isBrief : this.#writing.isFull;
    const isShared = isObject(target) && (place.trail.includes(target) || isTooMuch);
    const written = isShared
      ? this.#referenceTo(target)
      : this.copy(target, { ...place, trail: [...place.trail, target], depth: place.depth + 1 });
    const siblings = Object.keys(copy);
    if (siblings.length === 0 || isTrivial(written)) return siblings.length === 0 ? written : copy;
    const isAnnotated = siblings.every((keyword) => ANNOTATIONS.includes(keyword));
    if (isAnnotated && isObject(written) && written["$ref"] === undefined) return { ...written, ...copy };
    return { ...copy, allOf: [...listOf(copy["allOf"]), written] };
  }

  #referenceTo(target: Json): Json {
    return this.#isForWords ? {} : referenceTo(this.#writing.define(target));
  }
}

/** Keywords that accept less if what is below them accepts more. */
const EXACT = ["oneOf", "not", "if", "contains"];

/**
 * Unknown keywords that no copy has: those of references and definitions, which are written out, and those of
 * `modernized`: its `$rest`, and what it has put in newer words.
 */
const DECLARATIONS =
  "$rest $schema $id id $anchor $dynamicAnchor $recursiveAnchor $dynamicRef $recursiveRef $defs definitions nullable example $vocabulary".split(
    " ",
  );

/** Keywords whose schemas describe the same value. */
const SAME_VALUE = [...IN_PLACE, "not", "dependentSchemas"];

/** Keywords whose schemas describe other values. */
const VALUES = ["properties", "items", "prefixItems", "additionalProperties"];

/** Keywords that every reader takes as a boolean, too. */
const RESTS = ["additionalProperties", "unevaluatedProperties", "unevaluatedItems"];

/** The schema of other properties or items. MCP clients warn about an empty schema. */
export const restOf = (written: unknown) => isTrivial(written) || written;

function pathOfSchema(keyword: string, path: string): string {
  if (keyword === "items") return itemPath(path);
  return keyword === "additionalProperties" ? valuePath(path) : path;
}

function mapKeys(
  map: Json,
  rename: (name: string) => string,
  convert: (value: unknown, name: string) => unknown,
): Json {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [rename(name), convert(value, name)]));
}

function booleanOf(keyword: string, isAccepted: boolean): unknown {
  if (isAccepted) return {};
  return keyword === "additionalProperties" || keyword.startsWith("unevaluated") || keyword === "items"
    ? false
    : { not: {} };
}
