import { formatPath } from "../errors/mismatch-words.js";
import { isObject, type Json } from "../shared/json.js";
import { itemSchema } from "./items.js";
import { propertySchemas } from "./properties.js";
import { referencesOf, resolverOf } from "./references.js";

/** Replaces a part of a value; `undefined` keeps it. What becomes `undefined` is omitted. */
type Replace = (given: unknown, path: string) => Promise<unknown> | undefined;

/** A copy of a value in which the parts whose schema has a mark are replaced, at any depth. */
export function replaceMarked(
  schema: Json,
  value: unknown,
  mark: "file_uploadable" | "file_downloadable",
  replace: Replace,
): Promise<unknown> {
  return copyOf([schema], value, []);

  /** All parts of the schema for a place are read together: branches would multiply with every level. */
  async function copyOf(parts: readonly unknown[], given: unknown, path: readonly PropertyKey[]): Promise<unknown> {
    const all = new Set(parts);
    for (const part of all) {
      const { anyOf, oneOf, allOf, then, else: otherwise, dependentSchemas, ...rest }: Json = Object(part);
      const some = [anyOf, oneOf, allOf, then, otherwise, Object.values(Object(dependentSchemas))];
      for (const next of [referencesOf(rest).map(resolverOf(schema)), ...some].flat()) all.add(next);
    }
    const schemas = [...all].filter(isObject);
    const isMarked = schemas.some((part) => part[mark] === true);
    const replaced = isMarked ? replace(given, formatPath(path)) : undefined;
    if (replaced) return replaced;
    if (Array.isArray(given)) {
      const partsOf = (index: number) => schemas.map((part) => itemSchema(part, index));
      const items = await Promise.all(given.map((item, index) => copyOf(partsOf(index), item, [...path, index])));
      return items.filter((item) => item !== undefined);
    }
    if (!isObject(given)) return given;
    const members = Object.entries(given).map(async ([name, member]) => {
      const inside = schemas.flatMap((part) => propertySchemas(part, name));
      return [name, await copyOf(inside, member, [...path, name])] as const;
    });
    return Object.fromEntries((await Promise.all(members)).filter(([, member]) => member !== undefined));
  }
}
