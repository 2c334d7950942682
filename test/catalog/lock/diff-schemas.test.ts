import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Direction, diffSchemas } from "../../../src/catalog/lock/diff-schemas.js";
import { mismatchesOfJsonSchema } from "../../../src/json-schema/check/check-json-schema.js";
import { sized } from "../../support/size.js";

type Schema = Record<string, unknown> | boolean;
const text = { type: "string" };
const whole = { type: "integer" };
const object = (properties: Record<string, unknown>, required: string[] = [], more = {}) => ({
  type: "object",
  properties,
  required,
  ...more,
});

/** The changes between two schemas that share no objects, as parsed JSON never does. */
function diff(before: unknown, after: unknown, direction: Direction) {
  const [old, fresh] = [before, after].map((schema) => JSON.parse(JSON.stringify(schema)));
  return diffSchemas(old, fresh, direction);
}

/** `path kind`, with `!` if callers (input) or readers (output) break. */
function kinds(before: unknown, after: unknown, direction: Direction): string[] {
  return diff(before, after, direction).map(({ path, kind, breaks }) => `${path} ${kind}${breaks ? "!" : ""}`.trim());
}

const NODE = (more: object, required: string[] = []) => ({
  $ref: "#/$defs/Node",
  $defs: { Node: object({ next: { anyOf: [{ $ref: "#/$defs/Node" }, { type: "null" }] }, ...more }, required) },
});

/** An edit, and what it means to callers and to readers. */
const EDITS: readonly [string, Schema, Schema, input: string[], output: string[]][] = [
  ["a new optional property", object({}), object({ a: text }), ["a added"], ["a added"]],
  ["a new required property", object({}), object({ a: text }, ["a"]), ["a added!"], ["a added"]],
  ["a removed property", object({ a: text }), object({}), ["a removed!"], ["a removed!"]],
  ["a property that is now required", object({ a: text }), object({ a: text }, ["a"]), ["a narrowed!"], ["a narrowed"]],
  [
    "a required property that a closed object no longer declares",
    object({ a: text }, ["a"], { additionalProperties: false }),
    object({}, ["a"], { additionalProperties: false }),
    ["a narrowed!"],
    ["a narrowed"],
  ],
  ["a property that is now optional", object({ a: text }, ["a"]), object({ a: text }), ["a loosened"], ["a loosened!"]],
  ["another type", object({ a: text }), object({ a: whole }), ["a replaced!"], ["a replaced!"]],
  ["an object instead of a string", text, object({ a: text }, ["a"]), ["replaced!"], ["replaced!"]],
  [
    "one more type",
    object({ a: text }),
    object({ a: { type: ["string", "integer"] } }),
    ["a loosened"],
    ["a loosened!"],
  ],
  ["one type less", { type: ["string", "integer"] }, text, ["narrowed!"], ["narrowed"]],
  ["any number instead of an integer", whole, { type: "number" }, ["loosened"], ["loosened!"]],
  ["an integer instead of any number", { type: "number" }, whole, ["narrowed!"], ["narrowed"]],
  ["null by type", object({ a: text }), object({ a: { type: ["string", "null"] } }), ["a loosened"], ["a loosened!"]],
  ["null by nullable", text, { ...text, nullable: true }, ["loosened"], ["loosened!"]],
  ["null by a union", text, { anyOf: [text, { type: "null" }] }, ["loosened"], ["loosened!"]],
  ["null no longer", { anyOf: [{ type: "null" }, { enum: ["a"] }] }, { enum: ["a"] }, ["narrowed!"], ["narrowed"]],
  ["one more value", { enum: ["a"] }, { enum: ["a", "b"] }, ["loosened"], ["loosened!"]],
  ["one value less", { enum: ["a", "b"] }, { enum: ["b"] }, ["narrowed!"], ["narrowed"]],
  ["a new list of values", text, { ...text, enum: ["a"] }, ["narrowed!"], ["narrowed"]],
  ["no list of values anymore", { ...text, enum: ["a"] }, text, ["loosened"], ["loosened!"]],
  ["values of another type", text, { enum: [1, 2] }, ["replaced!"], ["replaced!"]],
  ["another const", { const: "a" }, { const: "b" }, ["replaced!"], ["replaced!"]],
  ["a list of values instead of one of them", { const: "a" }, { enum: ["a", "b"] }, ["loosened"], ["loosened!"]],
  ["a higher minimum", { ...whole, minimum: 1 }, { ...whole, minimum: 2 }, ["narrowed!"], ["narrowed"]],
  ["a lower exclusive minimum", { exclusiveMinimum: 1 }, { exclusiveMinimum: 0 }, ["loosened"], ["loosened!"]],
  ["a higher maximum", { ...whole, maximum: 9 }, { ...whole, maximum: 10 }, ["loosened"], ["loosened!"]],
  ["a new length limit", text, { ...text, maxLength: 80 }, ["narrowed!"], ["narrowed"]],
  ["no minimum count anymore", { type: "array", minItems: 1 }, { type: "array" }, ["loosened"], ["loosened!"]],
  ["items of one type", { type: "array" }, { type: "array", items: text }, ["[] narrowed!"], ["[] narrowed"]],
  [
    "a property of items",
    object({ a: { type: "array", items: object({ b: text }) } }),
    object({ a: { type: "array", items: object({ b: text, c: text }, ["c"]) } }),
    ["a[].c added!"],
    ["a[].c added"],
  ],
  [
    "a shared definition, reported at its first use",
    object({ b: { $ref: "#/$defs/A" }, a: { $ref: "#/$defs/A" } }, [], { $defs: { A: object({ x: text }) } }),
    object({ b: { $ref: "#/$defs/A" }, a: { $ref: "#/$defs/A" } }, [], { $defs: { A: object({ x: whole }) } }),
    ["a.x replaced!"],
    ["a.x replaced!"],
  ],
  [
    "a recursive definition",
    NODE({}),
    NODE({ id: text }, ["id"]),
    ["id added!", "next.id added!"],
    ["id added", "next.id added"],
  ],
  ["a default", { ...whole, default: 10 }, { ...whole, default: 20 }, ["noted"], ["noted"]],
  ["a deprecation", object({ a: text }), object({ a: { ...text, deprecated: true } }), ["a noted"], ["a noted"]],
  ["nothing valid anymore", object({ a: text }), object({ a: false }), ["a narrowed!"], ["a narrowed"]],
  ["anything valid", object({ a: text }), object({ a: {} }), ["a loosened"], ["a loosened!"]],
  ["a constraint instead of anything", {}, { minLength: 1 }, ["narrowed!"], ["narrowed"]],
  [
    "a type behind an anchor",
    { $ref: "#node", $defs: { Node: { $anchor: "node", ...text } } },
    { $ref: "#node", $defs: { Node: { $anchor: "node", ...whole } } },
    ["replaced!"],
    ["replaced!"],
  ],
  ["a special property name", object({ "a.b": text }), object({}), ['["a.b"] removed!'], ['["a.b"] removed!']],
];

