import { describe, expect, test } from "vitest";
import {
  createEmulator,
  type EmulatorSeed,
  ProviderError,
  type ToolDefinition,
  type ToolkitDefinition,
  type ToolRunContext,
} from "../../../src/emulator/index.js";
import { FRONTS, testSeed } from "../fronts.js";

function tool(slug: string, run: ToolDefinition["run"], more: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    slug,
    name: slug,
    description: "A tool.",
    input: { type: "object" },
    output: { type: "object" },
    run,
    ...more,
  };
}

function toolkit(
  slug: string,
  tools: readonly ToolDefinition[],
  more: Partial<ToolkitDefinition> = {},
): ToolkitDefinition {
  return { slug, name: slug, description: "Ours.", categories: [], auth: [], versions: {}, tools, ...more };
}

const execution = { version: "latest", arguments: {} };

const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;

describe.each(FRONTS)("a custom toolkit %s", (_, open) => {
  test("runs its tools with arguments, time, user, and data, and keeps and resets their data", async () => {
    const calls: ToolRunContext[] = [];
    const add = tool("ACME_ADD", (call) => {
      calls.push(call);
      const total = Number(call.data["total"]) + Number(call.arguments["by"]);
      call.data["total"] = total;
      return { total };
    });
    const { svc, emulator } = await open({
      toolkits: [toolkit("acme", [add], { data: { total: 40 }, versions: { "20260101_00": "First." } })],
    });
    const run = () => svc.tools.execute("ACME_ADD", { user_id: "u", version: "latest", arguments: { by: 2 } });
    expect(await run()).toMatchObject({ successful: true, data: { total: 42 } });
    expect(await run()).toMatchObject({ data: { total: 44 } });
    emulator.reset();
    expect(await run()).toMatchObject({ data: { total: 42 } });
    expect(calls[0]).toMatchObject({
      arguments: { by: 2 },
      version: "20260101_00",
      userId: "u",
      accountId: undefined,
      now: "2026-01-01T00:00:00.000Z",
    });
  });

  test("applies changes in the order of their versions, whatever the order in its definition", async () => {
    const described = (description: string) => ({ description });
    const add = tool("ACME_ADD", () => ({}), {
      changes: { "20260101_00": described("Newest."), "20250101_00": described("Older.") },
    });
    const { svc } = await open({
      toolkits: [toolkit("acme", [add], { versions: { "20260101_00": "", "20250101_00": "" } })],
    });
    expect((await svc.tools.get("ACME_ADD")).description).toBe("Newest.");
    expect((await svc.tools.get("ACME_ADD", { version: "20250101_00" })).description).toBe("Older.");
  });

  test("has another legacy id than a toolkit whose slug starts alike", async () => {
    const { svc } = await open({ toolkits: [toolkit("officemail", []), toolkit("officedrive", [])] });
    const ids = (await svc.toolkits.list({ limit: 100 })).items.map(({ deprecated }) => deprecated.toolkitId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids[0]).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  });

  test("is listed like any other", async () => {
    const { svc } = await open({ toolkits: [toolkit("acme", [tool("ACME_NOOP", () => ({}))])] });
    expect(await svc.toolkits.get("acme")).toMatchObject({
      slug: "acme",
      meta: { tools_count: 1, version: "00000000_00" },
    });
    expect((await svc.tools.list({ toolkit_slug: "acme" })).items).toMatchObject([
      { slug: "ACME_NOOP", no_auth: true },
    ]);
    expect(await svc.tools.listSlugs()).toContain("ACME_NOOP");
  });

  test("replaces a built-in toolkit with the same slug, including its tools", async () => {
    const mine = toolkit("github", [tool("GITHUB_MINE", () => ({ mine: true }))], {
      auth: [{ scheme: "OAUTH2", isManaged: true }],
    });
    const { svc } = await open({ toolkits: [mine] });
    const run = await svc.tools.execute("GITHUB_MINE", { ...execution, user_id: "user-4711" });
    expect(run).toMatchObject({ data: { mine: true } });
    expect((await svc.tools.list({ toolkit_slug: "github" })).items).toHaveLength(1);
    await expect(svc.tools.get("GITHUB_STAR_A_REPOSITORY")).rejects.toMatchObject({ status: 404 });
    expect(await svc.tools.listSlugs()).not.toContain("GITHUB_STAR_A_REPOSITORY");
  });

  test("returns a ProviderError as a 200 with successful false", async () => {
    const refuse = tool("ACME_REFUSE", () => {
      throw new ProviderError(403, "quota used up");
    });
    const { svc } = await open({ toolkits: [toolkit("acme", [refuse])] });
    expect(await svc.tools.execute("ACME_REFUSE", execution)).toMatchObject({
      successful: false,
      error: "quota used up",
      data: { message: "quota used up", status_code: 403 },
    });
  });

  test.each([
    ["throws", () => JSON.parse("oops"), /^The emulated tool ACME_CRASH threw: .*JSON/],
    ["rejects", () => Promise.reject(new Error("later")), /^The emulated tool ACME_CRASH threw: later$/],
    ["throws a string", () => Promise.reject("just text"), /^The emulated tool ACME_CRASH threw: just text$/],
  ])("returns a 500 with the tool's name for a handler that %s", async (_case, run, message) => {
    const { svc } = await open({ toolkits: [toolkit("acme", [tool("ACME_CRASH", run)])] });
    await expect(svc.tools.execute("ACME_CRASH", execution)).rejects.toMatchObject({
      name: "ServerError",
      status: 500,
      body: { error: { slug: "Emulator_ToolCrashed", message: expect.stringMatching(message) } },
    });
  });

  test.each<[string, () => unknown, string]>([
    ["undefined", () => undefined, "undefined"],
    ["null", () => null, "null"],
    ["an array", () => ["no", "object"], "array"],
    ["a string", async () => "text", "string"],
    ["a function", () => () => 1, "function"],
    ["a function in an object", () => ({ f: () => 1 }), "function in f"],
    ["a BigInt in a list", () => ({ sizes: [1n] }), "bigint in 0"],
    ["a cycle", () => cycle, "an object that isn't JSON: Converting circular structure to JSON"],
  ])("records nothing if a tool or a stub returns %s, and names it in a 500", async (_case, run, received) => {
    // @ts-expect-error the compiler rejects these results too
    const toolkits = [toolkit("acme", [tool("ACME_CRASH", run)])];
    const { svc, emulator } = await open({ toolkits });
    const message = `The emulated tool ACME_CRASH failed: run() must return a JSON object, received ${received}`;
    const crashed = {
      status: 500,
      errorSlug: "Emulator_ToolCrashed",
      body: { error: { message: expect.stringContaining(message), suggested_fix: "Return a JSON object from run()" } },
    };
    await expect(svc.tools.execute("ACME_CRASH", execution)).rejects.toMatchObject(crashed);
    // @ts-expect-error as above
    emulator.tools.stub("ACME_CRASH", run);
    await expect(svc.tools.execute("ACME_CRASH", execution)).rejects.toMatchObject(crashed);
    expect(emulator.tools.calls("ACME_CRASH")).toEqual([]);
    emulator.restore(JSON.parse(JSON.stringify(emulator.snapshot())));
  });

  test("returns a tool's result as JSON, the same in the response and in the record", async () => {
    const dated = tool("ACME_DATED", () => ({ at: new Date(0), none: undefined }));
    const { svc, emulator } = await open({ toolkits: [toolkit("acme", [dated])] });
    const { data } = await svc.tools.execute("ACME_DATED", execution);
    expect(data).toEqual({ at: "1970-01-01T00:00:00.000Z" });
    expect(emulator.tools.calls("ACME_DATED")).toMatchObject([{ result: data }]);
    emulator.restore(emulator.snapshot());
  });

  test("returns a 500 with endpoint and path for an invalid response", async () => {
    const odd = toolkit("acme", [], {
      auth: [{ scheme: "API_KEY" }],
      baseUrl: "https://acme.example.com",
      // @ts-expect-error a status is a number
      proxy: () => ({ status: "fine", data: {} }),
    });
    const { svc } = await open({ toolkits: [odd] });
    const custom_connection_data = { authScheme: "API_KEY", toolkitSlug: "acme", val: {} } as const;
    await expect(svc.tools.proxy({ endpoint: "/x", method: "GET", custom_connection_data })).rejects.toMatchObject({
      status: 500,
      errorSlug: "Emulator_ContractMismatch",
      body: { error: { message: "The emulator's response to tools.proxy doesn't match the contract" } },
      errors: ["response.status: expected a number, received string"],
    });
  });

  test.each([
    ["a response that isn't JSON", tool("ACME_X", () => ({ big: 1n }))],
    ["an invalid schema for arguments", tool("ACME_X", () => ({}), { input: { type: "nonsense" } })],
  ])("returns a 500 with the operation's name for %s", async (_case, definition) => {
    const { raw } = await open({ toolkits: [toolkit("acme", [definition])] });
    const answer = await raw("POST", "/api/v3.1/tools/execute/ACME_X", {
      headers: { "x-api-key": "ak_emulator" },
      body: { arguments: {} },
    });
    expect(answer).toMatchObject({
      status: 500,
      body: { error: { code: 10500, slug: expect.stringContaining("Emulator_") } },
    });
    expect(answer.headers.get("x-ratelimit")).toBe("2000");
    expect(answer.text).toMatch(/tools\.execute|ACME_X/);
  });

  test("returns a 500 with the operation's name for a crashing proxy", async () => {
    const broken = toolkit("acme", [], {
      auth: [{ scheme: "API_KEY" }],
      baseUrl: "https://acme.example.com",
      proxy: () => {
        throw new Error("out of order");
      },
    });
    const { svc } = await open({ toolkits: [broken] });
    const custom_connection_data = { authScheme: "API_KEY", toolkitSlug: "acme", val: {} } as const;
    await expect(svc.tools.proxy({ endpoint: "/x", method: "GET", custom_connection_data })).rejects.toMatchObject({
      status: 500,
      body: { error: { message: "The emulator failed in tools.proxy: out of order" } },
    });
  });
});

