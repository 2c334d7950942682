import { expect, test } from "vitest";
import { unlistedProperties } from "../../src/json-schema/fit/unlisted.js";

const pathsIn = (schema: object, value: unknown) => unlistedProperties(schema, value).map(({ path }) => path.join("."));

test("an unlisted property is found in every value, whatever earlier values had", () => {
  const place = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } } });
  const schema = { type: "object", properties: { a: place("x") }, additionalProperties: place("y") };
  expect(pathsIn(schema, { b: { y: "" } })).toEqual([]);
  expect(pathsIn(schema, { c: { x: "" } })).toEqual(["c.x"]);
  expect(pathsIn(schema, { a: { y: "" }, b: { x: "" } })).toEqual(["a.y", "b.x"]);
  expect(pathsIn(schema, { a: { x: "" }, b: { y: "" } })).toEqual([]);
});

test("a tree of thousands of places is read each time", () => {
  const schema = { type: "object", properties: { left: { $ref: "#" }, right: { $ref: "#" } } };
  const tree = (depth: number, leaf: object): object =>
    depth === 0 ? leaf : { left: tree(depth - 1, leaf), right: tree(depth - 1, {}) };
  const misspelled = `${"left.".repeat(11)}rihgt`;
  for (const leaf of [{}, { rihgt: {} }, {}, { rihgt: {} }])
    expect(pathsIn(schema, tree(11, leaf))).toEqual("rihgt" in leaf ? [misspelled] : []);
});
