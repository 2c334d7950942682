import { describe, expect, test } from "vitest";
import { parseConnectCallback } from "../../../src/index.js";
import { FRONTS } from "../fronts.js";
import { eventTypes, link, post, refusal, seed, visit } from "./support.js";

describe.each(FRONTS)("the hosted page, %s", (_, openFront) => {
  const open = () => openFront({ seed });

  test("belongs to an account that waits for ten minutes", async () => {
    const front = await open();
    const made = await link(front);
    expect(made.redirect_url).toBe(`${front.baseUrl}/link/${made.link_token}`);
    expect(made.expires_at).toBe("2026-01-01T00:10:00.000Z");
    const account = await front.svc.connectedAccounts.get(made.connected_account_id);
    expect(account).toMatchObject({ status: "INITIALIZING", status_reason: null, user_id: "ada" });
    expect(account.state.val).toMatchObject({ status: "INITIALIZING", redirectUrl: made.redirect_url });
  });

  test("has a URL on the emulator's host and port, even if a seed or a snapshot has the account", async () => {
    const waiting = { id: "ca_waiting", userId: "ada", authConfigId: "ac_github", status: "INITIATED" } as const;
    const front = await openFront({ seed: { ...seed, connectedAccounts: [waiting] } });
    const redirectUrl = `${front.baseUrl}/link/lk_waiting`;
    const state = { val: { redirectUrl } };
    expect(await front.svc.connectedAccounts.get("ca_waiting")).toMatchObject({ state });
    const elsewhere = await openFront({ seed: { ...seed, connectedAccounts: [] } });
    elsewhere.emulator.restore(front.emulator.snapshot());
    const restored = { val: { redirectUrl: `${elsewhere.baseUrl}/link/lk_waiting` } };
    expect(await elsewhere.svc.connectedAccounts.get("ca_waiting")).toMatchObject({ state: restored });
    expect((await visit(front, redirectUrl)).status).toBe(200);
  });

  test("moves the account to INITIATED when opened", async () => {
    const front = await open();
    const made = await link(front, { callback_url: "https://app.example/done" });
    const page = await visit(front, made.redirect_url);
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining("Connect GitHub") });
    const account = await front.svc.connectedAccounts.get(made.connected_account_id);
    expect(account.state).toMatchObject({
      authScheme: "OAUTH2",
      val: { status: "INITIATED", redirectUrl: made.redirect_url, callback_url: "https://app.example/done" },
    });
  });

  test("activates the account and redirects the browser, keeping the callback's query", async () => {
    const front = await open();
    const made = await link(front, { callback_url: "https://app.example/done?tab=1%202&x=#top" });
    const answer = await post(front, `${made.redirect_url}/complete`);
    const id = made.connected_account_id;
    expect(answer.status).toBe(302);
    expect(answer.location).toBe(`https://app.example/done?tab=1%202&x=&status=success&connected_account_id=${id}#top`);
    expect(parseConnectCallback(answer.location ?? "")).toEqual({ kind: "success", connectedAccountId: id });
    const account = await front.svc.connectedAccounts.waitUntilActive(id);
    expect(account.state.val).toMatchObject({ status: "ACTIVE", access_token: "REDACTED", refresh_token: "REDACTED" });
    expect(eventTypes(front)).toEqual(["svc.connected_account.activated"]);
  });

  test("fails the account with the provider's reason when denied", async () => {
    const front = await open();
    const made = await link(front, { callback_url: "https://app.example/done" });
    const answer = await post(front, `${made.redirect_url}/fail`, { error: "access_denied" });
    expect(answer.location).toContain("status=failed");
    const account = await front.svc.connectedAccounts.get(made.connected_account_id);
    expect(account).toMatchObject({
      status: "FAILED",
      status_reason: "OAuth callback failed during token exchange",
      state: { val: { error: "access_denied" } },
    });
    expect(eventTypes(front)).toEqual([]);
  });

  test("ends with a plain page without a callback URL", async () => {
    const front = await open();
    const [granted, denied] = [await link(front), await link(front)];
    expect(await visit(front, `${granted.redirect_url}?outcome=success`)).toMatchObject({
      status: 200,
      location: null,
      text: expect.stringContaining("is connected for"),
    });
    expect((await visit(front, `${denied.redirect_url}?outcome=failed`)).text).toContain("<h1>Not connected</h1>");
  });

  test("asks for a key, and activates the account with it", async () => {
    const front = await open();
    const made = await link(front, { auth_config_id: "ac_weather" });
    const page = await visit(front, made.redirect_url);
    expect(page.text).toContain('name="generic_api_key"');
    const empty = await post(front, `${made.redirect_url}/complete`);
    expect(empty).toMatchObject({ status: 400, text: expect.stringContaining("Missing required fields: API key") });
    await post(front, `${made.redirect_url}/complete`, { generic_api_key: "wk_secret" });
    const account = await front.svc.connectedAccounts.get(made.connected_account_id);
    expect(account).toMatchObject({ status: "ACTIVE", state: { val: { generic_api_key: "wk_s..." } } });
  });

  test("doesn't ask for values in the link", async () => {
    const front = await open();
    const made = await link(front, {
      auth_config_id: "ac_weather",
      connection_data: { generic_api_key: "wk_secret", region: "eu" },
    });
    expect((await visit(front, made.redirect_url)).text).not.toContain("<input");
    await post(front, `${made.redirect_url}/complete`);
    const { state, params } = await front.svc.connectedAccounts.get(made.connected_account_id);
    expect(state.val).toMatchObject({ status: "ACTIVE", region: "eu" });
    expect(params).toEqual({ generic_api_key: "wk_s...", region: "eu" });
  });

  test("works once, and returns 404 if it's unknown", async () => {
    const front = await open();
    const made = await link(front);
    await post(front, `${made.redirect_url}/complete`);
    expect(await visit(front, made.redirect_url)).toMatchObject({ status: 410 });
    expect(await post(front, `${made.redirect_url}/fail`)).toMatchObject({ status: 410 });
    expect(await visit(front, `${front.baseUrl}/link/lk_nothing`)).toMatchObject({ status: 404 });
  });

  test("expires an unfinished account after exactly ten minutes", async () => {
    const front = await open();
    const [opened, untouched] = [await link(front), await link(front)];
    await visit(front, opened.redirect_url);
    front.emulator.clock.advance("1h");
    for (const { connected_account_id: id } of [opened, untouched]) {
      expect(await front.svc.connectedAccounts.get(id)).toMatchObject({
        status: "EXPIRED",
        status_reason: "Connection initiation did not complete within 10 minutes",
        updated_at: "2026-01-01T00:10:00.000Z",
        state: { val: { expired_at: "2026-01-01T00:10:00.000Z" } },
      });
    }
    expect(front.emulator.events.map(({ timestamp }) => timestamp)).toEqual(Array(2).fill("2026-01-01T00:10:00.000Z"));
    expect(await visit(front, opened.redirect_url)).toMatchObject({ status: 410 });
  });

  test("requires an existing and enabled auth config, a user, and an absolute callback URL", async () => {
    const front = await open();
    expect(await refusal(link(front, { auth_config_id: "ac_none" }))).toMatchObject({ status: 404 });
    expect(await refusal(link(front, { auth_config_id: "ac_off" }))).toMatchObject({
      status: 400,
      message: "Auth config is disabled",
    });
    expect(await refusal(link(front, { callback_url: "done" }))).toMatchObject({
      errors: ["body.callback_url: expected an absolute URL"],
    });
    const body = { auth_config_id: "ac_github", user_id: "" };
    const headers = { "x-api-key": "ak_emulator", "content-type": "application/json" };
    expect(await front.raw("POST", "/api/v3.1/connected_accounts/link", { headers, body })).toMatchObject({
      status: 400,
    });
  });
});

