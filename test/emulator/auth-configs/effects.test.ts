import { describe, expect, test } from "vitest";
import { ApiError, type Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { FRONTS } from "../fronts.js";

const ISSUE = { owner: "octo-org", repo: "hello-world", title: "Found" };
const create = (svc: Svc, connected_account_id = "ca_github_demo") =>
  svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { connected_account_id, arguments: ISSUE, version: "latest" });
const statusOf = async (svc: Svc, id: string) => (await svc.connectedAccounts.get(id)).status;

describe.each(FRONTS)("deleting an auth config with revoke_on_delete, %s", (_, open) => {
  test("revokes all of its accounts, whatever their status", async () => {
    const { svc } = await open();
    await svc.connectedAccounts.disable("ca_github_demo");
    await svc.authConfigs.delete("ac_github_demo", { revoke_on_delete: true });
    for (const id of ["ca_github_demo", "ca_github_inactive", "ca_github_expired"]) {
      expect(await statusOf(svc, id)).toBe("REVOKED");
    }
    expect((await svc.connectedAccounts.get("ca_github_demo")).state?.val).not.toHaveProperty("access_token");
    expect((await rejectionOf(ApiError, svc.connectedAccounts.enable("ca_github_demo"))).status).toBe(400);
    expect((await rejectionOf(ApiError, create(svc))).status).toBe(422);
    expect(await statusOf(svc, "ca_slack_demo")).toBe("ACTIVE");
  });

  test("revokes accounts whose scheme the revoke endpoint rejects", async () => {
    const { svc } = await open();
    await svc.authConfigs.delete("ac_weather_demo", { revoke_on_delete: true });
    expect(await statusOf(svc, "ca_weather_demo")).toBe("REVOKED");
  });

  test("ends a pending flow", async () => {
    const { svc } = await open();
    const link = await svc.connectedAccounts.link({ auth_config_id: "ac_github_demo", user_id: "late" });
    await svc.authConfigs.delete("ac_github_demo", { revoke_on_delete: true });
    expect(await statusOf(svc, link.connected_account_id)).toBe("REVOKED");
  });
});

describe.each(FRONTS)("the tools of an auth config, %s", (_, open) => {
  test.each([
    [
      "tools_available_for_execution",
      { tool_access_config: { tools_available_for_execution: ["GITHUB_GET_AN_ISSUE"] } },
    ],
    ["restrict_to_following_tools", { restrict_to_following_tools: ["GITHUB_GET_AN_ISSUE"] }],
  ])("rejects tools outside %s until the list is empty again", async (_name, change) => {
    const { svc } = await open();
    const other = await svc.authConfigs.create({ toolkit: { slug: "github" } });
    await svc.authConfigs.update("ac_github_demo", { type: "default", ...change });
    const refused = await rejectionOf(ApiError, create(svc));
    expect(refused).toMatchObject({ status: 400, errorSlug: "ActionExecute_ToolNotAvailable" });
    expect(refused.message).toContain("ac_github_demo does not serve tool GITHUB_CREATE_AN_ISSUE");
    const session = await svc.toolRouter.create({ user_id: "user-4711" });
    const inSession = session.execute({ tool_slug: "GITHUB_CREATE_AN_ISSUE", arguments: ISSUE });
    expect((await rejectionOf(ApiError, inSession)).status).toBe(400);
    const read = { owner: ISSUE.owner, repo: ISSUE.repo, issue_number: 1 };
    const allowed = { connected_account_id: "ca_github_demo", arguments: read, version: "latest" };
    expect((await svc.tools.execute("GITHUB_GET_AN_ISSUE", allowed)).error).toContain("Not Found");
    expect((await svc.authConfigs.get(other.auth_config.id)).restrict_to_following_tools).toEqual([]);
    await svc.authConfigs.update("ac_github_demo", {
      type: "default",
      tool_access_config: { tools_available_for_execution: [] },
      restrict_to_following_tools: [],
    });
    expect((await create(svc)).successful).toBe(true);
  });

  test("rejects tools of other toolkits for connection creation, and changes nothing", async () => {
    const { svc } = await open();
    const named = (...slugs: string[]) => ({ tools_for_connected_account_creation: slugs });
    const input = { type: "use_svc_managed_auth" as const, credentials: { scopes: ["repo"] } };
    const created = (tool_access_config: ReturnType<typeof named>) =>
      svc.authConfigs.create({ toolkit: { slug: "github" }, auth_config: { ...input, tool_access_config } });
    const refused = await rejectionOf(ApiError, created(named("NOPE", "SLACK_SEND_MESSAGE")));
    expect(refused).toMatchObject({ status: 400, errorSlug: "AuthConfig_BadRequest" });
    expect(refused.message).toContain("github has no tool NOPE, SLACK_SEND_MESSAGE");
    const { auth_config } = await created(named());
    const update = { type: "default", name: "Changed", tool_access_config: named("NOPE") } as const;
    expect((await rejectionOf(ApiError, svc.authConfigs.update(auth_config.id, update))).status).toBe(400);
    const kept = await svc.authConfigs.get(auth_config.id);
    expect(kept).toMatchObject({ name: "GitHub", credentials: { scopes: ["repo"] } });
    await svc.authConfigs.update(auth_config.id, { ...update, tool_access_config: named("GITHUB_CREATE_AN_ISSUE") });
    expect((await svc.authConfigs.get(auth_config.id)).credentials?.["scopes"]).toContain("repo");
  });
});

