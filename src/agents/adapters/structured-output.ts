import { fitsStructure } from "../../json-schema/fit/fits-structure.js";
import { structureOf } from "../../json-schema/rewrite/plain-structure.js";
import { field, isObject, type Json, parseJson } from "../../shared/json.js";
import { wellFormed } from "../../shared/well-formed.js";
import { isShortened } from "../call/result-text.js";
import type { CallResult } from "../call-result.js";

/** The only property if there is no result to promise: the call failed or waits, or its data doesn't match. */
const NO_RESULT = "no_result";
const NO_RESULT_SCHEMA = {
  type: "string",
  description: "Only if there is no result: why, and what to do. No other property is present then.",
};

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
    if (fitsStructure(schema, data)) return data;
  } catch {
    // It's nested too deeply to be compared.
  }
  return { [NO_RESULT]: text };
}

function promised(output: Json): Json | undefined {
  const { description, members } = structureOf(output) ?? {};
  if (!members || NO_RESULT in members) return undefined;
  const words = description !== undefined && { description };
  return { type: "object", ...words, properties: { ...members, [NO_RESULT]: NO_RESULT_SCHEMA } };
}
