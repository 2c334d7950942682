import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { argumentValidator } from "../../../src/contract/arguments.js";
import { structuralMismatches } from "../../../src/json-schema/check/check-structure.js";
import { fitsStructure } from "../../../src/json-schema/fit/fits-structure.js";
import type { Json } from "../../../src/shared/json.js";
import { cpuMs } from "../../support/cpu-time.js";
import { sized, stopwatch } from "../../support/size.js";
import { checker, referenceSchema } from "../schema/reference.js";
import { toolSchema } from "../schema/schemas.js";
import { mutated, randomNumbers, sample } from "../schema/values.js";
import { bench, COUNT_WORDS } from "../support.js";

const RUNS = sized(100, 10_000);

describe("the structural check", () => {
  test("checks each value once per schema, however many ways of a recursive union lead there", () => {
    const block = (type: string) => ({
      type: "object",
      required: ["type"],
      properties: { type: { const: type }, children: { type: "array", items: { $ref: "#/$defs/block" } } },
    });
    const schema = {
      properties: { root: { $ref: "#/$defs/block" } },
      $defs: { block: { anyOf: ["paragraph", "quote", "list", "toggle", "callout"].map(block) } },
    };
    const nested = (depth: number, type: string): object => ({
      type: depth === 0 ? type : "callout",
      children: depth === 0 ? [] : [nested(depth - 1, type)],
    });
    expect(structuralMismatches(schema, { root: nested(12, "callout") })).toEqual([]);
    expect(structuralMismatches(schema, { root: nested(12, "video") })).not.toEqual([]);
  });

  test("ends at a schema that refers to itself", () => {
    const schema = { anyOf: [{ $ref: "#" }, { $ref: "#" }, { required: ["a"] }] };
    expect(structuralMismatches(schema, {})).toEqual([]);
  });

  test("rejects nothing that the schema accepts", () => {
    let accepted = 0;
    fc.assert(
      fc.property(toolSchema, fc.nat(), (schema, seed) => {
        const reference = referenceSchema(schema);
        const complaintsOf = checker(reference);
        const random = randomNumbers(seed);
        const value = sample(reference, reference, random);
        for (const candidate of [value, mutated(value, random)]) {
          if (complaintsOf(candidate).length > 0 || typeof schema !== "object" || schema === null) continue;
          accepted += 1;
          expect(structuralMismatches({ ...schema }, candidate)).toEqual([]);
        }
      }),
      { numRuns: RUNS },
    );
    expect(accepted).toBeGreaterThan(RUNS / 4);
  });

  test.each([
    ["a type nobody knows", { type: "any" }, 1],
    ["an enum value with its keys in another order", { enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }],
    ["null beside a reference", { $defs: { A: { type: "string" } }, $ref: "#/$defs/A", nullable: true }, null],
    ["a reference that leads nowhere", { $ref: "https://example.com/schema" }, 1],
    ["a schema that refers to itself", { $ref: "#" }, 1],
    ["a tuple of draft 7", { items: [{ type: "string" }, { type: "number" }], additionalItems: false }, ["a", 1]],
  ])("accepts %s", (_, schema, value) => {
    expect(structuralMismatches(schema, value)).toEqual([]);
  });

  test.each([
    [{ properties: { a: { items: { enum: ["x", "y"] } } } }, { a: ["x", "z"] }, 'a[1]: "x" or "y"'],
    [
      { properties: { user_id: {} }, additionalProperties: false },
      { userId: 1 },
      "userId: no such property (did you mean user_id?)",
    ],
    [{ anyOf: [{ type: "string" }, { required: ["a"], type: "object" }] }, {}, "a: a value"],
    [{ anyOf: [{ type: "string" }, { type: "array" }] }, 1, ": a string or an array"],
    [{ minItems: 2 }, [1], ": at least 2 items"],
    [{ allOf: [{ required: ["a"] }] }, {}, "a: a value"],
  ])("reports values that violate %j", (schema, value, expected) => {
    const [first] = structuralMismatches(schema, value);
    expect(`${first?.path}: ${first?.expected}`).toBe(expected);
  });
});

test("a long value is compared with a long enum at once", () => {
  const schema = { properties: { zone: { enum: Array.from({ length: 5_000 }, (_, index) => `zone ${index}`) } } };
  const watch = stopwatch(cpuMs);
  expect(structuralMismatches(schema, { zone: "x".repeat(200_000) })).toHaveLength(1);
  watch.expectBelow(500);
});

