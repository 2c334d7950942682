import { isObject, isString, type Json } from "../shared/json.js";
import { modernized } from "./drafts.js";
import type { Resolve } from "./references.js";
import { spend } from "./work.js";

/** Schemas of which a value must satisfy one. */
export interface Union {
  readonly keyword: "anyOf" | "oneOf";
  readonly schemas: readonly unknown[];
  readonly owner: unknown;
}

/** Everything that a value must satisfy: `allOf` and references flattened, unions separate. */
export interface Claim {
  /** Without their references and combinators. */
  readonly schemas: readonly Json[];
  /** Those whose annotations don't belong to the union around this branch. */
  readonly annotated: readonly Json[];
  readonly unions: readonly Union[];
  readonly dangling: readonly string[];
  readonly isImpossible: boolean;
  /** The schema objects it consists of. */
  readonly origins: ReadonlySet<unknown>;
}

/** Flattens schemas into one claim. The first `inherited` ones belong to a union around it. */
export type Flatten = (schemas: readonly unknown[], inherited?: number) => Claim;

const NONE: readonly never[] = [];
/** A schema without these is a claim of one part. */
const COMBINING = ["$ref", "not", "allOf", "anyOf", "oneOf"];

export function flattenerFor(resolve: Resolve): Flatten {
  const modern = new Map<object, Json>();
  const modernOf = (schema: object): Json => {
    const known = modern.get(schema) ?? modernized(schema) ?? {};
    modern.set(schema, known);
    return known;
  };
  return (schemas, inherited = 0) => {
    const [single] = schemas;
    const plain = schemas.length === 1 && isObject(single) ? modernOf(single) : undefined;
    if (plain && COMBINING.every((keyword) => plain[keyword] === undefined)) {
      spend();
      const own = [plain];
      const annotated = inherited > 0 ? NONE : own;
      return { schemas: own, annotated, unions: NONE, dangling: NONE, isImpossible: false, origins: new Set([single]) };
    }
    const origins = new Set<unknown>();
    const found: Json[] = [];
    const annotated: Json[] = [];
    const unions: Union[] = [];
    const dangling: string[] = [];
    let isImpossible = false;
    const queue = schemas.map((schema, index) => ({ schema, isInherited: index < inherited }));
    const seen = new Set<unknown>();
    for (const { schema: origin, isInherited } of queue) {
      spend();
      if (origin === false) isImpossible = true;
      if (!isObject(origin) || seen.has(origin)) continue;
      seen.add(origin);
      const schema = modernOf(origin);
      const reference = schema["$ref"];
      const target = isString(reference) ? resolve(reference) : undefined;
      if (isString(reference) && target === undefined) dangling.push(reference);
      // A reference without other keywords means the same as its target.
      if (target === undefined || Object.keys(schema).length > 1) {
        origins.add(origin);
        found.push(schema);
        if (!isInherited) annotated.push(schema);
      }
      if (isTrivial(schema["not"])) isImpossible = true;
      if (target !== undefined) for (const member of [target].flat()) queue.push({ schema: member, isInherited });
      const all = schema["allOf"];
      if (Array.isArray(all)) for (const member of all) queue.push({ schema: member, isInherited });
      for (const keyword of ["anyOf", "oneOf"] as const) {
        const members = schema[keyword];
        if (Array.isArray(members)) unions.push({ keyword, schemas: members, owner: origin });
      }
    }
    return { schemas: found, annotated, unions, dangling, isImpossible, origins };
  };
}

/** Whether a schema accepts everything. */
export function isTrivial(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

const ANNOTATIONS = ["title", "default", "examples", "deprecated", "readOnly", "writeOnly"];

export function annotationsOf(schemas: readonly Json[]): Json {
  const annotations: Record<string, unknown> = {};
  const texts = schemas.map(({ description }) => String(description ?? "").trim()).filter((text) => text !== "");
  const description = texts.length < 2 ? (texts[0] ?? "") : [...new Set(texts)].join(" ");
  if (description !== "") annotations["description"] = description;
  for (const keyword of ANNOTATIONS) {
    const schema = schemas.find((one) => one[keyword] !== undefined && one[keyword] !== false);
    if (schema) annotations[keyword] = schema[keyword];
  }
  return annotations;
}
