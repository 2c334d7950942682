import { readFileSync } from "node:fs";
import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampleOf } from "../../../src/emulator/from-catalog.js";
import { isObject, type Json } from "../../../src/shared/json.js";
import { checker, referenceSchema } from "../../agents/schema/reference.js";
import { toolSchema } from "../../agents/schema/schemas.js";
import { cpuMs } from "../../support/cpu-time.js";
import { sized, stopwatch } from "../../support/size.js";

/** What test/programs/mcp-servers/dump.mjs wrote. */
const servers = JSON.parse(readFileSync("test/agents/schema/real-tools.json", "utf8")) as readonly {
  readonly name: string;
  readonly tools: readonly { readonly name: string; readonly inputSchema: Json; readonly outputSchema?: Json }[];
}[];

/** A sample, or why there is none. */
function attempt(schema: Json, seed: number): { readonly value?: unknown; readonly problem?: string } {
  try {
    return { value: sampleOf(schema, { seed }) };
  } catch (error) {
    return { problem: String(error) };
  }
}

/** Whether a validator that knows nothing of the generator accepts a value. */
function isValid(schema: Json, value: unknown): boolean {
  const draft = String(schema["$schema"]).includes("draft-07") ? "7" : "2020-12";
  return new Validator(schema, draft, false).validate(value).valid;
}

test.each([
  ["inputSchema", 450],
  ["outputSchema", 65],
] as const)("every %s of the tools of public MCP servers gets valid samples", (kind, least) => {
  const schemas = servers.flatMap(({ name: server, tools }) =>
    tools.flatMap(({ name, [kind]: schema }) => (schema ? [{ tool: `${server} ${name}`, schema }] : [])),
  );
  const seeds = Array.from({ length: sized(1, 100) }, (_, index) => index + 1);
  const failed = schemas.flatMap(({ tool, schema }) =>
    seeds
      .map((seed) => attempt(schema, seed))
      .filter(({ value, problem }) => problem !== undefined || !isValid(schema, value))
      .map(({ value, problem }) => `${tool}: ${problem ?? JSON.stringify(value)}`),
  );
  expect(schemas.length).toBeGreaterThan(least);
  expect(failed).toEqual([]);
});

