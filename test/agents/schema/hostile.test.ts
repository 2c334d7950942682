import { describe, expect, test } from "vitest";
import { compileSchema, type Target } from "../../../src/agents/schema/index.js";
import type { Json } from "../../../src/shared/json.js";
import { cpuMs } from "../../support/cpu-time.js";
import { sampled, sized, stopwatch } from "../../support/size.js";

const of = (a: unknown, $defs: Json = {}): Json => ({ type: "object", properties: { a }, $defs });
const list = <Item>(length: number, item: (index: number) => Item) => Array.from({ length }, (_, index) => item(index));
const definitions = (length: number, definition: (index: number) => Json): Json =>
  Object.fromEntries(list(length, (index) => [`d${index}`, definition(index % length)]));
const ref = (index: number): Json => ({ $ref: `#/$defs/d${index}` });
const object = (name: string, value: Json = { type: "string" }): Json => ({
  type: "object",
  properties: { [name]: value },
});

/** A schema inside so many others. */
const nested = (levels: number, around: (inner: Json, level: number) => Json): Json => {
  let schema: Json = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = around(schema, level);
  return schema;
};

const ring = (length: number) =>
  definitions(length, (index) => {
    const next = ref((index + 1) % length);
    return { anyOf: [object(`p${index}`, next), next] };
  });

/** Two objects that contain each other, as programs write them that replace references. */
function entangled(): Json {
  const one: { type: string; properties: Record<string, unknown> } = { type: "object", properties: {} };
  const other = { anyOf: [one, { type: "string" }] };
  one.properties = { b: other, c: { anyOf: [other, one] } };
  return of(one);
}

function conditionOfItself(): Json {
  const schema: Record<string, unknown> = { type: "object", properties: { x: {} } };
  const condition = { if: schema, else: { properties: { y: schema } } };
  return of(Object.assign(schema, condition));
}

const large = (from: number) => list(sized(100_000, 250_000), (index) => `v${index + from}`);

const PATTERNS = sized(1_000, 5_000);

const HOSTILE: readonly (readonly [name: string, schema: () => Json])[] = [
  [
    "12 levels of two equal alternatives",
    () =>
      of(
        ref(0),
        definitions(13, (index) => (index === 12 ? object("z") : { anyOf: list(2, () => ref(index + 1)) })),
      ),
  ],
  [
    "12 levels of two alternatives that differ",
    () =>
      of(
        ref(0),
        definitions(13, (index) => {
          if (index === 12) return object("z");
          return { anyOf: ["l", "r"].map((side) => ({ allOf: [ref(index + 1)], ...object(`${side}${index}`) })) };
        }),
      ),
  ],
  ["a ring of 20 definitions", () => of(ref(0), ring(20))],
  ["a ring of 100 definitions", () => of(ref(0), ring(100))],
  [
    "100 definitions that are alternatives of each other",
    () =>
      of(
        ref(0),
        definitions(100, () => object("next", { anyOf: list(100, ref) })),
      ),
  ],
  ["4,000 alternatives", () => of({ anyOf: list(4_000, (index) => object(`p${index}`)) })],
  [
    "4,000 alternatives with discriminator",
    () => of({ oneOf: list(4_000, (index) => ({ ...object("k", { const: index }), required: ["k"] })) }),
  ],
  ["4,000 alternatives at the root", () => ({ anyOf: list(4_000, (index) => object(`p${index}`)) })],
  ["2,000 nested unions", () => of(nested(2_000, (inner, level) => ({ anyOf: [inner, object(`p${level}`)] })))],
  ["2,000 nested unions with null", () => of(nested(2_000, (inner) => ({ oneOf: [inner, { type: "null" }] })))],
  [
    "a chain of 2,000 references",
    () =>
      of(
        ref(0),
        definitions(2_000, (index) => ({ ...object("next", ref(index + 1)), required: ["next"] })),
      ),
  ],
  [
    "150 objects that refer to each other",
    () =>
      of(
        ref(0),
        definitions(150, () => ({
          type: "object",
          properties: Object.fromEntries(list(150, (index) => [`p${index}`, ref(index)])),
        })),
      ),
  ],
  [
    `${PATTERNS} patterns of names`,
    () =>
      of({
        ...object("p1"),
        patternProperties: Object.fromEntries(list(PATTERNS, (index) => [`^p${index}$`, object(`k${index}`)])),
      }),
  ],
  ["20,000 parts", () => of({ allOf: list(20_000, (index) => object(`p${index}`)) })],
  ["a large enum next to a reference", () => of({ ...ref(0), enum: large(0) }, { d0: { enum: large(1) } })],
  ["objects that contain each other", entangled],
  ["a condition that contains itself", conditionOfItself],
];

