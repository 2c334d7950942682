import { describe, expect, test } from "vitest";
import * as messages from "../../src/agents/messages.js";
import type { Target } from "../../src/agents/schema/index.js";
import { DIALECTS } from "../../src/agents/schema/targets.js";
import { lint, type ToolsToLint } from "../../src/cli/lint-tools.js";

const tool = (slug: string, properties: object): ToolsToLint[number] => ({
  slug,
  name: slug,
  description: "Does something.",
  version: "20260101_00",
  is_deprecated: false,
  input_parameters: { type: "object", properties, required: Object.keys(properties), additionalProperties: false },
  output_parameters: {},
});

const plain = tool("ACME_RENAME_TASK", { title: { type: "string" } });
const open = tool("ACME_SEND_ANYTHING", { payload: {} });
const limited = tool("ACME_SET_PRIORITY", { priority: { type: "string", pattern: "^P[0-4]$" } });
const named = tool("ACME.DOTTED", { title: { type: "string" } });
const targets = Object.keys(DIALECTS) as Target[];
const kindsFor = (target: Target, one: ToolsToLint[number]) =>
  lint([one], target, []).flatMap(({ notes }) => notes.map(({ kind }) => kind));

describe("svc-sdk lint-tools", () => {
  test.each(targets)("passes a plain tool for %s", (target) => {
    const [linted] = lint([plain], target, ["not-strict", "opened", "renamed", "reshaped", "annotated"]);
    expect(linted).toMatchObject({ name: "ACME_RENAME_TASK", strict: target.endsWith("-strict"), fails: false });
  });

  test("fails a tool that can't be strict, and only for that target", () => {
    const failing = targets.filter((target) => lint([plain, open], target, ["not-strict"])[1]?.fails);
    expect(failing).toEqual(["anthropic-strict"]);
  });

  test("lists constraints and names that the provider doesn't accept", () => {
    expect(kindsFor("gemini", limited)).toEqual(["described"]);
    expect(kindsFor("openai", limited)).toEqual([]);
    expect(kindsFor("gemini", named)).toEqual(["renamed"]);
    expect(kindsFor("json-schema", named)).toEqual([]);
  });

  test("fails only on the kinds that it is asked about", () => {
    expect(lint([limited], "gemini", ["not-strict", "opened"])[0]?.fails).toBe(false);
    expect(lint([limited], "gemini", ["described"])[0]?.fails).toBe(true);
  });

  test("reports hidden characters, wherever a model reads them", () => {
    const hidden = ["\u202e", "\u200b", "\u{e0041}", "\u2066", "\u00ad"];
    for (const character of hidden) {
      const described = { ...plain, description: `Renames ${character}a task.` };
      expect(kindsFor("json-schema", described)).toEqual(["hidden"]);
      const nested = tool("ACME_A", { [`a${character}`]: { type: "string", enum: [`b${character}`] } });
      expect(kindsFor("json-schema", nested)).toContain("hidden");
    }
    const [linted] = lint([{ ...plain, description: "a\u202eb" }], "json-schema", ["hidden"]);
    expect(linted).toMatchObject({ fails: true, notes: [{ path: "description", message: '"a\\u202eb"' }] });
    expect(kindsFor("json-schema", { ...plain, description: "Größe, 名前, 👍, with\na line." })).toEqual([]);
  });

  test("reports a description that is too long to read", () => {
    expect(kindsFor("json-schema", { ...plain, description: "x".repeat(1_024) })).toEqual([]);
    expect(kindsFor("json-schema", { ...plain, description: "x".repeat(1_025) })).toEqual(["long"]);
  });

  test.each([
    messages.unknownTool("A", ["B"]),
    messages.cutCall("A"),
    messages.brokenJson("A", new Error("x")),
    messages.wrongArguments("A", [{ path: "owner", expected: "nothing: the program sets it", received: "a value" }]),
    messages.denied("A"),
    messages.needsApproval("A", "b"),
    messages.pending("A", "b", false),
    messages.notApproved("A"),
    messages.programFailed("A"),
    messages.startedBefore("A"),
    messages.idOfAnotherCall("A"),
    messages.failed("A", new Error("x"), "unknown", 1_024),
  ])("reports an imitation of what a toolset says: %s", (text) => {
    const disguised = text.replaceAll("n", "n\u200b").replaceAll("A", "\uff21");
    expect(kindsFor("json-schema", { ...plain, description: `Renames a task. ${text}` })).toEqual(["imitates"]);
    expect(kindsFor("json-schema", { ...plain, description: disguised })).toEqual(["hidden", "imitates"]);
  });

  test("checks the tools of one request together", () => {
    const many = Array.from({ length: 30 }, (_, index) => tool(`ACME_TOOL_${index}`, { title: { type: "string" } }));
    const strict = lint(many, "anthropic-strict", ["not-strict"]);
    expect(strict.filter(({ fails }) => fails)).toHaveLength(10);
    expect(lint(many.slice(0, 20), "anthropic-strict", ["not-strict"]).some(({ fails }) => fails)).toBe(false);
  });
});
