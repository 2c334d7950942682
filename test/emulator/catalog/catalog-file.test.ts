import { describe, expect, test } from "vitest";
import { type CatalogOptions, fromCatalog, sampleObjectOf, toToolkits } from "../../../src/emulator/from-catalog.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { Svc } from "../../../src/index.js";
import { mismatchesOfJsonSchema } from "../../../src/json-schema/check/check-json-schema.js";

const version = "20260101_00";
const output = {
  type: "object",
  properties: {
    id: { type: "string", format: "uuid" },
    state: { enum: ["open", "closed"] },
    assignees: { type: "array", items: { $ref: "#/$defs/User" }, minItems: 1 },
  },
  required: ["id", "state", "assignees"],
  additionalProperties: false,
  $defs: { User: { type: "object", properties: { email: { type: "string", format: "email" } }, required: ["email"] } },
};
const input = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
const tool = (slug: string, more: object = {}) => ({
  ...{ slug, name: slug, description: "A tool.", version, is_deprecated: false },
  ...{ input_parameters: input, output_parameters: output, ...more },
});
const payload = { type: "object", properties: { at: { type: "string", format: "date-time" } }, required: ["at"] };
const catalog = {
  formatVersion: 1,
  toolkits: [
    {
      slug: "tracker",
      name: "Tracker",
      version,
      tools: [
        tool("TRACKER_CREATE"),
        tool("TRACKER_CLOSE"),
        tool("TRACKER_IMPOSSIBLE", { output_parameters: { ...output, not: {} } }),
        tool("TRACKER_ELSEWHERE", {
          input_parameters: { $ref: "https://example.com/schema.json" },
          output_parameters: { type: "object", properties: { a: { $ref: "#/missing" } }, required: ["a"] },
        }),
      ],
      trigger_types: [
        { slug: "TRACKER_CLOSED", name: "Closed", description: "Closed.", config: { type: "object" }, payload },
      ],
    },
  ],
};

function started(options?: CatalogOptions) {
  const emulator = createEmulator(fromCatalog(catalog, options));
  const svc = new Svc(emulator.connection);
  const run = (slug: string, args: Record<string, unknown> = { title: "One" }) =>
    svc.tools.execute(slug, { user_id: "user-4711", version, arguments: args });
  return { emulator, svc, run };
}

