import fc from "fast-check";
import type { Json } from "../../../src/shared/json.js";

const NAMES = [
  "a",
  "b",
  "c",
  "kind",
  "x y",
  "a.b",
  "",
  "ä",
  "0",
  "1x",
  "__proto__",
  "constructor",
  "toString",
  "n".repeat(70),
  "type",
  "$ref",
];
const VALUES = ["a", "ab", "open", "OPEN", "", "1", 1, 2, 0.5, true, false, null];
const PATTERNS = ["^a", "^[a-z]+$", "(?=a)a", "\\bab", "^(a)\\1"];
const FORMATS = ["date", "date-time", "email", "uri", "int32"];

const name = fc.constantFrom(...NAMES);
const count = fc.nat({ max: 3 });
const number = fc.constantFrom(0, 1, 2, 5, 0.5, -1);
const pointer = fc.constantFrom(
  "#/$defs/A",
  "#/$defs/B",
  "#/definitions/C",
  "#/$defs/missing",
  "https://example.com/x.json",
);

/** At most these keywords, each present or not. */
const some = (keywords: Record<string, fc.Arbitrary<unknown>>) => fc.record(keywords, { requiredKeys: [] });

const annotations = some({
  title: fc.constantFrom("A", "Title"),
  description: fc.constantFrom("Some words.", ""),
  default: fc.constantFrom(null, "a", 1, {}),
  nullable: fc.constant(true),
  deprecated: fc.boolean(),
  "x-own": fc.constant(1),
});

const SCALARS: readonly fc.Arbitrary<Json>[] = [
  fc.record(
    {
      type: fc.constant("string"),
      minLength: count,
      maxLength: count,
      pattern: fc.constantFrom(...PATTERNS),
      format: fc.constantFrom(...FORMATS),
    },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    { type: fc.constantFrom("number", "integer"), minimum: number, maximum: number, multipleOf: fc.constantFrom(1, 2) },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    {
      type: fc.constant("integer"),
      minimum: number,
      exclusiveMinimum: fc.boolean(),
      maximum: number,
      exclusiveMaximum: fc.boolean(),
    },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    { type: fc.constant("number"), exclusiveMinimum: number, exclusiveMaximum: number },
    { requiredKeys: ["type"] },
  ),
  fc.record({ type: fc.constantFrom("boolean", "null", "string") }),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 4 }) }),
  fc.record({ const: fc.constantFrom(...VALUES) }),
  fc.record({
    type: fc.uniqueArray(fc.constantFrom("string", "null", "integer", "boolean", "number"), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({
    type: fc.constantFrom("string", "integer"),
    enum: fc.uniqueArray(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 4 }),
  }),
];

const REQUIREMENTS = fc.array(fc.record({ required: fc.array(name, { minLength: 1, maxLength: 2 }) }), {
  minLength: 1,
  maxLength: 2,
});

/** A schema for any place. References are only below properties and items: `allOf: [{ $ref: "#" }]` means nothing. */
const { schema, object } = fc.letrec<{
  schema: unknown;
  object: Json;
  array: Json;
  union: Json;
  branch: unknown;
  below: unknown;
}>((tie) => ({
  below: fc.oneof(
    { depthSize: "small" },
    tie("schema"),
    fc.record({ $ref: pointer, description: fc.constant("Referred.") }, { requiredKeys: ["$ref"] }),
    fc.record({ $ref: pointer }),
  ),
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(...SCALARS),
    fc.tuple(fc.oneof(...SCALARS), annotations).map(([own, words]) => ({ ...words, ...own })),
    fc.constantFrom<unknown>({}, true, false),
    tie("object"),
    tie("array"),
    tie("union"),
    fc.record({ allOf: fc.array(tie("branch"), { minLength: 1, maxLength: 3 }) }),
    // Without a type, the second is read as an object like the first.
    fc.tuple(tie("object"), tie("object")).map(([own, other]) => ({ allOf: [own, without(other, "type")] })),
  ),
  branch: fc.oneof({ depthSize: "small" }, tie("schema"), tie("object")),
  object: fc
    .record(
      {
        type: fc.constantFrom<unknown>("object", "object", ["object", "null"]),
        properties: fc.dictionary(name, tie("below"), { maxKeys: 3, noNullPrototype: true }),
        required: fc.array(name, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.constant(false), fc.constant(false), tie("below")),
        minProperties: count,
        maxProperties: fc.constantFrom(1, 2, 5),
        patternProperties: fc.record({ "^k": tie("schema") }),
        propertyNames: fc.constantFrom({ type: "string" }, { minLength: 1 }, { pattern: "^[a-z]" }),
        dependentRequired: fc.constant({ a: ["b"] }),
        dependencies: fc.constant({ b: ["a"], c: { required: ["a"] } }),
        not: fc.constantFrom<unknown>({ required: ["c"] }, { properties: { a: { const: "a" } }, required: ["a"] }),
        if: fc.constant({ properties: { a: { const: "a" } } }),
        // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
        then: fc.constant({ required: ["b"] }),
        anyOf: REQUIREMENTS,
        unevaluatedProperties: fc.constant(false),
        description: fc.constant("An object."),
      },
      { requiredKeys: ["type"] },
    )
    .chain((full) => thinned(full, ["type", "properties", "required", "additionalProperties"])),
  array: fc
    .record(
      {
        type: fc.constant("array"),
        items: fc.oneof(tie("below"), tie("below"), fc.array(tie("schema"), { minLength: 1, maxLength: 2 })),
        prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        additionalItems: fc.oneof(fc.constant(false), tie("schema")),
        minItems: count,
        maxItems: fc.constantFrom(1, 2, 5),
        uniqueItems: fc.boolean(),
        contains: tie("schema"),
      },
      { requiredKeys: ["type"] },
    )
    .chain((full) => thinned(full, ["type", "items"]))
    .map((array) =>
      Array.isArray(array["items"]) ? without(array, "prefixItems") : without(array, "additionalItems"),
    ),
  union: fc
    .tuple(
      fc.constantFrom("anyOf", "oneOf"),
      fc.array(tie("branch"), { minLength: 1, maxLength: 3 }),
      fc.oneof(fc.constant({}), annotations, tie("object")),
    )
    .map(([keyword, branches, base]) => ({ ...(base as Json), [keyword]: branches })),
}));

/** Most schemas say little: rare keywords are kept one time in six. */
function thinned(full: Json, common: readonly string[]): fc.Arbitrary<Json> {
  const rare = Object.keys(full).filter((keyword) => !common.includes(keyword));
  return fc
    .array(fc.nat({ max: 5 }), { minLength: rare.length, maxLength: rare.length })
    .map((dice) =>
      Object.fromEntries(
        Object.entries(full).filter(([keyword]) => common.includes(keyword) || dice[rare.indexOf(keyword)] === 5),
      ),
    );
}

function without(schema: Json, keyword: string): Json {
  return Object.fromEntries(Object.entries(schema).filter(([own]) => own !== keyword));
}

const definitions = fc.record({ $defs: fc.record({ A: schema, B: object }), definitions: fc.record({ C: object }) });

/** Schemas of tools, of all drafts and kinds. */
export const toolSchema: fc.Arbitrary<unknown> = fc.oneof(
  { withCrossShrink: true, maxDepth: 5 },
  { weight: 8, arbitrary: fc.tuple(object, definitions).map(([own, defs]) => ({ ...own, ...defs })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(schema, definitions)
      .map(([own, defs]) => (typeof own === "object" ? { ...own, ...defs } : own)),
  },
);