const TARGETS: readonly Target[] = ["openai-strict", "gemini", "json-schema"];

describe.each(sampled(HOSTILE, 2).map((row, index) => [...row, index] as const))("%s", (_, schemaOf, index) => {
  // In `npm test` each for one target, and each target with a third of them.
  test.each(sized([TARGETS[index % TARGETS.length] ?? "gemini"], TARGETS))(
    "are compiled for %s within bounds, and omissions are noted",
    (target) => {
      const compiled = compileSchema(schemaOf(), target);
      expect(JSON.stringify(compiled.schema).length).toBeLessThan(1_000_000);
      const isLess = compiled.notes.some(({ kind }) => kind === "untyped" || kind === "described");
      expect(compiled.fidelity).toBe(isLess ? "widened" : "exact");
      const value = { a: { p1: "x", other: [1, null] } };
      expect(compiled.decode(value)).toEqual(value);
    },
  );
});

test.each(sampled(["nested unions", "nested unions with null"], 2))(
  "null is left in arguments for 2,000 %s",
  (name) => {
    const schema = HOSTILE.find(([one]) => one === `2,000 ${name}`)?.[1]() ?? {};
    const { decode } = compileSchema(schema, "json-schema");
    const value = { a: { p1: "x", other: [1, null] } };
    const watch = stopwatch(cpuMs);
    for (let time = 0; time < 5; time += 1) expect(decode(value)).toEqual(value);
    watch.expectBelow(3_000);
  },
);

test("a schema that is too large keeps names, types and descriptions of its properties", () => {
  const schema = {
    type: "object",
    properties: {
      to: { type: "string", description: "The recipient.", enum: large(0) },
      amount: { type: ["integer", "null"], maximum: 10 },
      other: { anyOf: list(4_000, (index) => object(`p${index}`)) },
    },
    required: ["to", "absent"],
  };
  const { schema: outline, strict, notes } = compileSchema(schema, "openai-strict");
  expect(strict).toBe(false);
  expect(outline).toMatchObject({
    properties: { to: { type: "string", description: "The recipient." }, amount: { type: ["integer", "null"] } },
    required: ["to"],
  });
  expect(notes).toContainEqual({ path: "", kind: "not-strict", message: "The schema is too large." });
});

test("a schema that is too large keeps its first 200 properties, and those of them that are required", () => {
  const names = list(250, (index) => `p${index}`);
  const described = Object.fromEntries(names.map((name) => [name, { description: name }]));
  const properties = { ...described, p0: { enum: large(0), anyOf: list(4_000, (index) => object(`q${index}`)) } };
  const compiled = compileSchema({ type: "object", properties, required: names }, "openai-strict");
  const { schema, fidelity } = compiled;
  expect(Object.keys(Object(schema["properties"]))).toEqual(names.slice(0, 200));
  expect(schema["properties"]).toMatchObject({ p1: { description: "p1" } });
  expect(schema["required"]).toEqual(names.slice(0, 200));
  expect(fidelity).toBe("widened");
});

test.each(["openai-strict", "json-schema"] satisfies Target[])(
  "values that contain themselves are omitted for %s",
  (target) => {
    const value: Record<string, unknown> = {};
    value["self"] = value;
    const schema = { ...of({ enum: [value, 1] }), "x-extra": value };
    const compiled = compileSchema(schema, target);
    expect(() => JSON.stringify(compiled.schema)).not.toThrow();
  },
);
