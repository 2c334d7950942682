import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, digestOf, isInterchangeable } from "../../src/shared/canonical-json.js";
import { sized } from "../support/size.js";

describe("the canonical form of JSON", () => {
  test("is that of another implementation of RFC 8785, for every JSON value", () => {
    const values = fc.jsonValue({ stringUnit: "binary", maxDepth: 4 });
    fc.assert(
      fc.property(values, (value) => {
        fc.pre(isInterchangeable(value));
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
      { numRuns: sized(60, 20_000) },
    );
  });

  test("sorts keys by UTF-16 code units, those that look like array indexes too", () => {
    const value = { "\u{1f600}": 1, "\ufb33": 2, "10": 3, "9": 4, "": 5, a: 6, A: 7, __proto__x: 8 };
    expect(canonicalJson(value)).toBe('{"":5,"10":3,"9":4,"A":7,"__proto__x":8,"a":6,"\u{1f600}":1,"\ufb33":2}');
    expect(canonicalJson(value)).toBe(canonicalize(value));
  });

  test.each([
    [1e21, "1e+21"],
    [-0, "0"],
    [1e-7, "1e-7"],
    [0.1 + 0.2, "0.30000000000000004"],
    [2 ** 53 + 1, "9007199254740992"],
    [5e-324, "5e-324"],
  ])("writes the number %d as ECMAScript does", (number, text) => {
    expect(canonicalJson(number)).toBe(text);
    expect(canonicalJson(number)).toBe(canonicalize(number));
  });

  test("keeps a member named __proto__", () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"b":2}');
    expect(canonicalJson(value)).toBe('{"__proto__":{"a":1},"b":2}');
  });

  test("writes what is sent: a date as a string, an absent member not at all", () => {
    const sent = { at: new Date(0), nothing: undefined, list: [undefined] };
    expect(canonicalJson(sent)).toBe('{"at":"1970-01-01T00:00:00.000Z","list":[null]}');
  });

  test.each(["\ud800", "a\udc00", { "\ud800": 1 }, [["\udfff\ud800"]], Number.NaN, { a: Number.POSITIVE_INFINITY }])(
    "doesn't exist in RFC 8785 for %j",
    (value) => {
      expect(isInterchangeable(value)).toBe(false);
      expect(() => canonicalize(value)).toThrow();
      // The digest of a call's record needs one nevertheless.
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    },
  );

  test("has one digest whatever the order of the keys, and another for another value", async () => {
    const digest = await digestOf({ a: 1, b: [1, 2] });
    expect(await digestOf({ b: [1, 2], a: 1 })).toBe(digest);
    expect(await digestOf({ a: 1, b: [2, 1] })).not.toBe(digest);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });
});
