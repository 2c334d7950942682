import { describe, expect, test } from "vitest";
import { compileSchema } from "../../../src/agents/schema/compile.js";
import { schemaTypes } from "../../../src/catalog/generate/schema-types.js";
import { diffSchemas } from "../../../src/catalog/lock/diff-schemas.js";
import { argumentValidator } from "../../../src/contract/arguments.js";
import { sampleOf } from "../../../src/emulator/catalog/sample.js";
import { structuralMismatches } from "../../../src/json-schema/check/check-structure.js";
import type { Json } from "../../../src/shared/json.js";
import { cpuMs } from "../../support/cpu-time.js";
import { stopwatch } from "../../support/size.js";

const name = (word: string, schema: object) => ({ [word]: "urn:a", ...schema });
const of = (a: unknown, rest: object = {}) => ({
  type: "object",
  properties: { a },
  required: ["a"],
  additionalProperties: false,
  ...rest,
});
const text = { type: "string" };

/** Ways to say that `a` is a string, and with null: that it may be null too. */
const WAYS: readonly [way: string, schema: Json, acceptsNull?: true][] = [
  ["itself", of(text)],
  ["a pointer", of({ $ref: "#/$defs/t" }, { $defs: { t: text } })],
  ["a pointer with escapes", of({ $ref: "#/$defs/a~1b%20c" }, { $defs: { "a/b c": text } })],
  ["an $id", of({ $ref: "urn:a" }, { $defs: { t: name("$id", text) } })],
  ["an id of draft 4", of({ $ref: "urn:a" }, { definitions: { t: name("id", text) } })],
  ["a pointer below an $id", of({ $ref: "urn:a#/$defs/t" }, { $defs: { r: name("$id", { $defs: { t: text } }) } })],
  ["an $anchor", of({ $ref: "#t" }, { $defs: { t: { $anchor: "t", ...text } } })],
  [
    "a chain of references",
    of({ $ref: "#/$defs/one" }, { $defs: { one: { $ref: "#t" }, t: { $anchor: "t", ...text } } }),
  ],
  ["a reference with a description", of({ $ref: "#/$defs/t", description: "A." }, { $defs: { t: text } })],
  ["nullable", of({ ...text, nullable: true }), true],
  ["a list of types", of({ type: ["string", "null"] }), true],
  ["a union with null", of({ anyOf: [text, { type: "null" }] }), true],
];

describe.each(WAYS)("all readers of JSON Schema read %s alike", (_, schema, acceptsNull) => {
  const plain = of(acceptsNull ? { type: ["string", "null"] } : text);

  test("the structural check", () => {
    expect(structuralMismatches(schema, { a: "x" })).toEqual([]);
    expect(structuralMismatches(schema, { a: 1 })).toMatchObject([{ path: "a" }]);
    expect(structuralMismatches(schema, { a: null })).toHaveLength(acceptsNull ? 0 : 1);
  });

  test("the validator", () => {
    const { check } = argumentValidator();
    expect(check(schema, { a: "x" })).toEqual([]);
    expect(check(schema, { a: 1 })).toMatchObject([{ path: "a" }]);
    expect(check(schema, { a: null })).toHaveLength(acceptsNull ? 0 : 1);
  });

  test("the compiler", () => {
    const typeOfA = JSON.parse(JSON.stringify(compileSchema(schema, "openai-strict").schema)).properties.a.type;
    expect(typeOfA).toEqual(acceptsNull ? ["string", "null"] : "string");
  });

  test("the types", () => {
    const types = schemaTypes(schema, "Args", true);
    const known = /type (\w+) = string( \| null)?;/.exec(types);
    const ofA = /\ba: ([^;]+);/.exec(types)?.[1];
    expect(known && ofA === known[1] ? "string" : ofA).toBe(acceptsNull ? "string | null" : "string");
  });

  test("the lock", () => {
    expect(diffSchemas(schema, plain, "input").filter(({ breaks }) => breaks)).toEqual([]);
  });

  test("the emulator's samples", () => {
    for (let seed = 0; seed < 5; seed += 1) {
      const { a } = Object(sampleOf(schema, { seed }));
      expect(typeof a === "string" || (acceptsNull && a === null)).toBe(true);
    }
  });
});

/** Schemas that accept one value of `a` and reject another, whoever reads them. */
test.each<[string, Json, unknown, unknown]>([
  ["const", of({ const: "x" }), "x", "y"],
  ["prefixItems", of({ type: "array", prefixItems: [text], items: { type: "number" } }), ["x", 1], [1, 1]],
  ["a tuple of draft 7", of({ type: "array", items: [text], additionalItems: { type: "number" } }), ["x", 1], [1, 1]],
  ["keywords beside $ref", of({ $ref: "#/$defs/t", enum: ["x"] }, { $defs: { t: text } }), "x", "y"],
  ["oneOf beside anyOf", of({ anyOf: [text, { type: "number" }], oneOf: [{ type: "number" }] }), 1, "x"],
  ["a forbidden property", of({ type: "object", properties: { b: false } }), {}, { b: 1 }],
  [
    "a value below 64 levels",
    of({ $ref: "#/$defs/l" }, { $defs: { l: { anyOf: [text, { type: "array", items: { $ref: "#/$defs/l" } }] } } }),
    nested("x", 80),
    nested(1, 80),
  ],
])("the checks and the compiler agree about %s", (_, schema, right, wrong) => {
  const { check } = argumentValidator();
  for (const compare of [structuralMismatches, check]) {
    expect(compare(schema, { a: right })).toEqual([]);
    expect(compare(schema, { a: wrong })).not.toEqual([]);
  }
  const compiled = compileSchema(schema, "json-schema").schema;
  expect(check(compiled, { a: right })).toEqual([]);
  expect(check(compiled, { a: wrong })).not.toEqual([]);
});

function nested(inner: unknown, levels: number): unknown {
  return levels === 0 ? inner : [nested(inner, levels - 1)];
}

describe("a check is done at once, whatever the model writes", () => {
  const many = (count: number, word: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${word.repeat(40)}${index}`, true]));
  const doubled = {
    ...{ $ref: "#/$defs/d0" },
    $defs: Object.fromEntries(
      Array.from({ length: 23 }, (_, level) => {
        const next = { $ref: `#/$defs/d${level + 1}` };
        return [`d${level}`, level === 22 ? text : { allOf: [next, next] }];
      }),
    ),
  };

  test("for thousands of misspelled names, of which a handful get a suggestion", () => {
    const schema = { type: "object", properties: many(1_000, "a"), additionalProperties: false };
    for (const compare of [structuralMismatches, argumentValidator().check]) {
      const watch = stopwatch(cpuMs);
      const found = compare(schema, many(2_000, "A"));
      watch.expectBelow(1_000);
      expect(found).toHaveLength(2_000);
      const suggested = found.filter(({ expected }) => expected.includes("did you mean"));
      expect(suggested).toHaveLength(5);
    }
  });

  test("for a number where definitions double at every level", () => {
    const watch = stopwatch(cpuMs);
    expect(structuralMismatches(doubled, 1)).toHaveLength(1);
    watch.expectBelow(500);
  });

  test("for a value that is nested more deeply than anything can be compared", () => {
    const schema = { items: { $ref: "#" } };
    expect(() => structuralMismatches(schema, nested(1, 5_000))).toThrow("nested too deeply");
  });
});
