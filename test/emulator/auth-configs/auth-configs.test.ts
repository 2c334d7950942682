import { describe, expect, test } from "vitest";
import { all, FRONTS, testSeed } from "../fronts.js";

const seed = {
  ...testSeed,
  authConfigs: [
    ...(testSeed.authConfigs ?? []),
    {
      id: "ac_custom",
      toolkit: "github",
      type: "custom",
      name: "Own app",
      credentials: { client_id: "Iv1.clear", client_secret: "very-secret", scopes: ["repo"], pin: "123" },
    },
    { id: "ac_off", toolkit: "slack", name: "Old one", status: "DISABLED" },
  ],
} as const;

describe.each(FRONTS)("authConfigs.create %s", (_, open) => {
  test("creates a managed one without auth_config, with the spec's defaults", async () => {
    const { svc, emulator } = await open();
    const { data, meta } = await svc.authConfigs.create({ toolkit: { slug: "github" } }).withResponse();
    expect(meta.status).toBe(201);
    expect(data).toEqual({
      toolkit: { slug: "github" },
      auth_config: {
        id: expect.stringMatching(/^ac_[\w-]{12}$/),
        auth_scheme: "OAUTH2",
        is_svc_managed: true,
        restrict_to_following_tools: [],
      },
    });
    expect(await svc.authConfigs.get(data.auth_config.id)).toMatchObject({
      type: "default",
      name: "GitHub",
      status: "ENABLED",
      credentials: {},
      proxy_config: null,
      no_of_connections: 0,
      restrict_to_following_tools: [],
      tool_access_config: { tools_for_connected_account_creation: [], tools_available_for_execution: [] },
      is_enabled_for_tool_router: true,
      created_at: emulator.clock.iso(),
      last_updated_at: emulator.clock.iso(),
    });
  });

  test("accepts every field of a managed one, and derives scopes from its tools", async () => {
    const { svc } = await open();
    const { auth_config } = await svc.authConfigs.create({
      toolkit: { slug: "github" },
      auth_config: {
        type: "use_svc_managed_auth",
        name: "Issues",
        credentials: { scopes: "read:user", user_scopes: ["a", "b"] },
        tool_access_config: {
          tools_for_connected_account_creation: ["GITHUB_CREATE_AN_ISSUE", "GITHUB_STAR_A_REPOSITORY"],
        },
        restrict_to_following_tools: ["GITHUB_CREATE_AN_ISSUE"],
        shared_credentials: { token: "shared-secret" },
        is_enabled_for_tool_router: false,
      },
    });
    expect(auth_config.restrict_to_following_tools).toEqual(["GITHUB_CREATE_AN_ISSUE"]);
    expect(await svc.authConfigs.get(auth_config.id)).toMatchObject({
      name: "Issues",
      credentials: { scopes: ["repo", "public_repo"], user_scopes: ["a", "b"] },
      tool_access_config: {
        tools_for_connected_account_creation: ["GITHUB_CREATE_AN_ISSUE", "GITHUB_STAR_A_REPOSITORY"],
        tools_available_for_execution: [],
      },
      shared_credentials: { token: "shar..." },
      is_enabled_for_tool_router: false,
    });
  });

  test("derives no scopes if the scheme isn't OAuth", async () => {
    const { svc } = await open();
    const { auth_config } = await svc.authConfigs.create({
      toolkit: { slug: "weathermap" },
      auth_config: {
        type: "use_custom_auth",
        authScheme: "API_KEY",
        tool_access_config: { tools_for_connected_account_creation: ["WEATHERMAP_WEATHER"] },
      },
    });
    expect((await svc.authConfigs.get(auth_config.id)).credentials).toEqual({});
  });

  test("keeps scheme, proxy, and credentials of a custom one, and lists the fields users fill in", async () => {
    const { svc } = await open();
    const { auth_config } = await svc.authConfigs.create({
      toolkit: { slug: "slack" },
      auth_config: {
        type: "use_custom_auth",
        authScheme: "BEARER_TOKEN",
        proxy_config: { proxy_url: "https://proxy.example.com", proxy_auth_key: "k" },
      },
    });
    expect(auth_config).toMatchObject({ auth_scheme: "BEARER_TOKEN", is_svc_managed: false });
    expect(await svc.authConfigs.get(auth_config.id)).toMatchObject({
      type: "custom",
      proxy_config: { proxy_url: "https://proxy.example.com", proxy_auth_key: "REDACTED" },
      expected_input_fields: [{ name: "token", is_secret: true }],
    });
  });

  test("accepts a bearer token wherever OAuth2 is supported", async () => {
    const { svc } = await open();
    const custom = { type: "use_custom_auth", authScheme: "BEARER_TOKEN" } as const;
    const { auth_config } = await svc.authConfigs.create({ toolkit: { slug: "github" }, auth_config: custom });
    expect(auth_config.auth_scheme).toBe("BEARER_TOKEN");
  });

  test.each([
    ["a toolkit without managed credentials", { toolkit: { slug: "weathermap" } }, "use_custom_auth"],
    [
      "a scheme the toolkit does not have",
      { toolkit: { slug: "github" }, auth_config: { type: "use_custom_auth", authScheme: "SAML" } },
      "OAUTH2",
    ],
    [
      "a toolkit that needs no account",
      { toolkit: { slug: "textkit" }, auth_config: { type: "use_custom_auth", authScheme: "API_KEY" } },
      "no account",
    ],
  ] as const)("rejects %s with a 400 that suggests a fix", async (_case, body, fix) => {
    const { svc } = await open();
    await expect(svc.authConfigs.create(body)).rejects.toMatchObject({
      name: "BadRequestError",
      errorSlug: "AuthConfig_BadRequest",
      suggestedFix: expect.stringContaining(fix),
    });
  });

  test("returns 404 for an unknown toolkit", async () => {
    const { svc } = await open();
    await expect(svc.authConfigs.create({ toolkit: { slug: "nope" } })).rejects.toMatchObject({
      name: "NotFoundError",
      errorSlug: "Toolkit_ResourceNotFound",
    });
  });

  test.each([
    ["no toolkit", {}, "body.toolkit: expected an object, received missing"],
    [
      "a custom one without authScheme",
      { toolkit: { slug: "github" }, auth_config: { type: "use_custom_auth" } },
      /^body\.auth_config\.authScheme: expected "OAUTH2" or .*, received missing$/,
    ],
    [
      "an unknown type",
      { toolkit: { slug: "github" }, auth_config: { type: "other" } },
      'body.auth_config.type: expected "use_svc_managed_auth" or "use_custom_auth", received another string',
    ],
    ["invalid JSON", "{", "body: expected JSON"],
    ["no body", undefined, "body: expected an object, received missing"],
  ])("rejects %s with a 400 that reports the path", async (_case, body, complaint) => {
    const { raw } = await open();
    const answer = await raw("POST", "/api/v3/auth_configs", { headers: { "x-api-key": "ak_emulator" }, body });
    const expected = typeof complaint === "string" ? complaint : expect.stringMatching(complaint);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 10400, errors: [expected] } } });
  });
});

