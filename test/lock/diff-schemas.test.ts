import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffSchemas } from "../../src/lock/diff-schemas.js";
import { canonicalSchema } from "../../src/lock/json-schema.js";

type Schema = Record<string, unknown> | boolean;
const text = { type: "string" };
const whole = { type: "integer" };
const object = (properties: Record<string, unknown>, required: string[] = [], more = {}) => ({
  type: "object",
  properties,
  required,
  ...more,
});

/** `path kind`, with `!` where callers (input) or readers (output) break. */
function told(before: unknown, after: unknown, direction: "input" | "output"): string[] {
  return diffSchemas(before, after, direction).map(({ path, kind, breaks }) =>
    `${path} ${kind}${breaks ? "!" : ""}`.trim(),
  );
}

/** An edit, and what callers and readers are told about it. */
const EDITS: readonly [string, Schema, Schema, input: string[], output: string[]][] = [
  ["a new optional property", object({}), object({ a: text }), ["a added"], ["a added"]],
  ["a new required property", object({}), object({ a: text }, ["a"]), ["a added!"], ["a added"]],
  ["a property that has gone", object({ a: text }), object({}), ["a removed!"], ["a removed!"]],
  ["a property that became required", object({ a: text }), object({ a: text }, ["a"]), ["a narrowed!"], ["a narrowed"]],
  ["a property that became optional", object({ a: text }, ["a"]), object({ a: text }), ["a loosened"], ["a loosened!"]],
  ["another type", object({ a: text }), object({ a: whole }), ["a replaced!"], ["a replaced!"]],
  [
    "a further type",
    object({ a: text }),
    object({ a: { type: ["string", "integer"] } }),
    ["a loosened"],
    ["a loosened!"],
  ],
  ["a type less", { type: ["string", "integer"] }, text, ["narrowed!"], ["narrowed"]],
  ["any number instead of a whole one", whole, { type: "number" }, ["loosened"], ["loosened!"]],
  ["a whole number instead of any", { type: "number" }, whole, ["narrowed!"], ["narrowed"]],
  ["null by a type", object({ a: text }), object({ a: { type: ["string", "null"] } }), ["a loosened"], ["a loosened!"]],
  ["null by nullable", text, { ...text, nullable: true }, ["loosened"], ["loosened!"]],
  ["null no more", { anyOf: [text, { type: "null" }] }, text, ["narrowed!"], ["narrowed"]],
  ["a further value", { enum: ["a"] }, { enum: ["a", "b"] }, ["loosened"], ["loosened!"]],
  ["a value less", { enum: ["a", "b"] }, { enum: ["b"] }, ["narrowed!"], ["narrowed"]],
  ["a list of values where there was none", text, { ...text, enum: ["a"] }, ["narrowed!"], ["narrowed"]],
  ["no list of values any more", { ...text, enum: ["a"] }, text, ["loosened"], ["loosened!"]],
  ["another const", { const: "a" }, { const: "b" }, ["replaced!"], ["replaced!"]],
  ["a const that became a list with it", { const: "a" }, { enum: ["a", "b"] }, ["loosened"], ["loosened!"]],
  ["a higher minimum", { ...whole, minimum: 1 }, { ...whole, minimum: 2 }, ["narrowed!"], ["narrowed"]],
  [
    "a minimum that is excluded now",
    { ...whole, minimum: 1 },
    { ...whole, exclusiveMinimum: 1 },
    ["narrowed!"],
    ["narrowed"],
  ],
  ["a higher maximum", { ...whole, maximum: 9 }, { ...whole, maximum: 10 }, ["loosened"], ["loosened!"]],
  ["a length bound", text, { ...text, maxLength: 80 }, ["narrowed!"], ["narrowed"]],
  ["no least count any more", { type: "array", minItems: 1 }, { type: "array" }, ["loosened"], ["loosened!"]],
  ["a pattern", text, { ...text, pattern: "^a" }, ["narrowed!"], ["narrowed"]],
  ["another pattern", { ...text, pattern: "^a" }, { ...text, pattern: "^b" }, ["replaced!"], ["replaced!"]],
  ["no format any more", { ...text, format: "uri" }, text, ["loosened"], ["loosened!"]],
  [
    "unnamed properties refused",
    object({}),
    object({}, [], { additionalProperties: false }),
    ["narrowed!"],
    ["narrowed"],
  ],
  [
    "unnamed properties accepted",
    object({}, [], { additionalProperties: false }),
    object({}),
    ["loosened"],
    ["loosened"],
  ],
  [
    "unnamed properties of another type",
    object({}, [], { additionalProperties: text }),
    object({}, [], { additionalProperties: whole }),
    ["* replaced!"],
    ["* replaced!"],
  ],
  ["items of one type", { type: "array" }, { type: "array", items: text }, ["[] narrowed!"], ["[] narrowed"]],
  [
    "a property of items",
    object({ a: { type: "array", items: object({ b: text }) } }),
    object({ a: { type: "array", items: object({ b: text, c: text }, ["c"]) } }),
    ["a[].c added!"],
    ["a[].c added"],
  ],
  [
    "a place of a tuple",
    { type: "array", prefixItems: [text, whole] },
    { type: "array", prefixItems: [text, text] },
    ["[1] replaced!"],
    ["[1] replaced!"],
  ],
  [
    "a place more in a closed tuple",
    { type: "array", items: [text], additionalItems: false },
    { type: "array", items: [text, whole], additionalItems: false },
    ["[1] loosened"],
    ["[1] loosened!"],
  ],
  [
    "a further alternative",
    { anyOf: [text, whole] },
    { anyOf: [whole, text, { type: "boolean" }] },
    ["loosened"],
    ["loosened!"],
  ],
  [
    "an alternative told by its mark",
    { oneOf: [object({ kind: { const: "a" } }, ["kind"]), object({ kind: { const: "b" }, x: text }, ["kind"])] },
    { oneOf: [object({ kind: { const: "b" } }, ["kind"]), object({ kind: { const: "c" } }, ["kind"])] },
    ["loosened", "narrowed!", '<kind="b">.x removed!'],
    ["loosened!", "narrowed", '<kind="b">.x removed!'],
  ],
  ["a condition by allOf", text, { allOf: [text, { maxLength: 5 }] }, ["narrowed!"], ["narrowed"]],
  ["a condition that cannot be weighed", text, { ...text, not: { const: "a" } }, ["narrowed!"], ["narrowed"]],
  [
    "a definition",
    object({ a: { $ref: "#/$defs/A" }, b: { $ref: "#/$defs/A" } }, [], { $defs: { A: object({ x: text }) } }),
    object({ a: { $ref: "#/$defs/A" }, b: { $ref: "#/$defs/A" } }, [], { $defs: { A: object({ x: whole }) } }),
    ["a.x replaced!", "b.x replaced!"],
    ["a.x replaced!", "b.x replaced!"],
  ],
  [
    "a recursive definition",
    { $ref: "#/$defs/Node", $defs: { Node: object({ next: { $ref: "#/$defs/Node" } }) } },
    { $ref: "#/$defs/Node", $defs: { Node: object({ next: { $ref: "#/$defs/Node" }, id: text }, ["id"]) } },
    ["id added!"],
    ["id added"],
  ],
  ["a default", { ...whole, default: 10 }, { ...whole, default: 20 }, ["noted"], ["noted"]],
  ["a deprecation", object({ a: text }), object({ a: { ...text, deprecated: true } }), ["a noted"], ["a noted"]],
  ["nothing accepted any more", object({ a: text }), object({ a: false }), ["a narrowed!"], ["a narrowed"]],
  ["anything accepted", object({ a: text }), object({ a: {} }), ["a loosened"], ["a loosened!"]],
  ["an odd property name", object({ "a.b": text }), object({}), ['["a.b"] removed!'], ['["a.b"] removed!']],
];

