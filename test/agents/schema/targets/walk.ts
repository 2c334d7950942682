import { isObject, type Json } from "../../../../src/shared/json.js";

/** One schema object in a compiled schema. */
export interface Visit {
  readonly schema: Json;
  readonly path: string;
  /** How many objects and arrays are around it. */
  readonly level: number;
  /** The `required` of the object it is a property of; `undefined` if it isn't one. */
  readonly isRequired?: boolean;
}

/** Every schema object of a compiled schema, its definitions included. */
export function visits(root: unknown): Visit[] {
  const found: Visit[] = [];
  const walk = (schema: unknown, path: string, level: number, isRequired?: boolean): void => {
    if (!isObject(schema)) return;
    found.push({ schema, path, level, ...(isRequired !== undefined && { isRequired }) });
    const required = Array.isArray(schema["required"]) ? schema["required"] : [];
    for (const keyword of ["properties", "patternProperties", "dependentSchemas"]) {
      for (const [name, member] of Object.entries(Object(schema[keyword]))) {
        walk(
          member,
          `${path}/${keyword}/${name}`,
          level + 1,
          keyword === "properties" ? required.includes(name) : undefined,
        );
      }
    }
    for (const keyword of ["anyOf", "oneOf", "allOf"]) {
      for (const [index, member] of Object.entries(Object(schema[keyword])))
        walk(member, `${path}/${keyword}/${index}`, level);
    }
    for (const [index, member] of Object.entries(Object(schema["prefixItems"])))
      walk(member, `${path}/prefixItems/${index}`, level + 1);
    for (const keyword of [
      "items",
      "additionalProperties",
      "contains",
      "propertyNames",
      "not",
      "if",
      "then",
      "else",
      "unevaluatedItems",
      "unevaluatedProperties",
    ]) {
      walk(schema[keyword], `${path}/${keyword}`, level + 1);
    }
  };
  walk(root, "#", 1);
  for (const [name, member] of Object.entries(Object(isObject(root) ? root["$defs"] : {})))
    walk(member, `#/$defs/${name}`, 1);
  return found;
}

/** Says of each schema object what is wrong with it. */
export function offences(root: unknown, rule: (visit: Visit) => readonly (string | false | undefined)[]): string[] {
  return visits(root).flatMap((visit) =>
    rule(visit).flatMap((offence) => (offence ? [`${visit.path}: ${offence}`] : [])),
  );
}

export const names = (schema: Json): string[] => Object.keys(Object(schema["properties"]));

/** References that lead to no definition of the schema itself. */
export function danglingReferences(root: Json): string[] {
  return offences(root, ({ schema }) => {
    const reference = schema["$ref"];
    if (reference === undefined) return [];
    const name = /^#\/\$defs\/([^/]+)$/.exec(String(reference))?.[1];
    return [
      name === undefined || !Object.hasOwn(Object(root["$defs"]), name)
        ? `$ref ${String(reference)} leads nowhere`
        : undefined,
    ];
  });
}

/** Keywords of a schema that aren't among those listed. */
export function unknownKeywords(schema: Json, known: readonly string[]): string | undefined {
  const unknown = Object.keys(schema).filter((keyword) => !known.includes(keyword));
  return unknown.length === 0 ? undefined : `unknown ${unknown.join()}`;
}