describe.each(FRONTS)("authConfigs.list %s", (_, open) => {
  const ids = async (items: AsyncIterable<{ id: string }>) => (await all(items)).map(({ id }) => id);
  const demo = ["ac_github_demo", "ac_slack_demo", "ac_weather_demo"];

  test("hides disabled ones unless show_disabled is true", async () => {
    const { svc } = await open({ seed });
    expect(await ids(svc.authConfigs.list())).toEqual([...demo, "ac_custom"]);
    expect(await ids(svc.authConfigs.list({ show_disabled: null }))).toEqual([...demo, "ac_custom"]);
    expect(await ids(svc.authConfigs.list({ show_disabled: true }))).toEqual([...demo, "ac_custom", "ac_off"]);
  });

  test.each([
    [{ is_svc_managed: true }, ["ac_github_demo", "ac_slack_demo"]],
    [{ is_svc_managed: "false" }, ["ac_weather_demo", "ac_custom"]],
    [{ toolkit_slug: "slack" }, ["ac_slack_demo"]],
    [{ toolkit_slug: "slack,weathermap" }, ["ac_slack_demo", "ac_weather_demo"]],
    [{ toolkit_slug: "nope" }, []],
    [{ search: "own APP" }, ["ac_custom"]],
    [{ search: "ac_WEATHER" }, ["ac_weather_demo"]],
    [{ deprecated_status: "DISABLED" }, ["ac_off"]],
    [{ deprecated_status: "ENABLED" }, [...demo, "ac_custom"]],
    [{ deprecated_app_id: "no-such-app" }, []],
    [{ toolkit_slug: "slack", show_disabled: true, search: "old" }, ["ac_off"]],
  ])("filters by %j: %j", async (query, expected) => {
    const { svc } = await open({ seed });
    expect(await ids(svc.authConfigs.list(query))).toEqual(expected);
  });

  test("accepts the toolkit's legacy id as deprecated_app_id", async () => {
    const { svc } = await open({ seed });
    const { items } = await svc.toolkits.list({ search: "slack" });
    const query = { deprecated_app_id: items[0]?.deprecated.toolkitId ?? "" };
    expect(await ids(svc.authConfigs.list(query))).toEqual(["ac_slack_demo"]);
  });

  test("uses base64 cursors of page and limit", async () => {
    const { svc } = await open({ seed });
    const first = await svc.authConfigs.list({ limit: 3 });
    expect(first).toMatchObject({ total_items: 4, total_pages: 2, current_page: 1 });
    expect(JSON.parse(atob(first.next_cursor ?? ""))).toEqual({ page: 2, limit: 3 });
    const second = await svc.authConfigs.list({ cursor: first.next_cursor });
    expect(second).toMatchObject({ current_page: 2, next_cursor: null, items: [{ id: "ac_custom" }] });
  });

  test("returns 20 items per page by default", async () => {
    const authConfigs = Array.from({ length: 21 }, (_item, index) => ({ id: `ac_${index}`, toolkit: "slack" }));
    const { svc } = await open({ seed: { keys: testSeed.keys, authConfigs } });
    expect((await svc.authConfigs.list({ limit: null })).items).toHaveLength(20);
    expect((await svc.authConfigs.list({ limit: 1000 })).items).toHaveLength(21);
  });

  test.each([
    ["limit=0", "query.limit: expected at least 1, received less"],
    ["limit=2.5", "query.limit: expected an integer, received number"],
    ["limit=ten", "query.limit: expected a number, received string"],
    ["show_disabled=yes", "query.show_disabled: expected a boolean, received string"],
    ["cursor=nonsense", "query.cursor: expected the next_cursor of a page"],
    [`cursor=${btoa('{"page":0,"limit":1}')}`, "query.cursor: expected the next_cursor of a page"],
    [`cursor=${btoa('{"page":1,"limit":1001}')}`, "query.cursor: expected the next_cursor of a page"],
    ["toolkitSlug=slack", "query.toolkitSlug: no such field (did you mean toolkit_slug?)"],
  ])("rejects ?%s with a 400 that reports the parameter", async (query, complaint) => {
    const { raw } = await open({ seed });
    const answer = await raw("GET", `/api/v3/auth_configs?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 10400, errors: [complaint] } } });
  });
});
