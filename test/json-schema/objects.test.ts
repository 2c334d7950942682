import { describe, expect, test } from "vitest";
import { argumentValidator } from "../../src/contract/arguments.js";

const { check } = argumentValidator();

/** Each mismatch as `path: expected`. */
const complaints = (schema: object, value: unknown) =>
  check(schema, value).map(({ path, expected }) => `${path}: ${expected}`);

const text = { type: "string" };
const number = { type: "number" };

describe("the fields of an object", () => {
  test.each<[string, object, unknown, string[]]>([
    ["as many as minProperties", { minProperties: 2 }, { a: 1, b: 1 }, []],
    ["fewer than minProperties", { minProperties: 2 }, { a: 1 }, [": at least 2 fields"]],
    ["as many as maxProperties", { maxProperties: 1 }, { a: 1 }, []],
    ["more than maxProperties", { maxProperties: 1 }, { a: 1, b: 1 }, [": at most 1 fields"]],
    ["none at all", { maxProperties: 0 }, {}, []],
    ["names that fit", { propertyNames: { maxLength: 1 } }, { a: 1, b: 1 }, []],
    ["one name that doesn't fit", { propertyNames: { maxLength: 1 } }, { a: 1, bb: 1 }, [": another value"]],
    ["no names", { propertyNames: false }, {}, []],
    ["a required one that is inherited", { required: ["toString"] }, {}, ["toString: a value"]],
    [
      "a required one whose type is a list",
      { required: ["a"], properties: { a: { type: ["string", "null"] } } },
      {},
      ["a: a string or null"],
    ],
    ["required as a flag, as older drafts write it", { required: true }, {}, []],
    ["required numbers, which name nothing", { required: [1] }, {}, []],
    ["those that a pattern names", { patternProperties: { "^x": number } }, { x1: "a", y: "a" }, ["x1: a number"]],
    [
      "those that a pattern names, and no others",
      { patternProperties: { "^x": {} }, additionalProperties: false },
      { x1: 1, y: 1 },
      ["y: no such field"],
    ],
    [
      "one with two schemas",
      { properties: { x: number }, patternProperties: { x: { maximum: 1 } } },
      { x: 2 },
      ["x: at most 1"],
    ],
    ["an inherited one", { properties: { toString: number } }, {}, []],
    [
      "further ones with a schema",
      { properties: { a: text }, additionalProperties: number },
      { a: "x", b: "x", c: 1 },
      ["b: a number"],
    ],
  ])("%s", (_, schema, value, expected) => {
    expect(complaints(schema, value)).toEqual(expected);
  });

  test.each(["dependentRequired", "dependencies"])("bring the names in %s", (keyword) => {
    const schema = { [keyword]: { a: ["b"] }, properties: { b: text } };
    expect(complaints(schema, { a: 1 })).toEqual(["b: a string"]);
    expect(complaints(schema, { a: 1, b: "x" })).toEqual([]);
    expect(complaints(schema, {})).toEqual([]);
    expect(complaints({ [keyword]: { toString: ["b"] } }, {})).toEqual([]);
  });

  test.each(["dependentSchemas", "dependencies"])("bring the schema in %s", (keyword) => {
    const schema = { [keyword]: { a: { properties: { b: text } } } };
    expect(complaints(schema, { a: 1, b: 1 })).toEqual(["b: a string"]);
    expect(complaints(schema, { b: 1 })).toEqual([]);
  });
});

describe("unevaluatedProperties", () => {
  const closed = { properties: { a: {} }, unevaluatedProperties: false };
  test.each<[string, object, object, string[]]>([
    ["rejects a field that no schema has", closed, { a: 1, b: 1 }, ["b: no such field"]],
    ["accepts the fields of a combined schema", { ...closed, allOf: [{ properties: { b: {} } }] }, { a: 1, b: 1 }, []],
    [
      "accepts what a combined schema declares open",
      { ...closed, allOf: [{ additionalProperties: true }] },
      { b: 1 },
      [],
    ],
    ["accepts what a combined schema has left", { allOf: [{ unevaluatedProperties: {} }], ...closed }, { b: 1 }, []],
    [
      "has a schema for the other fields",
      { ...closed, unevaluatedProperties: number },
      { a: "x", b: "x" },
      ["b: a number"],
    ],
    ["accepts the fields of a pattern", { ...closed, patternProperties: { "^x": {} } }, { x1: 1 }, []],
    [
      "accepts further fields that have a schema",
      { additionalProperties: number, unevaluatedProperties: false },
      { b: 1 },
      [],
    ],
  ])("%s", (_, schema, value, expected) => {
    expect(complaints(schema, value)).toEqual(expected);
  });
});

