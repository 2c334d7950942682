import { describe, expect, test } from "vitest";
import { BadRequestError, type Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { FRONTS, inProcess } from "./fronts.js";

const USER = "user-4711";
const NAMED = { user_id: USER, auth_configs: { github: "ac_github_demo" } };
const hide = (svc: Svc) =>
  svc.authConfigs.update("ac_github_demo", { type: "default", is_enabled_for_tool_router: false });

describe.each(FRONTS)("an auth config not enabled for sessions %s", (_, open) => {
  test("can't be named, nor can a disabled one", async () => {
    const { svc, close } = await open();
    await hide(svc);
    const hidden = await rejectionOf(BadRequestError, svc.toolRouter.create(NAMED));
    expect(hidden).toMatchObject({ errorSlug: "ToolRouterV2_InvalidAuthConfigIds" });
    expect(hidden.message).toContain("ac_github_demo");
    await svc.authConfigs.disable("ac_slack_demo");
    const disabled = svc.toolRouter.create({ user_id: USER, auth_configs: { slack: "ac_slack_demo" } });
    expect((await rejectionOf(BadRequestError, disabled)).errorSlug).toBe("ToolRouterV2_InvalidAuthConfigIds");
    await close();
  });
});

describe("an auth config no longer enabled for sessions", () => {
  test("excludes its accounts from sessions, but not from direct executions", async () => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: USER });
    await hide(svc);
    const run = {
      tool_slug: "GITHUB_CREATE_AN_ISSUE",
      arguments: { owner: "octo-org", repo: "hello-world", title: "a" },
    };
    expect((await rejectionOf(BadRequestError, session.execute(run))).errorSlug).toBe(
      "ToolRouterV2_NoActiveConnection",
    );
    const direct = { user_id: USER, arguments: run.arguments, version: "latest" };
    expect((await svc.tools.execute(run.tool_slug, direct)).successful).toBe(true);
    const pinned = svc.toolRouter.create({ user_id: USER, connected_accounts: { github: ["ca_github_demo"] } });
    expect((await rejectionOf(BadRequestError, pinned)).errorSlug).toBe("ToolRouterV2_InvalidConnectedAccountIds");
  });

  test("links no account for a session that names it, and isn't replaced by another", async () => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create(NAMED);
    await svc.authConfigs.create({ toolkit: { slug: "github" } });
    expect((await session.link({ toolkit: "github" })).redirect_url).toContain("/link/");
    await hide(svc);
    const refused = await rejectionOf(BadRequestError, session.link({ toolkit: "github" }));
    expect(refused.errorSlug).toBe("ToolRouterV2_InvalidAuthConfigIds");
  });
});

describe.each(FRONTS)("updating a session whose auth config is no longer enabled for sessions %s", (_, open) => {
  const ends = [
    ["that is disabled", (svc: Svc) => svc.authConfigs.disable("ac_github_demo")],
    ["that is hidden", hide],
    ["that is deleted", (svc: Svc) => svc.authConfigs.delete("ac_github_demo")],
  ] as const;

  test.each(ends)("changes included settings without naming one %s", async (_how, end) => {
    const { svc, close } = await open();
    const pinned = { github: ["ca_github_demo"] };
    const session = await svc.toolRouter.create({ ...NAMED, connected_accounts: pinned });
    await end(svc);
    await session.update({ preload: { tools: [] }, search: { enable: false } });
    const { record } = await svc.toolRouter.get(session.id);
    expect(record.config).toMatchObject({ ...NAMED, connected_accounts: pinned, search: { enable: false } });
    const named = await rejectionOf(BadRequestError, session.update({ auth_configs: NAMED.auth_configs }));
    expect(named.errorSlug).toBe("ToolRouterV2_InvalidAuthConfigIds");
    await close();
  });

  test("still checks conflicting settings", async () => {
    const { svc, close } = await open();
    const second = await svc.connectedAccounts.link({ auth_config_id: "ac_github_demo", user_id: USER });
    const session = await svc.toolRouter.create({
      user_id: USER,
      multi_account: { enable: true },
      toolkits: { enable: ["github"] },
      preload: { tools: "all" },
      connected_accounts: { github: ["ca_github_demo", second.connected_account_id] },
    });
    await hide(svc);
    const single = await rejectionOf(BadRequestError, session.update({ multi_account: null }));
    expect(single.errorSlug).toBe("ToolRouterV2_TooManyConnectedAccounts");
    const without = await rejectionOf(BadRequestError, session.update({ toolkits: { disable: ["slack"] } }));
    expect(without.errorSlug).toBe("ToolRouterV2_InvalidPreload");
    const again = session.update({ connected_accounts: { github: ["ca_github_demo"] } });
    expect((await rejectionOf(BadRequestError, again)).errorSlug).toBe("ToolRouterV2_InvalidConnectedAccountIds");
    await close();
  });
});

describe("a session", () => {
  test("without proxy execution rejects it", async () => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: USER, workbench: { enable_proxy_execution: false } });
    const call = { toolkit_slug: "github", endpoint: "/repos/octo-org/hello-world", method: "GET" } as const;
    const refused = await rejectionOf(BadRequestError, session.proxy(call));
    expect(refused.errorSlug).toBe("ToolRouterV2_ProxyExecutionNotAllowed");
    await session.update({ workbench: { enable_proxy_execution: true } });
    expect((await session.proxy(call)).status).toBe(200);
  });

  test("reports on every toolkit, whatever its name", async () => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: USER });
    const given = { toolkits: ["__proto__", "constructor", "github"] };
    const { data } = await session.executeMeta({ slug: "SVC_MANAGE_CONNECTIONS", arguments: given });
    expect(Object.keys(Object(data["results"]))).toEqual(["__proto__", "constructor", "github"]);
  });

  test("is forgotten after deletion, but still counted", async () => {
    const { svc, emulator } = inProcess();
    const session = await svc.toolRouter.create({ user_id: USER });
    await session.delete();
    const { id, record } = session;
    const ended = { id, projectId: "pr_emulator", userId: USER, createdAt: emulator.clock.iso() };
    expect(record.session_id).toBe(id);
    expect(emulator.snapshot()).toMatchObject({ sessions: [], endedSessions: { items: [ended] } });
    expect((await svc.usage.getProject("sessions")).total_quantity).toBe("1");
  });
});
