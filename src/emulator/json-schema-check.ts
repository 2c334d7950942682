import { fromJSONSchema } from "zod";
import { mismatchesOf } from "../contract/check.js";
import type { Mismatch } from "../errors/local.js";
import type { JsonObject } from "./catalogue.js";

/** Where a value does not fit a JSON Schema. */
export function mismatchesOfJsonSchema(schema: JsonObject, value: unknown): Mismatch[] {
  return mismatchesOf(fromJSONSchema(schema), value);
}