describe("the items of an array", () => {
  const tuple = { items: [text, number] };
  test.each<[string, object, unknown[], string[]]>([
    ["as many as minItems", { minItems: 2 }, [1, 2], []],
    ["fewer than minItems", { minItems: 2 }, [1], [": at least 2 items"]],
    ["as many as maxItems", { maxItems: 1 }, [1], []],
    ["more than maxItems", { maxItems: 1 }, [1, 2], [": at most 1 item"]],
    ["a tuple, as older drafts write it", tuple, [1, "x"], ["[0]: a string", "[1]: a number"]],
    ["more than a tuple has", tuple, ["x", 1, true], []],
    ["further ones of an old tuple", { ...tuple, additionalItems: text }, ["x", 1, 1], ["[2]: a string"]],
    [
      "further ones that an old tuple forbids",
      { ...tuple, additionalItems: false },
      ["x", 1, 1],
      ["[2]: no such field"],
    ],
    ["additionalItems without a tuple", { items: text, additionalItems: false }, ["x"], []],
    ["further ones of a tuple", { prefixItems: [text], items: number }, ["x", 1, "x"], ["[2]: a number"]],
    ["one that contains fits", { contains: number }, ["x", 1], []],
    ["none that contains fits", { contains: number }, ["x"], [": another value"]],
    ["none, if contains needs none", { contains: number, minContains: 0 }, ["x"], []],
    ["as many as minContains", { contains: number, minContains: 2 }, [1, 2], []],
    ["fewer than minContains", { contains: number, minContains: 2 }, [1, "x"], [": another value"]],
    ["as many as maxContains", { contains: number, maxContains: 1 }, [1, "x"], []],
    ["more than maxContains", { contains: number, maxContains: 1 }, [1, 2], [": another value"]],
    ["repeated ones that are allowed", { uniqueItems: false }, [1, 1], []],
    ["different ones", { uniqueItems: true }, [1, "1", [1], { a: 1 }], []],
  ])("%s", (_, schema, value, expected) => {
    expect(complaints(schema, value)).toEqual(expected);
  });

  test.each<[string, object, unknown[], string[]]>([
    ["rejects an item that no schema has", { prefixItems: [{}] }, [1, 2], ["[1]: no such field"]],
    ["accepts the items of a combined schema", { allOf: [{ prefixItems: [{}, {}] }] }, [1, 2], []],
    ["accepts the items that contains fits", { contains: number }, [1, 2], []],
    ["rejects the items that contains doesn't fit", { contains: number }, [1, "x"], ["[1]: no such field"]],
    ["accepts what a combined schema has left", { allOf: [{ unevaluatedItems: true }] }, [1], []],
  ])("unevaluatedItems %s", (_, schema, value, expected) => {
    expect(complaints({ ...schema, unevaluatedItems: false }, value)).toEqual(expected);
  });
});

test("a variant that misses a field is closer than one of another kind", () => {
  const schema = { anyOf: [{ required: ["a"] }, { minProperties: 1 }, { type: "string" }] };
  expect(complaints(schema, {})).toEqual(["a: a value"]);
});

test.each<[string, object, unknown]>([
  ["fields that it may name", { patternProperties: { "^(a)\\1$": {} }, additionalProperties: false }, { aa: 1 }],
  ["items that it may fit", { contains: { pattern: "^(a)\\1$" }, maxContains: 1 }, ["aa", "aa"]],
])("a pattern that can't be matched rejects no %s", (_, schema, value) => {
  expect(() => check(schema, value)).toThrow("The pattern ^(a)\\1$ is not checked");
});
