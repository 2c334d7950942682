import { describe, expect, test } from "vitest";
import type { EmulatorSeed } from "../../../src/emulator/index.js";
import { BadRequestError } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { inProcess } from "./fronts.js";

const USER = "user-4711";
const ISSUE = { owner: "octo-org", repo: "hello-world", title: "t" };

const TWO_ACCOUNTS: EmulatorSeed = {
  keys: [{ kind: "apiKey", value: "ak_1" }],
  authConfigs: [{ id: "ac_1", toolkit: "github" }],
  connectedAccounts: [
    { id: "ca_old", userId: USER, authConfigId: "ac_1" },
    { id: "ca_new", userId: USER, authConfigId: "ac_1" },
    { id: "ca_other", userId: "somebody", authConfigId: "ac_1" },
  ],
};

describe("an execution in a session", () => {
  const refusals = [
    ["an unknown tool", {}, { tool_slug: "GITHUB_NOPE" }, 4301, "Tool GITHUB_NOPE not found"],
    [
      "a meta tool that the session doesn't expose",
      { search: { enable: false } },
      { tool_slug: "SVC_SEARCH_TOOLS" },
      4325,
      "[Session Restriction] Tool 'SVC_SEARCH_TOOLS' is not allowed",
    ],
    ["a custom tool", {}, { tool_slug: "LOCAL_GREET" }, 4300, "LOCAL_GREET is a custom tool"],
    [
      "an excluded toolkit",
      { toolkits: { disable: ["github"] } },
      { tool_slug: "GITHUB_CREATE_AN_ISSUE" },
      4324,
      "[Session Restriction] Toolkit 'github' is not allowed",
    ],
    [
      "an excluded tool",
      { tools: { github: { tags: ["readOnlyHint" as const] } } },
      { tool_slug: "GITHUB_CREATE_AN_ISSUE" },
      4325,
      "[Session Restriction] Tool 'GITHUB_CREATE_AN_ISSUE' is not allowed",
    ],
    [
      "another user's account",
      {},
      { tool_slug: "GITHUB_CREATE_AN_ISSUE", account: "ca_github_expired" },
      4307,
      "Could not find connected account(s) ca_github_expired",
    ],
    [
      "what the session's permissions deny",
      { experimental: { permissions: { overrides: { "*:ca_github_demo": "always_deny" as const } } } },
      { tool_slug: "GITHUB_CREATE_AN_ISSUE" },
      4325,
      "[Session Restriction]",
    ],
  ] as const;

  test.each(refusals)("is rejected for %s", async (_, config, call, code, message) => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: USER, ...structuredClone(config) } as { user_id: string });
    const error = await rejectionOf(BadRequestError, session.execute({ arguments: ISSUE, ...call }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });

  test.each(["user-nobody", "user-expired", "user-inactive"])(
    "is rejected without an active account of %s",
    async (user) => {
      const { svc } = inProcess();
      const session = await svc.toolRouter.create({ user_id: user });
      const call = session.execute({ tool_slug: "GITHUB_CREATE_AN_ISSUE", arguments: ISSUE });
      const error = await rejectionOf(BadRequestError, call);
      expect(error.code).toBe(4302);
      expect(error.condition).toBe("no_connected_account");
      expect(error.message).toContain("No active connection found for toolkit(s) 'github' in this session");
    },
  );

  test("returns missing arguments and provider errors as data with an error", async () => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: USER });
    const missing = await session.execute({ tool_slug: "GITHUB_CREATE_AN_ISSUE" });
    expect(missing.error).toContain("following fields are missing: owner, repo, title");
    const refused = await session.execute({
      tool_slug: "GITHUB_CREATE_AN_ISSUE",
      arguments: { ...ISSUE, repo: "unknown" },
    });
    expect(refused.error).toBe("Not Found");
    expect(refused.data).toMatchObject({ status_code: 404 });
  });

  test("uses the newest active account, or the named one", async () => {
    const { svc } = inProcess({ seed: TWO_ACCOUNTS });
    const session = await svc.toolRouter.create({ user_id: USER });
    const used = async (account?: string) => {
      const { log_id } = await session.execute({ tool_slug: "GITHUB_CREATE_AN_ISSUE", arguments: ISSUE, account });
      return (await svc.logs.getToolExecution(log_id)).metadata["connected_account_id"];
    };
    expect(await used()).toBe("ca_new");
    expect(await used("ca_old")).toBe("ca_old");
  });

  test("must name its account if the session requires it", async () => {
    const { svc } = inProcess({ seed: TWO_ACCOUNTS });
    const session = await svc.toolRouter.create({
      user_id: USER,
      multi_account: { enable: true, require_explicit_selection: true },
    });
    const call = { tool_slug: "GITHUB_CREATE_AN_ISSUE", arguments: ISSUE };
    expect((await rejectionOf(BadRequestError, session.execute(call))).code).toBe(4310);
    expect((await session.execute({ ...call, account: "ca_old" })).error).toBeNull();
  });
});

