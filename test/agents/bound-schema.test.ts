import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tool } from "../../src/agents/index.js";
import { compileToolset } from "../../src/agents/schema/index.js";
import { ConfigError } from "../../src/index.js";
import { mismatchesOfJsonSchema } from "../../src/json-schema/check/check-json-schema.js";
import { rejectionOf } from "../support/client.js";
import { sized } from "../support/size.js";
import { bench } from "./support.js";

type Schema = Record<string, unknown>;

/** The schemas that the model reads of tools whose arguments are bound. */
async function allShown(schemas: readonly Schema[], bindOf: (index: number) => object): Promise<Schema[]> {
  const all = schemas.map((parameters, index) =>
    tool({
      name: `act_${index}`,
      description: "Acts.",
      parameters: { type: "object", ...parameters },
      execute: () => 1,
    }),
  );
  const bind = Object.fromEntries(all.map(({ name }, index) => [name, { ...bindOf(index) }]));
  const { tools } = await bench({ tools: all, bind });
  return tools.tools.map(({ parameters }) => parameters);
}

async function shown(parameters: Schema, bind: object): Promise<Schema> {
  const [schema = {}] = await allShown([parameters], () => bind);
  return schema;
}

function conditional(condition: Schema, first: Schema, second?: Schema): Schema {
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword
  return { if: condition, then: first, ...(second && { else: second }) };
}

const text = { type: "string" };
const both = { owner: text, title: text, note: text };
const root = (schema: Schema) => ({ type: "object", properties: both, ...schema });

/** Schemas whose other keywords name a bound argument, and what the model reads of them. */
const CASES: [string, Schema, Schema][] = [
  ["dependentRequired of it", { dependentRequired: { owner: ["title"] } }, { required: ["title"] }],
  [
    "dependentRequired of another one",
    { dependentRequired: { title: ["owner", "note"] } },
    { dependentRequired: { title: ["note"] } },
  ],
  [
    "dependentSchemas of it",
    { dependentSchemas: { owner: { required: ["note"] } } },
    { allOf: [{ required: ["note"] }] },
  ],
  [
    "dependentSchemas of another one",
    { dependentSchemas: { title: { required: ["owner", "note"] } } },
    { dependentSchemas: { title: { required: ["note"] } } },
  ],
  [
    "dependencies",
    { dependencies: { owner: ["title"], note: ["owner"] } },
    { dependencies: { note: [] }, required: ["title"] },
  ],
  [
    "if, then and else",
    conditional({ required: ["title"] }, { required: ["owner"] }, { properties: { owner: text }, required: ["note"] }),
    conditional({ required: ["title"] }, {}, { properties: {}, required: ["note"] }),
  ],
  [
    "an if that the constant decides",
    conditional({ properties: { owner: { const: "ours" } } }, { required: ["title"] }, { required: ["note"] }),
    { allOf: [{ required: ["title"] }] },
  ],
  ["not", { not: { required: ["owner", "note"] } }, { not: { required: ["note"] } }],
  [
    "oneOf that the constant decides",
    {
      oneOf: [
        { properties: { owner: { const: "ours" } }, required: ["owner", "title"] },
        { properties: { owner: { const: "theirs" } }, required: ["owner", "note"] },
      ],
    },
    { oneOf: [{ properties: {}, required: ["title"] }] },
  ],
  ["propertyNames", { propertyNames: { enum: ["owner", "title"] } }, { propertyNames: { enum: ["title"] } }],
  ["minProperties and maxProperties", { minProperties: 2, maxProperties: 3 }, { minProperties: 1, maxProperties: 2 }],
  [
    "default and examples",
    { default: { owner: "a", title: "b" }, examples: [{ owner: "a" }] },
    { default: { title: "b" }, examples: [{}] },
  ],
  ["definitions that nothing uses", { $defs: { old: { properties: both } } }, {}],
  [
    "references",
    {
      allOf: [{ $ref: "#/$defs/one" }],
      $defs: { one: { required: ["owner", "title"] }, two: { required: ["owner"] } },
    },
    { allOf: [{ $ref: "#/$defs/one" }], $defs: { one: { required: ["title"] } } },
  ],
];

describe("the schema of a tool whose argument is bound", () => {
  test.each(CASES)("has no name of it in %s", async (_, given, expected) => {
    const { owner: _owner, ...properties } = both;
    const schema = await shown(root(given), { owner: "ours" });
    expect(schema).toEqual({ type: "object", properties, ...expected });
  });

  test("has no name of it for any target", async () => {
    const all = CASES.map(([, schema], index) =>
      tool({ name: `act_${index}`, description: "Acts.", parameters: root(schema), execute: () => 1 }),
    );
    const bind = Object.fromEntries(all.map(({ name }) => [name, { owner: () => "ours" }]));
    const { tools } = await bench({ tools: all, bind });
    for (const target of ["json-schema", "portable", "openai-strict", "anthropic-strict", "gemini"] as const) {
      expect(JSON.stringify(compileToolset(tools, target).tools), target).not.toContain("owner");
    }
  });

  test("keeps the argument of the same name in an object that it contains", async () => {
    const parameters = { type: "object", properties: { owner: text, child: { $ref: "#" } }, required: ["owner"] };
    const schema = await shown(parameters, { owner: "ours" });
    const inner = {
      type: "object",
      properties: { owner: text, child: { $ref: "#/$defs/schema" } },
      required: ["owner"],
    };
    expect(schema).toEqual({
      type: "object",
      properties: { child: { $ref: "#/$defs/schema" } },
      $defs: { schema: inner },
    });
  });

  test("requires the object of it only if the object needs more", async () => {
    const mail = (required: string[]) => ({ type: ["object", "null"], properties: { to: text, cc: text }, required });
    const made = (required: string[]) =>
      shown({ type: "object", properties: { mail: mail(required) }, required: ["mail"] }, { "mail.to": "ada" });
    const properties = { mail: { type: "object", properties: { cc: text } } };
    expect(await made(["to"])).toEqual({ type: "object", properties });
    expect(await made(["to", "cc"])).toEqual({
      type: "object",
      properties: { mail: { ...properties.mail, required: ["cc"] } },
      required: ["mail"],
    });
  });

  test("is an error if no call is valid with it", async () => {
    const error = await rejectionOf(ConfigError, shown(root({ not: { required: ["owner"] } }), { owner: "ours" }));
    expect(error.message).toContain("bind.act_0.owner: the tool takes no arguments with it");
  });

  test("offers both results of a condition on a value that isn't known", async () => {
    const condition = { properties: { owner: { const: "a" } } };
    const given = conditional(condition, { required: ["title"] }, { required: ["note"] });
    const schema = await shown(root(given), { owner: () => "a" });
    expect(schema).toMatchObject({ allOf: [{ anyOf: [{ required: ["title"] }, { required: ["note"] }] }] });
  });
});

