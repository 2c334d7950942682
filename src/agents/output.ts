import { structuralMismatches } from "../json-schema/check/check-structure.js";
import { TYPES } from "../json-schema/keywords.js";
import { listOf, referencesOf, resolverOf } from "../json-schema/references.js";
import { field, isObject, isString, type Json, parseJson } from "../shared/json.js";
import { wellFormed } from "../shared/well-formed.js";
import type { CallResult } from "./call-result.js";
import { isShortened } from "./cut.js";

/** The only property if there is no result to promise: the call failed or waits, or its data doesn't match. */
const NO_RESULT = "no_result";
const NO_RESULT_SCHEMA = {
  type: "string",
  description: "Only if there is no result: why, and what to do. No other property is present then.",
};

/** The deepest level of a schema that is described. Anything is accepted below. */
const DEEPEST = 50;
/** Maximum number of described parts. References are written out, so shared ones could multiply. */
const MOST_PARTS = 5_000;

/** Programs make an adapter for each request, mostly with the same tools. */
const known = new WeakMap<Json, { readonly schema: Json | undefined }>();

/**
 * The schema of a tool's result that a client may hold us to: an object that {@link structuredOf} always returns.
 * It has the structure of the tool's own schema, and only keywords that every validator reads alike: no bounds,
 * references, or closed objects. Nothing is required at its root, because a call may have no result.
 *
 * @returns `undefined` if the tool has none, or one that doesn't describe an object's properties.
 */
export function outputSchemaOf(output: Json | undefined): Json | undefined {
  if (!isObject(output)) return undefined;
  const made = known.get(output) ?? { schema: wellFormed(promised(output)) };
  known.set(output, made);
  return made.schema;
}

/**
 * A call's result as its output schema promises it: the data if it has that structure and is whole, otherwise an object
 * with the reason.
 */
export function structuredOf(schema: Json, { status, text }: Pick<CallResult, "status" | "text">): Json {
  const data = status === "succeeded" ? wellFormed(parseJson(text)) : undefined;
  if (!isObject(data)) return { [NO_RESULT]: text };
  // A part of a result isn't the result, even if it has the same structure.
  if (isShortened(data)) return { [NO_RESULT]: String(field(data, "shortened")) };
  try {
    if (structuralMismatches(schema, data).length === 0) return data;
  } catch {
    // It's nested too deeply to be compared.
  }
  return { [NO_RESULT]: text };
}

function promised(output: Json): Json | undefined {
  const { type = "object", description, properties } = structureOf(output);
  if (![type].flat().includes("object") || !isObject(properties) || NO_RESULT in properties) return undefined;
  const words = isString(description) && { description };
  return { type: "object", ...words, properties: { ...properties, [NO_RESULT]: NO_RESULT_SCHEMA } };
}

/** The structure of a schema in any draft. Each step accepts what the original accepts. */
function structureOf(root: Json): Json {
  const resolve = resolverOf(root);
  const open = new Set<unknown>();
  let parts = 0;
  const at = (schema: unknown): Json => {
    parts += 1;
    // A recursive schema is written once.
    if (!isObject(schema) || open.has(schema) || open.size > DEEPEST || parts > MOST_PARTS) return {};
    open.add(schema);
    const structure = schema["file_downloadable"] === true ? wordsOf(schema) : ofObject(schema);
    open.delete(schema);
    return structure;
  };
  const ofObject = (schema: Json): Json => {
    const { type, properties, required, additionalProperties: rest, items } = schema;
    const types = [type].flat();
    const values: unknown = "const" in schema ? [schema["const"]] : schema["enum"];
    // Validators find these names in any object.
    const named = Object.entries(Object(properties)).filter(([name]) => !(name in Object.prototype));
    const names = listOf(required).filter(isString);
    const own = {
      ...wordsOf(schema),
      ...(types.length > 0 && types.every((one) => TYPES.includes(one)) && { type: types.length === 1 ? type : types }),
      ...(listOf(values).length > 0 && { enum: values }),
      ...(named.length > 0 && { properties: Object.fromEntries(named.map(([name, part]) => [name, at(part)])) }),
      ...(names.length > 0 && { required: names }),
      ...(isObject(rest) && !("patternProperties" in schema) && { additionalProperties: at(rest) }),
      ...(isObject(items) && !("prefixItems" in schema) && { items: at(items) }),
    };
    const unions = [schema["anyOf"], schema["oneOf"]].map(listOf).filter(({ length }) => length > 0);
    const [union, ...others] = unions.map((branches) => ({ anyOf: branches.map(at) }));
    const all = [...referencesOf(schema).map(resolve), ...listOf(schema["allOf"])].map(at).concat(others);
    const [first, ...more] = all;
    const isReference = Object.keys(own).length === 0 && !union && more.length === 0;
    const structure = isReference ? (first ?? {}) : { ...own, ...union, ...(first && { allOf: all }) };
    return schema["nullable"] === true ? { anyOf: [structure, { type: "null" }] } : structure;
  };
  return at(root);
}

function wordsOf({ title, description }: Json): Json {
  return { ...(isString(title) && { title }), ...(isString(description) && { description }) };
}
