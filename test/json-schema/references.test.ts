import { describe, expect, test } from "vitest";
import { argumentValidator } from "../../src/contract/arguments.js";

const { check } = argumentValidator();

const text = { type: "string" };
/** Whether the reference leads to the schema of a string. */
const leadsToText = (schema: object) => check(schema, 5)[0]?.expected === "a string" && check(schema, "x").length === 0;

describe("a reference in a schema of arguments", () => {
  test.each<[string, object]>([
    ["$id", { $ref: "urn:a", $defs: { a: { $id: "urn:a", ...text } } }],
    ["id, as older drafts write it", { $ref: "urn:a", definitions: { a: { id: "urn:a", ...text } } }],
    ["$anchor", { $ref: "#a", $defs: { b: { $anchor: "a", ...text } } }],
    ["$dynamicAnchor", { $dynamicRef: "#a", $defs: { b: { $dynamicAnchor: "a", ...text } } }],
    ["pointer behind an $id", { $ref: "urn:a#/$defs/b", $defs: { a: { $id: "urn:a", $defs: { b: text } } } }],
    ["$id with an empty fragment", { $ref: "urn:a#", $defs: { a: { $id: "urn:a", ...text } } }],
    ["$id in a list", { $ref: "urn:a", anyOf: [{}, { $id: "urn:a", ...text }] }],
    ["$id that contains a fragment", { $ref: "urn:a#b", $defs: { a: { $id: "urn:a#b", ...text } } }],
    ["pointer to another reference", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: text } }],
    ["pointer into a list", { $ref: "#/anyOf/1", anyOf: [{}, text] }],
    ["pointer through the empty name", { $ref: "#/$defs/", $defs: { "": text } }],
    ["pointer with an encoded slash", { $ref: "#/$defs/a%2Fb", $defs: { "a/b": text } }],
    ["pointer with several escapes", { $ref: "#/$defs/~1~0~1~0", $defs: { "/~/~": text } }],
    ["pointer with an escaped tilde before a 1", { $ref: "#/$defs/~01", $defs: { "~1": text } }],
    ["pointer with several encoded bytes", { $ref: "#/$defs/%C3%A9%c3%a9", $defs: { éé: text } }],
  ])("is followed by %s", (_, schema) => {
    expect(leadsToText(schema)).toBe(true);
  });

  test("leads to the first of two schemas with one name", () => {
    const anchors = { a: { $anchor: "name", ...text }, b: { $anchor: "name", type: "integer" } };
    expect(leadsToText({ $ref: "#name", $defs: anchors })).toBe(true);
  });

  test("has no relation to a name that only looks like an anchor", () => {
    expect(() => check({ $ref: "a", $defs: { a: { $anchor: "a", ...text } } }, 5)).toThrow(
      '$ref "a" leads to no schema',
    );
    expect(() => check({ $ref: "#a", $defs: { a: { $id: "a", ...text } } }, 5)).toThrow('$ref "#a" leads to no schema');
  });

  test("has no relation to a name in data, but to one in a property that has the name of a keyword", () => {
    const named = { $anchor: "a", ...text };
    expect(() => check({ $ref: "#a", default: named, enum: [named] }, 5)).toThrow('$ref "#a" leads to no schema');
    expect(leadsToText({ $ref: "#a", properties: { default: named } })).toBe(true);
  });

  test("isn't read if it isn't a string", () => {
    expect(check({ $ref: 5, $dynamicRef: {}, ...text }, "x")).toEqual([]);
    expect(check({ $ref: "#a", $defs: { other: { $anchor: 7 }, a: { $anchor: "a", ...text } } }, "x")).toEqual([]);
  });

  test("leads to the whole schema", () => {
    const schema = { type: "object", properties: { a: { $ref: "#" } } };
    expect(check(schema, { a: { a: 5 } })).toEqual([{ path: "a.a", expected: "an object", received: "number" }]);
  });

  test("is followed in a schema that contains null", () => {
    expect(leadsToText({ $ref: "#a", default: null, $defs: { none: null, b: { $anchor: "a", ...text } } })).toBe(true);
  });

  test("has siblings that hold too", () => {
    const schema = { $ref: "#/$defs/a", maxLength: 2, $defs: { a: { $ref: "#/$defs/b", minLength: 2 }, b: text } };
    expect(check(schema, "xx")).toEqual([]);
    expect(check(schema, "x")).toHaveLength(1);
    expect(check(schema, "xxx")).toHaveLength(1);
  });

  test.each<[string, object]>([
    ["another document", { $ref: "https://example.com/a" }],
    ["a pointer into another document", { $ref: "https://example.com/a#/$defs/a", $defs: { a: text } }],
    ["an inherited name", { $ref: "#/$defs/toString", $defs: {} }],
    ["a place below a string", { $ref: "#/title/0", title: "x" }],
    ["a name without its slash", { $ref: "#$defs/a", $defs: { a: text } }],
    [
      "two that refer to one another",
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    ],
    ["itself", { allOf: [{ $ref: "#/allOf/0" }] }],
  ])("to %s leads to no schema", (_, schema) => {
    expect(() => check(schema, 5)).toThrow("leads to no schema, or refers to itself endlessly.");
  });
});