const count = fc.nat({ max: 4 });
const FORMATS = "date time date-time duration email hostname ipv4 ipv6 uri uri-reference uuid json-pointer regex".split(
  " ",
);
const PATTERNS = [
  "^[A-Z]{2,5}-\\d+$",
  "^(?:\\+\\d{1,3} )?\\d{3,12}$",
  "^[\\w.+-]+@[\\w-]+\\.[\\w.]+$",
  "^#(?:[0-9a-fA-F]{3}){1,2}$",
  "\\d",
  "^(?!-)[a-z0-9-]{1,63}$",
  "^\\p{L}+$",
  "^[^\\s/]+/[^\\s/]+$",
];
const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.tuple(count, count).map(([least, more]) => ({ type: "string", minLength: least, maxLength: least + more })),
  fc.constantFrom(...FORMATS).map((format) => ({ type: "string", format })),
  fc.constantFrom(...PATTERNS).map((pattern) => ({ type: "string", pattern })),
  fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 2, max: 500 })).map(([at, width]) => ({
    type: "integer",
    exclusiveMinimum: at,
    maximum: at + width,
  })),
  fc.tuple(fc.integer({ min: 1, max: 30 }), fc.nat({ max: 50 })).map(([step, at]) => ({
    type: "number",
    multipleOf: step / 2,
    minimum: at,
  })),
  fc.tuple(fc.integer({ min: -5, max: 5 }), fc.constantFrom(0.25, 0.5, 1)).map(([at, width]) => ({
    type: "number",
    exclusiveMinimum: at,
    exclusiveMaximum: at + width,
  })),
  fc.constantFrom<Json>({ type: "boolean" }, { type: "null" }, { type: ["string", "null"] }, {}),
  fc.uniqueArray(fc.oneof(fc.string(), fc.integer()), { minLength: 1 }).map((values) => ({ enum: values })),
  fc.jsonValue({ maxDepth: 2 }).map((value) => ({ const: value })),
);
const below = fc.constantFrom<Json>({ $ref: "#/$defs/Tree" }, { $ref: "#/$defs/Linked" }, { $ref: "#/$defs/Name" });
const name = fc.constantFrom("id", "email", "created_at", "a", "b c", "__proto__", "toString", "häuser");
/** Schemas that some value matches, by construction. */
const { satisfiable } = fc.letrec<{ satisfiable: Json; list: Json; object: Json }>((tie) => ({
  satisfiable: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    below,
    tie("list"),
    tie("object"),
    fc.array(tie("satisfiable"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    // Exactly one of them matches, because each has its own tag.
    fc.array(tie("object"), { minLength: 1, maxLength: 3 }).map((objects) => ({
      oneOf: objects.map((object, index) => ({ allOf: [{ ...object, additionalProperties: true }, tagged(index)] })),
    })),
  ),
  list: fc
    .tuple(tie("satisfiable"), count, count, fc.boolean())
    .map(([items, least, more, isUnique]) =>
      isUnique
        ? { type: "array", items: { type: "integer" }, minItems: least, maxItems: least + more, uniqueItems: true }
        : { type: "array", prefixItems: [items], items, minItems: least, maxItems: least + more },
    ),
  object: fc
    .tuple(fc.dictionary(name, tie("satisfiable"), { maxKeys: 4, noNullPrototype: true }), fc.boolean(), fc.boolean())
    .map(([properties, isRequired, isClosed]) => ({
      type: "object",
      properties,
      ...(isRequired && { required: Object.keys(properties) }),
      ...(isClosed ? { additionalProperties: false } : { minProperties: 2 }),
    })),
}));
const tagged = (index: number) => ({ properties: { tag: { const: index } }, required: ["tag"] });
const DEFINITIONS = {
  Tree: {
    type: "object",
    properties: { name: { $ref: "#/$defs/Name" }, children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
    required: ["name", "children"],
    additionalProperties: false,
  },
  Linked: {
    anyOf: [{ type: "null" }, { type: "object", properties: { next: { $ref: "#/$defs/Linked" } }, required: ["next"] }],
  },
  Name: { type: "string", minLength: 1, maxLength: 20 },
};

describe("a sample", () => {
  test("exists for every generated schema that has a value, and a validator accepts it", () => {
    fc.assert(
      fc.property(satisfiable, fc.nat(), (schema, seed) => {
        const whole = { ...schema, $defs: DEFINITIONS };
        const { value, problem } = attempt(whole, seed);
        expect(problem).toBeUndefined();
        expect(isValid(whole, value)).toBe(true);
      }),
      { numRuns: sized(25, 10_000) },
    );
  });

  test("of a schema of any draft, contradictory ones included, is valid or doesn't exist", () => {
    const made = { valid: 0, none: 0 };
    fc.assert(
      fc.property(toolSchema, fc.nat(), (schema, seed) => {
        if (!isObject(schema)) return;
        const { value, problem } = attempt(schema, seed);
        made[problem === undefined ? "valid" : "none"] += 1;
        // The reference doesn't know that a whole schema can be nullable.
        if (problem === undefined && value !== null) expect(checker(referenceSchema(schema))(value)).toEqual([]);
      }),
      { numRuns: sized(10, 3_000), seed: 7 },
    );
    expect(made.valid).toBeGreaterThan(made.none);
  });

  test("is the same for the same seed, and another one for another seed", () => {
    const schema = { type: "object", properties: { id: { type: "string" }, count: { type: "integer" } } };
    expect(sampleOf(schema, { seed: 1 })).toEqual(sampleOf(schema, { seed: 1 }));
    expect(sampleOf(schema, { seed: 1 })).not.toEqual(sampleOf(schema, { seed: 2 }));
  });

  test("prefers examples and defaults of the schema, unless they are invalid", () => {
    const schema = (example: unknown) => ({
      type: "object",
      properties: { city: { type: "string", examples: [example] } },
      required: ["city"],
    });
    expect(sampleOf(schema("Oslo"), { seed: 1 })).toEqual({ city: "Oslo" });
    expect(sampleOf(schema(7), { seed: 1 })).toEqual({ city: expect.any(String) });
  });

  test.each<[string, Json]>([
    ["types that exclude each other", { allOf: [{ type: "string" }, { type: "number" }] }],
    ["a schema that is never satisfied", { not: {} }],
    ["endless recursion", { type: "object", properties: { a: { $ref: "#" } }, required: ["a"] }],
    [
      "a closed object that requires another property",
      { type: "object", required: ["a"], additionalProperties: false },
    ],
  ])("isn't made from %s, and the error says so", (_case, schema) => {
    expect(() => sampleOf(schema, { seed: 1 })).toThrow("No value was found that the schema accepts: ");
  });
});

describe("a schema that takes too long", () => {
  const nested = Object.fromEntries(
    Array.from({ length: 30 }, (_, level) => {
      const inner = { $ref: `#/$defs/d${level - 1}` };
      return [
        `d${level}`,
        level === 0 ? {} : { type: "object", required: ["a", "b"], properties: { a: inner, b: inner } },
      ];
    }),
  );
  test.each<[string, Json]>([
    ["a pattern with exponentially many ways to match", { pattern: "^(([a-zA-Z0-9 ])+)+!$", minLength: 60 }],
    ["a pattern with nested repetitions", { pattern: "^((a{1000}){1000}){1000}$" }],
    ["a string of a billion characters", { type: "string", minLength: 1e9 }],
    ["a list of a billion items", { type: "array", minItems: 1e9 }],
    ["an object of a billion properties", { type: "object", minProperties: 1e9 }],
    [`objects that double at each level`, { $defs: nested, $ref: `#/$defs/d${sized(13, 29)}` }],
  ])("has a sample or an error soon: %s", (_, schema) => {
    const watch = stopwatch(cpuMs);
    const { value, problem } = attempt(schema, 1);
    expect(problem ?? isValid(schema, value)).toBe(problem === undefined ? true : problem);
    watch.expectBelow(10_000);
  });

  test("still has a sample of properties whose names a pattern matches in exponentially many ways", () => {
    const patternProperties = { "^(a+)+$": { type: "integer" }, "^(a|a)*b$": { type: "string" } };
    const schema = { type: "object", properties: { [`${"a".repeat(40)}!`]: { type: "string" } }, patternProperties };
    expect(attempt(schema, 1)).toMatchObject({ value: { [`${"a".repeat(40)}!`]: expect.any(String) } });
  });
});

test("a sample has what lookaheads require", () => {
  const schema = { type: "string", pattern: "^(?=.*\\d)(?=.*[A-Z])[A-Za-z\\d]{8,}$" };
  for (const seed of [1, 2, 3, 4, 5]) expect(attempt(schema, seed).value).toMatch(new RegExp(schema.pattern));
});

test("a sample has every value of a range that is exactly long enough", () => {
  const schema = {
    type: "array",
    uniqueItems: true,
    minItems: 100,
    items: { type: "integer", minimum: 1, maximum: 100 },
  };
  expect(new Set(attempt(schema, 1).value as number[]).size).toBe(100);
});
