import { expect, test, vi } from "vitest";
import { type LocalTool, tool } from "../../src/agents/index.js";
import { bench, COUNT_WORDS } from "./support.js";

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
  await vi.waitFor(() => expect(printed.mock.calls).toHaveLength(2));
  expect(printed.mock.calls).toEqual([
    ["toolset: onEvent threw.", new Error("full")],
    ["toolset: onEvent threw.", new Error("full")],
  ]);
  printed.mockRestore();
});
