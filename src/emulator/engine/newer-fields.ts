import type * as z from "zod/mini";
import { mismatchesOf } from "../../contract/check-shape.js";
import { isObject } from "../../shared/json.js";
import { validationError } from "./responses.js";

/** Fields of a body that newer clients send, and that the contract doesn't have. By path, such as `a.b`. */
export interface NewerFields {
  readonly fields?: Readonly<Record<string, z.ZodMiniType>>;
  /** Fields of the contract that may also be null. */
  readonly nullable?: readonly string[];
}

/**
 * Moves newer fields out of a body, so that the rest can be checked against the contract. Adds an error for each with
 * an invalid value. Null in a field that may be null counts as one.
 */
export function splitNewerFields(sent: unknown, { fields = {}, nullable = [] }: NewerFields, errors: string[]) {
  const newer: Record<string, unknown> = {};
  const move = (body: unknown, path: string, isMoved: (value: unknown) => boolean): unknown => {
    const [name = "", ...rest] = path.split(".");
    if (!isObject(body) || !Object.hasOwn(body, name)) return body;
    const value = body[name];
    if (rest.length > 0) return { ...body, [name]: move(value, rest.join("."), isMoved) };
    if (!isMoved(value)) return body;
    const { [name]: _, ...others } = body;
    return others;
  };
  let body = sent;
  for (const [path, schema] of Object.entries(fields)) {
    body = move(body, path, (value) => {
      newer[path] = value;
      for (const mismatch of mismatchesOf(schema, value)) errors.push(validationError(`body.${path}`, mismatch));
      return true;
    });
  }
  for (const path of nullable) {
    body = move(body, path, (value) => {
      if (value === null) newer[path] = null;
      return value === null;
    });
  }
  return { body, newer };
}
