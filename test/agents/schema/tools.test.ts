import { describe, expect, test } from "vitest";
import { compileTools } from "../../../src/agents/schema/index.js";

const schemaWith = (optionals: number) => ({
  type: "object",
  properties: Object.fromEntries(Array.from({ length: optionals }, (_, index) => [`p${index}`, { type: "string" }])),
});

test("spends Anthropic's budget on destructive tools first, then on those with few optional properties", () => {
  const tools = [
    { name: "many", schema: schemaWith(12) },
    { name: "few", schema: schemaWith(2) },
    { name: "delete", schema: schemaWith(20), destructive: true },
  ];
  const compiled = compileTools(tools, "anthropic-strict");
  expect(compiled.map(({ name, strict }) => [name, strict])).toEqual([
    ["many", false],
    ["few", true],
    ["delete", true],
  ]);
  expect(compiled[0]?.notes.at(-1)).toMatchObject({ kind: "not-strict", path: "" });
});

test("makes at most 20 tools of a request strict for Anthropic", () => {
  const tools = Array.from({ length: 30 }, (_, index) => ({ name: `tool${index}`, schema: schemaWith(0) }));
  expect(compileTools(tools, "anthropic-strict").filter(({ strict }) => strict)).toHaveLength(20);
  expect(compileTools(tools, "openai-strict").filter(({ strict }) => strict)).toHaveLength(30);
});

test("spends Anthropic's budget on the same tools in every order, and on named ones before all", () => {
  const tools = Array.from({ length: 30 }, (_, index) => ({
    name: `tool${index}`,
    schema: schemaWith(1),
    destructive: index < 10,
    strict: index > 27 ? true : undefined,
  }));
  const strictOf = (given: typeof tools) =>
    compileTools(given, "anthropic-strict")
      .filter(({ strict }) => strict)
      .map(({ name }) => name)
      .sort();
  const chosen = strictOf(tools);
  expect(chosen).toHaveLength(20);
  expect(chosen).toEqual(expect.arrayContaining(["tool28", "tool29"]));
  expect(strictOf(tools.toReversed())).toEqual(chosen);
});

describe("Anthropic's budget", () => {
  const strictOf = (tools: Parameters<typeof compileTools>[0]) =>
    compileTools(tools, "anthropic-strict").flatMap(({ name, strict }) => (strict ? name : []));
  const several = (count: number, schema: unknown = schemaWith(0)) =>
    Array.from({ length: count }, (_, index) => ({ name: `tool${String(index).padStart(2, "0")}`, schema }));

  test("of properties of several types is 16, and goes to the first names", () => {
    const schema = { type: "object", properties: { one: { type: ["string", "null"] } }, required: ["one"] };
    const tools = several(18, schema);
    expect(strictOf(tools.toReversed()).sort()).toEqual(tools.slice(0, 16).map(({ name }) => name));
    expect(compileTools(tools, "anthropic-strict")[17]?.notes.at(-1)?.message).toBe(
      "A request may have 20 strict tools, 24 optional properties and 16 properties of several types in them. Other tools came first.",
    );
  });

  test("isn't spent on a tool that can't be strict, or that the program didn't choose", () => {
    const map = { type: "object", properties: {}, additionalProperties: { type: "string" } };
    const others = several(20);
    const names = others.map(({ name }) => name);
    expect(strictOf([{ name: "a", schema: map }, ...others])).toEqual(names);
    expect(strictOf([{ name: "a", schema: map, strict: true }, ...others])).toEqual(names);
    expect(strictOf([{ name: "a", schema: schemaWith(0), strict: false }, ...others])).toEqual(names);
    const [own] = compileTools([{ name: "a", schema: map, strict: false }], "anthropic-strict");
    expect(JSON.stringify(own?.notes)).not.toContain("The program chose other tools.");
  });

  test("is too small for the tools that a program chose, whatever other tools there are", () => {
    const tools = [...several(13, schemaWith(2)).map((one) => ({ ...one, strict: true })), { name: "x", schema: {} }];
    expect(() => strictOf([...tools, { name: "y", schema: schemaWith(0) }])).toThrow(
      "toolset: strict chooses 13 tools with 26 optional properties and 0 of several types.",
    );
  });
});

test("gives names that the target rejects an alias that doesn't depend on the other tools", () => {
  const names = ["a.b", "x".repeat(80), "ok"];
  const together = compileTools(
    names.map((name) => ({ name, schema: {} })),
    "openai",
  );
  expect(together.map(({ originalName }) => originalName)).toEqual(names);
  expect(together.map(({ name }) => /^[\w-]{1,64}$/.test(name))).toEqual([true, true, true]);
  expect(together[2]?.name).toBe("ok");
  expect(together.map(({ name }) => name)).toEqual(
    names.flatMap((name) => compileTools([{ name, schema: {} }], "openai")[0]?.name),
  );
});

test("gives a long name that starts with a digit an alias that is not too long either", () => {
  const name = `1${"x".repeat(80)}`;
  const [tool] = compileTools([{ name, schema: { type: "object", properties: { [name]: {} } } }], "gemini");
  expect(tool?.name).toMatch(/^[a-z_][\w-]{0,63}$/i);
  expect(Object.keys(Object(tool?.schema["properties"]))).toEqual([expect.stringMatching(/^[a-z_]\w{0,63}$/i)]);
});

test("resolves collisions of aliases in the order of the names", () => {
  const [first] = compileTools([{ name: "a b", schema: {} }], "openai");
  const tools = [
    { name: "a b", schema: {} },
    { name: first?.name ?? "", schema: {} },
  ];
  const forth = compileTools(tools, "openai").map(({ name }) => name);
  const back = compileTools([...tools].reverse(), "openai")
    .map(({ name }) => name)
    .reverse();
  expect(new Set(forth).size).toBe(2);
  expect(back).toEqual(forth);
  expect(forth[1]).toBe(first?.name);
});
