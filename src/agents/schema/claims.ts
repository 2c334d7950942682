import type { Resolve } from "../../json-schema/references.js";
import { isObject, isString, type Json } from "../../shared/json.js";
import { modernized } from "./drafts.js";
import { spend } from "./work.js";

/** One schema object that a value must satisfy, without its references and combinators. */
export interface Part {
  readonly schema: Json;
  /** Whether its annotations belong to the union around this branch. */
  readonly isInherited: boolean;
}

/** Schemas of which a value must satisfy one. */
export interface Union {
  readonly keyword: "anyOf" | "oneOf";
  readonly schemas: readonly unknown[];
  readonly owner: unknown;
}

/** Everything that a value must satisfy: `allOf` and references flattened, unions separate. */
export interface Claim {
  readonly parts: readonly Part[];
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
      const parts = [{ schema: plain, isInherited: inherited > 0 }];
      return { parts, unions: NONE, dangling: NONE, isImpossible: false, origins: new Set([single]) };
    }
    const origins = new Set<unknown>();
    const parts: Part[] = [];
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
        parts.push({ schema, isInherited });
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
    return { parts, unions, dangling, isImpossible, origins };
  };
}

/** Whether a schema accepts everything. */
export function isTrivial(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

const ANNOTATIONS = ["title", "default", "examples", "deprecated", "readOnly", "writeOnly"];

/** The annotations of parts together. */
export function annotationsOf(parts: readonly Part[]): Json {
  const annotations: Record<string, unknown> = {};
  const texts = parts.map(({ schema }) => String(schema["description"] ?? "").trim()).filter((text) => text !== "");
  const description = texts.length < 2 ? (texts[0] ?? "") : [...new Set(texts)].join(" ");
  if (description !== "") annotations["description"] = description;
  for (const keyword of ANNOTATIONS) {
    const part = parts.find(({ schema }) => schema[keyword] !== undefined && schema[keyword] !== false);
    if (part) annotations[keyword] = part.schema[keyword];
  }
  return annotations;
}
