import { describe, expect, test } from "vitest";
import { BadRequestError, NotFoundError } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { FRONTS, inProcess } from "./fronts.js";

const USER = "user-4711";

describe.each(FRONTS)("a session %s", (_, open) => {
  test("stores its configuration under the response's names, with defaults", async () => {
    const { svc, close } = await open();
    const { record } = await svc.toolRouter.create({
      user_id: USER,
      toolkits: { enable: ["github", "slack"] },
      tools: { github: { tags: ["readOnlyHint"] }, slack: { enable: ["SLACK_SEND_MESSAGE"] } },
      tags: { disable: ["destructiveHint"] },
      workbench: { enable_proxy_execution: false },
      connected_accounts: { github: "ca_github_demo" },
    });
    expect(record.session_id).toMatch(/^trs_/);
    expect(record.config_version).toBe(1);
    expect(record.config).toEqual({
      user_id: USER,
      toolkits: { enabled: ["github", "slack"] },
      tools: { github: { tags: { enabled: ["readOnlyHint"] } }, slack: { enabled: ["SLACK_SEND_MESSAGE"] } },
      tags: { disabled: ["destructiveHint"] },
      connected_accounts: { github: ["ca_github_demo"] },
      manage_connections: { enabled: true, enable_wait_for_connections: false, enable_connection_removal: true },
      workbench: { enable: true, proxy_execution_enabled: false, sandbox_size: "standard" },
      multi_account: { enable: false, max_accounts_per_toolkit: 5, require_explicit_selection: false },
      preload: { tools: [] },
      search: { enable: true },
      execute: { enable_multi_execute: true },
    });
    expect(record.tool_router_tools).toEqual([
      "SVC_SEARCH_TOOLS",
      "SVC_GET_TOOL_SCHEMAS",
      "SVC_MULTI_EXECUTE_TOOL",
      "SVC_MANAGE_CONNECTIONS",
      "SVC_REMOTE_WORKBENCH",
      "SVC_REMOTE_BASH_TOOL",
    ]);
    await close();
  });

  test("is found by its id until it's deleted", async () => {
    const { svc, close } = await open();
    const session = await svc.toolRouter.create({ user_id: USER });
    expect((await svc.toolRouter.get(session.id)).record).toEqual(session.record);
    expect(await session.delete()).toEqual({ session_id: session.id, deleted: true });
    const gone = await rejectionOf(NotFoundError, session.get());
    expect(gone.errorSlug).toBe("ToolRouterV2_SessionNotFound");
    expect((await rejectionOf(NotFoundError, session.search({ queries: [{ use_case: "x" }] }))).status).toBe(404);
    await close();
  });

  test("runs a tool for its user without a user id, and returns no `successful`", async () => {
    const { svc, close } = await open();
    const session = await svc.toolRouter.create({ user_id: USER });
    const run = await session.execute({
      tool_slug: "GITHUB_CREATE_AN_ISSUE",
      arguments: { owner: "octo-org", repo: "hello-world", title: "From a session" },
    });
    expect(run).toEqual({
      data: expect.objectContaining({ number: 1, title: "From a session" }),
      error: null,
      log_id: expect.stringMatching(/^log_/),
    });
    await close();
  });
});

describe("an update of a session", () => {
  test("replaces included blocks, resets with null, keeps the others, and counts versions", async () => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({
      user_id: USER,
      toolkits: { enable: ["github"] },
      connected_accounts: { github: ["ca_github_demo"] },
      workbench: { sandbox_size: "large" },
    });
    const changed = await session.update({ toolkits: { disable: ["slack"] }, connected_accounts: null });
    expect(changed.record.config_version).toBe(2);
    expect(changed.record.config.toolkits).toEqual({ disabled: ["slack"] });
    expect(changed.record.config).not.toHaveProperty("connected_accounts");
    expect(changed.record.config.workbench?.sandbox_size).toBe("large");
    expect((await changed.update({ workbench: null })).record.config.workbench?.sandbox_size).toBe("standard");
  });

  test("is in the history, newest first and by page", async () => {
    const { svc, emulator } = inProcess();
    const session = await svc.toolRouter.create({ user_id: USER });
    emulator.clock.advance("1h");
    await session.update({ search: { enable: false } });
    const page = await session.configHistory({ limit: 1 });
    expect(page.items).toMatchObject([{ version: 2, is_current: true, config: { search: { enable: false } } }]);
    expect(page.total_items).toBe(2);
    const all = [];
    for await (const version of session.configHistory({ limit: 1 })) all.push(version);
    expect(all.map(({ version, is_current, created_at }) => [version, is_current, created_at])).toEqual([
      [2, true, "2026-01-01T01:00:00.000Z"],
      [1, false, "2026-01-01T00:00:00.000Z"],
    ]);
  });

  test("changes nothing if it's rejected", async () => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: USER });
    await rejectionOf(BadRequestError, session.update({ toolkits: { enable: ["nope"] } }));
    expect((await session.get()).record.config_version).toBe(1);
  });
});

