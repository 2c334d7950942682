import { describe, expect, test } from "vitest";
import { FRONTS } from "../fronts.js";
import { eventTypes, refusal, seed } from "./support.js";

const patch = (val: Readonly<Record<string, string | null>>) =>
  ({ connection: { state: { authScheme: "API_KEY", val } } }) as const;

describe.each(FRONTS)("connectedAccounts.update, %s", (_, openFront) => {
  const open = () => openFront({ seed });

  test("sets, keeps, and removes an alias", async () => {
    const { svc } = await open();
    const update = svc.connectedAccounts.update.bind(svc.connectedAccounts);
    expect(await update("ca_weather", { alias: "home" })).toEqual({
      success: true,
      id: "ca_weather",
      status: "ACTIVE",
    });
    await update("ca_weather", {});
    expect(await svc.connectedAccounts.get("ca_weather")).toMatchObject({ alias: "home" });
    await update("ca_weather", { alias: "" });
    expect(await svc.connectedAccounts.get("ca_weather")).toMatchObject({ alias: null });
  });

  test("allows one alias for connections to two toolkits", async () => {
    const { svc } = await open();
    await svc.connectedAccounts.update("ca_slack", { alias: "home" });
    expect(await svc.connectedAccounts.update("ca_weather", { alias: "home" })).toMatchObject({ success: true });
  });

  test("rejects another connection's alias, but not its own", async () => {
    const { svc } = await open();
    const val = { status: "ACTIVE", generic_api_key: "wk_2" } as const;
    await svc.connectedAccounts.create({
      auth_config: { id: "ac_weather" },
      connection: { user_id: "ada", alias: "home", state: { authScheme: "API_KEY", val } },
    });
    expect(await refusal(svc.connectedAccounts.update("ca_weather", { alias: "home" }))).toMatchObject({
      status: 400,
      code: 600,
    });
    await svc.connectedAccounts.update("ca_weather", { alias: "attic" });
    expect(await svc.connectedAccounts.update("ca_weather", { alias: "attic" })).toMatchObject({ success: true });
  });

  test("changes included values, keeps omitted ones, and removes values set to null", async () => {
    const { svc } = await open();
    await svc.connectedAccounts.update("ca_weather", patch({ generic_id: "i-1", user_agent: "me" }));
    await svc.connectedAccounts.update("ca_weather", patch({ generic_api_key: "fresh_key", user_agent: null }));
    const { state } = await svc.connectedAccounts.get("ca_weather");
    expect(state.val).toEqual({ status: "ACTIVE", generic_api_key: "fres...", generic_id: "i-1" });
  });

  test("hides a secret of fewer than four characters entirely", async () => {
    const { svc } = await open();
    await svc.connectedAccounts.update("ca_weather", patch({ generic_api_key: "abc" }));
    const { state } = await svc.connectedAccounts.get("ca_weather");
    expect(state.val).toMatchObject({ generic_api_key: "REDACTED" });
  });

  test("reactivates an expired connection with new credentials", async () => {
    const front = await open();
    front.emulator.accounts.expire("ca_weather", "Max auth failures reached");
    await front.svc.connectedAccounts.update("ca_weather", patch({ user_agent: null }));
    expect(await front.svc.connectedAccounts.get("ca_weather")).toMatchObject({
      status: "EXPIRED",
      status_reason: "Max auth failures reached",
    });
    expect(await front.svc.connectedAccounts.update("ca_weather", patch({ generic_api_key: "fresh" }))).toMatchObject({
      status: "ACTIVE",
    });
    expect(eventTypes(front)).toEqual(["svc.connected_account.expired", "svc.connected_account.activated"]);
  });

  test("rejects removing required values, and patching in another scheme", async () => {
    const { svc } = await open();
    expect(await refusal(svc.connectedAccounts.update("ca_weather", patch({ generic_api_key: null })))).toMatchObject({
      status: 400,
      code: 612,
    });
    expect(await refusal(svc.connectedAccounts.update("ca_github", patch({ api_key: "k" })))).toMatchObject({
      status: 400,
      message: "The connection's scheme is OAUTH2, not API_KEY",
    });
    expect(await refusal(svc.connectedAccounts.update("ca_gone", patch({ api_key: "k" })))).toMatchObject({
      message: "The credentials of a connection in REVOKED state cannot be changed",
    });
  });

  test("changes nothing if it's rejected", async () => {
    const { svc } = await open();
    const experimental = { acl_config_for_shared: { allow_all_users: true } };
    const body = { ...patch({ generic_id: "i-1" }), alias: "home", experimental };
    expect(await refusal(svc.connectedAccounts.update("ca_weather", body))).toMatchObject({
      message: expect.stringContaining("acl_config_for_shared is only valid on SHARED"),
    });
    const account = await svc.connectedAccounts.get("ca_weather");
    expect(account.alias).toBeNull();
    expect(account.state.val).not.toHaveProperty("generic_id");
  });

  test("rejects a field other than the sixteen", async () => {
    const { raw } = await open();
    const headers = { "x-api-key": "ak_emulator", "content-type": "application/json" };
    const answer = await raw("PATCH", "/api/v3.1/connected_accounts/ca_weather", {
      headers,
      body: patch({ access_token: "t" }),
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 10400 } } });
  });
});
