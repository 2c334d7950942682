import { listOf } from "../json-schema/references.js";
import { field, isObject, isString, type Json, mapMembers } from "../shared/json.js";
import { wellFormed } from "../shared/well-formed.js";
import { frozenCopy } from "./canonical.js";

/** The most characters of schemas that are kept: about 2,500 tools. With their compiled forms they take about 40 MB. */
const MOST_CHARACTERS = 2_000_000;

/** By their JSON. Programs make a toolset for each request, mostly with the same tools. */
const schemas = new Map<string, Json>();
/** Whether a tool with this schema may take files, for each shared schema. */
const takingFiles = new WeakMap<Json, boolean>();
let characters = 0;

/**
 * The schema of a service's tool for a model, in which a file is a string: the same frozen object for the same schema,
 * so that work with it is done once.
 */
export function sharedSchema(given: Json): Json {
  if (!isObject(given) || takingFiles.has(given)) return given;
  const text = JSON.stringify(given);
  const known = schemas.get(text);
  const schema: Json = known ?? frozenCopy(withFilesAsStrings(wellFormed(given)));
  if (known) schemas.delete(text);
  else {
    takingFiles.set(schema, text.includes('"file_uploadable":true'));
    characters += text.length;
  }
  schemas.set(text, schema);
  // The first ones are those that weren't used for the longest time.
  for (const oldest of schemas.keys()) {
    if (characters <= MOST_CHARACTERS) break;
    schemas.delete(oldest);
    characters -= oldest.length;
  }
  return schema;
}

/** Whether a schema is shared. Then it doesn't change. */
export const isShared = (schema: Json) => takingFiles.has(schema);

export const takesFiles = (schema: Json) => takingFiles.get(schema) === true;

export function withFilesAsStrings(schema: unknown): unknown {
  if (!isObject(schema) || schema["file_uploadable"] !== true) {
    return mapMembers(withOpenUnion(schema), (member) => withFilesAsStrings(member));
  }
  const { title, description } = schema;
  const isNullable = schema["nullable"] === true || [schema["type"]].flat().includes("null");
  const asked = "A file: its path or https URL.";
  return {
    type: isNullable ? ["string", "null"] : "string",
    ...(isString(title) && { title }),
    description: isString(description) ? `${description} ${asked}` : asked,
  };
}

/** With a file as a string, several variants of a union may fit. */
function withOpenUnion(schema: unknown): unknown {
  if (!isObject(schema) || "anyOf" in schema) return schema;
  const { oneOf, ...others } = schema;
  const hasFile = listOf(oneOf).some((one) => field(one, "file_uploadable") === true);
  return hasFile ? { ...others, anyOf: oneOf } : schema;
}
