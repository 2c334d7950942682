import { describe, expect, test } from "vitest";
import { compileSchema } from "../../../src/agents/schema/compile.js";
import type { Target } from "../../../src/agents/schema/compiled-tool.js";
import { BLOCKS, blocks } from "../support.js";
import { bothWays } from "./encode.js";

/** What becomes of one argument. */
function compiled(target: Target, argument: unknown, { isRequired = true, definitions = {} } = {}): unknown {
  const schema = {
    type: "object",
    properties: { a: argument },
    ...(isRequired && { required: ["a"] }),
    $defs: definitions,
  };
  return Reflect.get(Object(compileSchema(schema, target).schema["properties"]), "a");
}

describe("each step", () => {
  test("1: drafts become 2020-12", () => {
    expect(compiled("json-schema", { type: "integer", minimum: 0, exclusiveMinimum: true })).toEqual({
      type: "integer",
      exclusiveMinimum: 0,
    });
    expect(compiled("json-schema", { type: "array", items: [{ type: "string" }], additionalItems: false })).toEqual({
      type: "array",
      prefixItems: [{ type: "string" }],
      items: false,
    });
    expect(compiled("openai-strict", { type: "string", nullable: true })).toEqual({ type: ["string", "null"] });
    expect(compiled("anthropic", true)).toEqual({});
  });

  test("2: references are written out, with what is next to them", () => {
    const definitions = { Label: { type: "string", description: "A label." } };
    expect(compiled("portable", { $ref: "#/$defs/Label" }, { definitions })).toEqual({
      type: "string",
      description: "A label.",
    });
    expect(compiled("openai", { $ref: "#/$defs/Label", description: "The first one." }, { definitions })).toEqual({
      type: "string",
      description: "The first one.",
    });
  });

  test("2: recursive references stay if the target accepts them, and are cut otherwise", () => {
    const definitions = {
      Tree: {
        type: "object",
        properties: { children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
        required: ["children"],
        additionalProperties: false,
      },
    };
    const schema = {
      type: "object",
      properties: { tree: { $ref: "#/$defs/Tree" } },
      required: ["tree"],
      $defs: definitions,
    };
    expect(compileSchema(schema, "openai-strict")).toMatchObject({ strict: true, fidelity: "exact" });
    const cut = compileSchema(schema, "portable");
    expect(cut.schema).not.toHaveProperty("$defs");
    expect(cut.notes).toEqual([
      {
        path: "tree.children[].children[].children[]",
        kind: "untyped",
        message: "It recurs. 3 levels of it are written out. Anything is accepted there.",
      },
    ]);
  });

  test("3: allOf becomes one object, with the tighter bounds", () => {
    const allOf = [
      { type: "object", properties: { n: { type: "number", minimum: 1 } }, required: ["n"] },
      { properties: { n: { type: "integer", minimum: 0, maximum: 9 } } },
    ];
    expect(compiled("portable", { allOf })).toEqual({
      type: "object",
      properties: { n: { type: "integer", minimum: 1, maximum: 9 } },
      required: ["n"],
    });
  });

  test("4: types are inferred, and arrays have items", () => {
    expect(compiled("portable", { properties: { n: { type: "number" } } })).toEqual({
      type: "object",
      properties: { n: { type: "number" } },
    });
    expect(compiled("openai", { type: "array" })).toEqual({ type: "array", items: {} });
  });

  test("5: alternatives at the root become one object", () => {
    const schema = {
      anyOf: [
        {
          type: "object",
          properties: { kind: { const: "file" }, path: { type: "string" } },
          required: ["kind", "path"],
        },
        { type: "object", properties: { kind: { const: "url" }, url: { type: "string" } }, required: ["kind"] },
      ],
    };
    expect(compileSchema(schema, "portable").schema).toEqual({
      type: "object",
      properties: {
        kind: { type: "string", enum: ["file", "url"] },
        path: { type: "string" },
        url: { type: "string" },
      },
      required: ["kind"],
      description: '(anyOf: one of {kind: "file", path} or {kind: "url", url?})',
    });
  });

  test("6: unions are anyOf", () => {
    expect(compiled("portable", { oneOf: [{ type: "string" }, { type: "integer" }] })).toEqual({
      anyOf: [{ type: "string" }, { type: "integer" }],
    });
    expect(compiled("portable", { type: ["string", "null"] })).toEqual({
      anyOf: [{ type: "string" }, { type: "null" }],
    });
  });

  test("7: maps become lists for strict targets", () => {
    const map = { type: "object", additionalProperties: { type: "string" } };
    const { schema, encode, decode } = bothWays(
      { type: "object", properties: { a: map }, required: ["a"] },
      "anthropic-strict",
    );
    expect(Reflect.get(Object(schema["properties"]), "a")).toEqual({
      type: "array",
      items: {
        type: "object",
        properties: { key: { type: "string" }, value: { type: "string" } },
        required: ["key", "value"],
        additionalProperties: false,
      },
    });
    const written = { a: [{ key: "x", value: "1" }] };
    expect(encode({ a: { x: "1" } })).toEqual(written);
    expect(decode(written)).toEqual({ a: { x: "1" } });
    expect(decode({ a: [...written.a, ...written.a] })).toEqual({ a: [...written.a, ...written.a] });
  });

  test("7: any value becomes JSON whose objects are lists of entries, for OpenAI", () => {
    const { strict, schema, encode, decode } = bothWays(
      { type: "object", properties: { a: {}, b: { type: "array" } }, required: ["a", "b"] },
      "openai-strict",
    );
    const anything = { $ref: "#/$defs/shared1" };
    expect(strict).toBe(true);
    expect(schema["properties"]).toEqual({ a: anything, b: { type: "array", items: anything } });
    const value = { a: { x: [1, { y: null }] }, b: ["z"] };
    expect(encode(value)).toEqual({
      a: { entries: [{ key: "x", value: [1, { entries: [{ key: "y", value: null }] }] }] },
      b: ["z"],
    });
    expect(decode(encode(value))).toEqual(value);
  });

  test("8: tuples become objects if the target has no prefixItems", () => {
    const tuple = { type: "array", prefixItems: [{ type: "number" }, { type: "number" }], items: false, minItems: 2 };
    const { schema, encode, decode } = bothWays(
      { type: "object", properties: { a: tuple }, required: ["a"] },
      "openai-strict",
    );
    expect(Reflect.get(Object(schema["properties"]), "a")).toEqual({
      type: "object",
      properties: { "0": { type: "number" }, "1": { type: "number" } },
      required: ["0", "1"],
      additionalProperties: false,
    });
    expect(encode({ a: [1, 2] })).toEqual({ a: { "0": 1, "1": 2 } });
    expect(decode({ a: { "0": 1, "1": 2 } })).toEqual({ a: [1, 2] });
    for (const other of [{ "-1": 1 }, { "0": 1, "2": 2 }, { "00": 1 }])
      expect(decode({ a: other })).toEqual({ a: other });
  });

  test("9: optional properties may be null for OpenAI, and null is absent again", () => {
    const schema = { type: "object", properties: { a: { type: "string", enum: ["x"] } } };
    const { schema: strict, encode, decode } = bothWays(schema, "openai-strict");
    expect(strict).toEqual({
      type: "object",
      properties: { a: { type: ["string", "null"], enum: ["x", null] } },
      required: ["a"],
      additionalProperties: false,
    });
    expect(encode({})).toEqual({ a: null });
    expect(decode({ a: null })).toEqual({});
  });

  test("10: constraints that the target can't check move into the description", () => {
    const { schema, notes, fidelity } = compileSchema(
      { type: "object", properties: { a: { type: "string", description: "A page.", minLength: 2, default: "x" } } },
      "portable",
    );
    expect(schema["properties"]).toEqual({ a: { type: "string", description: "A page. (minLength: 2; default: x)" } });
    expect(notes).toEqual([
      { path: "a", kind: "described", message: "minLength: the target can't check it, so it is in the description." },
      { path: "a", kind: "annotated", message: "default: it is in the description." },
    ]);
    expect(fidelity).toBe("widened");
  });
});

describe("null", () => {
  test("is absent for every target if the property is optional and not nullable", () => {
    const { decode } = compileSchema({ type: "object", properties: { a: { type: "string" } } }, "anthropic");
    expect(decode({ a: null })).toEqual({});
  });

  test("stays if the property is required or nullable", () => {
    const { decode } = compileSchema(
      { type: "object", properties: { a: { type: "string" }, b: { type: ["string", "null"] } }, required: ["a"] },
      "anthropic",
    );
    expect(decode({ a: null, b: null })).toEqual({ a: null, b: null });
  });

  test("and absence are told apart by an object around the value, if a property may be both", () => {
    const { strict, fidelity, schema, encode, decode } = bothWays(
      { type: "object", properties: { a: { type: ["string", "null"], description: "A name." } } },
      "openai-strict",
    );
    expect([strict, fidelity]).toEqual([true, "exact"]);
    expect(schema["properties"]).toEqual({
      a: {
        type: ["object", "null"],
        properties: { value: { type: ["string", "null"] } },
        required: ["value"],
        additionalProperties: false,
        description: "(null leaves it out; {value: null} is null) A name.",
      },
    });
    for (const value of [{}, { a: null }, { a: "x" }]) expect(decode(encode(value))).toEqual(value);
    expect([encode({}), encode({ a: null })]).toEqual([{ a: null }, { a: { value: null } }]);
  });

  test("and absence at once make a tool not strict below variants that overlap", () => {
    const branch = (kind: string) => ({
      type: "object",
      properties: { kind: { const: kind }, note: { type: ["string", "null"] } },
      required: ["kind"],
    });
    const { strict, notes } = compileSchema(
      { type: "object", properties: { a: { anyOf: [branch("one"), branch("two")] } }, required: ["a"] },
      "openai-strict",
    );
    expect(strict).toBe(false);
    expect(notes.at(-1)).toEqual({
      path: "a.note",
      kind: "not-strict",
      message: "It may be absent and may be null, below variants that overlap.",
    });
  });

  test("is judged by the branch that the rest of the object belongs to", () => {
    const branch = (kind: string, note: unknown) => ({
      type: "object",
      properties: { kind: { const: kind }, note },
      required: ["kind"],
    });
    const union = { anyOf: [branch("one", { type: "string" }), branch("two", { type: ["string", "null"] })] };
    const { decode } = compileSchema({ type: "object", properties: { a: union } }, "anthropic");
    expect(decode({ a: { kind: "one", note: null } })).toEqual({ a: { kind: "one" } });
    expect(decode({ a: { kind: "two", note: null } })).toEqual({ a: { kind: "two", note: null } });
  });
});

const TARGETS = ["openai-strict", "openai", "anthropic-strict", "gemini", "json-schema", "portable"] as const;

describe("hostile input", () => {
  test("is compiled without an error", () => {
    let deep: unknown = { type: "string" };
    for (let level = 0; level < 3_000; level++) deep = { type: "object", properties: { a: deep } };
    const definitions = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `D${index}`,
        { type: "object", properties: { a: { $ref: `#/$defs/D${index + 1}` }, b: { $ref: `#/$defs/D${index + 1}` } } },
      ]),
    );
    const hostile = [
      undefined,
      null,
      1,
      "x",
      [],
      { $ref: "#" },
      { allOf: [{ $ref: "#" }] },
      { anyOf: [{ $ref: "#" }] },
      { type: "any" },
      { properties: { a: null } },
      { required: "a" },
      deep,
      { type: "object", properties: { a: { $ref: "#/$defs/D0" } }, $defs: definitions },
    ];
    for (const schema of hostile) {
      for (const target of TARGETS) {
        expect(JSON.stringify(compileSchema(schema, target).schema).length).toBeLessThan(2_000_000);
      }
    }
  });

  test.each(TARGETS)(
    "nested through a recursive union is restored in a time that doesn't double with each level: %s",
    (target) => {
      const { decode, encode } = bothWays(BLOCKS, target);
      expect(decode(blocks(40))).toEqual(blocks(40));
      expect(decode(encode(blocks(40)))).toEqual(blocks(40));
    },
  );

  test("leaves wrongly shaped values to the argument check", () => {
    const { decode } = compileSchema(
      { type: "object", properties: { a: { type: "object", additionalProperties: { type: "string" } } } },
      "openai-strict",
    );
    for (const written of [undefined, null, "x", [], { a: "x" }, { a: [1] }, { a: [{ key: 1, value: 2 }] }])
      expect(decode(written)).toEqual(written);
  });

  test("keeps properties named like those of every object", () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["__proto__"]}',
    );
    const { decode } = compileSchema(schema, "openai-strict");
    expect(JSON.stringify(decode(JSON.parse('{"__proto__":"a","constructor":null}')))).toBe('{"__proto__":"a"}');
  });
});
