import { isObject, type Json } from "../shared/json.js";

/** The schemas of a tool, as the service returns them. */
export interface ToolSchemas {
  /** The tool's slug. */
  readonly slug: string;
  /** JSON Schema of the arguments. */
  readonly input_parameters: unknown;
  /** JSON Schema of the result. */
  readonly output_parameters: unknown;
}

/**
 * Maximum nesting of objects and arrays. An object property takes two levels. Real schemas are far below it, and the
 * stack overflows far above.
 */
const DEEPEST = 1_000;

/**
 * Hashes a tool's schemas: `sha256-` and the SHA-256 in base64, as in package locks. The order of keys, of `required`,
 * `type` and `enum`, and of alternatives doesn't matter, nor do descriptions, titles and examples: they change nothing
 * for callers.
 *
 * @throws {Error} with the tool's name if its schemas are nested too deeply.
 */
export async function hashOf({ slug, input_parameters, output_parameters }: ToolSchemas): Promise<string> {
  if (isDeeperThan(DEEPEST, [input_parameters, output_parameters])) {
    throw new Error(
      `The schemas of ${slug} are nested more than ${DEEPEST} levels deep, too deep to lock or compare. Omit its toolkit.`,
    );
  }
  const text = `{"input_parameters":${canonicalSchema(input_parameters)},"output_parameters":${canonicalSchema(output_parameters)}}`;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/** Needs no recursion, which could overflow the stack first. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let members = [value];
  for (let level = 0; members.length > 0; level++) {
    if (level > levels) return true;
    members = members.flatMap((member) => (typeof member === "object" && member !== null ? Object.values(member) : []));
  }
  return false;
}

/** Keywords whose keys are names and whose values are schemas, or lists. A property may be called `title`. */
const MAPS_OF_SCHEMAS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
/** Keywords whose values are data, not schemas. */
const DATA = ["const", "default", "enum", "required", "type", "dependentRequired"];
/** Arrays whose order doesn't matter. */
const SETS = ["required", "type", "enum", "anyOf", "oneOf", "allOf"];
/** Keywords that are documentation. */
const DOCUMENTATION = ["description", "title", "examples", "example", "$comment"];

/** A JSON value as a string that doesn't depend on the order of keys. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return arrayText(value.map(canonicalJson));
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  return objectText(value, (_, member) => canonicalJson(member));
}

/** A comparison needs the strings of the same schemas again and again. */
const canonicalStrings = new WeakMap<object, string>();

/** A schema as a string that doesn't depend on order or documentation. */
export function canonicalSchema(schema: unknown): string {
  if (Array.isArray(schema)) return arrayText(schema.map(canonicalSchema));
  if (!isObject(schema)) return canonicalJson(schema);
  const known = canonicalStrings.get(schema);
  if (known !== undefined) return known;
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !DOCUMENTATION.includes(keyword)));
  const text = objectText(kept, keywordText);
  canonicalStrings.set(schema, text);
  return text;
}

function keywordText(keyword: string, value: unknown): string {
  if (MAPS_OF_SCHEMAS.includes(keyword) && isObject(value)) {
    return objectText(value, (_, schema) => canonicalSchema(schema));
  }
  const textOf = DATA.includes(keyword) ? canonicalJson : canonicalSchema;
  if (!SETS.includes(keyword) || !Array.isArray(value)) return textOf(value);
  return arrayText([...new Set(value.map(textOf))].sort());
}

function arrayText(items: readonly string[]): string {
  return `[${items.join()}]`;
}

function objectText(value: Json, textOf: (key: string, member: unknown) => string): string {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .map(([key, member]) => `${JSON.stringify(key)}:${textOf(key, member)}`)
    .sort()
    .join()}}`;
}
