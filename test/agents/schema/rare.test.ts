import { describe, expect, test } from "vitest";
import { compileSchema } from "../../../src/agents/schema/compile.js";
import { child } from "../../../src/shared/json.js";
import { cpuMs } from "../../support/cpu-time.js";
import { stopwatch } from "../../support/size.js";
import { bothWays } from "./encode.js";
import { keepsTheRules } from "./promises.js";
import { checker } from "./reference.js";

// Found by the long run of properties.test.ts.
describe("a compiled schema", () => {
  test.each([undefined, null, true, "a string"])(
    "takes any object instead of %j, which isn't a schema of one",
    (schema) => {
      const { schema: compiled, strict } = compileSchema(schema, "openai");
      expect({ compiled, strict }).toEqual({ compiled: { type: "object", properties: {} }, strict: false });
    },
  );

  test.each(["^(a+)+$", "^(a|a)*$", "a*a*a*a*a*a*a*a*!", `${"a?".repeat(40)}${"a".repeat(40)}!`])(
    "is there at once, whatever pattern its schema has for names: %s",
    (pattern) => {
      const properties = { [`${"a".repeat(40)}?`]: { type: "string" }, ["a".repeat(5_000)]: { type: "string" } };
      const schema = { type: "object", properties, patternProperties: { [pattern]: { type: "string" } } };
      const watch = stopwatch(cpuMs);
      const compiled = compileSchema(schema, "openai");
      watch.expectBelow(1_000);
      expect(compiled.schema["patternProperties"]).toEqual({ [pattern]: { type: "string" } });
    },
  );

  const unreadable = ["\\p{L}", "(?<n>a)", "\\u{1F600}", "^[\\w-.]+$", "^[a-\\d]+$", "[^]", "(?<=a+)b", "\\cJ"];

  test.each(unreadable)("describes the pattern %s to strict targets", (pattern) => {
    const schema = { type: "object", properties: { a: { type: "string", pattern } }, required: ["a"] };
    for (const target of ["openai-strict", "anthropic-strict"] as const) {
      const { schema: compiled, strict } = compileSchema(schema, target);
      expect(strict).toBe(true);
      expect(child(compiled["properties"], "a")).toMatchObject({ description: expect.stringContaining("pattern: ") });
      expect(child(compiled["properties"], "a")).not.toHaveProperty("pattern");
    }
  });

  test.each<[string, object]>([
    ["dependentSchemas", { dependentSchemas: { owner: { properties: { extra: { type: "boolean" } } } } }],
    ["then", JSON.parse('{"if":{"required":["owner"]},"then":{"properties":{"extra":{"type":"boolean"}}}}')],
  ])("has a property that only %s declares beside patterns, as an optional one", (_, condition) => {
    const properties = { owner: {} };
    const known = { type: "object", properties, patternProperties: { "^x-": { type: "boolean" } }, ...condition };
    for (const target of ["gemini", "portable"] as const) {
      const { schema } = compileSchema(known, target);
      expect(schema["properties"]).toMatchObject({ extra: { type: "boolean" } });
      expect(schema).not.toHaveProperty("required");
    }
  });

  test.each(unreadable)("describes the pattern %s to OpenAI, which can't compile it in any tool", (pattern) => {
    const text = { type: "string", pattern };
    const schema = {
      type: "object",
      properties: {
        a: text,
        b: { type: "object", patternProperties: { [pattern]: { type: "number" } }, additionalProperties: false },
        c: { not: text },
        d: { oneOf: [{ type: "string", minLength: 2 }, text] },
      },
    };
    const { schema: compiled, notes } = compileSchema(schema, "openai");
    const words = `(pattern: ${pattern})`;
    expect(compiled["properties"]).toEqual({
      a: { type: "string", description: words },
      b: {
        type: "object",
        additionalProperties: true,
        description: `(patternProperties: ${JSON.stringify({ [pattern]: { type: "number" } })})`,
      },
      c: {},
      d: {
        allOf: [
          {
            anyOf: [
              { type: "string", minLength: 2 },
              { type: "string", description: words },
            ],
          },
        ],
      },
    });
    expect(notes.map(({ path, kind, message }) => [path, kind, message.split(":")[0]])).toEqual(
      expect.arrayContaining([
        ["a", "described", "pattern"],
        ["b", "described", "patternProperties"],
        ["c", "described", "not"],
        ["d", "described", "oneOf"],
      ]),
    );
  });

  test.each([
    "^\\d{4}-\\d\\d$",
    "^[\\w.-]+$",
    "(?=a)b",
    "(?!a)b",
    "\\bword\\b",
    "(a)\\1",
    "\\\\p",
    "\\u00e9",
    "[^\\]]",
  ])("keeps the pattern %s for OpenAI", (pattern) => {
    const schema = { type: "object", properties: { a: { type: "string", pattern } } };
    expect(compileSchema(schema, "openai").schema["properties"]).toEqual({ a: { type: "string", pattern } });
  });

  test.each(["\\p{L}", "(?<n>a)", "(?P<y>a)", "\\u{1F600}", "^[\\w-.]+$"])(
    "describes the pattern %s to strict targets, which reject it",
    (pattern) => {
      const schema = { type: "object", properties: { a: { type: "string", pattern } }, required: ["a"] };
      for (const target of ["openai-strict", "anthropic-strict"] as const) {
        const { properties } = compileSchema(schema, target).schema;
        expect(properties).toEqual({ a: { type: "string", description: `(pattern: ${pattern})` } });
      }
    },
  );

  test("has the properties that only conditions declare, as optional ones", () => {
    const schema = {
      type: "object",
      properties: { kind: { enum: ["a", "b", "c"] }, card: { type: "string" } },
      if: { properties: { kind: { const: "a" } } },
      // biome-ignore lint/suspicious/noThenProperty: it is the keyword
      then: { properties: { x: { type: "string", description: "X." } }, required: ["x"] },
      else: { if: { properties: { kind: { const: "b" } } }, else: { $ref: "#/$defs/c" } },
      dependentSchemas: { card: { properties: { cvc: { type: "string" } } } },
      $defs: { c: { properties: { x: { type: "number" }, z: { type: "boolean" } } } },
    };
    expect(compileSchema(schema, "portable").schema).toMatchObject({
      properties: {
        x: { anyOf: [{ type: "string", description: "X." }, { type: "number" }] },
        z: { type: "boolean" },
        cvc: { type: "string" },
      },
    });
    expect(
      compileSchema({ ...schema, additionalProperties: false }, "portable").schema["properties"],
    ).not.toHaveProperty("x");
  });

  test.each(["openai", "gemini", "json-schema", "portable"] as const)(
    "says that a reference leads only to itself: %s",
    (target) => {
      const schema = {
        type: "object",
        properties: { a: { $ref: "#/$defs/one" } },
        $defs: { one: { $ref: "#/$defs/two" }, two: { $ref: "#/$defs/one" } },
      };
      const { schema: compiled, fidelity, notes } = compileSchema(schema, target);
      expect(compiled).toEqual({ type: "object", properties: { a: {} } });
      expect(fidelity).toBe("widened");
      expect(notes).toMatchObject([{ path: "a", kind: "untyped" }]);
    },
  );

  test.each(["openai", "json-schema"] as const)("has no endless part among those it copies: %s", (target) => {
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/a" } },
      $defs: { a: { anyOf: [{ type: "string" }, { $ref: "#/$defs/a" }] } },
    };
    const { schema: compiled, notes } = compileSchema(schema, target);
    expect(compiled).toEqual({ type: "object", properties: { a: { anyOf: [{ type: "string" }, {}] } } });
    expect(notes).toMatchObject([{ path: "a", kind: "untyped" }]);
  });

  test("keeps the properties of a map if another alternative at the root takes anything", () => {
    const schema = {
      anyOf: [
        { type: "object" },
        { type: "object", additionalProperties: { type: "object", properties: { a: { type: "boolean" } } } },
      ],
    };
    expect(JSON.stringify(compileSchema(schema, "anthropic").schema)).toContain('"a":{"type":"boolean"}');
  });

  test("takes the other properties of the only alternative that has some", () => {
    const closed = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };
    const open = { type: "object", properties: { b: { type: "string" } }, additionalProperties: { type: "number" } };
    const { schema } = compileSchema({ anyOf: [closed, open] }, "anthropic");
    expect(schema["additionalProperties"]).toEqual({ type: "number" });
  });

  test("has no shared parts that need each other, for a provider that accepts cycles only below optional properties", () => {
    const value = (ref: string) => ({ $ref: `#/$defs/${ref}` });
    const schema = {
      type: "object",
      properties: { a: value("Map") },
      $defs: {
        Map: { type: "object", additionalProperties: { type: "array", items: value("Node") } },
        Node: {
          type: "object",
          properties: { self: value("Node") },
          additionalProperties: {
            anyOf: [value("Map"), { type: "object", required: ["a"], additionalProperties: value("Map") }],
          },
        },
      },
    };
    expect(keepsTheRules(schema, "gemini", 0)).toBeUndefined();
  });

  test("restores an array that ends early if another alternative accepts nothing", () => {
    const list = { type: "array", items: [{ type: "integer" }] };
    const schema = { type: "object", properties: { a: { anyOf: [false, list] } } };
    const { encode, decode } = bothWays(schema, "openai-strict");
    expect(encode({ a: [] })).toEqual({ a: { "0": null } });
    expect(decode({ a: { "0": null } })).toEqual({ a: [] });
  });

  test("reports that objects aren't shown if none can exist, even if the alternative also accepts null", () => {
    const impossible = { type: ["object", "null"], required: ["a"], properties: { a: false, b: { type: "string" } } };
    const schema = { type: "object", properties: { a: { anyOf: [impossible, { type: "object" }] } } };
    expect(compileSchema(schema, "portable").notes).toContainEqual({
      path: "a",
      kind: "annotated",
      message: "An alternative accepts no value, so it isn't shown.",
    });
  });

  test("reports an alternative without values next to one that takes anything", () => {
    const impossible = { type: "object", required: [""], properties: { b: {} }, additionalProperties: false };
    const schema = { type: "object", properties: { a: { anyOf: [impossible, {}] } } };
    expect(compileSchema(schema, "gemini").notes).toContainEqual({
      path: "a",
      kind: "annotated",
      message: "An alternative accepts no value, so it isn't shown.",
    });
  });

  test("isn't strict if other alternatives accept the properties of one without values", () => {
    const impossible = { type: "object", required: ["b"], additionalProperties: false };
    const a = { type: "object", required: ["0"], anyOf: [impossible, { type: "object" }] };
    const { strict, encode, schema } = bothWays({ type: "object", properties: { a } }, "openai-strict");
    expect(strict).toBe(false);
    const value = { a: { "0": 1, b: true } };
    expect(encode(value)).toEqual(value);
    expect(Reflect.get(Object(schema["properties"]), "a")).not.toHaveProperty("additionalProperties");
  });

  test("restores an array that ends early if null is accepted instead of it", () => {
    const list = { type: "array", items: [{ type: "integer" }] };
    const schema = { type: "object", properties: { a: { anyOf: [list, { type: "null" }] } }, required: ["a"] };
    const { encode, decode } = bothWays(schema, "openai-strict");
    expect(encode({ a: [] })).toEqual({ a: { "0": null } });
    expect(decode({ a: { "0": null } })).toEqual({ a: [] });
    expect(decode({ a: null })).toEqual({ a: null });
  });

  test("accepts properties that only a pattern allows, if the pattern can't be written because of an alias", () => {
    const free = { required: ["x y"], additionalProperties: {}, patternProperties: { "^k": { type: "integer" } } };
    const a = { type: "object", unevaluatedProperties: false, anyOf: [free] };
    const { schema, encode } = bothWays({ type: "object", properties: { a } }, "anthropic");
    expect(checker(schema)(encode({ a: { "x y": 1, l: 1 } }))).toEqual([]);
  });

  test("has no rules for names next to an alternative whose names are replaced", () => {
    const a = { type: "object", propertyNames: { maxLength: 3 }, anyOf: [{ required: ["a b c"] }] };
    const { schema, notes } = compileSchema({ type: "object", properties: { a } }, "anthropic");
    expect(JSON.stringify(schema)).not.toContain("propertyNames");
    expect(notes).toContainEqual({
      path: "a",
      kind: "described",
      message: "propertyNames: the target can't check it, because names are replaced.",
    });
  });

  test("describes the other properties of all alternatives at the root", () => {
    const map = { type: "object", additionalProperties: { type: "object", properties: { kind: {} } } };
    const { schema } = compileSchema({ oneOf: [{}, map] }, "portable");
    expect(JSON.stringify(schema)).toContain('"properties":{"kind":{}}');
  });

  test("describes rules for names, even if names are replaced", () => {
    const schema = { type: "object", properties: { "x y": {} }, propertyNames: { maxLength: 3 } };
    expect(compileSchema(schema, "gemini").schema["description"]).toBe('(propertyNames: {"maxLength":3})');
  });
});