describe("a search", () => {
  const search = async (use_case: string, config = {}) => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: "user-new", ...config });
    return session.search({ queries: [{ use_case }] });
  };

  test("finds the matching tool first, with its schemas and connection status", async () => {
    const found = await search("create an issue in a GitHub repository");
    expect(found.results[0]).toMatchObject({ index: 1, use_case: "create an issue in a GitHub repository" });
    expect(found.results[0]?.primary_tool_slugs[0]).toBe("GITHUB_CREATE_AN_ISSUE");
    expect(found.tool_schemas["GITHUB_CREATE_AN_ISSUE"]).toMatchObject({
      hasFullSchema: true,
      input_schema: { required: ["owner", "repo", "title"] },
    });
    expect(found.toolkit_connection_statuses.find(({ toolkit }) => toolkit === "github")).toMatchObject({
      has_active_connection: false,
      accounts: [],
    });
    expect(found.next_steps_guidance[0]).toContain("SVC_MANAGE_CONNECTIONS");
    expect(found.time_info.current_time_utc).toBe("2026-01-01T00:00:00.000Z");
  });

  test("lists related tools with a reference to their schemas", async () => {
    const found = await search("count the words in text");
    expect(found.results[0]?.primary_tool_slugs).toContain("TEXTKIT_COUNT_WORDS");
    const [related = ""] = found.results[0]?.related_tool_slugs ?? [];
    expect(found.tool_schemas[related]).toMatchObject({
      hasFullSchema: false,
      schemaRef: { tool: "SVC_GET_TOOL_SCHEMAS", args: { tool_slugs: [related] } },
    });
  });

  test("has the full schema of each primary tool, even if it's related to another query", async () => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: "user-new", toolkits: { enable: ["textkit"] } });
    const { results, tool_schemas } = await session.search({
      queries: [{ use_case: "count the words in text" }, { use_case: "reverse a text" }],
    });
    const primary = results.flatMap(({ primary_tool_slugs }) => primary_tool_slugs);
    const related = results.flatMap(({ related_tool_slugs }) => related_tool_slugs);
    expect(related.some((slug) => primary.includes(slug))).toBe(true);
    for (const slug of primary) expect(tool_schemas[slug]).toMatchObject({ hasFullSchema: true });
  });

  test("finds only tools of the session's toolkits, and always at least one", async () => {
    const found = await search("qwertz", { toolkits: { enable: ["weathermap"] } });
    expect(found.results[0]?.primary_tool_slugs).not.toEqual([]);
    expect(found.results[0]?.toolkits).toEqual(["weathermap"]);
  });

  test("returns equal results for equal queries", async () => {
    expect(await search("send a message to a channel")).toMatchObject({
      results: (await search("send a message to a channel")).results,
    });
  });

  test("includes the call's custom tools", async () => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: USER });
    const found = await session.search({
      queries: [{ use_case: "feed the hamster" }],
      experimental: {
        custom_tools: [
          {
            slug: "feed",
            name: "Feed hamster",
            description: "Feeds the hamster.",
            input_schema: { type: "object", properties: {} },
          },
        ],
      },
    });
    expect(found.results[0]?.primary_tool_slugs).toEqual(["LOCAL_FEED"]);
  });
});

