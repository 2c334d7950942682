import { describe, expect, test, vi } from "vitest";
import { toolset } from "../../../src/agents/index.js";
import { compileSchema, compileTools } from "../../../src/agents/schema/index.js";
import { ConfigError, type Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { USER } from "../support.js";

const namesOf = ({ tools }: { readonly tools: readonly { readonly name: string }[] }) => tools.map(({ name }) => name);

describe("a tool whose schema can't be read", () => {
  const deep = (levels: number): object => {
    let schema: object = { type: "string" };
    for (let level = 0; level < levels; level += 1) schema = { type: "object", properties: { a: schema } };
    return schema;
  };
  const cyclic: { type: string; properties: Record<string, unknown> } = { type: "object", properties: {} };
  cyclic.properties["self"] = cyclic;

  test.each<[string, object]>([
    ["is nested 1,000 levels deep", deep(1_000)],
    ["is nested 20,000 levels deep", deep(20_000)],
    ["contains itself", cyclic],
  ])("because it %s is omitted and named, and the others work", async (_, input_parameters) => {
    const bad = { slug: "KIT_BAD", toolkit: { slug: "kit" }, version: "1", tags: [], input_parameters };
    const good = { ...bad, slug: "KIT_GOOD", input_parameters: { type: "object" } };
    const list = async function* () {
      yield* [bad, good];
    };
    const source = { tools: { list, execute: async () => ({ successful: true, data: { ok: true } }) } };
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const events: unknown[] = [];
    // As much of a client as a toolset needs.
    const svc = source as unknown as Svc;
    const onEvent = (event: unknown) => void events.push(event);
    const tools = await toolset(svc, { userId: USER, toolkits: ["kit"], accounts: "newest", onEvent });
    expect(namesOf(tools)).toEqual(["KIT_GOOD"]);
    expect(events).toMatchObject([{ type: "omitted", error: expect.any(ConfigError) }]);
    expect(warn.mock.calls).toEqual([[expect.stringContaining("KIT_BAD is omitted")]]);
    warn.mockRestore();
    expect(await tools.run([{ callId: "1", name: "KIT_GOOD", arguments: {} }])).toMatchObject([
      { status: "succeeded" },
    ]);
  });
});

test.each(["gpt-5", "toString", undefined])("the unknown target %s is a ConfigError of compileSchema()", (target) => {
  expect(() => compileSchema({}, target as never)).toThrow(ConfigError);
  expect(() => compileTools([], target as never)).toThrow(`compileTools: unknown target ${target}. Pass openai-strict`);
});

test("a list of tools that never ends is an error, without a signal", async () => {
  const list = async function* () {
    for (;;) yield { slug: "KIT_AGAIN", toolkit: { slug: "kit" }, version: "1", tags: [], input_parameters: {} };
  };
  // As much of a client as a toolset needs.
  const svc = { tools: { list, execute: async () => ({}) } } as unknown as Svc;
  const reading = toolset(svc, { userId: USER, toolkits: ["kit"], accounts: "newest" });
  expect((await rejectionOf(ConfigError, reading)).message).toContain("lists more than 100000 tools");
});
