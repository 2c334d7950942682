import { describe, expect, test } from "vitest";
import { BadRequestError } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { type Front, inProcess } from "./fronts.js";

const ISSUE = { owner: "octo-org", repo: "hello-world", title: "t" };

/** An active account of the owner that these users may use. */
async function sharedAccount({ svc, fetch }: Front, allowed_user_ids: string[]): Promise<string> {
  const { connected_account_id, redirect_url } = await svc.connectedAccounts.link({
    auth_config_id: "ac_github_demo",
    user_id: "owner",
    experimental: { account_type: "SHARED", acl_config_for_shared: { allowed_user_ids } },
  });
  await fetch(`${redirect_url}/complete`, { method: "POST", redirect: "manual" });
  return connected_account_id;
}

describe("a shared account", () => {
  test("is used by a session that pins it, if its owner allows it", async () => {
    const front = inProcess();
    const account = await sharedAccount(front, ["guest"]);
    const pin = (user_id: string) =>
      front.svc.toolRouter.create({ user_id, connected_accounts: { github: [account] } });
    const session = await pin("guest");
    const run = await session.execute({ tool_slug: "GITHUB_CREATE_AN_ISSUE", arguments: ISSUE });
    expect(run.error).toBeNull();
    expect((await front.svc.logs.getToolExecution(run.log_id)).metadata).toMatchObject({
      connected_account_id: account,
      user_id: "guest",
    });
    expect((await rejectionOf(BadRequestError, pin("stranger"))).code).toBe(4307);
  });

  test("is pinned once per toolkit", async () => {
    const front = inProcess();
    const ids = [await sharedAccount(front, ["guest"]), await sharedAccount(front, ["guest"])];
    const session = front.svc.toolRouter.create({
      user_id: "guest",
      connected_accounts: { github: ids },
      multi_account: { enable: true },
    });
    expect((await rejectionOf(BadRequestError, session)).message).toContain("At most one SHARED account");
  });

  test("isn't used unless it's pinned", async () => {
    const front = inProcess();
    await sharedAccount(front, ["guest"]);
    const session = await front.svc.toolRouter.create({ user_id: "guest" });
    const run = session.execute({ tool_slug: "GITHUB_CREATE_AN_ISSUE", arguments: ISSUE });
    expect((await rejectionOf(BadRequestError, run)).code).toBe(4302);
  });
});

describe("a session's auth config", () => {
  test("is created by the first link if the service manages credentials and there isn't one", async () => {
    const { svc } = inProcess({ seed: { keys: [{ kind: "apiKey", value: "ak_1" }] } });
    const session = await svc.toolRouter.create({ user_id: "ann" });
    await session.link({ toolkit: "github" });
    await session.link({ toolkit: "github" });
    expect((await svc.authConfigs.list()).items).toMatchObject([{ toolkit: { slug: "github" }, is_svc_managed: true }]);
  });

  test("isn't created by a link that is rejected", async () => {
    const { svc } = inProcess({ seed: { keys: [{ kind: "apiKey", value: "ak_1" }] } });
    const session = await svc.toolRouter.create({ user_id: "ann" });
    const link = session.link({ toolkit: "github", experimental: { acl_config_for_shared: {} } });
    await rejectionOf(BadRequestError, link);
    expect((await svc.authConfigs.list()).items).toEqual([]);
  });

  test("limits the accounts of the session", async () => {
    const { svc } = inProcess();
    const { auth_config } = await svc.authConfigs.create({ toolkit: { slug: "github" } });
    const session = await svc.toolRouter.create({ user_id: "user-4711", auth_configs: { github: auth_config.id } });
    const run = session.execute({ tool_slug: "GITHUB_CREATE_AN_ISSUE", arguments: ISSUE });
    expect((await rejectionOf(BadRequestError, run)).code).toBe(4302);
    const link = await session.link({ toolkit: "github" });
    expect((await svc.connectedAccounts.get(link.connected_account_id)).auth_config.id).toBe(auth_config.id);
  });
});

test("links with the session's callback and URL, if they're set", async () => {
  const { svc, fetch } = inProcess();
  const session = await svc.toolRouter.create({
    user_id: "ann",
    manage_connections: { callback_url: "https://app.example.com/done?step=2" },
  });
  const { redirect_url, connected_account_id } = await session.link({ toolkit: "github" });
  const done = await fetch(`${redirect_url}/complete`, { method: "POST", redirect: "manual" });
  expect(done.headers.get("location")).toBe(
    `https://app.example.com/done?step=2&status=success&connected_account_id=${connected_account_id}`,
  );
  const elsewhere = await svc.toolRouter.create({
    user_id: "ann",
    experimental: { link_url_overwrite: "https://connect.example.com/" },
  });
  const { redirect_url: replaced, link_token } = await elsewhere.link({ toolkit: "github" });
  expect(replaced).toBe(`https://connect.example.com/${link_token}`);
});

test("counts MCP messages and operations toward one rate limit", async () => {
  const front = inProcess({ rateLimit: { limit: 2 } });
  const session = await front.svc.toolRouter.create({ user_id: "ann" });
  const ping = () =>
    front.fetch(session.mcp.url, {
      method: "POST",
      headers: {
        ...session.mcp.headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    });
  expect((await ping()).status).toBe(200);
  const limited = await ping();
  expect(limited.status).toBe(429);
  expect(limited.headers.get("retry-after")).toBe("60");
});
