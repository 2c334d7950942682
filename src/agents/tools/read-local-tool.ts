import { checkNames, type Mismatch } from "../../errors/local.js";
import { danglingReference } from "../../json-schema/references.js";
import { field, isLiteral, isObject, isString, type Json } from "../../shared/json.js";
import { misspelledHint } from "../../shared/tools.js";
import { wellFormed } from "../../shared/well-formed.js";
import type { AgentTool } from "../agent-tool.js";
import { ensure } from "../ensure.js";
import type { LocalTool, StandardJsonSchema } from "./local-tool.js";

const FIELDS = [
  "name",
  "description",
  "parameters",
  "output",
  "tags",
  "execute",
] as const satisfies (keyof LocalTool)[];

/**
 * A local tool as a model and a policy see it.
 *
 * @throws {ConfigError} if the schema isn't one, or refers to one that it doesn't contain, and for a field or a hint
 *   that is misspelled: a rule that denies destructive tools would allow this one.
 */
export function readLocalTool(own: LocalTool): AgentTool {
  const { name, description, parameters, output, tags = [] }: LocalTool = Object(own);
  ensure(name && isString(name), "tools must be slugs, or have names.");
  ensure(Array.isArray(tags) && tags.every(isString), `the tags of ${name} must be a list of strings.`);
  for (const tag of tags) {
    const meant = misspelledHint(tag);
    ensure(meant === undefined, `${name} has the tag ${JSON.stringify(tag)}. Did you mean ${meant}?`);
  }
  const standard = isStandard(parameters) ? parameters["~standard"] : undefined;
  const problem = `the parameters of ${name} aren't a JSON Schema of an object or Zod 4.2. Write { type: "object", properties: { … } } or z.object({ … }).`;
  let schema: object = parameters;
  try {
    if (standard) schema = standard.jsonSchema.input({ target: "draft-2020-12" });
  } catch (error) {
    // Dates, for example, have no JSON Schema.
    ensure(false, `${problem} ${error}`);
  }
  // Anything else, such as a shape of Zod or an older schema, would allow everything if it was taken as JSON Schema.
  const isUnion = standard && !("type" in Object(schema));
  ensure(isObject(schema) && (isUnion || schema["type"] === "object"), problem);
  ensure(standard || !("~standard" in schema || "parse" in schema), problem);
  const dangling = danglingReference(schema);
  ensure(dangling === undefined, `the parameters of ${name} refer to "${dangling}", which leads to no schema in them.`);
  ensure(typeof own.execute === "function", `${name} has no execute().`);
  // An object of a class may have other fields.
  if (isLiteral(own)) checkNames(`toolset: ${name}`, own, FIELDS);
  const facts = { kind: "local", toolkit: undefined, version: undefined } as const;
  ensure(output === undefined || isObject(output), `the output of ${name} isn't a JSON Schema of an object.`);
  // The program may change its own schemas.
  return {
    ...facts,
    name,
    description: wellFormed(description),
    parameters: copyOf(wellFormed(schema)),
    ...(output && { output: copyOf(wellFormed(output)) }),
    tags: [...tags],
  };
}

/** A frozen copy of a schema. Needs no recursion: it may be nested deeply. */
function copyOf(schema: Json): Json {
  const copies = new Map<unknown, Record<PropertyKey, unknown>>();
  const originals: object[] = [];
  const copied = (value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    const known = copies.get(value);
    if (known) return known;
    const copy: Record<PropertyKey, unknown> = Object(Array.isArray(value) ? [] : {});
    copies.set(value, copy);
    originals.push(value);
    return copy;
  };
  const root = copied(schema);
  for (const original of originals) {
    const copy = Object(copies.get(original));
    for (const [name, member] of Object.entries(original))
      Object.defineProperty(copy, name, { value: copied(member), enumerable: true });
    Object.freeze(copy);
  }
  return Object(root);
}

/**
 * Parses arguments with the schema of a local tool. The output is what runs.
 *
 * @throws {ConfigError} if JSON can't write the output: a policy and a person would see a different value.
 */
export async function parseLocalArguments({ name, parameters }: LocalTool, args: Json): Promise<Json | Mismatch[]> {
  if (!isStandard(parameters)) return args;
  const { issues, value } = await parameters["~standard"].validate(args);
  if (issues) return issues.length > 0 ? issues.map(toMismatch) : [toMismatch({ message: "valid arguments" })];
  ensure(isObject(value) && isWritable(value), `the schema of ${name} must return JSON values and dates.`);
  // The program may share it between calls.
  return structuredClone(value);
}

/** Whether JSON shows a whole value to a policy and a person. */
function isWritable(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isWritable);
  if (!isObject(value)) return ["string", "boolean", "undefined"].includes(typeof value) || value === null;
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  return [Object.prototype, null].includes(Object.getPrototypeOf(value)) && Object.values(value).every(isWritable);
}

function isStandard(schema: object): schema is StandardJsonSchema {
  return field(field(schema, "~standard"), "jsonSchema") !== undefined;
}

function toMismatch({ message, path = [] }: { message: string; path?: readonly unknown[] | undefined }): Mismatch {
  const steps = path.map((step) => field(step, "key") ?? step);
  return { path: steps.join("."), expected: message, received: "another value" };
}