describe.each(FRONTS)("a project with a callback verifier, %s", (_, openFront) => {
  const open = () => openFront({ seed, project: { callbackVerifierUrl: "https://app.example/verify?a=1" } });
  const sessionOf = (location: string | null) => new URL(location ?? "").searchParams.get("session_uri") ?? "";

  test("redirects to the verifier, and completeAuth activates the account once", async () => {
    const front = await open();
    const made = await link(front);
    const answer = await post(front, `${made.redirect_url}/complete`);
    expect(answer.location).toMatch(/^https:\/\/app\.example\/verify\?a=1&session_uri=session_/);
    const id = made.connected_account_id;
    expect(await front.svc.connectedAccounts.get(id)).toMatchObject({ status: "INITIATED" });
    const body = { session_uri: sessionOf(answer.location), user_id: "ada" };
    expect(await front.svc.connectedAccounts.completeAuth(body)).toEqual({
      connected_account_id: id,
      toolkit_slug: "github",
    });
    expect(await front.svc.connectedAccounts.get(id)).toMatchObject({ status: "ACTIVE" });
    expect(await refusal(front.svc.connectedAccounts.completeAuth(body))).toMatchObject({ status: 400, code: 600 });
  });

  test("fails the account if the user differs", async () => {
    const front = await open();
    const made = await link(front);
    const { location } = await post(front, `${made.redirect_url}/complete`);
    const body = { session_uri: sessionOf(location), user_id: "mallory" };
    expect(await refusal(front.svc.connectedAccounts.completeAuth(body))).toMatchObject({ status: 400 });
    expect(await front.svc.connectedAccounts.get(made.connected_account_id)).toMatchObject({ status: "FAILED" });
  });

  test("ends the verifier's session after ten minutes", async () => {
    const front = await open();
    const made = await link(front);
    const { location } = await post(front, `${made.redirect_url}/complete`);
    front.emulator.clock.advance("10m");
    const body = { session_uri: sessionOf(location), user_id: "ada" };
    expect(await refusal(front.svc.connectedAccounts.completeAuth(body))).toMatchObject({ status: 400 });
    expect(await front.svc.connectedAccounts.get(made.connected_account_id)).toMatchObject({ status: "EXPIRED" });
  });

  test("requires a user in a creation", async () => {
    const { svc } = await open();
    const state = { authScheme: "API_KEY", val: { status: "ACTIVE", generic_api_key: "wk_1" } } as const;
    const body = { auth_config: { id: "ac_weather" }, connection: { state } };
    expect(await refusal(svc.connectedAccounts.create(body))).toMatchObject({ status: 400, code: 10400 });
  });
});