describe.each(FRONTS)("the proxy of an auth config, %s", (_, open) => {
  test("shows its URL, but not its key", async () => {
    const { svc } = await open();
    const proxy_config = { proxy_url: "https://proxy.example", proxy_auth_key: "topsecretproxykey" };
    const { auth_config } = await svc.authConfigs.create({
      toolkit: { slug: "github" },
      auth_config: { type: "use_custom_auth", authScheme: "OAUTH2", proxy_config },
    });
    const shown = await svc.authConfigs.get(auth_config.id);
    expect(shown.proxy_config).toEqual({ proxy_url: "https://proxy.example", proxy_auth_key: "tops..." });
    expect(JSON.stringify(await svc.authConfigs.list())).not.toContain("topsecretproxykey");
  });
});

describe.each(FRONTS)("credentials in an execution, %s", (_, open) => {
  test("must be for the tool's toolkit", async () => {
    const { svc } = await open();
    const run = (toolkitSlug: string) =>
      svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
        custom_connection_data: { authScheme: "OAUTH2", toolkitSlug, val: { access_token: "own" } },
        arguments: ISSUE,
        version: "latest",
      });
    const refused = await rejectionOf(ApiError, run("slack"));
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      error: { errors: ["body.custom_connection_data.toolkitSlug: expected github"] },
    });
    expect((await run("github")).successful).toBe(true);
  });

  test("don't replace the account if they're empty", async () => {
    const { svc } = await open();
    const run = (custom_auth_params: object) =>
      svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { custom_auth_params, arguments: ISSUE, version: "latest" });
    expect((await rejectionOf(ApiError, run({}))).status).toBe(400);
    const parameters = [{ name: "authorization", in: "header", value: "Bearer own" }];
    expect((await run({ parameters })).successful).toBe(true);
  });
});

describe.each(FRONTS)("a proxied URL, %s", (_, open) => {
  test("is another host's if it starts with two slashes", async () => {
    const { svc } = await open();
    const proxied = (endpoint: string) =>
      svc.tools.proxy({ connected_account_id: "ca_github_demo", method: "GET", endpoint });
    const refused = await rejectionOf(ApiError, proxied("//evil.example.org/repos/octo-org/hello-world"));
    expect(refused).toMatchObject({ status: 400, errorSlug: "OriginMismatch" });
    expect((await proxied("//api.github.example.com/repos/octo-org/hello-world")).status).toBe(200);
    expect((await proxied("/repos/octo-org/hello-world")).status).toBe(200);
  });
});
