import { describe, expect, test } from "vitest";
import { FRONTS } from "../fronts.js";
import { eventTypes, link, post, refusal, seed } from "./support.js";

describe.each(FRONTS)("a connected account, %s", (_, openFront) => {
  const open = () => openFront({ seed });

  test("is INACTIVE and runs no tools while disabled, and ACTIVE again when enabled", async () => {
    const front = await open();
    const { connectedAccounts, tools } = front.svc;
    expect(await connectedAccounts.disable("ca_weather")).toEqual({ success: true });
    expect(await connectedAccounts.get("ca_weather")).toMatchObject({
      status: "INACTIVE",
      is_disabled: true,
      status_reason: "Connection status updated by user",
    });
    const run = () =>
      tools.execute("WEATHERMAP_WEATHER", { user_id: "ada", arguments: { city: "Oslo" }, version: "latest" });
    expect(await refusal(run())).toMatchObject({ status: 422 });
    await connectedAccounts.enable("ca_weather");
    expect(await connectedAccounts.enable("ca_weather")).toEqual({ success: true });
    expect(await run()).toMatchObject({ successful: true });
    expect(eventTypes(front)).toEqual([]);
  });

  test("can be enabled or disabled only if it's ACTIVE or INACTIVE", async () => {
    const { svc } = await open();
    expect(await refusal(svc.connectedAccounts.enable("ca_dead"))).toMatchObject({
      status: 400,
      message: "A connection in EXPIRED state cannot be enabled",
    });
    expect(await refusal(svc.connectedAccounts.disable("ca_gone"))).toMatchObject({ status: 400 });
  });

  test("expires with an event if a refresh fails permanently, and executions ask to reconnect", async () => {
    const front = await open();
    front.emulator.accounts.expire("ca_github");
    const account = await front.svc.connectedAccounts.get("ca_github");
    expect(account).toMatchObject({
      status: "EXPIRED",
      status_reason: "Permanent auth error during token refresh",
      state: { authScheme: "OAUTH2", val: { status: "EXPIRED", expired_at: "2026-01-01T00:00:00.000Z" } },
    });
    expect(account.state.val).not.toHaveProperty("access_token");
    expect(front.emulator.events).toMatchObject([{ type: "svc.connected_account.expired", data: { ...account } }]);
    const run = front.svc.tools.execute("GITHUB_STAR_A_REPOSITORY", {
      connected_account_id: "ca_github",
      arguments: { owner: "octo-org", repo: "hello-world" },
      version: "latest",
    });
    expect(await refusal(run)).toMatchObject({
      status: 410,
      code: 1820,
      slug: "ActionExecute_ConnectedAccountExpired",
      message: "Connected account ca_github is in EXPIRED state",
    });
  });

  test("can expire only if it exists and is ACTIVE", async () => {
    const { emulator } = await open();
    expect(() => emulator.accounts.expire("ca_dead")).toThrow(
      "ca_dead is EXPIRED, and only ACTIVE accounts can expire",
    );
    expect(() => emulator.accounts.expire("ca_none")).toThrow("unknown account ca_none");
    expect(() => emulator.accounts.expire("ca_githb")).toThrow("Did you mean ca_github?");
  });

  test("is ACTIVE again after a new flow", async () => {
    const front = await open();
    const renewed = await front.svc.connectedAccounts.refresh("ca_dead", { redirect_url: "https://app.example/ok" });
    expect(renewed).toMatchObject({ id: "ca_dead", status: "EXPIRED" });
    const { location } = await post(front, `${renewed.redirect_url}/complete`);
    expect(location).toBe("https://app.example/ok?status=success&connected_account_id=ca_dead");
    expect(await front.svc.connectedAccounts.get("ca_dead")).toMatchObject({ status: "ACTIVE", status_reason: null });
    expect(eventTypes(front)).toEqual(["svc.connected_account.activated"]);
  });

  test("doesn't change if the user abandons or denies a refresh", async () => {
    const front = await open();
    const renewed = await front.svc.connectedAccounts.refresh("ca_github");
    await post(front, `${renewed.redirect_url}/fail`);
    await front.svc.connectedAccounts.refresh("ca_slack");
    front.emulator.clock.advance("1h");
    for (const id of ["ca_github", "ca_slack"]) {
      expect(await front.svc.connectedAccounts.get(id)).toMatchObject({ status: "ACTIVE" });
    }
    expect(eventTypes(front)).toEqual([]);
  });

  test("fails if its link is declined, once", async () => {
    const { svc, emulator } = await open();
    const account = await svc.connectedAccounts.link({ auth_config_id: "ac_github", user_id: "ada" });
    emulator.accounts.decline(account.connected_account_id, "Not today");
    expect(await svc.connectedAccounts.get(account.connected_account_id)).toMatchObject({
      status: "FAILED",
      state: { val: { error: "access_denied", error_description: "Not today" } },
    });
    expect(() => emulator.accounts.decline(account.connected_account_id)).toThrow(
      `accounts.decline: ${account.connected_account_id} is FAILED, and it has no open link.`,
    );
    expect((await emulator.fetch(account.redirect_url)).status).toBe(410);
  });

  test("stays connected if a new link is declined", async () => {
    const { svc, emulator } = await open();
    expect(() => emulator.accounts.decline("ca_github")).toThrow("it has no open link");
    await svc.connectedAccounts.refresh("ca_github");
    emulator.accounts.decline("ca_github");
    expect(await svc.connectedAccounts.get("ca_github")).toMatchObject({ status: "ACTIVE" });
  });

  test("waits for its user again after a refresh if it was FAILED", async () => {
    const front = await open();
    const { redirect_url } = await front.svc.connectedAccounts.refresh("ca_failed");
    expect(await front.svc.connectedAccounts.get("ca_failed")).toMatchObject({ status: "INITIALIZING" });
    await post(front, `${redirect_url}/complete`);
    expect(await front.svc.connectedAccounts.get("ca_failed")).toMatchObject({ status: "ACTIVE" });
  });

  test("can't be refreshed if it's a key, revoked, or disabled", async () => {
    const { svc } = await open();
    expect(await refusal(svc.connectedAccounts.refresh("ca_weather"))).toMatchObject({ status: 501 });
    await svc.connectedAccounts.revoke("ca_github");
    await svc.connectedAccounts.disable("ca_slack");
    for (const id of ["ca_github", "ca_slack"]) {
      expect(await refusal(svc.connectedAccounts.refresh(id))).toMatchObject({ status: 400, code: 600 });
    }
  });

  test("returns the revoked tokens once", async () => {
    const { svc } = await open();
    expect(await svc.connectedAccounts.revoke("ca_github")).toEqual({
      revoked_tokens: ["access_token", "refresh_token"],
      connected_account: { id: "ca_github", status: "REVOKED" },
    });
    expect(await svc.connectedAccounts.get("ca_github")).toMatchObject({
      status_reason: "Revoked via user-initiated revoke endpoint",
    });
    expect(await svc.connectedAccounts.revoke("ca_github")).toMatchObject({ revoked_tokens: [] });
    expect(await refusal(svc.connectedAccounts.revoke("ca_dead"))).toMatchObject({ status: 409 });
    expect(await refusal(svc.connectedAccounts.revoke("ca_weather"))).toMatchObject({ status: 400 });
  });

  test("isn't found by any operation after deletion", async () => {
    const { svc } = await open();
    expect(await svc.connectedAccounts.delete("ca_github")).toEqual({ success: true });
    const gone = { status: 404, code: 606, message: 'Connected account "ca_github" not found' };
    expect(await refusal(svc.connectedAccounts.get("ca_github"))).toMatchObject(gone);
    expect(await refusal(svc.connectedAccounts.delete("ca_github"))).toMatchObject(gone);
    expect(await refusal(svc.connectedAccounts.enable("ca_github"))).toMatchObject(gone);
    const { items } = await svc.connectedAccounts.list({ user_ids: ["ada"] });
    expect(items.map(({ id }) => id)).not.toContain("ca_github");
  });

  test("returns a job for a deletion that revokes", async () => {
    const { svc } = await open();
    expect(await svc.connectedAccounts.delete("ca_github", { revoke_on_delete: true })).toEqual({
      success: true,
      revoke_job_id: expect.any(String),
    });
  });

  test("rejects an id with another prefix", async () => {
    const { svc } = await open();
    expect(await refusal(svc.connectedAccounts.get("ac_github"))).toMatchObject({ status: 400, code: 10400 });
  });

  test("is disabled and enabled with its auth config", async () => {
    const { svc } = await open();
    await svc.authConfigs.disable("ac_github");
    expect(await svc.connectedAccounts.get("ca_github")).toMatchObject({
      status: "INACTIVE",
      status_reason: "Auth config is disabled",
      auth_config: { is_disabled: true },
    });
    expect(await refusal(svc.connectedAccounts.enable("ca_github"))).toMatchObject({ status: 400 });
    await svc.authConfigs.enable("ac_github");
    expect(await svc.connectedAccounts.get("ca_github")).toMatchObject({
      status: "ACTIVE",
      auth_config: { is_disabled: false },
    });
  });

  test("is revoked with its auth config if it's deleted with revocation", async () => {
    const { svc } = await open();
    await svc.authConfigs.delete("ac_github", { revoke_on_delete: true });
    expect(await svc.connectedAccounts.get("ca_github")).toMatchObject({
      status: "REVOKED",
      status_reason: "Revoked as part of connection delete",
    });
  });

  test("is used for an execution by user only if it's the newest usable one", async () => {
    const front = await open();
    const older = await front.svc.connectedAccounts.get("ca_github");
    const made = await link(front);
    await post(front, `${made.redirect_url}/complete`);
    await front.svc.connectedAccounts.disable(older.id);
    const run = (connected_account_id?: string) =>
      front.svc.tools.execute("GITHUB_STAR_A_REPOSITORY", {
        user_id: "ada",
        connected_account_id,
        arguments: { owner: "octo-org", repo: "hello-world" },
        version: "latest",
      });
    expect(await run()).toMatchObject({ successful: true });
    expect(await run(made.connected_account_id)).toMatchObject({ successful: true });
    expect(await refusal(run(older.id))).toMatchObject({ status: 422 });
  });
});