const ANY_PROPERTY = { type: "object", additionalProperties: text };
/** Edits of which only the keyword is reported. */
const UNREAD: readonly [keyword: string, Schema, Schema][] = [
  ["pattern", text, { ...text, pattern: "^a" }],
  ["format", { ...text, format: "uri" }, text],
  ["not", { ...text, not: { const: "a" } }, { ...text, not: { const: "b" } }],
  ["anyOf", { anyOf: [text, whole] }, { anyOf: [text, whole, { type: "boolean" }] }],
  ["additionalProperties", object({}), object({}, [], { additionalProperties: false })],
  ["prefixItems", { type: "array", prefixItems: [text] }, { type: "array", prefixItems: [whole] }],
  ["items", { type: "array", items: [text] }, { type: "array", items: [text, whole] }],
  ["exclusiveMinimum", { ...whole, minimum: 0 }, { ...whole, minimum: 0, exclusiveMinimum: true }],
  ["constructor", text, { ...text, constructor: 1 }],
  ["__proto__", text, JSON.parse('{ "type": "string", "__proto__": 1 }')],
  ["x-unit", { ...whole, "x-unit": "m" }, { ...whole, "x-unit": "km" }],
  ["$ref", object({ a: { $ref: "https://example.com/a" } }), object({ a: { $ref: "https://example.com/b" } })],
  [
    "allOf",
    { allOf: [{ $ref: "#/$defs/A" }, { minProperties: 1 }], $defs: { A: ANY_PROPERTY } },
    { allOf: [{ $ref: "#/$defs/A" }, { minProperties: 1 }], $defs: { A: { type: "object" } } },
  ],
];