describe("the toolkits and tools of a session", () => {
  test("match its configuration, with the account it would use", async () => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: USER, toolkits: { enable: ["github", "textkit"] } });
    const { items } = await session.toolkits();
    expect(items).toMatchObject([
      {
        slug: "github",
        enabled: true,
        is_no_auth: false,
        connected_account: { id: "ca_github_demo", status: "ACTIVE" },
      },
      { slug: "textkit", is_no_auth: true, connected_account: null },
    ]);
    expect((await session.toolkits({ is_connected: true })).items.map(({ slug }) => slug)).toEqual(["github"]);
    expect((await session.toolkits({ search: "text" })).items.map(({ slug }) => slug)).toEqual(["textkit"]);
    expect((await session.toolkits({ toolkits: "github,slack" })).items.map(({ slug }) => slug)).toEqual(["github"]);
  });

  test("include the meta tools and the preloaded ones", async () => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: USER, preload: { tools: ["TEXTKIT_REVERSE"] } });
    const { items } = await session.tools();
    expect(items.map(({ slug }) => slug)).toEqual(session.record.tool_router_tools);
    expect(items.at(-1)).toMatchObject({ slug: "TEXTKIT_REVERSE", version: "20250930_00" });
  });
});

describe("a proxied request of a session", () => {
  test("uses the session's account of the toolkit", async () => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: USER });
    const request = { toolkit_slug: "weathermap", endpoint: "/weather?city=Berlin", method: "GET" as const };
    expect(await session.proxy(request)).toMatchObject({ status: 200, data: { celsius: expect.any(Number) } });
    const nobody = await svc.toolRouter.create({ user_id: "nobody" });
    expect((await rejectionOf(BadRequestError, nobody.proxy(request))).code).toBe(4302);
    const none = nobody.proxy({ ...request, toolkit_slug: "textkit" });
    expect((await rejectionOf(BadRequestError, none)).code).toBe(4326);
  });

  test("advises to pin an account if the session requires a selection", async () => {
    const { svc } = inProcess({ seed: TWO_ACCOUNTS });
    const session = await svc.toolRouter.create({
      user_id: USER,
      multi_account: { enable: true, require_explicit_selection: true },
    });
    const request = { toolkit_slug: "github", endpoint: "/", method: "GET" as const };
    const rejected = await rejectionOf(BadRequestError, session.proxy(request));
    expect(rejected.suggestedFix).toContain("pin one in connected_accounts of the session");
    await session.update({ connected_accounts: { github: ["ca_old"] } });
    expect(await session.proxy(request)).toHaveProperty("status");
  });
});

describe("a link of a session", () => {
  test("creates an account that becomes active on its page, and then runs tools", async () => {
    const { svc, fetch } = inProcess();
    const session = await svc.toolRouter.create({ user_id: "user-new" });
    const link = await session.link({ toolkit: "github", alias: "work" });
    expect((await svc.connectedAccounts.get(link.connected_account_id)).status).toBe("INITIALIZING");
    const page = await fetch(link.redirect_url);
    expect(page.status).toBe(200);
    await page.text();
    await fetch(`${link.redirect_url}/complete`, { method: "POST", redirect: "manual" });
    expect((await svc.connectedAccounts.get(link.connected_account_id)).status).toBe("ACTIVE");
    const run = await session.execute({ tool_slug: "GITHUB_CREATE_AN_ISSUE", arguments: ISSUE, account: "work" });
    expect(run.error).toBeNull();
  });

  const refusals = [
    ["an unknown toolkit", { toolkit: "nope" }, 4305],
    ["a toolkit that needs no account", { toolkit: "textkit" }, 4326],
    ["an excluded toolkit", { toolkit: "slack" }, 4324],
    ["a toolkit without managed auth and without auth config", { toolkit: "weathermap" }, 4308],
    ["an odd account type", { toolkit: "github", experimental: { account_type: "PUBLIC" } }, 10400],
  ] as const;

  test.each(refusals)("is rejected for %s", async (_, body, code) => {
    const { svc } = inProcess({ seed: { keys: [{ kind: "apiKey", value: "ak_1" }] } });
    const session = await svc.toolRouter.create({ user_id: USER, toolkits: { disable: ["slack"] } });
    expect((await rejectionOf(BadRequestError, session.link(body))).code).toBe(code);
  });
});
