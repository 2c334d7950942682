import { UPLOAD } from "../../json-schema/keywords.js";
import { replaceMarkedSchemas } from "../../json-schema/marked-schemas.js";
import { isObject, type Json } from "../../shared/json.js";
import { wellFormed } from "../../shared/well-formed.js";
import { frozenCopy } from "../json-copy.js";

/** The most characters of schemas that are kept: about 2,500 tools. With their compiled forms they take about 40 MB. */
const MOST_CHARACTERS = 2_000_000;

/** In the JSON of a schema: half of a surrogate pair, or text that looks like one. */
const HALF_OF_PAIR = /\\ud[89a-f]/;
/** In the JSON of a schema: a file. */
const FILE = `"${UPLOAD}":true`;

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
  let hasFiles = false;
  const onFile = () => {
    hasFiles = true;
  };
  const schema: Json = known ?? frozenCopy(readable(given, text, onFile));
  if (known) schemas.delete(text);
  else {
    takingFiles.set(schema, hasFiles);
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

/** A schema without halves of pairs, and with files as strings. Most need neither step, and each reads all of it. */
function readable(given: Json, text: string, onFile: () => void): Json {
  const whole = HALF_OF_PAIR.test(text) ? wellFormed(given) : given;
  return text.includes(FILE) ? withFilesAsStrings(whole, onFile) : whole;
}

/** Whether a schema is shared. Then it doesn't change. */
export const isShared = (schema: Json) => takingFiles.has(schema);

export const takesFiles = (schema: Json) => takingFiles.get(schema) === true;

/** A copy of a schema in which a file is a string: its path or URL. */
export function withFilesAsStrings(schema: Json, onFile?: () => void): Json {
  return replaceMarkedSchemas(schema, UPLOAD, ({ title, description, isNullable }) => {
    onFile?.();
    const asked = "A file: its path or https URL.";
    return {
      type: isNullable ? ["string", "null"] : "string",
      ...(title !== undefined && { title }),
      description: description === undefined ? asked : `${description} ${asked}`,
    };
  });
}
