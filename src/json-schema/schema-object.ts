// The room of JSON Schema. Whatever reads a schema is here, and the other rooms ask it. It imports only `shared`, and
// the words for mismatches. Start here, with one schema object in any draft, then `node.ts`, which joins all schemas
// that hold at one place. `fit/` decides whether a value fits, `check/` lists what doesn't match, `compare/` has the
// form in which lockfiles compare schemas, and `rewrite/` edits schemas.

import { isObject, isString, type Json } from "../shared/json.js";
import { boundsAt, numberAt } from "./bounds.js";
import { itemsOf } from "./items.js";
import { DOWNLOAD, isKind, isNullable, KEYWORDS_OF, type Kind } from "./keywords.js";
import { propertySchemas } from "./properties.js";
import { listOf, referencesOf } from "./references.js";

/** A least and a most number. */
export interface Limits {
  readonly least: number | undefined;
  readonly most: number | undefined;
}

/** The tighter bound of numbers on one side. */
export interface NumberBound {
  readonly at: number;
  readonly isExcluded: boolean;
}

/**
 * One schema object of any draft, by what its keywords mean. References and combinations are listed, not followed: a
 * `SchemaNode` follows them.
 */
export class SchemaObject {
  readonly #schema: Json;

  constructor(schema: Json) {
    this.#schema = schema;
  }

  get title(): string | undefined {
    return textAt(this.#schema, "title");
  }
  get description(): string | undefined {
    return textAt(this.#schema, "description");
  }
  get isDeprecated(): boolean {
    return this.#schema["deprecated"] === true;
  }
  get default(): unknown {
    return this.#schema["default"];
  }
  get examples(): readonly unknown[] {
    return listOf(this.#schema["examples"]);
  }
  /** OpenAPI's only example. */
  get example(): unknown {
    return this.#schema["example"];
  }

  /** OpenAPI's `nullable`: null is valid, whatever else the schema says. */
  get isNullable(): boolean {
    return isNullable(this.#schema);
  }
  get references(): readonly string[] {
    return referencesOf(this.#schema);
  }
  /** Schemas that hold as well. */
  get all(): readonly unknown[] {
    return listOf(this.#schema["allOf"]);
  }
  /** Lists of schemas of each of which one holds. */
  get unions(): readonly (readonly unknown[])[] {
    return [listOf(this.#schema["anyOf"]), listOf(this.#schema["oneOf"])];
  }

  /** The known types; `undefined` if it doesn't say one. */
  get types(): readonly Kind[] | undefined {
    const { type } = this.#schema;
    const types = [type].flat().filter(isKind);
    return types.length > 0 || Array.isArray(type) ? types : undefined;
  }
  /** The kind of values whose parts it describes, if it says no type. */
  get kindWithParts(): "object" | "array" | undefined {
    if (OBJECT_PARTS.some((keyword) => keyword in this.#schema)) return "object";
    return ARRAY_PARTS.some((keyword) => keyword in this.#schema) ? "array" : undefined;
  }
  /** The kind of values that its keywords apply to. */
  get likelyKind(): string | undefined {
    return Object.entries(KEYWORDS_OF).find(([, keywords]) => keywords.some((keyword) => keyword in this.#schema))?.[0];
  }
  /** The only values. */
  get values(): readonly unknown[] | undefined {
    if ("const" in this.#schema) return [this.#schema["const"]];
    return Array.isArray(this.#schema["enum"]) ? this.#schema["enum"] : undefined;
  }

  /** The declared properties. */
  get fields(): readonly [name: string, schema: unknown][] {
    return Object.entries(Object(this.#schema["properties"]));
  }
  get requiredNames(): readonly string[] {
    return listOf(this.#schema["required"]).map(String);
  }
  /** The schemas of properties whose names match a pattern, by the pattern. */
  get patterns(): readonly [pattern: string, schema: unknown][] {
    return Object.entries(Object(this.#schema["patternProperties"]));
  }
  /** The schemas of the property of a name. */
  schemasOf(name: string, matches: (pattern: string, name: string) => boolean): readonly unknown[] {
    const schemas = propertySchemas(this.#schema, name, matches).filter((schema) => schema !== undefined);
    return schemas.length > 0 ? schemas : [this.#schema["unevaluatedProperties"] ?? true];
  }
  /** The schema of other properties. */
  get rest(): unknown {
    return this.#schema["additionalProperties"];
  }
  get propertyCount(): Limits {
    return limitsAt(this.#schema, "Properties");
  }

  /** The schemas of the first items. */
  get first(): readonly unknown[] {
    return itemsOf(this.#schema).first;
  }
  /** The schema of the items after them. */
  get items(): unknown {
    return itemsOf(this.#schema).rest;
  }
  get itemCount(): Limits {
    return limitsAt(this.#schema, "Items");
  }
  get hasUniqueItems(): boolean {
    return this.#schema["uniqueItems"] === true;
  }

  get length(): Limits {
    return limitsAt(this.#schema, "Length");
  }
  /** Patterns of strings. */
  get textPatterns(): readonly string[] {
    return [this.#schema["pattern"] ?? []].flat().map(String);
  }
  get format(): string | undefined {
    return textAt(this.#schema, "format");
  }
  get least(): NumberBound | undefined {
    return boundOf(this.#schema, "minimum", Math.max);
  }
  get most(): NumberBound | undefined {
    return boundOf(this.#schema, "maximum", Math.min);
  }
  /** Numbers are multiples of it. */
  get step(): number | undefined {
    return numberAt(this.#schema, "multipleOf");
  }

  /** Whether it is a file to download. */
  get isDownload(): boolean {
    return this.#schema[DOWNLOAD] === true;
  }

  /** The default, the format and the bounds, which a type can't express, by keyword. */
  get facts(): readonly [keyword: string, value: unknown][] {
    return FACTS.filter((keyword) => keyword in this.#schema).map((keyword) => [keyword, this.#schema[keyword]]);
  }
}

const OBJECT_PARTS = ["properties", "patternProperties", "additionalProperties"];
const ARRAY_PARTS = ["items", "prefixItems"];

const FACTS = [
  ...["default", "format", "pattern", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "minItems", "maxItems", "uniqueItems"],
];

/** Keywords that decide types. */
const DECIDING_TYPES = [
  ...["type", "enum", "const", ...OBJECT_PARTS, ...ARRAY_PARTS],
  ...["$ref", "allOf", "anyOf", "oneOf", "nullable"],
];

/** Whether a schema lists properties, but none. */
export function takesNothing({ type: _, properties, ...others }: Json): boolean {
  if (!isObject(properties) || Object.keys(properties).length > 0) return false;
  return !DECIDING_TYPES.some((keyword) => keyword in others);
}

function textAt(schema: Json, keyword: string): string | undefined {
  const value = schema[keyword];
  return isString(value) ? value : undefined;
}

function limitsAt(schema: Json, counted: "Properties" | "Items" | "Length"): Limits {
  return { least: numberAt(schema, `min${counted}`), most: numberAt(schema, `max${counted}`) };
}

function boundOf(schema: Json, side: "minimum" | "maximum", tighter: typeof Math.max): NumberBound | undefined {
  const { included, excluded } = boundsAt(schema, side);
  const [first = excluded, second = included] = [included, excluded];
  if (first === undefined || second === undefined) return undefined;
  const at = tighter(first, second);
  return { at, isExcluded: excluded === at };
}
