import { describe, expect, test } from "vitest";
import type { ListToolsQuery, Tool } from "../../../src/index.js";
import { all, FRONTS, KNOWN_TOOLKITS } from "../fronts.js";

const GITHUB: readonly string[] = [
  "GITHUB_CREATE_AN_ISSUE",
  "GITHUB_GET_AN_ISSUE",
  "GITHUB_LIST_REPOSITORY_ISSUES",
  "GITHUB_STAR_A_REPOSITORY",
  "GITHUB_GET_A_REPOSITORY_ARCHIVE",
];
/** Those that existed before the last version. */
const UNSTARRED = GITHUB.filter((slug) => slug !== "GITHUB_STAR_A_REPOSITORY");
const SLACK = ["SLACK_SEND_MESSAGE", "SLACK_LIST_CHANNELS", "SLACK_FETCH_CONVERSATION_HISTORY"];
const WEATHER = ["WEATHERMAP_WEATHER", "WEATHERMAP_FORECAST"];
const TEXT = ["TEXTKIT_COUNT_WORDS", "TEXTKIT_REVERSE"];
const IMPORTANT = [
  "GITHUB_CREATE_AN_ISSUE",
  "GITHUB_LIST_REPOSITORY_ISSUES",
  "SLACK_SEND_MESSAGE",
  "WEATHERMAP_WEATHER",
  "TEXTKIT_COUNT_WORDS",
];
const PINNED = [...UNSTARRED, "SLACK_SEND_MESSAGE", "SLACK_LIST_CHANNELS", "WEATHERMAP_WEATHER", "TEXTKIT_COUNT_WORDS"];

const FILTERS: readonly [ListToolsQuery, readonly string[]][] = [
  [{}, [...GITHUB, ...SLACK, ...WEATHER, ...TEXT]],
  [{ toolkit_slug: "slack" }, SLACK],
  [{ toolkit_slug: "slack,textkit" }, [...SLACK, ...TEXT]],
  [{ toolkit_slug: "nope" }, []],
  [{ tool_slugs: "TEXTKIT_REVERSE,SLACK_SEND_MESSAGE" }, ["SLACK_SEND_MESSAGE", "TEXTKIT_REVERSE"]],
  [{ tool_slugs: "TEXTKIT_REVERSE", toolkit_slug: "github", important: "true" }, ["TEXTKIT_REVERSE"]],
  [{ tool_slugs: "textkit_reverse" }, []],
  [{ auth_config_ids: "ac_slack_demo,ac_weather_demo" }, [...SLACK, ...WEATHER]],
  [{ auth_config_ids: ["ac_slack_demo", "ac_weather_demo"] }, [...SLACK, ...WEATHER]],
  [{ auth_config_ids: "ac_unknown" }, []],
  [{ important: "true" }, IMPORTANT],
  [{ important: "false", toolkit_slug: "textkit" }, TEXT],
  [{ tags: ["idempotentHint", "nope"] }, ["GITHUB_STAR_A_REPOSITORY"]],
  [{ scopes: ["chat:write", "public_repo"] }, ["GITHUB_STAR_A_REPOSITORY", "SLACK_SEND_MESSAGE"]],
  [{ scopes: null, toolkit_slug: "slack" }, SLACK],
  [{ query: "repository ISSUE" }, ["GITHUB_CREATE_AN_ISSUE", "GITHUB_LIST_REPOSITORY_ISSUES"]],
  [{ search: "forecast" }, ["WEATHERMAP_FORECAST"]],
  [{ include_deprecated: false, toolkit_slug: "github" }, GITHUB.slice(0, 4)],
  [{ include_deprecated: true, toolkit_slug: "github" }, GITHUB],
  [{ toolkit_versions: "latest", toolkit_slug: "github" }, GITHUB],
  [{ toolkit_versions: "20250905_00" }, UNSTARRED],
  [{ toolkit_versions: "00000000_00" }, PINNED],
  [{ toolkit_versions: { github: "00000000_00" }, toolkit_slug: "github,textkit" }, [...UNSTARRED, ...TEXT]],
  [{ toolkit_versions: null, toolkit_slug: "textkit" }, TEXT],
];