describe("diffSchemas", () => {
  test.each(EDITS)("classifies %s", (_title, before, after, input, output) => {
    expect(kinds(before, after, "input")).toEqual(input);
    expect(kinds(before, after, "output")).toEqual(output);
  });

  test.each(UNREAD)("reports a change of %s as one to read, which may break anyone", (keyword, before, after) => {
    for (const direction of ["input", "output"] as const) {
      for (const changes of [diff(before, after, direction), diff(after, before, direction)]) {
        expect(changes).toEqual([expect.objectContaining({ kind: "changed", breaks: true })]);
        expect(changes[0]?.text).toBe(`${keyword} changed, read it`);
      }
    }
  });

  test.each<[string, Schema]>([
    ["additionalProperties", ANY_PROPERTY],
    ["patternProperties", { type: "object", patternProperties: { "^a": text } }],
    ["allOf", { type: "object", allOf: [{ properties: { a: text } }] }],
  ])("reports a new property that %s may be about as one to read", (_keyword, before) => {
    const after = { ...Object(before), properties: { a: whole } };
    expect(kinds(before, after, "input")).toEqual(["a changed!"]);
    expect(kinds(after, before, "output")).toEqual(["a changed!"]);
  });

  test("reports a required property that is listed now as one to read, if it already had another rule", () => {
    const before = { ...ANY_PROPERTY, required: ["a"] };
    for (const listed of [{}, whole]) {
      const after = { ...before, properties: { a: listed } };
      for (const direction of ["input", "output"] as const) {
        expect(kinds(before, after, direction)).toEqual(["a changed!"]);
        expect(kinds(after, before, direction)).toEqual(["a changed!"]);
      }
    }
  });

  test.each<[string, Schema, Schema]>([
    ["description, title or examples", { ...text, description: "a", title: "A" }, { ...text, examples: ["x"] }],
    ["order of values", { enum: ["a", "b", null] }, { enum: [null, "b", "a"] }],
    [
      "order of types and alternatives",
      { anyOf: [text, { type: ["null", "integer"] }] },
      { anyOf: [{ type: ["integer", "null"] }, text] },
    ],
    ["place of a definition", { $ref: "#/$defs/A", $defs: { A: object({ x: text }) } }, object({ x: text })],
    [
      "name of a definition",
      { $ref: "#/$defs/50%", $defs: { "50%": text } },
      { $ref: "#/%24defs/B", $defs: { B: text } },
    ],
    ["spelling of null", { ...text, nullable: true }, { anyOf: [{ type: "null" }, text] }],
    ["spelling of one value", { const: "a" }, { enum: ["a"], type: "string" }],
  ])("reports nothing for another %s", (_title, before, after) => {
    expect(diff(before, after, "input")).toEqual([]);
    expect(diff(after, before, "output")).toEqual([]);
  });

  test("says what was and what is", () => {
    const before = object(
      {
        kind: { enum: ["a", "b"] },
        count: { ...whole, maximum: 5, default: 1 },
        who: text,
        at: { ...text, format: "date" },
      },
      ["kind"],
    );
    const after = object(
      {
        kind: { enum: ["a", "c"] },
        count: { ...whole, maximum: 9 },
        who: { type: ["string", "null"] },
        at: whole,
        id: text,
      },
      ["who", "id"],
    );
    expect(diff(before, after, "input").map(({ path, text: words }) => `${path} ${words}`)).toEqual([
      "at was string, is now integer",
      "count its maximum was 5, is now 9",
      "count its default was 1, is now not set",
      "id is new, required",
      "kind is no longer required",
      'kind can now also be "c"',
      'kind can no longer be "b"',
      "who is now required",
      "who can now also be null",
    ]);
  });

  test("reads properties that are named like keywords or like members of every object", () => {
    const names = object({
      title: text,
      description: text,
      properties: text,
      toString: text,
      default: text,
      $ref: text,
    });
    expect(kinds(names, object({}), "input")).toHaveLength(6);
    expect(kinds(names, names, "input")).toEqual([]);
  });

  test.each(["dependencies", "dependentRequired"])("reads the property title in %s", (keyword) => {
    const needs = (...names: string[]) => ({ ...object({ title: text, body: text }), [keyword]: { title: names } });
    expect(diffSchemas(needs("body"), needs("body", "labels"), "input")).toMatchObject([
      { path: "", kind: "changed", breaks: true },
    ]);
    expect(kinds(needs("body"), needs("body"), "input")).toEqual([]);
  });

  test("ends for definitions that refer to each other twice at every level", () => {
    const bomb = (end: object) => ({
      $ref: "#/$defs/d0",
      $defs: Object.fromEntries(
        Array.from({ length: 60 }, (_, level) => {
          const next = { $ref: `#/$defs/d${level + 1}` };
          return [`d${level}`, level === 59 ? end : object({ a: next, b: next })];
        }),
      ),
    });
    expect(diff(bomb(text), bomb(whole), "input")).toHaveLength(1);
  });
});

