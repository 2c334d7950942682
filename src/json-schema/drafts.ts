import { isObject, isString, type Json, kindOf } from "../shared/json.js";
import { boundsAt, EXCLUSIVE } from "./bounds.js";
import { ANNOTATIONS, isKind, isNullable, KEYWORDS_OF, type Kind } from "./keywords.js";

/** All types that don't include another one. */
export const KINDS: readonly Kind[] = ["string", "number", "boolean", "object", "array", "null"];

/** Keywords that contain one schema. */
export const SCHEMA_KEYWORDS =
  "items additionalProperties contains propertyNames not if then else unevaluatedItems unevaluatedProperties".split(
    " ",
  );
/** Keywords that contain a list of schemas. */
export const LIST_KEYWORDS = ["allOf", "anyOf", "oneOf", "prefixItems"];
/** Keywords that contain schemas by name. */
export const MAP_KEYWORDS = ["properties", "patternProperties", "dependentSchemas"];

const isSchema = (value: unknown) => isObject(value) || typeof value === "boolean";
const isNumber = (value: unknown) => Number.isFinite(value);
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isList = (value: unknown) => Array.isArray(value) && value.length > 0;
const isNames = (value: unknown) => Array.isArray(value) && value.every(isString);
const isSchemaList = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isSchemaMap = (value: unknown) => isObject(value) && Object.values(value).every(isSchema);
const isFlag = (value: unknown) => typeof value === "boolean";
const isDataList = (value: unknown) => Array.isArray(value) && value.length > 0 && isData(value);

/** Values nested deeper than this don't come from JSON. */
const DEEPEST_DATA = 200;

/** Whether a value can be JSON: one that contains itself can't. */
export function isData(value: unknown, around = new Set<object>(), known = new Set<object>()): boolean {
  if (typeof value !== "object" || value === null || known.has(value)) return true;
  if (around.has(value) || around.size > DEEPEST_DATA) return false;
  around.add(value);
  const isWhole = Object.values(value).every((member) => isData(member, around, known));
  around.delete(value);
  known.add(value);
  return isWhole;
}

/** Checks of each keyword's value. A value that fails has no meaning, and providers reject it. */
const WELL_FORMED: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ...SCHEMA_KEYWORDS.map((keyword) => [keyword, isSchema] as const),
  ...LIST_KEYWORDS.map((keyword) => [keyword, isSchemaList] as const),
  ...MAP_KEYWORDS.map((keyword) => [keyword, isSchemaMap] as const),
  ...KEYWORDS_OF.number.map((keyword) => [keyword, isNumber] as const),
  ..."minProperties maxProperties minItems maxItems minLength maxLength minContains maxContains"
    .split(" ")
    .map((keyword) => [keyword, isCount] as const),
  ..."format pattern $ref title description contentEncoding contentMediaType"
    .split(" ")
    .map((keyword) => [keyword, isString] as const),
  ...["uniqueItems", "deprecated", "readOnly", "writeOnly"].map((keyword) => [keyword, isFlag] as const),
  ["enum", isDataList],
  ["examples", isDataList],
  ["required", isNames],
  ["dependentRequired", (value) => isObject(value) && Object.values(value).every(isNames)],
  ["type", isList],
  ["const", (value) => isData(value)],
  ["default", (value) => isData(value)],
]);

export const isKnown = (keyword: string) => WELL_FORMED.has(keyword);

/** Patterns that match every name. */
const MATCHES_ALL = ["", ".*", "^.*$", "^.*", ".*$"];

/**
 * A schema object as draft 2020-12 writes it, `type` always as a list. Only this level: the schemas in it stay as they
 * were. `undefined` for `false`, which accepts nothing. A value that isn't a schema accepts everything.
 */
export function modernized(schema: unknown): Json | undefined {
  if (schema === false) return undefined;
  if (!isObject(schema)) return {};
  const keywords = Object.keys(schema);
  if (!Array.isArray(schema["items"]) && !keywords.some((keyword) => OLDER.has(keyword)))
    return wellFormed(schema, keywords);
  const draft: Record<string, unknown> = Object.fromEntries(Object.entries(schema));
  modernizeBounds(draft, "minimum");
  modernizeBounds(draft, "maximum");
  modernizeItems(draft);
  modernizeObjects(draft);
  draft["$ref"] ??= draft["$dynamicRef"] ?? draft["$recursiveRef"];
  if (draft["example"] !== undefined) draft["examples"] ??= [draft["example"]];
  const modern = wellFormed(draft, Object.keys(draft));
  return isNullable(draft) ? withNull(modern) : modern;
}

