import { describe, expect, test } from "vitest";
import { argumentValidator } from "../../src/contract/arguments.js";
import { sized } from "../support/size.js";

const { check } = argumentValidator();

const MANY = sized(10_000, 100_000);

describe("a check takes limited time for", () => {
  const many = Array.from({ length: MANY }, (_, index) => index);
  const bomb = (levels: number, keyword: string) => ({
    $ref: "#/$defs/d0",
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, level) => {
        const next = { $ref: `#/$defs/d${level + 1}` };
        return [`d${level}`, level === levels - 1 ? { type: "null" } : { [keyword]: [next, next] }];
      }),
    ),
  });

  test.each<[string, object, unknown, readonly unknown[]]>([
    ["different items", { uniqueItems: true }, many, []],
    [
      "items that repeat",
      { uniqueItems: true },
      [...many, 5],
      [{ path: "", expected: "no item twice", received: "array" }],
    ],
    [
      "objects that repeat",
      { uniqueItems: true },
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      [{ path: "", expected: "no item twice", received: "array" }],
    ],
    ["values of a list", { items: { enum: many.slice(0, MANY / 5) } }, many.slice(0, MANY / 5), []],
    [
      "fields that contain half of a pattern",
      { additionalProperties: { type: "integer" } },
      Object.fromEntries(many.map((index) => [`f${index}`, index])),
      [],
    ],
  ])("%s", (_what, schema, value, expected) => {
    expect(check(schema, value)).toEqual(expected);
  });

  test("a union over a long array, with an error per item of the closest variant, up to 2,000", () => {
    const items = { type: "array", items: { type: "string" } };
    const schema = { anyOf: [items, { ...items, minItems: 1, maxItems: 1 }] };
    expect(check(schema, many.slice(0, 1_000))).toHaveLength(1_000);
    expect(check(schema, many)).toHaveLength(2_000);
  });

  test.each(["allOf", "anyOf", "oneOf"])("references that double at every level of %s", (keyword) => {
    expect(() => check(bomb(60, keyword), "x")).toThrow("takes too long");
  });

  test.each<[string, object]>([
    ["itself", { $ref: "#" }],
    ["one that refers back", { $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#" }] } } }],
  ])("a reference to %s", (_what, schema) => {
    expect(() => check(schema, {})).toThrow("refers to itself endlessly");
  });

  test("a value nested as deeply as its schema allows", () => {
    const nested = (levels: number) => Array.from({ length: levels }).reduce<unknown>((inner) => ({ inner }), null);
    const schema = { type: ["object", "null"], properties: { inner: { $ref: "#" } } };
    expect(check(schema, nested(120))).toEqual([]);
    expect(() => check(schema, nested(1_000))).toThrow("nested too deep");
  });

  const hostile = "a".repeat(200_000);
  test.each<[string, string]>([
    ["url", `http://${hostile} `],
    ["uri", `x:${"%".repeat(200_000)}`],
    ["uri-reference", `${hostile} `],
    ["email", `${hostile}@${"a.".repeat(100_000)}`],
    ["hostname", `${"a-".repeat(100_000)}!`],
    ["ipv6", ":".repeat(200_000)],
    ["ipv4", "1.".repeat(100_000)],
    ["date-time", `2026-01-01T00:00:00.${"0".repeat(200_000)}`],
    ["duration", `P${"1".repeat(200_000)}`],
    ["json-pointer", `${"/a~0".repeat(50_000)}~`],
    ["uuid", hostile],
  ])("a string that nearly has the format %s", (format, text) => {
    const found = format === "uri" ? [] : [{ path: "", expected: `a valid ${format}`, received: "another string" }];
    expect(check({ format }, text)).toEqual(found);
  });
});

test.each<[string, readonly string[], readonly string[]]>([
  ["date", ["2026-02-28", "2024-02-29"], ["2026-02-29", "2026-13-01", "26-01-01"]],
  ["time", ["12:00:00Z", "23:59:60.5+01:00"], ["12:00:00", "24:00:00Z"]],
  ["date-time", ["2026-01-01T00:00:00Z", "2026-01-01t00:00:00.123-05:30"], ["2026-01-01", "2026-01-01T00:00:00"]],
  ["duration", ["P1D", "PT1H30M", "P2W"], ["P", "PT", "1D"]],
  [
    "email",
    ["a@example.com", "a.b+c@sub.example.co", '"a b"@example.com', "ä@exämple.de"],
    ["no", "@b.c", "a@", "a b@c.de", ".a@b.c"],
  ],
  ["hostname", ["example.com", "localhost", "xn--bcher-kva.example"], ["-a.com", "a..b", "a_b"]],
  ["ipv4", ["127.0.0.1", "255.255.255.255"], ["256.0.0.1", "1.2.3", "1.2.3.4.", "01.2.3.4"]],
  ["ipv6", ["::1", "2001:db8::8a2e:370:7334", "::ffff:1.2.3.4"], ["1.2.3.4", ":::", "2001:db8::g"]],
  ["uri", ["https://example.com/a?b#c", "urn:isbn:1", "mailto:a@b.c"], ["example.com", "http://a b", "//x"]],
  ["uri-reference", ["/a", "a?b", "https://x"], ["a b", "a\\b"]],
  ["uuid", ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"], ["2eb8aa08aa9811eab4aa73b441d16380"]],
  ["json-pointer", ["", "/a/b~1c"], ["a", "/~2"]],
  ["regex", ["^a+$"], ["(a"]],
  ["unknown", ["anything"], []],
])("checks the format %s", (format, fitting, others) => {
  expect(fitting.filter((text) => check({ format }, text).length > 0)).toEqual([]);
  expect(others.filter((text) => check({ format }, text).length === 0)).toEqual([]);
});
