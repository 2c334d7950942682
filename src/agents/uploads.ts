import { child, isObject, isString, type Json } from "../shared/json.js";
import { atPointer } from "../shared/json-pointer.js";
import { itemSchema } from "./check.js";

/** A copy of the arguments in which each file is what `upload` returned for its path or URL. */
export function withUploads(
  schema: Json,
  value: unknown,
  upload: (source: string) => Promise<unknown>,
): Promise<unknown> {
  return uploadedAt([schema], value);

  /** All parts of the schema that are about a place are read together: branches would multiply with every level. */
  async function uploadedAt(parts: readonly unknown[], given: unknown): Promise<unknown> {
    const all = new Set(parts);
    for (const part of all) {
      const { $ref, anyOf, oneOf, allOf }: Json = Object(part);
      for (const next of [atPointer(schema, String($ref)), anyOf, oneOf, allOf].flat()) all.add(next);
    }
    const schemas = [...all].filter(isObject);
    const isFile = schemas.some((part) => part["file_uploadable"] === true);
    // An empty string means no file. See assumption A11.
    if (isString(given)) return isFile && given !== "" ? upload(given) : given;
    const inside = (partOf: (part: Json) => unknown, member: unknown) => uploadedAt(schemas.map(partOf), member);
    if (Array.isArray(given)) {
      return Promise.all(given.map((item, index) => inside((part) => itemSchema(part, index), item)));
    }
    if (!isObject(given)) return given;
    const members = Object.entries(given).map(async ([name, member]) => {
      const declared = (part: Json) => child(part["properties"], name) ?? part["additionalProperties"];
      return [name, await inside(declared, member)] as const;
    });
    return Object.fromEntries(await Promise.all(members));
  }
}