describe.each(FRONTS)("tools.list %s", (_, open) => {
  const slugs = async (items: AsyncIterable<Tool>) =>
    (await all(items)).filter(({ toolkit }) => KNOWN_TOOLKITS.includes(toolkit.slug)).map(({ slug }) => slug);

  test.each(FILTERS)("filters by %j: %j", async (query, expected) => {
    const { svc } = await open();
    expect(await slugs(svc.tools.list(query))).toEqual(expected);
  });

  test("returns the spec's record", async () => {
    const { svc } = await open();
    const { items } = await svc.tools.list({ tool_slugs: "GITHUB_CREATE_AN_ISSUE" });
    expect(items[0]).toMatchObject({
      slug: "GITHUB_CREATE_AN_ISSUE",
      toolkit: { slug: "github", name: "GitHub", logo: expect.stringMatching(/^https:/) },
      input_parameters: { type: "object", required: ["owner", "repo", "title"] },
      output_parameters: { type: "object", properties: { html_url: { type: "string" } } },
      no_auth: false,
      available_versions: ["00000000_00", "20250905_00", "20251023_00"],
      version: "20251023_00",
      scopes: ["repo"],
      scope_requirements: { all_of: [{ any_of: ["repo", "public_repo"] }] },
      tags: ["important"],
      is_deprecated: false,
      deprecated: { displayName: "Create an issue", version: "20251023_00", is_deprecated: false },
    });
  });

  test("pages with cursors over all items", async () => {
    const { svc } = await open();
    const pages = await all(svc.tools.list({ limit: 5, toolkit_slug: KNOWN_TOOLKITS.join() }).pages());
    expect(pages.map(({ items, current_page }) => [current_page, items.length])).toEqual([
      [1, 5],
      [2, 5],
      [3, 2],
    ]);
    expect(pages.flatMap(({ items }) => items.map(({ slug }) => slug))).toHaveLength(12);
  });

  test.each([
    ["/api/v3.1/tools?limit=1000", "20251023_00", 12],
    ["/api/v3/tools?limit=1000", "00000000_00", 8],
    ["/api/v3/tools?limit=1000&toolkit_versions=latest", "20251023_00", 12],
    ["/api/v3/tools?toolkit_versions%5Bgithub%5D=20250905_00", "20250905_00", 8],
    ["/api/v3.1/tools?toolkit_versions=", "20251023_00", 12],
  ])("uses latest on v3.1 and the pinned version on v3 by default: %s", async (path, version, count) => {
    const { raw } = await open();
    const { body } = await raw("GET", `${path}&toolkit_slug=${KNOWN_TOOLKITS.join()}`);
    expect(body).toMatchObject({ total_items: count, items: { 0: { slug: "GITHUB_CREATE_AN_ISSUE", version } } });
  });

  test("accepts lists joined by commas and repeated", async () => {
    const { raw } = await open();
    for (const query of ["tags=idempotentHint,nope", "tags=idempotentHint&tags=nope"]) {
      expect(await raw("GET", `/api/v3.1/tools?${query}`)).toMatchObject({ body: { total_items: 1 } });
    }
    const repeated = "auth_config_ids=ac_slack_demo&auth_config_ids=ac_weather_demo";
    expect(await raw("GET", `/api/v3.1/tools?${repeated}`)).toMatchObject({ body: { total_items: 5 } });
  });

  test.each([
    ["important=yes", 'query.important: expected "true" or "false", received another string'],
    ["include_deprecated=1", "query.include_deprecated: expected a boolean, received string"],
    ["toolkitSlug=github", "query.toolkitSlug: no such field (did you mean toolkit_slug?)"],
    ["labels=x", "query.labels: no such field"],
    ["hasOwnProperty=x", "query.hasOwnProperty: no such field"],
  ])("rejects ?%s with a 400 that reports the parameter", async (query, complaint) => {
    const { raw } = await open();
    const answer = await raw("GET", `/api/v3.1/tools?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 10400, errors: [complaint] } } });
  });
});

describe.each(FRONTS)("tools.get, enum and requiredScopes %s", (_, open) => {
  test.each([
    ["v3.1", {}, "20251001_01"],
    ["v3", {}, "00000000_00"],
    ["v3", { version: "latest" }, "20251001_01"],
    ["v3.1", { version: "00000000_00" }, "00000000_00"],
    ["v3.1", { version: "20250612_00" }, "20250612_00"],
    ["v3.1", { toolkit_versions: "20251001_00" }, "20251001_00"],
    ["v3.1", { toolkit_versions: { slack: "20251001_00" } }, "20251001_00"],
    ["v3.1", { toolkit_versions: { github: "20251023_00" } }, "20251001_01"],
    ["v3.1", { version: "20250612_00", toolkit_versions: "20251001_00" }, "20250612_00"],
  ] as const)("returns on %s one tool requested with %j in %s", async (apiVersion, query, version) => {
    const { client } = await open();
    const tool = await client({ apiVersion }).tools.get("SLACK_SEND_MESSAGE", query);
    expect(tool.version).toBe(version);
    const properties = tool.input_parameters["properties"];
    expect(properties).toHaveProperty("channel");
    expect(Object.keys(properties ?? {}).includes("thread_ts")).toBe(version !== "00000000_00");
  });

  test("returns null for missing scope requirements, and an empty list for missing scopes", async () => {
    const { svc } = await open();
    const star = await svc.tools.get("GITHUB_STAR_A_REPOSITORY");
    expect(star).toMatchObject({ scopes: ["public_repo"], scope_requirements: null });
    expect(await svc.tools.get("TEXTKIT_REVERSE")).toMatchObject({ scopes: [], no_auth: true });
  });

  test("returns a 404 with the correct case for a slug in the wrong case", async () => {
    const { svc } = await open();
    await expect(svc.tools.get("github_create_an_issue")).rejects.toMatchObject({
      name: "NotFoundError",
      code: 2401,
      errorSlug: "Tool_ToolNotFound",
      condition: "tool_not_found",
      message: expect.stringContaining("Tool github_create_an_issue not found"),
      suggestedFix: expect.stringContaining("GITHUB_CREATE_AN_ISSUE"),
    });
  });

  test("returns a 404 with available versions for a version without the tool", async () => {
    const { svc, raw } = await open();
    const suggestedFix = expect.stringContaining("available versions: 20251023_00");
    const old = svc.tools.get("GITHUB_STAR_A_REPOSITORY", { version: "20250905_00" });
    await expect(old).rejects.toMatchObject({ status: 404, suggestedFix });
    expect(await raw("GET", "/api/v3/tools/GITHUB_STAR_A_REPOSITORY")).toMatchObject({ status: 404 });
    await expect(svc.tools.get("NOPE")).rejects.toMatchObject({ status: 404, condition: "tool_not_found" });
  });

  test("lists slugs of the latest versions in enum, which isn't a tool", async () => {
    const { svc, raw } = await open();
    expect(await svc.tools.listSlugs()).toEqual(expect.arrayContaining([...GITHUB, ...SLACK, ...WEATHER, ...TEXT]));
    expect(await raw("GET", "/api/v3/tools/enum")).toMatchObject({
      status: 200,
      body: { 0: "GITHUB_CREATE_AN_ISSUE" },
    });
  });

  test("merges scopes and lists each tool's requirements in requiredScopes", async () => {
    const { svc } = await open();
    const tools = ["GITHUB_CREATE_AN_ISSUE", "GITHUB_GET_AN_ISSUE", "GITHUB_STAR_A_REPOSITORY"];
    const any_of = { all_of: [{ any_of: ["repo", "public_repo"] }] };
    expect(await svc.tools.getRequiredScopes({ tools })).toEqual({
      scopes_required: ["repo", "public_repo"],
      per_tool_requirements: [
        { tool: "GITHUB_CREATE_AN_ISSUE", scope_requirements: any_of },
        { tool: "GITHUB_GET_AN_ISSUE", scope_requirements: any_of },
        { tool: "GITHUB_STAR_A_REPOSITORY", scope_requirements: null },
      ],
    });
  });

  test("accepts a version in requiredScopes", async () => {
    const { svc } = await open();
    const tools = ["GITHUB_STAR_A_REPOSITORY"];
    expect(await svc.tools.getRequiredScopes({ tools, version: "latest" })).toMatchObject({
      scopes_required: ["public_repo"],
    });
    const old = svc.tools.getRequiredScopes({ tools, version: "00000000_00" });
    await expect(old).rejects.toMatchObject({ status: 404, condition: "tool_not_found" });
  });

  test("rejects tools of two toolkits and unknown ones in requiredScopes", async () => {
    const { svc } = await open();
    await expect(
      svc.tools.getRequiredScopes({ tools: ["TEXTKIT_REVERSE", "SLACK_SEND_MESSAGE"] }),
    ).rejects.toMatchObject({
      status: 400,
      errors: ["body.tools: expected tools of one toolkit"],
    });
    await expect(svc.tools.getRequiredScopes({ tools: ["NOPE"] })).rejects.toMatchObject({ status: 404 });
  });

  test("rejects requiredScopes without tools with 400, and doesn't serve it on v3", async () => {
    const { raw } = await open();
    const errors = ["body.tools: expected at least 1 item, received fewer"];
    const request = { headers: { "x-api-key": "ak_emulator" }, body: { tools: [] } };
    expect(await raw("POST", "/api/v3.1/tools/scopes/required", request)).toMatchObject({
      status: 400,
      body: { error: { errors } },
    });
    expect(await raw("POST", "/api/v3/tools/scopes/required", request)).toMatchObject({ status: 404 });
  });

  test("accepts only the project key for requiredScopes and input", async () => {
    const { raw } = await open();
    const request = { headers: { "x-user-api-key": "uak_emulator" }, body: {} };
    expect(await raw("POST", "/api/v3.1/tools/scopes/required", request)).toMatchObject({ status: 401 });
    expect(await raw("POST", "/api/v3.1/tools/execute/TEXTKIT_REVERSE/input", request)).toMatchObject({ status: 401 });
  });
});
