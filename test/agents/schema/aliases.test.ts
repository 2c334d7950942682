import { expect, test } from "vitest";
import { compileSchema } from "../../../src/agents/schema/compile.js";
import { bothWays } from "./encode.js";

test("a compiled schema replaces names at any depth", () => {
  const inner = { type: "object", properties: { "due date": { type: "string" } }, required: ["due date"] };
  const { encode, decode } = bothWays(
    { type: "object", properties: { "my tasks": { type: "array", items: inner } } },
    "gemini",
  );
  const written = { my_tasks_9f6c1b: [] };
  expect(Object.keys(Object(encode({ "my tasks": [] }))).map((name) => name.replace(/[0-9a-f]{6}$/, "…"))).toEqual([
    "my_tasks_…",
  ]);
  expect(decode(encode({ "my tasks": [{ "due date": "today" }] }))).toEqual({
    "my tasks": [{ "due date": "today" }],
  });
  expect(decode(written)).toEqual(written);
});

test.each<[string, object, object]>([
  [
    "contains requires",
    { contains: { properties: { "due date": { properties: { "x y": { const: 1 } } } }, required: ["due date"] } },
    [{ "due date": { "x y": 1 } }],
  ],
  [
    "too many alternatives have, which stay as they are",
    { type: "object", allOf: [alternatives("p", {}), alternatives("q", { "due date": {} })] },
    { p1: 1, q1: 1, "due date": 2 },
  ],
  ["others depend on", { properties: { b: {} }, dependentRequired: { b: ["due date"] } }, { b: 1, "due date": 2 }],
])("decode restores a name that %s", (_, a, value) => {
  const { schema, decode } = compileSchema({ type: "object", properties: { a } }, "anthropic");
  // A model writes the names that it reads.
  const read = JSON.stringify(schema).match(/\w+_[0-9a-f]{6}/g) ?? [];
  const names = new Map(read.map((alias) => [alias.slice(0, -7).replace("_", " "), alias]));
  const written = JSON.stringify({ a: value }).replace(/due date|x y/g, (name) => names.get(name) ?? "");
  expect(written).toMatch(/due_date_[0-9a-f]{6}/);
  expect(decode(JSON.parse(written))).toEqual({ a: value });
});

function alternatives(name: string, properties: object) {
  const branches = Array.from({ length: 7 }, (_, index) => ({
    properties: { ...properties, [name + index]: { const: index } },
    required: [name + index],
  }));
  return { anyOf: branches };
}

test.each(["anthropic", "portable"] as const)(
  "a description of alternatives at the root has the new names: %s",
  (target) => {
    const schema = { anyOf: [{ properties: { "due date": {} }, required: ["due date"] }, { properties: { a: {} } }] };
    const { description, properties } = compileSchema(schema, target).schema;
    const [alias = ""] = Object.keys(Object(properties));
    expect(alias).toMatch(/^due_date_/);
    expect(description).toContain(`one of {${alias}} or {a?}`);
  },
);

test("the notes of a compiled schema have each new name, at any depth", () => {
  const inner = { type: "object", properties: { "due date": { type: "string" } } };
  const schema = { type: "object", properties: { "my tasks": { type: "array", items: inner } } };
  const places = (["anthropic", "portable"] as const).map((target) =>
    compileSchema(schema, target).notes.flatMap(({ kind, path }) => (kind === "renamed" ? [path] : [])),
  );
  expect(places).toEqual(Array(2).fill(expect.arrayContaining(['["my tasks"]', '["my tasks"][]["due date"]'])));
});
