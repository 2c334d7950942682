import { isObject, isString, type Json } from "../shared/json.js";
import { type ModernSchema, modernOf, TRAITS } from "./keyword-groups.js";
import { ALL_ANNOTATIONS } from "./keywords.js";
import type { Resolve } from "./references.js";
import { spend } from "./step-limit.js";

/** Schemas of which a value must satisfy one. */
export interface Union {
  readonly keyword: "anyOf" | "oneOf";
  readonly schemas: readonly unknown[];
  readonly owner: unknown;
}

/** Everything that a value must satisfy: `allOf` and references flattened, unions separate. */
export interface FlatSchema {
  /** Without their references and combinators. */
  readonly schemas: readonly Json[];
  /** The traits of any of the schemas. */
  readonly traits: number;
  /** Those whose annotations don't belong to the union around this branch. */
  readonly annotated: readonly Json[];
  readonly unions: readonly Union[];
  readonly dangling: readonly string[];
  readonly isImpossible: boolean;
  /** The schema objects it consists of. */
  readonly origins: ReadonlySet<unknown>;
}

const NONE: readonly never[] = [];

/** Flattens the schemas of one document. */
export class Flattener {
  readonly #resolve: Resolve;
  readonly #modern = new Map<object, ModernSchema>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  /** A schema object in the words of draft 2020-12. */
  modernOf(schema: Json): ModernSchema {
    const known = this.#modern.get(schema);
    if (known) return known;
    const modern = modernOf(schema);
    this.#modern.set(schema, modern);
    return modern;
  }

  /** Flattens schemas that hold together. The first `inherited` ones belong to a union around it. */
  flatten(schemas: readonly unknown[], inherited = 0): FlatSchema {
    const [single] = schemas;
    if (schemas.length === 1 && isObject(single)) {
      const { keywords, traits } = this.modernOf(single);
      if ((traits & TRAITS.combination) === 0) {
        spend();
        const own = [keywords];
        const annotated = inherited > 0 ? NONE : own;
        const origins = new Set([single]);
        return { schemas: own, traits, annotated, unions: NONE, dangling: NONE, isImpossible: false, origins };
      }
    }
    return this.#combined(schemas, inherited);
  }

  #combined(schemas: readonly unknown[], inherited: number): FlatSchema {
    const origins = new Set<unknown>();
    const found: Json[] = [];
    const annotated: Json[] = [];
    const unions: Union[] = [];
    const dangling: string[] = [];
    let isImpossible = false;
    let allTraits = 0;
    const queue = schemas.map((schema, index) => ({ schema, isInherited: index < inherited }));
    const seen = new Set<unknown>();
    for (const { schema: origin, isInherited } of queue) {
      spend();
      if (origin === false) isImpossible = true;
      if (!isObject(origin) || seen.has(origin)) continue;
      seen.add(origin);
      const { keywords, traits } = this.modernOf(origin);
      const { $ref: reference, not, allOf } = keywords;
      const target = isString(reference) ? this.#resolve(reference) : undefined;
      if (isString(reference) && target === undefined) dangling.push(reference);
      // A reference without other keywords means the same as its target.
      if (target === undefined || Object.keys(keywords).length > 1) {
        origins.add(origin);
        found.push(keywords);
        allTraits |= traits;
        if (!isInherited) annotated.push(keywords);
      }
      if (isTrivial(not)) isImpossible = true;
      if (target !== undefined) for (const member of [target].flat()) queue.push({ schema: member, isInherited });
      if (Array.isArray(allOf)) for (const member of allOf) queue.push({ schema: member, isInherited });
      for (const keyword of ["anyOf", "oneOf"] as const) {
        const members = keywords[keyword];
        if (Array.isArray(members)) unions.push({ keyword, schemas: members, owner: origin });
      }
    }
    return { schemas: found, traits: allTraits, annotated, unions, dangling, isImpossible, origins };
  }
}

const NO_PROPERTIES: ReadonlyMap<string, readonly unknown[]> = new Map();

/** The properties that conditions declare, with their schemas. */
export function conditionalProperties(
  { schemas, traits }: FlatSchema,
  flattener: Flattener,
): ReadonlyMap<string, readonly unknown[]> {
  if (!(traits & TRAITS.condition)) return NO_PROPERTIES;
  const properties = new Map<string, Set<unknown>>();
  const seen = new Set(schemas);
  // Conditions are often chained: `else` has another `if`.
  for (const schema of seen) {
    const { then, else: otherwise, dependentSchemas } = schema;
    for (const inner of flattener.flatten([then, otherwise, ...Object.values(Object(dependentSchemas))]).schemas) {
      seen.add(inner);
      for (const [name, property] of Object.entries(Object(inner["properties"]))) {
        properties.set(name, (properties.get(name) ?? new Set()).add(property));
      }
    }
  }
  return new Map([...properties].map(([name, declared]) => [name, [...declared]]));
}

/** Whether a schema accepts everything. */
export function isTrivial(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

export function annotationsOf(schemas: readonly Json[]): Json {
  const annotations: Record<string, unknown> = {};
  const texts = schemas.map(({ description }) => String(description ?? "").trim()).filter((text) => text !== "");
  const description = texts.length < 2 ? (texts[0] ?? "") : [...new Set(texts)].join(" ");
  if (description !== "") annotations["description"] = description;
  for (const schema of schemas) {
    for (const keyword of ALL_ANNOTATIONS) {
      if (keyword === "description") continue;
      const value = schema[keyword];
      if (value !== undefined && value !== false) annotations[keyword] ??= value;
    }
  }
  return annotations;
}