describe("is done soon, and in one reading, for", () => {
  const wide = (branch: (index: number) => Json) => ({
    properties: { items: { items: { anyOf: Array.from({ length: 100 }, (_, index) => branch(index)) } } },
  });
  const byKind = wide((index) => ({
    type: "object",
    required: ["kind", "text"],
    properties: { kind: { const: `k${index}` }, text: { type: "string" } },
  }));
  const byName = wide((index) => ({
    type: "object",
    required: ["text", `f${index}`],
    properties: { text: { type: "string" }, [`f${index}`]: { type: "integer" } },
  }));
  const many = (count: number, item: (index: number) => unknown) => ({
    items: Array.from({ length: count }, (_, index) => item(index)),
  });

  test.each<[string, Json, unknown, number]>([
    [
      "a union that a constant tells apart",
      byKind,
      many(3_000, (index) => ({ kind: `k${index % 100}`, text: "x" })),
      0,
    ],
    ["a union that names tell apart", byName, many(4_000, (index) => ({ text: "x", [`f${index % 100}`]: index })), 0],
    [
      "items of which one is wrong",
      byKind,
      many(3_000, (index) => ({ kind: "k7", text: index === 2_999 ? 1 : "x" })),
      1,
    ],
    ["a long list", { properties: { items: { items: { type: "integer" } } } }, many(400_000, (index) => index), 0],
    [
      "a long list that is wrong",
      { properties: { items: { items: { type: "integer" } } } },
      many(400_000, String),
      2_000,
    ],
  ])("%s", (_, schema, value, count) => {
    const watch = stopwatch(cpuMs);
    expect(structuralMismatches(schema, value)).toHaveLength(count);
    watch.expectBelow(2_000);
  });

  test("a union that nothing fits, of which some mismatches are listed", () => {
    const watch = stopwatch(cpuMs);
    expect(
      structuralMismatches(
        byName,
        many(4_000, () => ({ text: "x", none: 1 })),
      ),
    ).not.toEqual([]);
    watch.expectBelow(2_000);
  });

  test("a schema that multiplies the work, which ends it", () => {
    const all = { allOf: Array.from({ length: 3_000 }, () => ({ type: ["integer"], minItems: 0 })) };
    expect(() =>
      structuralMismatches(
        { properties: { items: { items: all } } },
        many(4_000, () => 1),
      ),
    ).toThrow("takes too long");
  });
});