describe("an edit of a schema is told with what it means to callers and to readers", () => {
  test.each(EDITS)("%s", (_title, before, after, input, output) => {
    expect(told(before, after, "input")).toEqual(input);
    expect(told(before, after, "output")).toEqual(output);
  });

  test.each<[string, Schema, Schema]>([
    ["another description, title or example", { ...text, description: "a", title: "A" }, { ...text, examples: ["x"] }],
    ["another order of values", { enum: ["a", "b", null] }, { enum: [null, "b", "a"] }],
    [
      "another order of types and alternatives",
      { anyOf: [text, { type: ["null", "integer"] }] },
      { type: ["integer", "null", "string"] },
    ],
    ...["#/$defs/50%", "#/%24defs/50%25"].map((reference): [string, Schema, Schema] => [
      `a definition written out that ${reference} led to`,
      { $ref: reference, $defs: { "50%": object({ x: text }) } },
      object({ x: text }),
    ]),
    ["a definition written out", { $ref: "#/$defs/A", $defs: { A: object({ x: text }) } }, object({ x: text })],
    [
      "alternatives of single values",
      { oneOf: [{ const: "a" }, { const: "b" }] },
      { type: "string", enum: ["b", "a"] },
    ],
    [
      "allOf written out",
      { allOf: [object({ a: text }), object({ b: text }, ["b"])] },
      object({ a: text, b: text }, ["b"]),
    ],
    [
      "the old and the new way to exclude a bound",
      { ...whole, minimum: 0, exclusiveMinimum: true },
      { ...whole, exclusiveMinimum: 0 },
    ],
    [
      "the old and the new way to write a tuple",
      { type: "array", items: [text] },
      { type: "array", prefixItems: [text] },
    ],
    ["a bound that bounds nothing", text, { ...text, minLength: 0 }],
    ["nullable by each of its spellings", { ...text, nullable: true }, { oneOf: [{ type: "null" }, text] }],
    ["a definition that is only itself", { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/A" } } }, false],
  ])("%s is no change", (_title, before, after) => {
    expect(diffSchemas(before, after, "input")).toEqual([]);
    expect(diffSchemas(after, before, "output")).toEqual([]);
  });

  test("the words say what was and what is", () => {
    const before = object({ kind: { enum: ["a", "b"] }, count: { ...whole, maximum: 5, default: 1 }, who: text }, [
      "kind",
    ]);
    const after = object(
      { kind: { enum: ["a", "c"] }, count: { ...whole, maximum: 9, default: 2 }, who: { type: ["string", "null"] } },
      ["who"],
    );
    expect(diffSchemas(before, after, "input").map(({ path, text: words }) => `${path} ${words}`)).toEqual([
      "kind may be absent now",
      'kind may also be "c" now',
      'kind may no longer be "b"',
      "count its maximum was 5, is 9 now",
      "count its default was 1, is 2 now",
      "who is required now",
      "who may also be null now",
    ]);
  });

  test("a property may be called like a keyword or like what every object has", () => {
    const names = object({ title: text, description: text, properties: text, toString: text, default: text });
    expect(told(names, object({}), "input")).toHaveLength(5);
    expect(told(names, names, "input")).toEqual([]);
  });

  test("alternatives that multiply are compared as a whole", () => {
    const choices = (more: string) => ({
      allOf: ["a", "b", "c", "d", "e"].map((name) => ({
        anyOf: [0, 1, 2, 3].map((index) => object({ [name]: { const: `${index}${more}` } })),
      })),
    });
    expect(told(choices(""), choices(""), "input")).toEqual([]);
    expect(told(choices(""), choices("x"), "input")).toEqual(["replaced!"]);
  });
});

const names = fc.constantFrom("a", "b", "title", "kind");
const { schema: anySchema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: "schema" },
    fc.constantFrom<Schema>(
      text,
      whole,
      { type: ["string", "null"] },
      { enum: ["x", 1, null] },
      true,
      {},
      { $ref: "#" },
    ),
    fc.record({ type: fc.constant("string"), minLength: fc.nat(3), pattern: fc.constantFrom("a", "b") }),
    fc.record({ type: fc.constant("number"), minimum: fc.nat(3), exclusiveMaximum: fc.nat(9), default: fc.nat(3) }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(names, tie("schema"), { maxKeys: 3 }),
      required: fc.uniqueArray(names, { maxLength: 3 }),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
    }),
    fc.record({ type: fc.constant("array"), items: tie("schema"), minItems: fc.nat(2) }),
    ...(["anyOf", "oneOf", "allOf"] as const).map((keyword) =>
      fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((parts) => ({ [keyword]: parts })),
    ),
  ),
}));

/** The same schema with its keys, and its lists whose order means nothing, the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned).reverse();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, turned(member)])
      .reverse(),
  );
}

describe("for any schema", () => {
  test("it does not differ from itself, nor from itself in another order", () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        expect(diffSchemas(schema, structuredClone(schema), "input")).toEqual([]);
        expect(diffSchemas(schema, turned(schema), "output")).toEqual([]);
        expect(canonicalSchema(turned(schema))).toBe(canonicalSchema(schema));
      }),
      { numRuns: 300 },
    );
  });

  test("what is added one way is removed the other way, and what is loosened is narrowed", () => {
    const opposite = {
      added: "removed",
      removed: "added",
      loosened: "narrowed",
      narrowed: "loosened",
      replaced: "replaced",
      noted: "noted",
    };
    fc.assert(
      fc.property(anySchema, anySchema, (one, other) => {
        const there = diffSchemas(one, other, "input").map(({ path, kind }) => `${path} ${kind}`);
        const back = diffSchemas(other, one, "input").map(({ path, kind }) => `${path} ${opposite[kind]}`);
        expect(back.sort()).toEqual(there.sort());
      }),
      { numRuns: 300 },
    );
  });
});
