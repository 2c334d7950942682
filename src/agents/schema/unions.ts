import { haveCommon, isSame, Values } from "../../json-schema/json-equal.js";
import { spend } from "../../json-schema/step-limit.js";
import { child, isObject, type Json } from "../../shared/json.js";
import type { Dialect } from "./targets.js";
import { describedSchema } from "./writing-state.js";

/** One schema for several: the same ones once, enums of one type together, then `anyOf`. */
export function unionOf(schemas: readonly Json[], dialect: Dialect): Json {
  const flat = schemas.flatMap((schema) => (Object.keys(schema).join() === "anyOf" ? branchesOf(schema) : [schema]));
  const variants: Json[] = [];
  for (const schema of flat) {
    const alike = variants.findIndex(
      (known) => isSame(known, schema) || (isBareEnum(known, schema) && isBareEnum(schema, known)),
    );
    const known = variants[alike];
    if (!known) variants.push(schema);
    else if (!isSame(known, schema)) variants[alike] = { ...known, enum: together(known["enum"], schema["enum"]) };
  }
  const [only = {}] = variants;
  if (variants.length < 2) return only;
  return { anyOf: dialect.allRequired ? withDistinctFirstKeys(variants) : variants };
}

function branchesOf(schema: Json): readonly Json[] {
  const branches = schema["anyOf"];
  return Array.isArray(branches) ? branches : [];
}

function isBareEnum({ type, enum: values, ...others }: Json, other: Json): boolean {
  const isBare = type !== undefined && values !== undefined && Object.keys(others).length === 0;
  return isBare && isSame(type, other["type"]);
}

function together(left: unknown, right: unknown): unknown[] {
  const known = new Values();
  return [left, right].flat().filter((value) => known.add(value));
}

export function withNull(schema: Json, dialect: Dialect): Json {
  const branches = branchesOf(schema);
  const nothing = { type: "null" };
  if (branches.length > 0) {
    return branches.some((branch) => isSame(branch, nothing) || isSame(branch, {}))
      ? schema
      : { ...schema, anyOf: [...branches, nothing] };
  }
  if (dialect.nulls === "branch" || typeof schema["type"] !== "string") return { anyOf: [schema, nothing] };
  const values = schema["enum"];
  return { ...schema, type: [schema["type"], "null"], ...(Array.isArray(values) && { enum: [...values, null] }) };
}

/** A schema with words before its description: in its first branch, if `anyOf` allows no other keywords next to it. */
export function withWords(schema: Json, words: string, dialect: Dialect): Json {
  const [first, ...rest] = dialect.bareUnions ? branchesOf(schema) : [];
  return first ? { ...schema, anyOf: [withWords(first, words, dialect), ...rest] } : describedSchema(schema, words);
}

/** Branches of which no two start with the same property, unless its values tell them apart. */
function withDistinctFirstKeys(branches: readonly Json[]): Json[] {
  spend(branches.length ** 2);
  const used = new Map<string, Json>();
  return branches.map((branch) => {
    const properties = branch["properties"];
    if (!isObject(properties)) return branch;
    const names = Object.keys(properties);
    const others = branches
      .filter((other) => other !== branch)
      .map((other) => child(other, "properties"))
      .filter(isObject);
    const first =
      names.find((name) => others.every((other) => areEnumsApart(child(properties, name), child(other, name)))) ??
      names.find((name) => !used.has(name)) ??
      names[0];
    if (first === undefined) return branch;
    used.set(first, branch);
    const ordered = [first, ...names.filter((name) => name !== first)];
    return { ...branch, properties: Object.fromEntries(ordered.map((name) => [name, child(properties, name)])) };
  });
}

/** Whether the values of two properties tell their objects apart. */
export function areEnumsApart(left: unknown, right: unknown): boolean {
  const [values, others] = [child(left, "enum"), child(right, "enum")];
  return Array.isArray(values) && Array.isArray(others) && !haveCommon(values, others);
}
