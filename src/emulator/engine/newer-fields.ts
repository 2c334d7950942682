import type * as z from "zod/mini";
import { mismatchesOf } from "../../contract/check-shape.js";
import { isObject, type Json } from "../../shared/json.js";
import { validationError } from "./responses.js";

/** Fields of a body that newer clients send, and that the contract doesn't have. By path, such as `a.b`. */
export interface NewerFields {
  readonly fields?: Readonly<Record<string, z.ZodMiniType>>;
  /** Fields of the contract that may also be null. */
  readonly nullable?: readonly string[];
}

/** A body of a newer client. */
interface SplitBody {
  /** The fields that the contract knows. */
  readonly body: unknown;
  /** The values of the others, by path. Null in a field that may be null is one of them. */
  readonly newer: Json;
  /** The reasons why newer fields are invalid. */
  readonly errors: readonly string[];
}

/** Splits newer fields from a body, so that the rest can be checked against the contract. */
export function splitNewerFields(sent: unknown, { fields = {}, nullable = [] }: NewerFields): SplitBody {
  const paths = [
    ...Object.keys(fields).filter((path) => valueAt(sent, path) !== undefined),
    ...nullable.filter((path) => valueAt(sent, path) === null),
  ];
  return {
    body: paths.reduce(without, sent),
    newer: Object.fromEntries(paths.map((path) => [path, valueAt(sent, path)])),
    errors: Object.entries(fields)
      .filter(([path]) => paths.includes(path))
      .flatMap(([path, schema]) =>
        mismatchesOf(schema, valueAt(sent, path)).map((mismatch) => validationError(`body.${path}`, mismatch)),
      ),
  };
}

/** The value at a path; `undefined` without one. */
function valueAt(body: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce((value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined), body);
}

/** A copy of a body without the field at a path. */
function without(body: unknown, path: string): unknown {
  const [name = "", ...rest] = path.split(".");
  if (!isObject(body)) return body;
  if (rest.length > 0) return { ...body, [name]: without(body[name], rest.join(".")) };
  const { [name]: _, ...others } = body;
  return others;
}