/** Keywords that may mean something else in other drafts, or nothing at all. */
const OLDER = new Set(
  "exclusiveMinimum exclusiveMaximum additionalItems dependencies dependentRequired dependentSchemas patternProperties propertyNames $dynamicRef $recursiveRef example nullable".split(
    " ",
  ),
);

/** The keywords whose values mean something. Removing the others from a copy would make each read of it slower. */
function wellFormed(schema: Json, keywords: readonly string[]): Json {
  const formed: Record<string, unknown> = {};
  for (const keyword of keywords) {
    const value = keyword === "type" ? typesOf(schema[keyword]) : schema[keyword];
    // Assigned, it would be the prototype.
    if (keyword === "__proto__") continue;
    if (value !== undefined && WELL_FORMED.get(keyword)?.(value) !== false) formed[keyword] = value;
  }
  return formed;
}

function typesOf(type: unknown): readonly Kind[] | undefined {
  if (!Array.isArray(type)) return isKind(type) ? [type] : undefined;
  const kinds = type.filter(isKind);
  return kinds.length === 0 ? undefined : [...new Set(kinds)];
}

function modernizeBounds(draft: Record<string, unknown>, side: "minimum" | "maximum"): void {
  const exclusive = EXCLUSIVE[side];
  if (draft[exclusive] === undefined) return;
  const { included, excluded } = boundsAt(draft, side);
  draft[side] = included;
  draft[exclusive] = excluded;
}

function modernizeItems(draft: Record<string, unknown>): void {
  if (Array.isArray(draft["items"])) {
    draft["prefixItems"] = draft["items"];
    draft["items"] = draft["additionalItems"];
  }
  delete draft["additionalItems"];
}

function modernizeObjects(draft: Record<string, unknown>): void {
  const { dependencies, patternProperties, propertyNames } = draft;
  if (isObject(dependencies)) {
    const entries = Object.entries(dependencies);
    const isRequired = ([, value]: [string, unknown]) => Array.isArray(value);
    const lists = Object.fromEntries(entries.filter(isRequired));
    const schemas = Object.fromEntries(entries.filter((entry) => !isRequired(entry)));
    draft["dependentRequired"] = { ...lists, ...Object(draft["dependentRequired"]) };
    draft["dependentSchemas"] = { ...schemas, ...Object(draft["dependentSchemas"]) };
  }
  delete draft["dependencies"];
  for (const keyword of ["dependentRequired", "dependentSchemas", "patternProperties"]) {
    const value = draft[keyword];
    if (isObject(value) && Object.keys(value).length === 0) delete draft[keyword];
  }
  const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : [];
  const [[pattern, schema] = ["", undefined]] = patterns;
  if (patterns.length === 1 && MATCHES_ALL.includes(pattern) && draft["properties"] === undefined) {
    draft["additionalProperties"] = schema;
    delete draft["patternProperties"];
  } else if (patterns.length > 0) {
    // The values of undeclared properties, for readers that don't match patterns.
    draft["$rest"] = { anyOf: [...patterns.map(([, member]) => member), draft["additionalProperties"] ?? true] };
  }
  // Every name is a string.
  if (propertyNames === true || (isObject(propertyNames) && isTrivialName(propertyNames)))
    delete draft["propertyNames"];
}

function isTrivialName(schema: Json): boolean {
  return Object.entries(schema).every(([keyword, value]) => keyword === "type" && value === "string");
}

/** OpenAPI's `nullable` accepts null, whatever else the schema contains. */
function withNull(draft: Json): Json {
  const { nullable: _, ...rest } = draft;
  const annotations = Object.entries(rest).filter(([keyword]) => ANNOTATIONS.includes(keyword));
  const others = Object.entries(rest).filter(([keyword]) => !ANNOTATIONS.includes(keyword));
  if (others.length === 0) return rest;
  return { ...Object.fromEntries(annotations), anyOf: [Object.fromEntries(others), { type: "null" }] };
}

/** The type of a value, `integer` included. */
export function kindOfValue(value: unknown): Kind {
  // `kindOf` returns the name of a JSON type for every JSON value.
  return Number.isInteger(value) ? "integer" : (kindOf(value) as Kind);
}

/** Whether a value of one type is accepted among some types. */
export function hasKind(kinds: readonly Kind[], kind: Kind): boolean {
  return kinds.includes(kind) || (kind === "integer" && kinds.includes("number"));
}
