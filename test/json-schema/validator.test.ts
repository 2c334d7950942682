import { describe, expect, test } from "vitest";
import { argumentValidator } from "../../src/contract/arguments.js";

const { check } = argumentValidator();

/** Each mismatch as `path: expected; received`. */
function complaints(schema: unknown, value: unknown): string[] {
  return check(schema, value).map(({ path, expected, received }) => `${path}: ${expected}; ${received}`);
}

const object = (properties: object, more = {}) => ({ type: "object", properties, ...more });
const user = object({ kind: { const: "user" }, name: { type: "string" } }, { required: ["kind", "name"] });
const team = object({ kind: { const: "team" }, size: { type: "integer" } }, { required: ["kind", "size"] });
const tree = {
  $ref: "#/$defs/Node",
  $defs: { Node: object({ value: { type: "integer" }, children: { type: "array", items: { $ref: "#/$defs/Node" } } }) },
};

const LONG = { a: "99999999999999999999" };

describe("argumentValidator().check returns path, expectation and received kind for", () => {
  test.each<[string, unknown, unknown, string[]]>([
    ["a type", object({ a: { type: "string" } }), { a: 5 }, ["a: a string; number"]],
    ["one of several types", object({ a: { type: ["string", "null"] } }), { a: [] }, ["a: a string or null; array"]],
    ["a whole number", object({ a: { type: "integer" } }), { a: 1.5 }, ["a: an integer; number"]],
    ["a missing field", object({ a: { type: "string" } }, { required: ["a"] }), {}, ["a: a string; missing"]],
    ["a missing field of any kind", object({}, { required: ['odd "name"'] }), {}, ['odd "name": a value; missing']],
    ["a value of a list", object({ a: { enum: ["x", 1] } }), { a: "y" }, ['a: "x" or 1; another string']],
    [
      "bounds",
      object({ a: { minimum: 1 }, b: { exclusiveMaximum: 9 } }),
      { a: 0, b: 9 },
      ["a: at least 1; less", "b: less than 9; more"],
    ],
    [
      "bounds of integers that are strings of their digits",
      object({ a: { type: "integer", maximum: 7 }, b: { type: ["number", "null"], exclusiveMinimum: 0 } }),
      { a: "99999999999999999999", b: "-99999999999999999999" },
      ["a: at most 7; more", "b: more than 0; less"],
    ],
    ["a string of digits, which has no bounds", object({ a: { type: ["string", "integer"], maximum: 7 } }), LONG, []],
    ["an integer of many digits within its bounds", object({ a: { type: "integer", minimum: 7 } }), LONG, []],
    [
      "lengths",
      object({ a: { minLength: 1 }, b: { maxItems: 1 } }),
      { a: "", b: [1, 2] },
      ["a: at least 1 character; fewer", "b: at most 1 item; more"],
    ],
    ["a pattern", object({ a: { pattern: "^x$" } }), { a: "yy" }, ["a: a string that matches ^x$; string"]],
    ["a format", object({ a: { type: "string", format: "email" } }), { a: "no" }, ["a: a valid email; another string"]],
    [
      "a leap day",
      { items: { format: "date" } },
      ["2000-02-29", "2024-02-29", "1900-02-29"],
      ["[2]: a valid date; another string"],
    ],
    [
      "multiples and repetition",
      object({ a: { multipleOf: 5 }, b: { uniqueItems: true } }),
      { a: 7, b: [1, 1] },
      ["a: a multiple of 5; number", "b: no item twice; array"],
    ],
    [
      "a place inside",
      object({ a: { type: "array", items: object({ "b.c": { type: "string" } }) } }),
      { a: [{}, { "b.c": 1 }] },
      ["a[1].b.c: a string; number"],
    ],
    [
      "a place of a tuple",
      { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] },
      ["x", "y"],
      ["[1]: an integer; string"],
    ],
    [
      "an unknown field, with the one that was meant",
      object({ user_id: {} }, { additionalProperties: false }),
      { userId: 1 },
      ["userId: no such field (did you mean user_id?); number"],
    ],
    ["the kinds of all variants", { anyOf: [{ type: "string" }, { type: "null" }] }, 5, [": a string or null; number"]],
    [
      "the variant that came closest",
      { oneOf: [user, team] },
      { kind: "team", size: "x" },
      ["size: an integer; string"],
    ],
    [
      "several matching variants",
      { oneOf: [{ type: "number" }, { minimum: 1 }] },
      5,
      [": exactly one of the variants, not several; number"],
    ],
    ["what must not be", { not: { type: "string" } }, "x", [": another value; string"]],
    ["every condition", { allOf: [{ type: "string" }, { minLength: 3 }] }, "x", [": at least 3 characters; fewer"]],
    [
      "a place in a recursive schema",
      tree,
      { children: [{ children: [{ value: "x" }] }] },
      ["children[0].children[0].value: an integer; string"],
    ],
    ...["#/$defs/50%", "#/$defs/50%25", "#/%24defs/50%"].map((reference): [string, unknown, unknown, string[]] => [
      `a place behind the reference ${reference}`,
      object({ a: { $ref: reference } }, { $defs: { "50%": { type: "string" } } }),
      { a: 5 },
      ["a: a string; number"],
    ]),
    [
      "a place behind a reference with invalid UTF-8",
      object({ a: { $ref: "#/$defs/%ff~1%2C" } }, { $defs: { "%ff/,": { minimum: 9 } } }),
      { a: 5 },
      ["a: at least 9; less"],
    ],
    [
      "fields that half a surrogate pair names",
      object({ "\ud800": { type: "string" } }, { required: ["\ud800"], additionalProperties: false }),
      { "\ud800": 5, "x\udc00": 5 },
      ["\ufffd: a string; number", "x\ufffd: no such field; number"],
    ],
    ["a field called $ref", object({ $ref: { type: "string" } }), { $ref: 5 }, ["$ref: a string; number"]],
    ["the value itself", object({}), "x", [": an object; string"]],
    ["a field that another one asks for", { dependentRequired: { a: ["b"] } }, { a: 1 }, ["b: a value; missing"]],
  ])("%s", (_title, schema, value, expected) => {
    expect(complaints(schema, value)).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ["values", { enum: Array.from({ length: 20_000 }, (_, index) => `value ${index}`) }],
    ["variants", { anyOf: Array.from({ length: 500 }, (_, index) => ({ const: `value ${index}` })) }],
    ["characters", { type: "string", pattern: `^${"x".repeat(5_000)}$` }],
  ])("a schema of thousands of %s, in a few hundred characters", (_title, schema) => {
    const [mismatch] = check(object({ a: schema }), { a: "y" });
    expect(mismatch).toMatchObject({ path: "a", expected: expect.stringMatching(/^("value 0"|a string).*…$/) });
    expect(mismatch?.expected.length).toBeLessThan(400);
  });

  test("no value itself", () => {
    const schema = object({
      a: { minimum: 5, maximum: 1, multipleOf: 7, exclusiveMinimum: 99 },
      b: { const: 1, format: "uuid" },
    });
    const said = JSON.stringify(check(schema, { a: 4.2042, b: "s3cret" }));
    expect(said).toContain("at least 5");
    expect(said).not.toMatch(/4\.2042|s3cret/);
  });
});

