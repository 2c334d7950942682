import type { Json } from "../shared/json.js";

/** The name of a type. */
export type Kind = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/** The types, in the order in which they are listed. */
export const TYPES: readonly Kind[] = ["object", "array", "string", "number", "integer", "boolean", "null"];

const NAMES: ReadonlySet<unknown> = /* @__PURE__ */ new Set(TYPES);

export const isKind = (name: unknown): name is Kind => NAMES.has(name);

const ABOUT_NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/** The keywords that apply to values of one type only, in all drafts. */
export const KEYWORDS_OF: Readonly<Record<Kind, readonly string[]>> = {
  object: [
    ...["properties", "required", "additionalProperties", "minProperties", "maxProperties", "patternProperties"],
    ...["propertyNames", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties"],
  ],
  array: [
    ...["items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems", "contains"],
    ...["minContains", "maxContains", "unevaluatedItems"],
  ],
  string: ["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"],
  number: ABOUT_NUMBERS,
  integer: ABOUT_NUMBERS,
  boolean: [],
  null: [],
};

const LOWER_BOUNDS = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];

/** Keywords of which the tighter one of two bounds applies. */
export const BOUNDS = /* @__PURE__ */ LOWER_BOUNDS.concat([
  ...["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"],
]);

/** Keywords that limit a value without schemas in them. */
export const FACTS = /* @__PURE__ */ BOUNDS.concat([
  ...["multipleOf", "pattern", "format", "uniqueItems", "contentEncoding", "contentMediaType"],
]);

/** Keywords that say nothing about which values are valid. */
export const ANNOTATIONS = ["title", "description", "default", "examples", "deprecated"];
/** With those that say who may write a value. */
export const ALL_ANNOTATIONS = /* @__PURE__ */ ANNOTATIONS.concat(["readOnly", "writeOnly"]);

/** The tighter one of two bounds. */
export function tighter(keyword: string, left: number, right: number): number {
  return LOWER_BOUNDS.includes(keyword) ? Math.max(left, right) : Math.min(left, right);
}

/** Keywords whose schemas describe the same value. */
export const IN_PLACE = ["allOf", "anyOf", "oneOf", "if", "then", "else"];

/** Keywords with schemas that apply if an object has a property, by its name. */
export const SCHEMAS_BY_NAME = ["dependentSchemas", "dependencies"];

/** Keywords that apply if an object has a property, by its name. */
export const BY_NAME = /* @__PURE__ */ ["dependentRequired"].concat(SCHEMAS_BY_NAME);

/** The service's marks of schemas: files to upload in arguments, and files to download in results. */
export type Mark = "file_uploadable" | "file_downloadable";

/** The marks by the direction of the file. */
export const UPLOAD: Mark = "file_uploadable";
export const DOWNLOAD: Mark = "file_downloadable";

/** Whether OpenAPI's `nullable` accepts null, whatever else the schema says. */
export const isNullable = (schema: Json) => schema["nullable"] === true;