describe("a schema that was used before", () => {
  const issue = {
    type: "object",
    required: ["id", "title"],
    properties: { id: { type: "integer" }, title: { type: "string" }, labels: { items: { enum: ["a", "b"] } } },
    additionalProperties: { type: "boolean" },
  };

  test.each<[string, Json, readonly string[]]>([
    ["what fits", { id: 1, title: "x", labels: ["a"] }, []],
    ["another order", { labels: ["b"], title: "x", other: true, id: 1 }, []],
    ["a wrong type in another order", { title: 1, id: "x" }, ["id", "title"]],
    ["a wrong item in another order", { labels: ["c"], id: 1, title: "x" }, ["labels[0]"]],
    ["a missing property", { id: 1, labels: [] }, ["title"]],
    ["a wrong property that isn't declared", { id: 1, title: "x", other: "yes" }, ["other"]],
    ["a property that is only inherited", Object.assign(Object.create({ title: "x" }), { id: 1 }), ["title"]],
    ["the name of an inherited property", { id: 1, title: "x", constructor: "x" }, ["constructor"]],
  ])("is compared with %s", (_, value, paths) => {
    const before = { title: "x", id: 1 };
    for (let times = 0; times < 3; times += 1) {
      expect(structuralMismatches(issue, before)).toEqual([]);
      expect(
        structuralMismatches(issue, value)
          .map(({ path }) => path)
          .sort(),
      ).toEqual(paths);
    }
  });

  test.each<[string, Json, Json, readonly unknown[], boolean]>([
    ["other properties", {}, { id: 1, more: [] }, [{ id: 2, more: "x" }, { id: 3 }], true],
    ["null", { type: ["object", "null"] }, { id: 1 }, [null, { id: 2 }, null], true],
    ["a list instead of an object", {}, { id: 1 }, [{ id: 2 }, []], false],
    ["a missing property", { required: ["id", "title"] }, { id: 1, title: "x" }, [{ id: 2 }], false],
    ["an inherited property", {}, { id: 1 }, [Object.create({ id: 1 })], false],
    ["a longer integer", {}, { id: 1 }, [{ id: "12345678901234567890" }], true],
    ["a property that isn't the required one without a name", { required: [""] }, { "": 1 }, [{ other: 1 }], false],
  ])("is compared with a list that has %s", (_, more, first, others, fits) => {
    const properties = { id: { type: "integer" }, title: { type: "string" } };
    const item = { type: "object", properties, required: ["id"], additionalProperties: {}, ...more };
    const schema = { properties: { items: { items: item } } };
    for (let times = 0; times < 3; times += 1) {
      expect(fitsStructure(schema, { items: [first, first] }, true)).toBe(true);
      expect(fitsStructure(schema, { items: [first, ...others, first] }, true)).toBe(fits);
    }
  });

  test("compares the items of a list like the items of a tuple", () => {
    fc.assert(
      fc.property(toolSchema, fc.nat(), (schema, seed) => {
        const { $defs, definitions } = Object(schema);
        const reference = referenceSchema(schema);
        const random = randomNumbers(seed);
        const value = sample(reference, reference, random);
        const items = [value, value, mutated(value, random), sample(reference, reference, random), value];
        const list = { items: schema, $defs, definitions };
        const tuple = { prefixItems: items.map(() => schema), $defs, definitions };
        for (const some of [items, items.toReversed(), items])
          expect(fitsStructure(list, some)).toBe(fitsStructure(tuple, some));
      }),
      { numRuns: RUNS },
    );
  });

  test("ends the work of a check after as many steps as a new one", () => {
    const numbers = Array.from({ length: 4_000 }, (_, index) => index);
    const schema = () => ({ anyOf: [{ enum: [...numbers] }, { items: { items: { type: "integer" } } }] });
    const ends = (of: Json, count: number) => {
      try {
        return !fitsStructure(of, new Array(count).fill(numbers));
      } catch {
        return true;
      }
    };
    let [fewest, most] = [500, 1_500];
    while (most - fewest > 1) {
      const middle = Math.floor((fewest + most) / 2);
      if (ends(schema(), middle)) most = middle;
      else fewest = middle;
    }
    const used = schema();
    for (const count of [1, fewest, most, fewest, most]) expect(ends(used, count)).toBe(count === most);
  });
});

test("a long chain of references, each behind several branches of which the last fits, is done soon", () => {
  const node = (kind: string) => ({
    allOf: [{ properties: { next: { $ref: "#/$defs/node" } } }, { properties: { kind: { enum: [kind] } } }],
  });
  const schema = { $ref: "#/$defs/node", $defs: { node: { anyOf: ["a", "b", "c"].map(node) } } };
  let chain: Json = { kind: "c" };
  for (let length = 0; length < 60; length += 1) chain = { kind: "c", next: chain };
  const watch = stopwatch(cpuMs);
  expect(structuralMismatches(schema, chain)).toEqual([]);
  expect(structuralMismatches(schema, { kind: "c", next: { kind: "d" } })).not.toEqual([]);
  watch.expectBelow(500);
});

test("the branch that a constant names is the one whose mismatches are listed", () => {
  const branch = (kind: string, more: Json) => ({
    type: "object",
    properties: { kind: { const: kind }, ...more },
    required: Object.keys({ kind, ...more }),
  });
  const schema = { anyOf: [branch("a", {}), branch("b", { size: { type: "integer" }, name: { type: "string" } })] };
  const expected = [
    { path: "size", expected: "an integer" },
    { path: "name", expected: "a string" },
  ];
  expect(structuralMismatches(schema, { kind: "b" })).toMatchObject(expected);
  expect(argumentValidator().check(schema, { kind: "b" })).toMatchObject(expected);
});

test("arguments that the toolset's validator can't check in time don't run", async () => {
  const check = () => {
    throw new RangeError("Maximum call stack size exceeded");
  };
  const { tools, executions } = await bench({ tools: [COUNT_WORDS], validateArguments: { check } });
  const [result] = await tools.run([{ callId: "1", name: COUNT_WORDS, arguments: { text: "a" } }]);
  expect([result?.status, executions()]).toEqual(["not_run", 0]);
  expect(result?.text).toContain("arguments that can't be checked");
});