describe("argumentValidator().check accepts", () => {
  test.each<[string, unknown, unknown]>([
    ["nullable", object({ a: { type: "string", nullable: true } }), { a: null }],
    [
      "a bound that a flag makes exclusive",
      object({ a: { type: "number", minimum: 0, exclusiveMinimum: true } }),
      { a: 0.5 },
    ],
    ["an empty string instead of a file", object({ a: { type: "object", file_uploadable: true } }), { a: "" }],
    ["the same $id in two places", object({ a: { $id: "x", type: "string" }, b: { $id: "x" } }), { a: "x", b: 1 }],
    [
      "a property named like a keyword",
      object({ type: { type: "string" }, enum: {}, $ref: {} }),
      { type: "x", enum: 1, $ref: 2 },
    ],
    [
      "what JSON omits or writes as a string",
      object({ a: { type: "string" }, b: { type: "string" } }),
      { a: new Date(0), b: undefined },
    ],
    ["a frozen schema", Object.freeze(object(Object.freeze({ a: Object.freeze({ type: "string" }) }))), { a: "x" }],
  ])("%s", (_title, schema, value) => {
    expect(complaints(schema, value)).toEqual([]);
  });

  test("only values beyond a bound that a flag makes exclusive", () => {
    expect(complaints({ type: "number", minimum: 0, exclusiveMinimum: true }, 0)).toEqual([": more than 0; less"]);
  });

  test.each<[string, unknown]>([
    ["an unknown type", { type: "nonsense" }],
    ["a reference without a target", { $ref: "#/$defs/None" }],
    ["a string", "x"],
  ])("no schema that is or has %s: it throws", (_title, schema) => {
    expect(() => check(schema, {})).toThrow(Error);
  });
});