const names = fc.constantFrom("a", "b", "title", "kind");
const { schema: anySchema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: "schema" },
    fc.constantFrom<Schema>(
      ...[
        text,
        whole,
        { type: ["string", "null"] },
        { enum: ["x", 1, null] },
        { const: "x" },
        true,
        false,
        {},
        { $ref: "#" },
      ],
      ...[{ type: "integer", enum: [1, 2, "x"] }, { type: "string", nullable: true }, { enum: [1, 1.5] }],
    ),
    fc.record({ type: fc.constant("string"), minLength: fc.nat(3), pattern: fc.constantFrom("a", "b") }),
    fc.record({ type: fc.constant("number"), minimum: fc.nat(3), exclusiveMaximum: fc.nat(9), default: fc.nat(3) }),
    fc.record({
      type: fc.constantFrom("object", ["object", "null"]),
      properties: fc.dictionary(names, tie("schema"), { maxKeys: 3 }),
      required: fc.uniqueArray(names, { maxLength: 3 }),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
    }),
    fc.record({ properties: fc.dictionary(names, tie("schema"), { maxKeys: 2 }) }),
    fc.record({ type: fc.constant("array"), items: tie("schema"), minItems: fc.nat(2) }),
    ...(["anyOf", "oneOf", "allOf"] as const).map((keyword) =>
      fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((parts) => ({ [keyword]: parts })),
    ),
    tie("schema").map((inner) => ({ anyOf: [inner, { type: "null" }] })),
    tie("schema").map((inner) => (typeof inner === "boolean" ? inner : { ...inner, nullable: true })),
  ),
}));

const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom("", "x", "a", "ab", "abc", 0, 1, 1.5, 2, 5, 9, null, true),
    fc.dictionary(names, tie("value"), { maxKeys: 3 }),
    fc.array(tie("value"), { maxLength: 2 }),
  ),
}));

/** The schema with its keys, and its arrays without order, reversed. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed).reverse();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, reversed(member)])
      .reverse(),
  );
}

/** Values of unnamed properties are nobody's: callers don't send them, readers don't read them. */
function withUnnamed(isValid: boolean, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withUnnamed(isValid, part));
  if (typeof schema !== "object" || schema === null) return schema;
  const parts = Object.entries(schema).map(([key, part]) => [key, withUnnamed(isValid, part)]);
  const isOpen = "properties" in schema && typeof (Reflect.get(schema, "additionalProperties") ?? true) === "boolean";
  return Object.fromEntries(isOpen ? [...parts, ["additionalProperties", isValid]] : parts);
}

function isValid(schema: unknown, value: unknown): boolean | undefined {
  try {
    return (
      mismatchesOfJsonSchema(Object(typeof schema === "boolean" ? { allOf: [schema] } : schema), value).length === 0
    );
  } catch {
    // A schema that is defined by itself.
    return undefined;
  }
}

/** Fewer values are valid than callers send, or more than readers know. */
function isBroken(before: Schema, after: Schema, value: unknown, direction: Direction): boolean {
  if (direction === "input")
    return isValid(withUnnamed(false, before), value) === true && isValid(after, value) === false;
  return isValid(withUnnamed(false, after), value) === true && isValid(withUnnamed(true, before), value) === false;
}

describe("diffSchemas, for any schema,", () => {
  test("reports nothing for the same schema in another order", () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        expect(diff(schema, schema, "input")).toEqual([]);
        expect(diff(schema, reversed(schema), "output")).toEqual([]);
      }),
      { numRuns: sized(60, 300) },
    );
  });

  test("reports the opposite for the opposite direction", () => {
    const opposites: Readonly<Record<string, string>> = {
      ...{ added: "removed", removed: "added", loosened: "narrowed", narrowed: "loosened" },
      ...{ replaced: "replaced", changed: "changed", noted: "noted" },
    };
    fc.assert(
      fc.property(anySchema, anySchema, (one, other) => {
        const there = diff(one, other, "input").map(({ path, kind }) => `${path} ${kind}`);
        const back = diff(other, one, "input").map(({ path, kind }) => `${path} ${opposites[kind]}`);
        expect(back.sort()).toEqual(there.sort());
      }),
      { numRuns: sized(60, 300) },
    );
  });

  test.each(["input", "output"] as const)("never misses a value that breaks a program: %s", (direction) => {
    fc.assert(
      fc.property(
        anySchema,
        anySchema,
        fc.array(anyValue, { minLength: 20, maxLength: 20 }),
        (before, after, values) => {
          const broken = values.find((value) => isBroken(before, after, value, direction));
          if (broken !== undefined) expect(diff(before, after, direction).some(({ breaks }) => breaks)).toBe(true);
        },
      ),
      { numRuns: Number(process.env["RUNS"] ?? sized(60, 500)) },
    );
  });
});
