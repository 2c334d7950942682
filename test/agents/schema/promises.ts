import { compileSchema } from "../../../src/agents/schema/compile.js";
import type { CompiledSchema, Target } from "../../../src/agents/schema/compiled-tool.js";
import { isSame } from "../../../src/json-schema/json-equal.js";
import { atPointer, pointerSteps } from "../../../src/json-schema/references.js";
import { isObject } from "../../../src/shared/json.js";
import { bothWays } from "./encode.js";
import { checker, referenceSchema } from "./reference.js";
import { offencesOf } from "./targets/index.js";
import { mutated, randomNumbers, sample } from "./values.js";

/** The promise that compiling a schema for a target breaks; `undefined` if none. */
export type CompilerPromise = (schema: unknown, target: Target, seed: number) => unknown;

const SAMPLES = 6;

function samplesOf(schema: object, seed: number): unknown[] {
  const random = randomNumbers(seed);
  const check = checker(Object(schema));
  return Array.from({ length: SAMPLES }, () => sample(schema, schema, random)).filter(
    (value) => isObject(value) && check(value).length === 0,
  );
}

/** The target's rules accept the compiled schema. */
export const keepsTheRules: CompilerPromise = (schema, target) => {
  const compiled = compileSchema(schema, target);
  const offences = offencesOf(compiled, target);
  return offences.length > 0 ? { offences, compiled: compiled.schema } : undefined;
};

/** Each value that the original accepts has a form that the compiled schema accepts, and that restores to it. */
export const reachesEachValue: CompilerPromise = (schema, target, seed) => {
  const compiled = bothWays(schema, target);
  const check = checker(compiled.schema);
  // Of alternatives at the root only one is tried: what the others don't declare, they don't take.
  const narrowed = oneAlternative(schema, randomNumbers(seed));
  const original = checker(referenceSchema(schema));
  for (const value of samplesOf(referenceSchema(narrowed), seed)) {
    if (original(value).length > 0) continue;
    const form = compiled.encode(value);
    const restored = compiled.decode(form);
    const errors = check(form);
    if (errors.length > 0 || !isSame(restored, value)) return { value, form, restored, errors, compiled };
  }
  return undefined;
};

function oneAlternative(schema: unknown, random: () => number): unknown {
  if (!isObject(schema)) return schema;
  const all = (members: unknown) =>
    Array.isArray(members) ? members.map((member) => oneAlternative(member, random)) : [];
  const one = (members: unknown) =>
    Array.isArray(members) ? all([members[Math.floor(random() * members.length)]]) : [];
  const { allOf, anyOf, oneOf, ...others } = schema;
  return {
    ...others,
    ...(allOf !== undefined && { allOf: all(allOf) }),
    ...(anyOf !== undefined && { anyOf: one(anyOf) }),
    ...(oneOf !== undefined && { oneOf: one(oneOf) }),
  };
}

/** Values that the compiled schema accepts decode to values that the original accepts, except those that notes list. */
export const listsWhatItOpens: CompilerPromise = (schema, target, seed) => {
  const compiled = compileSchema(schema, target);
  const check = checker(compiled.schema);
  const original = checker(referenceSchema(schema));
  const random = randomNumbers(seed);
  for (const written of samplesOf(compiled.schema, seed).flatMap((value) => [value, mutated(value, random)])) {
    if (!isObject(written) || check(written).length > 0) continue;
    const restored = compiled.decode(written);
    const errors = original(restored);
    if (errors.length > 0 && !isListed(compiled, errors)) return { written, restored, errors, compiled };
  }
  return undefined;
};

/** Each declared property of a value that the original accepts is in the compiled schema. */
export const losesNoProperty: CompilerPromise = (schema, target, seed) => {
  const compiled = bothWays(schema, target);
  const { notes, encode } = compiled;
  if (notes.some(({ kind, message }) => kind === "untyped" || message.includes("accepts no value"))) return undefined;
  // A description quotes the names in it.
  const text = JSON.stringify(compiled.schema).replaceAll("\\", "");
  const isIn = (name: string) => text.includes(JSON.stringify(name).replaceAll("\\", ""));
  const declared = namesDeclaredIn(schema);
  for (const value of samplesOf(referenceSchema(schema), seed)) {
    const written = new Set(namesIn(encode(value)));
    // What one branch accepts under its own name, another one may declare under an alias.
    const lost = namesIn(value).find(
      (name) => declared.has(name) && written.has(name) && !isIn(name) && !isIn(aliasOf(name, target)),
    );
    if (lost !== undefined) return { lost, value, compiled };
  }
  return undefined;
};

/** The name that a target's model uses. */
function aliasOf(name: string, target: Target): string {
  const { schema } = compileSchema({ type: "object", properties: { [name]: {} } }, target);
  return Object.keys(Object(schema["properties"]))[0] ?? name;
}

/** The names of all properties that a schema declares, below its references too. */
function namesDeclaredIn(root: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const queue = [root];
  const seen = new Set<unknown>();
  for (const place of queue) {
    if (typeof place !== "object" || place === null || seen.has(place)) continue;
    seen.add(place);
    for (const [keyword, value] of Object.entries(place)) {
      if (keyword === "properties") for (const name of Object.keys(Object(value))) names.add(name);
      if (keyword === "$ref" && typeof value === "string") queue.push(atPointer(root, value));
      if (!["$defs", "definitions", "not", "enum", "const", "default", "if", "then"].includes(keyword))
        queue.push(value);
    }
  }
  return names;
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isObject(value) ? Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)]) : [];
}

/**
 * Whether some error is one that a note announces, at its place or around it. What is in `$defs` is noted at its first
 * place.
 */
function isListed(
  { fidelity, notes, schema }: CompiledSchema,
  errors: ReturnType<ReturnType<typeof checker>>,
): boolean {
  const widening = notes.filter(({ kind }) => kind === "untyped" || kind === "described");
  const isAnnounced = (
    { kind, path, message }: CompiledSchema["notes"][number],
    { instanceLocation, keyword }: (typeof errors)[number],
  ) => {
    const place = matches(path, instanceLocation);
    const isSaid = kind === "untyped" || message.startsWith(`${keyword}:`);
    return place === "same" || (isSaid && (place === "inside" || schema["$defs"] !== undefined));
  };
  // With too many errors to count them the value is rejected.
  if (errors.every(({ keyword }) => keyword === "")) return true;
  return fidelity === "widened" && errors.some((error) => widening.some((note) => isAnnounced(note, error)));
}

function matches(path: string, location: string): "same" | "inside" | undefined {
  const steps = pointerSteps(location);
  const tests = testsOf(path);
  if (tests.length > steps.length || !tests.every((isStep, index) => isStep(steps[index] ?? ""))) return undefined;
  return tests.length === steps.length ? "same" : "inside";
}

/** A test of each step: `a[].*["x y"]` is `a`, an index, any name, and `x y`. */
function testsOf(path: string): ((step: string) => boolean)[] {
  return [...path.matchAll(/\["(?:[^"\\]|\\.)*"\]|\[\]|[^.[\]]+/g)].map(([token]) => {
    if (token === "[]") return (step) => /^\d+$/.test(step);
    if (token === "*") return () => true;
    const name: unknown = token.startsWith("[") ? JSON.parse(token.slice(1, -1)) : token;
    return (step) => step === name;
  });
}