describe("an emulator of a catalog", () => {
  test("makes up results that fit the tool's output schema, and marks them in log ids", async () => {
    const { emulator, svc, run } = started();
    const result = await run("TRACKER_CREATE");
    expect(result).toMatchObject({ successful: true, error: null });
    expect(mismatchesOfJsonSchema(output, result.data)).toEqual([]);
    expect(result.log_id).toMatch(/^log_sample_/);
    expect(emulator.tools.calls("TRACKER_CREATE")).toMatchObject([{ source: "sample", arguments: { title: "One" } }]);
    expect((await svc.logs.listToolExecutions({})).logs.map(({ id }) => id)).toEqual([result.log_id]);
  });

  test("repeats results for the same arguments, in any emulator, until the seed changes", async () => {
    const [one, other] = [started(), started()];
    const { data } = await one.run("TRACKER_CREATE");
    await other.run("TRACKER_CLOSE");
    expect((await other.run("TRACKER_CREATE")).data).toEqual(data);
    expect((await one.run("TRACKER_CREATE", { title: "Two" })).data).not.toEqual(data);
    expect((await started({ seed: 2 }).run("TRACKER_CREATE")).data).not.toEqual(data);
  });

  test("validates arguments", async () => {
    expect(await started().run("TRACKER_CREATE", {})).toMatchObject({
      successful: false,
      error: "Invalid request data provided: following fields are missing: title",
    });
  });

  test("prefers recorded data, functions, stubs, and own toolkits to made-up results", async () => {
    const run = () => ({ from: "own toolkit" });
    const own = {
      ...{ slug: "tracker", name: "Own", description: "", categories: [], auth: [], versions: {} },
      tools: [{ slug: "TRACKER_OWN", name: "Own", description: "", input, output: {}, run }],
    };
    const other = {
      ...own,
      slug: "other",
      versions: { [version]: "" },
      tools: [{ ...own.tools[0], slug: "OTHER_ONE", name: "", description: "", input, output: {}, run }],
    };
    const { emulator, ...each } = started({
      tools: { TRACKER_CREATE: { from: "recording" }, TRACKER_CLOSE: ({ arguments: { title } }) => ({ title }) },
      toolkits: [own, other],
    });
    emulator.tools.stub("TRACKER_IMPOSSIBLE", { from: "stub" });
    const results = await Promise.all(
      ["TRACKER_CREATE", "TRACKER_CLOSE", "TRACKER_IMPOSSIBLE", "TRACKER_OWN", "OTHER_ONE"].map((slug) =>
        each.run(slug),
      ),
    );
    expect(results.map(({ data }) => data)).toEqual([
      { from: "recording" },
      { title: "One" },
      { from: "stub" },
      { from: "own toolkit" },
      { from: "own toolkit" },
    ]);
    expect(results.some(({ log_id }) => log_id?.startsWith("log_sample_"))).toBe(false);
  });

  test("fails an execution whose result can't be made up, and says how to help", async () => {
    const { successful, error } = await started().run("TRACKER_IMPOSSIBLE");
    expect(successful).toBe(false);
    expect(error).toMatch(/^The emulator can't make up a result of TRACKER_IMPOSSIBLE: .* Stub the tool\.$/);
  });

  test("accepts everything for references to other documents", async () => {
    const { successful, data } = await started().run("TRACKER_ELSEWHERE", { anything: 1 });
    expect([successful, Object.keys(data)]).toEqual([true, ["a"]]);
  });

  test("runs the catalog's trigger types for the account of each toolkit", async () => {
    const { emulator, svc } = started();
    const { trigger_id } = await svc.triggers.upsert("TRACKER_CLOSED", {
      connected_account_id: "ca_tracker_demo",
      trigger_config: {},
    });
    const event = emulator.triggers.fire(trigger_id, sampleObjectOf(payload, { seed: 1 }));
    expect(emulator.events).toEqual([event]);
    expect(() => emulator.triggers.fire(trigger_id, {})).toThrow("doesn't match TRACKER_CLOSED");
  });

  test("shows the catalog's schemas and versions", async () => {
    const { svc } = started();
    const { input_parameters, output_parameters, available_versions } = await svc.tools.get("TRACKER_CREATE", {
      version,
    });
    expect([input_parameters, output_parameters]).toEqual([input, output]);
    expect(available_versions).toContain(version);
  });
});

test("fromCatalog rejects what isn't a catalog, and answers for unknown tools", () => {
  expect(() => fromCatalog({ formatVersion: 2 })).toThrow("The catalog isn't a valid catalog: ");
  expect(() => fromCatalog(catalog, { tools: { TRACKER_CRAETE: {} } })).toThrow(
    "fromCatalog: the catalog has no tool TRACKER_CRAETE. Did you mean TRACKER_CREATE?",
  );
});

describe("toolkits from a file", () => {
  const written = {
    slug: "mine",
    name: "Mine",
    tools: [{ slug: "MINE_ONE", name: "One", description: "", input, output }],
  };

  test("need no code: a tool returns its result, or one made up from its output", async () => {
    const [fixed] = written.tools;
    const tools = [...written.tools, { ...fixed, slug: "MINE_TWO", result: { done: true } }];
    const emulator = createEmulator({ toolkits: toToolkits([{ ...written, tools }], "toolkits.json") });
    const svc = new Svc(emulator.connection);
    const run = (slug: string) =>
      svc.tools.execute(slug, { user_id: "u", version: "latest", arguments: { title: "One" } });
    const { data } = await run("MINE_ONE");
    expect(mismatchesOfJsonSchema(output, data)).toEqual([]);
    expect((await run("MINE_TWO")).data).toEqual({ done: true });
  });

  test("may run code, if the file is a module", async () => {
    const [first] = written.tools;
    const tools = [{ ...first, run: ({ arguments: { title } }: { arguments: { title?: unknown } }) => ({ title }) }];
    const emulator = createEmulator({ toolkits: toToolkits([{ ...written, tools }], "toolkits.js") });
    const svc = new Svc(emulator.connection);
    const call = { user_id: "u", version: "latest", arguments: { title: "One" } };
    expect((await svc.tools.execute("MINE_ONE", call)).data).toEqual({ title: "One" });
  });

  test("may run a method that reads its tool", async () => {
    const tool = {
      ...written.tools[0],
      run() {
        return { title: this.name };
      },
    };
    const emulator = createEmulator({ toolkits: toToolkits([{ ...written, tools: [tool] }], "toolkits.js") });
    const call = { user_id: "u", version: "latest", arguments: { title: "One" } };
    expect((await new Svc(emulator.connection).tools.execute("MINE_ONE", call)).data).toEqual({ title: tool.name });
  });

  test.each<[string, unknown, string]>([
    ["an object", {}, "toolkits.json doesn't contain a list of toolkits: "],
    ["a missing slug", [{ name: "Mine", tools: [] }], "[0].slug"],
    ["an unknown field", [{ ...written, colour: "red" }], "colour"],
    [
      "a tool without schemas",
      [{ ...written, tools: [{ slug: "MINE_ONE", name: "", description: "" }] }],
      "[0].tools[0].input",
    ],
    ["code that isn't a function", [{ ...written, tools: [{ ...written.tools[0], run: "x" }] }], "[0].tools[0].run"],
  ])("are rejected with %s, and the error names the place", (_case, value, place) => {
    expect(() => toToolkits(value, "toolkits.json")).toThrow(place);
  });
});
