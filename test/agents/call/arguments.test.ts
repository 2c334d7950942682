import { describe, expect, test, vi } from "vitest";
import { type LocalTool, tool, toolset } from "../../../src/agents/index.js";
import { eventually } from "../../support/eventually.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, ISSUE, USER } from "../support.js";

const count = (text: string) => ({ callId: text, name: COUNT_WORDS, arguments: { text } });

/** A local tool whose arguments contain themselves. */
function nesting(ran: unknown[]): LocalTool {
  const parameters = { type: "object", properties: { inner: { $ref: "#" } } };
  return tool({ name: "nest", description: "Nests.", parameters, execute: (args) => void ran.push(args) });
}

test.each([
  [500, "nested less deeply, received arguments that can't be checked"],
  [50_000, "did not run"],
])("arguments with %d levels aren't run: they can't be checked", async (levels, problem) => {
  const ran: unknown[] = [];
  const { tools } = await bench({ tools: [nesting(ran)] });
  const deep = `${'{"inner":'.repeat(levels)}{}${"}".repeat(levels)}`;
  const [result] = await tools.run([{ callId: "1", name: "nest", arguments: deep }]);
  expect(result).toMatchObject({ status: "not_run", text: expect.stringContaining(problem) });
  expect(ran).toEqual([]);
});

test("a validator that doesn't return a list lets nothing run", async () => {
  const { tools, executions } = await bench({ validateArguments: { check: (async () => []) as never } });
  const [result] = await tools.run([count("a b")]);
  expect(result).toMatchObject({ status: "not_run", error: expect.any(TypeError) });
  expect(String(result?.error)).toBe("TypeError: toolset: validateArguments.check must return an array.");
  expect(executions()).toBe(0);
});

test("a validator that fails leaves the arguments of a service's tool to the service, and says so", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
  const failure = new Error("no such dialect");
  const check = () => {
    throw failure;
  };
  const { tools, executions } = await bench({ validateArguments: { check } });
  expect(await tools.run([count("a b")])).toMatchObject([{ status: "succeeded" }]);
  expect(executions()).toBe(1);
  expect(warn.mock.calls).toEqual([["toolset: arguments are not checked.", failure]]);
  warn.mockRestore();
});

describe("an argument that the schema of a service's tool doesn't list", () => {
  const run = async (input_parameters: object | undefined, args: object) => {
    const { svc, tools, executions } = await bench();
    const serialized = tools.toJSON();
    const changed = serialized.tools.map((one) => (input_parameters ? { ...one, input_parameters } : one));
    const again = await toolset(svc, { userId: USER, from: { ...serialized, tools: changed as never } });
    const [result] = await again.run([{ callId: "1", name: CREATE_ISSUE, arguments: args }]);
    return { result, ran: executions() };
  };
  const text = { type: "string" };

  test("runs nothing, and the model reads the name that was probably meant", async () => {
    const { result, ran } = await run(undefined, { ...ISSUE, titel: "x" });
    expect(result).toMatchObject({ status: "not_run" });
    expect(result?.text).toContain("titel: expected no such property (did you mean title?), received string");
    expect(ran).toBe(0);
  });

  test.each<[string, object, object]>([
    ["in an item", { properties: { list: { items: { properties: { a: text } } } } }, { list: [{ a: "x", b: 1 }] }],
    ["beside branches", { anyOf: [{ properties: { a: text } }, { properties: { b: text } }] }, { a: "x", c: "y" }],
    ["behind references", { $ref: "#/$defs/a", $defs: { a: { properties: { a: text } } } }, { a: "x", c: "y" }],
  ])("is rejected %s", async (_, schema, args) => {
    expect(await run(schema, args)).toMatchObject({ result: { status: "not_run" }, ran: 0 });
  });

  test.each<[string, object, object]>([
    [
      "another branch lists it",
      { anyOf: [{ properties: { a: text } }, { properties: { b: text } }] },
      { a: "x", b: "y" },
    ],
    [
      "a condition lists it",
      { properties: { a: text }, if: false, else: { properties: { b: text } } },
      { a: "x", b: "y" },
    ],
    ["a part of its object lists it", objectInParts(), { object: { a: "x", b: "y" } }],
    ["the schema takes more", { properties: { a: text }, additionalProperties: text }, { b: "y" }],
    ["a pattern may match it", { properties: { a: text }, patternProperties: { "^x": text } }, { xb: "y" }],
    ["the schema lists none", { type: "object", properties: {} }, { b: "y" }],
    ["a branch takes any object", { anyOf: [{ properties: { a: text } }, { type: "object" }] }, { b: "y" }],
    [
      "a branch refers to any object",
      { anyOf: [{ properties: { a: text } }, { $ref: "#/$defs/any" }], $defs: { any: { type: "object" } } },
      { b: "y" },
    ],
    ["it is required, but not declared", { properties: { a: text }, required: ["a", "b"] }, { a: "x", b: "y" }],
    ["another one depends on it", { properties: { a: text }, dependentRequired: { a: ["b"] } }, { a: "x", b: "y" }],
    [
      "its object is free in another branch",
      { anyOf: [kindOf("x", { properties: { a: text } }), kindOf("y", { type: "object" })] },
      { kind: "y", data: { b: "y" } },
    ],
    [
      "a pattern describes its object, and the schema describes the others",
      {
        patternProperties: { "^x": { properties: { a: text } } },
        additionalProperties: { properties: { b: text } },
      },
      { xb: { a: "x" } },
    ],
    [
      "its list needs an item that has it",
      { properties: { list: { items: { properties: { a: text } }, contains: { required: ["b"] } } } },
      { list: [{ b: "y" }] },
    ],
  ])("runs if %s", async (_, schema, args) => {
    expect(await run(schema, args)).toMatchObject({ ran: 1 });
  });

  function kindOf(kind: string, data: object) {
    return { properties: { kind: { const: kind }, data } };
  }

  function objectInParts() {
    const having = (name: string) => ({ properties: { object: { properties: { [name]: text } } } });
    return { allOf: [having("a"), having("b")] };
  }
});

test("the key of a staged file is rejected where the schema has none", async () => {
  const { tools, executions } = await bench({ tools: ["DRIVE_UPLOAD_FILE"] });
  const named = { file: "a.txt", more: [{ s3key: "someone/elses" }] };
  const [result] = await tools.run([{ callId: "1", name: "DRIVE_UPLOAD_FILE", arguments: named }]);
  const problem = "s3key: expected its path or https URL, not its key, received string.";
  expect(result).toMatchObject({ status: "not_run", text: expect.stringContaining(problem) });
  expect(executions()).toBe(0);
});

test.each<[string, () => unknown]>([
  [
    "throws",
    () => {
      throw new Error("full");
    },
  ],
  ["rejects", () => Promise.reject(new Error("full"))],
])("a call runs even if onEvent %s, which is printed", async (_, onEvent) => {
  const printed = vi.spyOn(console, "error").mockReturnValue(undefined);
  const { tools } = await bench({ onEvent });
  expect(await tools.run([count("a b")])).toMatchObject([{ status: "succeeded" }]);
  await eventually(() => expect(printed.mock.calls).toHaveLength(2));
  expect(printed.mock.calls).toEqual([
    ["toolset: onEvent threw.", new Error("full")],
    ["toolset: onEvent threw.", new Error("full")],
  ]);
  printed.mockRestore();
});
