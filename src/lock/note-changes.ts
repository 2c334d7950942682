import { isObject } from "../json.js";
import { atPointer } from "../json-pointer.js";
import { canonicalJson, type JsonSchema } from "./json-schema.js";
import type { RawChange } from "./schema-change.js";

/** A schema and the document it stands in. */
export interface Placed {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

/** What does not decide which values are accepted, but may change what a call does: deprecation and default. */
export function noteChanges(before: Placed, after: Placed): RawChange[] {
  const texts: string[] = [];
  const [wasDeprecated, isDeprecated] = [before, after].map((placed) => annotation("deprecated", placed) === "true");
  if (!wasDeprecated && isDeprecated) texts.push("is deprecated now");
  if (wasDeprecated && !isDeprecated) texts.push("is no longer deprecated");
  const [was, is] = [before, after].map((placed) => annotation("default", placed));
  if (was === "" && is !== "") texts.push(`its default is ${is} now`);
  else if (was !== "" && is === "") texts.push(`its default ${was} has gone`);
  else if (was !== is) texts.push(`its default was ${was}, is ${is} now`);
  return texts.map((text) => ({ path: "", kind: "noted", text }));
}

/** What the schema says under a keyword, else what the schemas say that it is made of. Empty where nobody says anything. */
function annotation(keyword: string, { schema, root }: Placed): string {
  return [...new Set(valuesUnder(keyword, schema, root, []))].sort().join(" and ");
}

function valuesUnder(keyword: string, schema: unknown, root: JsonSchema, followed: readonly string[]): string[] {
  if (!isObject(schema)) return [];
  if (schema[keyword] !== undefined) return [canonicalJson(schema[keyword])];
  const { $ref: reference, allOf } = schema;
  const parts = (Array.isArray(allOf) ? allOf : []).flatMap((part) => valuesUnder(keyword, part, root, followed));
  if (typeof reference !== "string" || followed.includes(reference)) return parts;
  return [...parts, ...valuesUnder(keyword, atPointer(root, reference), root, [...followed, reference])];
}
