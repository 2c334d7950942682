import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { argumentValidator } from "../../src/contract/arguments.js";
import { sampled, sized } from "../support/size.js";

const { check } = argumentValidator();

const matches = (pattern: string, text: string) => check({ pattern }, text).length === 0;

describe("matches in linear time a pattern that JavaScript's own engine would try for years:", () => {
  const long = `${"a".repeat(20_000)}!`;
  test.each<[string, string, boolean]>([
    ["^(a+)+$", long, false],
    ["(a*)*b", long, false],
    ["a*a*a*a*b", long, false],
    ["(.*)*=", long, false],
    ["^(a|a)*$", long, false],
    ["^(a|aa)+$", long, false],
    ["(x+x+)+y", "x".repeat(20_000), false],
    ["^(?=(a+)+$)a", long, false],
    ["(?<=^(a+)+)b", long, false],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", long, false],
    [
      "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$",
      long,
      false,
    ],
    ["^.{1,32768}$", "a".repeat(32_768), true],
    ["^.{1,32767}$", "a".repeat(32_768), false],
    ["(?:){1000000000}", long, true],
    ["^(?:a?){40}a{40}$", "a".repeat(40), true],
  ])("%s", (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  test.each([
    ["(?:a?){60}a{60}$", long],
    ["((a{99}){99}){99}", "a"],
    ["(?=(?=(?=a)a)a)".repeat(60), long],
    ["b", "a".repeat(3_000_000)],
  ])("%s, or throws if it takes too long", (pattern, text) => {
    expect(() => check({ pattern }, text)).toThrow(/takes too long|is too large/);
  });

  test.each(sampled(["[", "(?<", "\\u{", "\\p{", "\\k<", "(", "a{", "{1"], 3))(
    "%s, unclosed, 100,000 times",
    (open) => {
      expect(() => check({ pattern: open.repeat(100_000) }, "a")).toThrow("is not checked");
    },
  );

  test("many patterns, which share one limit", () => {
    const schema = { allOf: Array.from({ length: 2_000 }, (_, index) => ({ pattern: `^.{0,${9_000 + index}}$` })) };
    expect(() => check(schema, "a".repeat(9_000))).toThrow("takes too long");
  });
});

describe("matches a pattern of a real tool", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["^\\d{4}-\\d{2}-\\d{2}$", ["2026-01-31"], ["2026-1-31", "x2026-01-31"]],
    ["^[A-Z][A-Z0-9_]*$", ["GITHUB_X"], ["github", ""]],
    ["^(?!\\s*$).+", ["a", " a"], ["", "  "]],
    ["^(?=.*[A-Z])(?=.*\\d)[\\w!]{8,64}$", ["Passw0rd!"], ["password1", "Pass0"]],
    ["^#?([a-fA-F0-9]{6}|[a-fA-F0-9]{3})$", ["#fff", "A1B2C3"], ["#ff", "#gggggg"]],
    ["^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$", ["a.b+c@example.com"], ["a@b", "a b@c.de"]],
    ["^https?:\\/\\/", ["http://x", "https://x"], ["ftp://x"]],
    ["^[\\w\\-\\.]+\\-[\\d]+$", ["a.b-5"], ["a.b_x"]],
    ["^\\+[1-9]\\d{1,14}$", ["+4912345"], ["+0123", "49123"]],
    ["(?<year>\\d{4})", ["in 2026"], ["26"]],
    ["^\\p{Lu}\\p{Ll}+$", ["Émile", "Ωmega"], ["emile"]],
    ["^.$", ["😀", "é"], ["ab", "\n"]],
    ["^[\\u{1F600}-\\u{1F64F}]\\uD83D\\uDE00$", ["😀😀"], ["😀a"]],
    ["\\bcat\\b", ["a cat.", "cat"], ["concat", "cats"]],
    ["^(?:a|b|)c*?$", ["", "a", "bccc"], ["abc"]],
    ["(?<!un)happy$", ["happy", "so happy"], ["unhappy"]],
    ["^[]$|^[^]$", ["\n"], ["", "ab"]],
    ["^\\x41\\cJ\\0$", ["A\n\0"], ["A"]],
  ])("%s", (pattern, fitting, others) => {
    expect(fitting.filter((text) => !matches(pattern, text))).toEqual([]);
    expect(others.filter((text) => matches(pattern, text))).toEqual([]);
  });

  test("and agrees with JavaScript's own engine", () => {
    const atom = fc.constantFrom(..."a b . \\d \\w [ab] [^a] \\b \\B ^ $ é \\p{L} \\s [\\s\\S] (?:)".split(" "));
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4 },
        atom,
        fc.array(tie("pattern"), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("")),
        fc.array(tie("pattern"), { minLength: 2, maxLength: 3 }).map((parts) => `(?:${parts.join("|")})`),
        fc
          .tuple(fc.constantFrom("(", "(?=", "(?!", "(?<=", "(?<!"), tie("pattern"))
          .map(([open, part]) => `${open}${part})`),
        fc
          .tuple(tie("pattern"), fc.constantFrom("*", "+?", "?", "{2}", "{0,3}", "{1,}"))
          .map(([part, times]) => `(?:${part})${times}`),
      ),
    }));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "1", " ", "é", "-", "\n"), maxLength: 6 });
    const decideAlike = fc.property(pattern, fc.array(text, { minLength: 4, maxLength: 4 }), (source, texts) => {
      const native = new RegExp(source, "u");
      for (const one of texts) expect([source, one, matches(source, one)]).toEqual([source, one, native.test(one)]);
    });
    fc.assert(decideAlike, { numRuns: sized(100, 3_000), seed: 11 });
  });
});

describe("skips a pattern that can't be matched in linear time", () => {
  test.each([
    ["(a)\\1", "it refers back to a group"],
    ["(?<q>['\"]).*\\k<q>", "it refers back to a group"],
    ["(?P<x>a)", "it isn't a valid JavaScript pattern"],
    ["(unclosed", "it isn't a valid JavaScript pattern"],
    ["(?i:a)", "it"],
    [`${"(".repeat(500)}a${")".repeat(500)}`, "its groups are nested too deep"],
  ])("%s, and throws the reason if the rest is valid", (pattern, reason) => {
    const schema = { properties: { a: { pattern }, b: { type: "string" } } };
    expect(() => check(schema, { a: "x", b: "x" })).toThrow(`is not checked: ${reason}`);
    expect(check(schema, { a: "x", b: 5 })).toEqual([{ path: "b", expected: "a string", received: "number" }]);
  });

  const unknown = { pattern: "(a)\\1" };
  test.each<[string, object, unknown]>([
    ["not", { not: unknown }, "x"],
    ["oneOf", { oneOf: [unknown, { type: "string" }] }, "x"],
    ["if", JSON.parse('{"if":{"pattern":"(a)\\\\1"},"then":{"type":"null"},"else":{"type":"null"}}'), "x"],
    ["maxContains", { contains: unknown, maxContains: 1 }, ["x", "y"]],
    ["patternProperties", { patternProperties: { "(a)\\1": { type: "null" } }, additionalProperties: false }, { b: 1 }],
  ])("and rejects nothing because of it, in %s", (_keyword, schema, value) => {
    expect(() => check(schema, value)).toThrow("is not checked");
  });
});
