import { describe, expect, test } from "vitest";
import { textWarnings } from "../../../src/catalog/lock/text-warnings.js";

describe("warnings about the text of a tool", () => {
  test.each(["\u202e", "\u200b", "\u{e0041}", "\u2066", "\u00ad"])("name hidden characters: %j", (character) => {
    const warnings = textWarnings({}, { description: `Renames ${character}a task.`, [`input.a${character}`]: ["b"] });
    expect(warnings).toEqual([
      expect.stringMatching(/^description has hidden characters: "Renames (\\u[\da-f]{4}){1,2}a task\."$/),
      expect.stringMatching(/^input\.a(\\u[\da-f]{4}){1,2} has hidden characters: /),
    ]);
  });

  test("show the part of a long text that hides something, and that it is long", () => {
    const text = `${"x".repeat(2_000)}\u202ehidden`;
    expect(textWarnings({}, { description: text })).toEqual([
      "description has 2007 characters",
      `description has hidden characters: "${"x".repeat(40)}\\u202ehidden"`,
    ]);
    expect(textWarnings({}, { description: "x".repeat(1_024) })).toEqual([]);
  });

  test("omit text that was locked like this, and text that people see", () => {
    const locked = { description: "a\u202eb", "input.enum": ["x"] };
    expect(textWarnings(locked, { ...locked, "input.enum": ["x", "Größe, 名前, 👍, with\na line."] })).toEqual([]);
  });
});