describe("the options of an emulator", () => {
  test.each<[string, object, RegExp]>([
    ["a list", [], /is invalid: the value itself: expected an object, received array/],
    ["keys that aren't an array", { keys: 5 }, /keys: expected an array, received number/],
    ["a key without kind", { keys: [{ value: "x" }] }, /keys\[0\]\.kind: expected "apiKey" or .*, received missing/],
    ["an unknown field", { auth_configs: [] }, /auth_configs: no such field \(did you mean authConfigs\?\)/],
    [
      "an unknown toolkit",
      { authConfigs: [{ id: "ac_x", toolkit: "nope" }] },
      /the auth config ac_x refers to the unknown toolkit nope/,
    ],
    [
      "an unknown scheme",
      { authConfigs: [{ id: "ac_x", toolkit: "slack", scheme: "OAUTH" }] },
      /the auth config ac_x has the unknown scheme OAUTH/,
    ],
    ["an invalid auth config id", { authConfigs: [{ id: "x", toolkit: "slack" }] }, /id x doesn't start with ac_/],
    [
      "an account without auth config",
      { connectedAccounts: [{ id: "ca_x", userId: "u", authConfigId: "ac_none" }] },
      /ca_x refers to the unknown auth config ac_none/,
    ],
    [
      "an invalid account id",
      { ...testSeed, connectedAccounts: [{ id: "x", userId: "u", authConfigId: "ac_slack_demo" }] },
      /id x doesn't start with ca_/,
    ],
    [
      "an invalid status",
      { connectedAccounts: [{ id: "ca_x", userId: "u", authConfigId: "ac_x", status: "SLEEPING" }] },
      /connectedAccounts\[0\]\.status: expected "INITIALIZING" or .*"ACTIVE" or .*, received another string/,
    ],
    [
      "a duplicate id",
      { authConfigs: [1, 2].map(() => ({ id: "ac_x", toolkit: "slack" })) },
      /two records have the id ac_x/,
    ],
    ["a duplicate key", { keys: [1, 2].map(() => ({ kind: "apiKey", value: "k" })) }, /two keys have the same value/],
    ["a duplicate integration", { integrations: ["i", "i"] }, /the integration i appears twice/],
    [
      "an unknown denied operation",
      { keys: [{ kind: "apiKey", value: "k", denied: ["tools.exec"] }] },
      /denied tools\.exec, which isn't an operation/,
    ],
  ])("rejects a seed with %s with a detailed ConfigError", (_case, seed, message) => {
    const make = () => createEmulator({ seed: seed as EmulatorSeed });
    expect(make).toThrow(expect.objectContaining({ name: "ConfigError", message: expect.stringMatching(message) }));
  });

  test("creates an empty emulator from an empty seed", async () => {
    const emulator = createEmulator({ seed: {} });
    expect(emulator.connection.apiKey).toBeUndefined();
    const answer = await emulator.fetch(`${emulator.connection.baseUrl}/api/v3.1/tools`);
    expect(answer.status).toBe(401);
  });

  test.each<[string, ToolkitDefinition, string]>([
    // As a JavaScript program would pass them.
    [
      "no tools",
      { slug: "acme", versions: {} } as ToolkitDefinition,
      "must be an object with slug, name, versions and",
    ],
    ["no versions", { slug: "acme", tools: [] } as unknown as ToolkitDefinition, 'not {"slug":"acme","tools":[]}.'],
    [
      "no auth",
      toolkit("acme", [], { auth: undefined as never }),
      "The toolkit acme is invalid: auth: expected an array, received missing.",
    ],
    [
      "a text as categories",
      toolkit("acme", [], { categories: "crm" as never }),
      "The toolkit acme is invalid: categories: expected an array, received string.",
    ],
    [
      "a list as versions",
      toolkit("acme", [], { versions: ["20251023_00"] as never }),
      "The toolkit acme is invalid: versions: expected an object, received array.",
    ],
    [
      "an object as tools",
      toolkit("acme", {} as never),
      "The toolkit acme is invalid: tools: expected an array, received object.",
    ],
    ["null", null as never, "must be an object with slug, name, versions and tools, not null."],
    [
      "a tool without run",
      toolkit("acme", [tool("ACME_X", undefined as never)]),
      "The tool ACME_X of acme is invalid: run: expected a function, received missing.",
    ],
    [
      "a tool without input",
      toolkit("acme", [tool("ACME_X", () => ({}), { input: undefined as never })]),
      "The tool ACME_X of acme is invalid: input: expected an object, received missing.",
    ],
    [
      "a tool that is a function",
      toolkit("acme", [(() => ({})) as never]),
      "The toolkit acme is invalid: tools[0]: expected an object, received function.",
    ],
    [
      "a scheme that is a number",
      toolkit("acme", [], { auth: [{ scheme: 5 as never }] }),
      "The toolkit acme is invalid: auth[0].scheme: expected a string, received number.",
    ],
    [
      "a trigger without a payload",
      toolkit("acme", [], {
        triggers: [{ slug: "ACME_T", name: "T", description: "", config: {}, type: "poll" } as never],
      }),
      "The toolkit acme is invalid: triggers[0].payload: expected an object, received missing.",
    ],
    ["uppercase letters", toolkit("ACME", []), 'The toolkit slug "ACME" must be lowercase.'],
    ["an invalid version", toolkit("acme", [], { versions: { v1: "" } }), "acme has the version v1"],
    [
      "a tool without the toolkit's prefix",
      toolkit("acme", [tool("OTHER_X", () => ({}))]),
      "OTHER_X of acme must start with ACME_",
    ],
    [
      "a tool whose name MCP clients don't accept",
      toolkit("acme", [tool("ACME_X Y", () => ({}))]),
      "The tool ACME_X Y of acme must have at most 128 letters, digits, underscores, hyphens and periods.",
    ],
    [
      "a duplicate tool",
      toolkit(
        "acme",
        [1, 2].map(() => tool("ACME_X", () => ({}))),
      ),
      "defines the tool ACME_X twice",
    ],
    [
      "a tool since an unknown version",
      toolkit("acme", [tool("ACME_X", () => ({}), { since: "20250101_00" })]),
      "ACME_X refers to version 20250101_00",
    ],
    [
      "a change in an unknown version",
      toolkit("acme", [tool("ACME_X", () => ({}), { changes: { "20250101_00": {} } })]),
      "ACME_X refers to version 20250101_00",
    ],
  ])("rejects a toolkit with %s with a detailed ConfigError", (_case, definition, message) => {
    const make = () => createEmulator({ toolkits: [definition] });
    expect(make).toThrow(expect.objectContaining({ name: "ConfigError", message: expect.stringContaining(message) }));
  });

  test("rejects a toolkit registered twice with a ConfigError", () => {
    const twice = [toolkit("acme", []), toolkit("acme", [])];
    expect(() => createEmulator({ toolkits: twice })).toThrow("The toolkit acme is registered twice.");
  });
});
