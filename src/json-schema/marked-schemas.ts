import { formatPath } from "../errors/mismatch-words.js";
import { isObject, isString, type Json } from "../shared/json.js";
import { itemSchema } from "./items.js";
import { isNullable, type Mark } from "./keywords.js";
import { mapSchemas } from "./map-schemas.js";
import { propertySchemas } from "./properties.js";
import { listOf, type Resolve, referencesOf, resolverOf, schemasIn } from "./references.js";
import { partsOf } from "./schema-parts.js";

/** Replaces a part of a value; `undefined` keeps it. What becomes `undefined` is omitted. */
type Replace = (given: unknown, path: string) => Promise<unknown> | undefined;

const isMarked = (part: Json, mark: Mark) => part[mark] === true;

/** Whether a schema, one in it, or one that they refer to, has a mark. */
export function hasMark(root: Json, mark: Mark): boolean {
  const resolve = resolverOf(root);
  const places = new Set<unknown>([root]);
  for (const schema of schemasIn(places)) {
    if (isMarked(schema, mark)) return true;
    for (const reference of referencesOf(schema)) places.add(resolve(reference));
  }
  return false;
}

/** A copy of a value in which the parts whose schema has a mark are replaced, at any depth. */
export function replaceMarked(schema: Json, value: unknown, mark: Mark, replace: Replace): Promise<unknown> {
  const resolve = resolverOf(schema);
  return copyOf([schema], value, []);

  /** All parts of the schema for a place are read together: branches would multiply with every level. */
  async function copyOf(parts: readonly unknown[], given: unknown, path: readonly PropertyKey[]): Promise<unknown> {
    const schemas = [...partsOf(parts, resolve)];
    const replaced = schemas.some((part) => isMarked(part, mark)) ? replace(given, formatPath(path)) : undefined;
    if (replaced) return replaced;
    if (Array.isArray(given)) {
      const partsAt = (index: number) => schemas.map((part) => itemSchema(part, index));
      const items = await Promise.all(given.map((item, index) => copyOf(partsAt(index), item, [...path, index])));
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

/** The words of a schema that has a mark, and whether it accepts null. */
export interface MarkedSchema {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly isNullable: boolean;
}

/** A copy of a schema in which each schema that has a mark is replaced. */
export function replaceMarkedSchemas(root: Json, mark: Mark, replace: (marked: MarkedSchema) => Json): Json {
  const resolve = resolverOf(root);
  const copyOf = (schema: Json): Json => {
    if (!isMarked(schema, mark)) return mapSchemas(withOpenUnion(schema, mark, resolve), copyOf);
    const { title, description, type } = schema;
    return replace({
      title: isString(title) ? title : undefined,
      description: isString(description) ? description : undefined,
      isNullable: isNullable(schema) || [type].flat().includes("null"),
    });
  };
  return copyOf(root);
}

/** Once a schema is replaced, several variants of a union may fit. */
function withOpenUnion(schema: Json, mark: Mark, resolve: Resolve): Json {
  if ("anyOf" in schema) return schema;
  const { oneOf, ...others } = schema;
  const isReplaced = (branch: unknown) => [...partsOf([branch], resolve)].some((part) => isMarked(part, mark));
  return listOf(oneOf).some(isReplaced) ? { ...others, anyOf: oneOf } : schema;
}