describe("a recursive schema", () => {
  const levels = (schema: unknown, name: string): number =>
    child(child(schema, "properties"), name) === undefined
      ? 0
      : 1 + levels(child(child(schema, "properties"), name), name);

  test("that is too large in three levels has fewer, in each branch", () => {
    const plain = Array.from({ length: 20 }, (_, index) => [`q${index}`, { type: "string" }]);
    const again = Array.from({ length: 6 }, (_, index) => [`p${index}`, { $ref: "#" }]);
    const schema = { type: "object", properties: Object.fromEntries([...plain, ...again]) };
    const compiled = compileSchema(schema, "portable");
    expect(["p0", "p5"].map((name) => levels(compiled.schema, name))).toEqual([3, 3]);
    expect(compiled.notes[0]?.message).toBe("It recurs. 2 levels of it are written out. Anything is accepted there.");
    // A target that takes references needs no levels.
    expect(JSON.stringify(compileSchema(schema, "openai").schema)).toContain('"$ref"');
  });

  test("whose parts need each other has no reference for Gemini", () => {
    const part = (name: string) => ({
      type: "object",
      properties: { [name]: { $ref: `#/$defs/${name}` } },
      required: [name],
    });
    const { schema, notes } = compileSchema({ ...part("a"), $defs: { a: part("b"), b: part("a") } }, "gemini");
    expect(JSON.stringify(schema)).not.toContain("$ref");
    expect(notes).toEqual([
      {
        path: "a.b.a.b.a.b.a",
        kind: "untyped",
        message: "It recurs. 3 levels of it are written out. Anything is accepted there.",
      },
    ]);
  });
});

test("a note says that an alternative of the root accepts no value, where the root has no alternatives", () => {
  const schema = { anyOf: [{ type: "object", properties: { a: { type: "string" } } }, false] };
  const note = { path: "", kind: "annotated", message: "An alternative accepts no value, so it isn't shown." };
  expect(compileSchema(schema, "openai").notes).toEqual([note]);
});

test("a note says that an alternative of other properties accepts no value, though any value is accepted", () => {
  const impossible = { type: "object", required: ["a"], properties: { b: {} }, additionalProperties: false };
  const { schema, notes } = compileSchema(
    { type: "object", additionalProperties: { anyOf: [{}, impossible] } },
    "portable",
  );
  expect(schema).toEqual({ type: "object", properties: {}, additionalProperties: {} });
  expect(notes).toMatchObject([{ kind: "annotated", message: "An alternative accepts no value, so it isn't shown." }]);
});