describe("a configuration", () => {
  const refusals = [
    [
      "an unknown toolkit",
      { toolkits: { enable: ["github", "nope", "nada"] } },
      4305,
      "Invalid toolkit slugs: nope, nada",
    ],
    ["tools of an unknown toolkit", { tools: { nope: { enable: [] } } }, 4305, "Invalid toolkit slugs: nope"],
    [
      "an unknown tool, and a tool of another toolkit",
      { tools: { github: { enable: ["GITHUB_NOPE", "SLACK_SEND_MESSAGE"] } } },
      4306,
      "Invalid tool slugs: GITHUB_NOPE, SLACK_SEND_MESSAGE",
    ],
    ["an unknown preloaded tool", { preload: { tools: ["NOPE"] } }, 4306, "Invalid tool slugs: NOPE"],
    [
      "another user's account",
      { connected_accounts: { github: ["ca_github_expired"] } },
      4307,
      "Could not find connected account(s) ca_github_expired belonging to the user of this session",
    ],
    [
      "an auth config of another toolkit",
      { auth_configs: { slack: "ac_github_demo" } },
      4309,
      "Could not find auth config(s) ac_github_demo",
    ],
    ["all tools to preload without a choice", { preload: { tools: "all" } }, 4311, 'preload.tools "all" needs'],
  ] as const;

  test.each(refusals)("with %s is rejected", async (_, config, code, message) => {
    const { svc } = inProcess();
    const body = structuredClone({ user_id: USER, ...config });
    // The table is read only; the copy is not.
    const error = await rejectionOf(BadRequestError, svc.toolRouter.create(body as { user_id: string }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });

  test("pins several accounts of a toolkit only with multi_account, up to its limit", async () => {
    const { svc } = inProcess({
      seed: {
        keys: [{ kind: "apiKey", value: "ak_1" }],
        authConfigs: [{ id: "ac_1", toolkit: "github" }],
        connectedAccounts: ["ca_1", "ca_2", "ca_3"].map((id) => ({ id, userId: USER, authConfigId: "ac_1" })),
      },
    });
    const pin = (ids: string[], enable: boolean) =>
      svc.toolRouter.create({
        user_id: USER,
        connected_accounts: { github: ids },
        multi_account: { enable, max_accounts_per_toolkit: 2 },
      });
    expect((await rejectionOf(BadRequestError, pin(["ca_1", "ca_2"], false))).message).toContain(
      "At most 1 account(s)",
    );
    expect((await pin(["ca_1", "ca_2"], true)).record.config.connected_accounts).toEqual({ github: ["ca_1", "ca_2"] });
    expect((await rejectionOf(BadRequestError, pin(["ca_1", "ca_2", "ca_3"], true))).message).toContain("At most 2");
  });

  test("determines the exposed meta tools", async () => {
    const { svc } = inProcess();
    const { record } = await svc.toolRouter.create({
      user_id: USER,
      search: { enable: false },
      execute: { enable_multi_execute: false },
      workbench: { enable: false },
      manage_connections: { enable: true, enable_wait_for_connections: true },
      preload: { tools: ["TEXTKIT_REVERSE"] },
    });
    expect(record.tool_router_tools).toEqual([
      "SVC_GET_TOOL_SCHEMAS",
      "SVC_MANAGE_CONNECTIONS",
      "SVC_WAIT_FOR_CONNECTIONS",
      "TEXTKIT_REVERSE",
    ]);
  });

  test("causes a warning if it preloads many tools", async () => {
    const tools = Array.from({ length: 21 }, (_, index) => ({
      slug: `MANY_TOOL_${index}`,
      name: `Tool ${index}`,
      description: "One of many.",
      input: { type: "object", properties: {} },
      output: { type: "object", properties: {} },
      run: () => ({}),
    }));
    const many = { slug: "many", name: "Many", description: "Many.", categories: [], auth: [], versions: {}, tools };
    const { svc } = inProcess({ toolkits: [many] });
    const { record } = await svc.toolRouter.create({
      user_id: USER,
      toolkits: { enable: ["many"] },
      preload: { tools: "all" },
    });
    expect(record.warnings?.map(({ code }) => code)).toEqual(["PRELOAD_TOOLS_HIGH_CONTEXT_USAGE"]);
    expect(record.tool_router_tools).toContain("MANY_TOOL_20");
  });

  test("doesn't store custom tools, which are sent with each call and with attach", async () => {
    const { svc } = inProcess();
    const tool = {
      slug: "greet",
      name: "Greet",
      description: "Greets somebody.",
      input_schema: { type: "object" as const, properties: { name: { type: "string" } } },
    };
    const session = await svc.toolRouter.create({
      user_id: USER,
      experimental: {
        custom_tools: [{ ...tool, preload: true }],
        custom_toolkits: [{ slug: "mine", name: "Mine", description: "Mine.", tools: [tool] }],
      },
    });
    expect(session.record.experimental?.custom_tools).toMatchObject([{ slug: "LOCAL_GREET", original_slug: "greet" }]);
    expect(session.record.experimental?.custom_toolkits).toMatchObject([{ tools: [{ slug: "LOCAL_MINE_GREET" }] }]);
    expect(session.record.tool_router_tools).toContain("LOCAL_GREET");
    expect((await session.get()).record.experimental).toBeUndefined();
    const attached = await session.attach({ experimental: { custom_tools: [tool] } });
    expect(attached.record.experimental?.custom_tools).toHaveLength(1);
  });
});

test("rejects a session of another project with 404", async () => {
  const { svc, clientWith } = inProcess();
  const { id } = await svc.toolRouter.create({ user_id: USER });
  const { api_key } = await svc.projects.create({ name: "other-project", should_create_api_key: true });
  const other = clientWith(api_key ?? "");
  expect((await rejectionOf(NotFoundError, other.toolRouter.get(id))).errorSlug).toBe("ToolRouterV2_SessionNotFound");
});

test.each([
  [{ toolkits: { enable: ["github"], disable: ["slack"] } }, "toolkits.disable: expected nothing, received array"],
  [{ workbench: { auto_offload_threshold: 0 } }, "workbench.auto_offload_threshold: expected more than 0, "],
  [
    {
      experimental: { custom_tools: [{ slug: "a b", name: "A", description: "A", input_schema: { properties: {} } }] },
    },
    "custom_tools[0].slug: expected a string that matches /^[A-Za-z0-9_-]*$/, ",
  ],
])("rejects the configuration %j, and says what it may be", async (configuration, complaint) => {
  const { svc } = inProcess();
  // The types don't know of the limits of numbers and strings.
  const creation = svc.toolRouter.create({ user_id: USER, ...configuration } as never);
  await expect(creation).rejects.toThrow(complaint);
});

test("accepts a custom tool whose name in the session has at most 60 characters, its toolkit's included", async () => {
  const { svc } = inProcess();
  const described = { name: "A", description: "A", input_schema: { type: "object" as const, properties: {} } };
  const create = (experimental: Parameters<typeof svc.toolRouter.create>[0]["experimental"]) =>
    svc.toolRouter.create({ user_id: USER, experimental });
  const [longest, longer] = ["a".repeat(47), "a".repeat(48)].map((slug) => ({ ...described, slug }));
  if (!longest || !longer) throw new Error("There are two");
  const { record } = await create({ custom_tools: [{ ...longest, extends_toolkit: "github" }] });
  expect(record.experimental?.custom_tools?.[0]?.slug).toHaveLength(60);
  await expect(create({ custom_tools: [{ ...longer, extends_toolkit: "github" }] })).rejects.toThrow(
    "custom_tools[0].slug: expected at most 47 characters, received more",
  );
  const toolkit = { slug: "github", name: "A", description: "A" };
  await create({ custom_toolkits: [{ ...toolkit, tools: [longest] }] });
  await expect(create({ custom_toolkits: [{ ...toolkit, tools: [longest, longer] }] })).rejects.toThrow(
    "custom_toolkits[0].tools[1].slug: expected at most 47 characters, received more",
  );
});

test("rejects an invalid session id", async () => {
  const { svc } = inProcess();
  expect((await rejectionOf(BadRequestError, svc.toolRouter.get("ca_1"))).errors[0]).toContain("params.session_id");
});