describe("of random schemas", () => {
  const NAMES = ["owner", "a", "b", "c"];
  const name = fc.constantFrom(...NAMES);
  const names = fc.uniqueArray(name, { minLength: 1, maxLength: 3 });
  const leaf = fc.constantFrom<unknown>(
    {},
    true,
    { const: 1 },
    { type: "string" },
    { enum: [1, "x"] },
    { not: { const: 2 } },
  );
  const { schema } = fc.letrec<{ schema: Schema; part: Schema; list: Schema[] }>((tie) => ({
    schema: fc
      .record({ part: fc.array(tie("part"), { minLength: 1, maxLength: 3 }), one: tie("part"), two: tie("part") })
      .map(({ part, one, two }) => ({
        ...Object.assign({}, ...part),
        $defs: { one, two },
      })),
    list: fc.array(tie("part"), { minLength: 1, maxLength: 3 }),
    part: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.dictionary(name, leaf, { noNullPrototype: true, minKeys: 1 }).map((properties) => ({ properties })),
      names.map((required) => ({ required })),
      fc
        .dictionary(name, names, { noNullPrototype: true, minKeys: 1 })
        .map((dependentRequired) => ({ dependentRequired })),
      fc.record({ minProperties: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ maxProperties: fc.integer({ min: 0, max: 4 }) }),
      names.map((all) => ({ propertyNames: { enum: all } })),
      fc.constantFrom({ $ref: "#/$defs/one" }, { $ref: "#/$defs/two" }),
      tie("list").map((anyOf) => ({ anyOf })),
      tie("list").map((oneOf) => ({ oneOf })),
      tie("list").map((allOf) => ({ allOf })),
      tie("part").map((not) => ({ not })),
      fc.tuple(tie("part"), tie("part"), fc.option(tie("part"), { nil: undefined })).map((all) => conditional(...all)),
      tie("part").chain((part) => name.map((key) => ({ dependentSchemas: { [key]: part } }))),
    ),
  }));
  /** All arguments that a model can write, without the bound one. */
  const args = [undefined, 1, 2, "x", null].flatMap((a) =>
    [undefined, 1, "x"].flatMap((b) => [undefined, 2].map((c) => JSON.parse(JSON.stringify({ a, b, c })))),
  );
  const isRecursive = (given: Schema) => /"one":.*\$ref/.test(JSON.stringify(given));
  const validator = (given: unknown) => (value: unknown) => mismatchesOfJsonSchema(Object(given), value).length === 0;

  const sample = fc.sample(schema, sized(300, 10_000)).filter((given) => !isRecursive(given));
  const all = sample.map((one) => ({
    type: "object",
    ...one,
    properties: { owner: {}, ...Object(one["properties"]) },
  }));
  const values = [1, 2, "x", null];
  const given = all.filter((one) => {
    const full = validator(one);
    return args.some((other) => values.some((owner) => full({ ...other, owner })));
  });

  test("accept exactly what is valid with the constant", async () => {
    const owners = given.map((_, index) => values[index % values.length]);
    const models = await allShown(given, (index) => ({ owner: owners[index] }));
    let exact = 0;
    for (const [index, model] of models.entries()) {
      const full = validator(given[index]);
      const valid = args.filter((one) => full({ ...one, owner: owners[index] }));
      const words = JSON.stringify([given[index], owners[index], model]);
      expect(JSON.stringify(model), words).not.toContain("owner");
      // Otherwise no call is valid.
      if (valid.length === 0) continue;
      exact += 1;
      const accepts = validator(model);
      expect(
        args.filter((one) => accepts(one)),
        words,
      ).toEqual(valid);
    }
    expect(exact).toBeGreaterThan(50);
  });

  test("accept what is valid with any value, if the value isn't known", async () => {
    const models = await allShown(given, () => ({ owner: () => 1 }));
    for (const [index, model] of models.entries()) {
      const full = validator(given[index]);
      const words = JSON.stringify([given[index], model]);
      expect(JSON.stringify(model), words).not.toContain("owner");
      const accepts = validator(model);
      const valid = args.filter((one) => values.some((owner) => full({ ...one, owner })));
      expect(
        valid.filter((one) => !accepts(one)),
        words,
      ).toEqual([]);
    }
  });
});
