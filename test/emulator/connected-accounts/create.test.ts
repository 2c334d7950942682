import { describe, expect, test } from "vitest";
import type { Svc } from "../../../src/index.js";
import { FRONTS } from "../fronts.js";
import { eventTypes, post, refusal, seed } from "./support.js";

type CreateBody = Parameters<Svc["connectedAccounts"]["create"]>[0];

const key = { authScheme: "API_KEY", val: { status: "ACTIVE", generic_api_key: "wk_secret" } } as const;

function weather(connection: Partial<CreateBody["connection"]> = {}): CreateBody {
  return { auth_config: { id: "ac_weather" }, connection: { state: key, user_id: "bob", ...connection } };
}

describe.each(FRONTS)("connectedAccounts.create, %s", (_, openFront) => {
  const open = () => openFront({ seed });

  test("creates an ACTIVE account from complete credentials, masked in every response", async () => {
    const front = await open();
    const made = await front.svc.connectedAccounts.create(weather());
    expect(made).toMatchObject({
      status: "ACTIVE",
      redirect_url: null,
      connectionData: { authScheme: "API_KEY", val: { status: "ACTIVE", generic_api_key: "wk_s..." } },
    });
    const account = await front.svc.connectedAccounts.get(made.id);
    expect(account.auth_config).toMatchObject({ id: "ac_weather", is_svc_managed: false, is_disabled: false });
    expect(account.data).toEqual(account.state.val);
    expect(account.word_id).toMatch(/^weathermap_[a-z]+-[a-z]+$/);
    expect(eventTypes(front)).toEqual([]);
  });

  test("creates an account that can run tools immediately", async () => {
    const { svc } = await open();
    await svc.connectedAccounts.create(weather());
    const result = await svc.tools.execute("WEATHERMAP_WEATHER", {
      user_id: "bob",
      arguments: { city: "Oslo" },
      version: "latest",
    });
    expect(result.successful).toBe(true);
  });

  test("uses the user default if omitted", async () => {
    const { svc } = await open();
    const { id } = await svc.connectedAccounts.create({
      auth_config: { id: "ac_weather" },
      connection: { state: key },
    });
    expect(await svc.connectedAccounts.get(id)).toMatchObject({ user_id: "default" });
  });

  test("accepts the deprecated name of the state", async () => {
    const { svc } = await open();
    const body = weather({ data: { generic_api_key: "wk_secret" } });
    const { state: _, ...connection } = body.connection;
    expect(await svc.connectedAccounts.create({ ...body, connection })).toMatchObject({ status: "ACTIVE" });
  });

  test("rejects a service-managed OAuth config and suggests link", async () => {
    const { svc } = await open();
    const error = await refusal(svc.connectedAccounts.create({ auth_config: { id: "ac_github" }, connection: {} }));
    expect(error).toMatchObject({ status: 400, code: 600, slug: "ConnectedAccount_BadRequest" });
    expect(error.message).toContain("no longer supported");
    expect(error.message).toContain("/api/v3/connected_accounts/link");
  });

  test("returns a URL for a custom OAuth config, whose flow ends like a link's", async () => {
    const front = await open();
    const made = await front.svc.connectedAccounts.create({
      auth_config: { id: "ac_github_own" },
      connection: { user_id: "bob", callback_url: "https://app.example/done" },
    });
    expect(made).toMatchObject({ status: "INITIALIZING", redirect_uri: made.redirect_url });
    const { location } = await post(front, `${made.redirect_url}/complete`);
    expect(location).toContain(`status=success&connected_account_id=${made.id}`);
    const account = await front.svc.connectedAccounts.get(made.id);
    expect(account).toMatchObject({ status: "ACTIVE", requested_scopes: ["repo"] });
    expect(account.state.val).toMatchObject({ access_token: expect.stringMatching(/^at_.\.\.\.$/), scope: "repo" });
  });

  test("accepts tokens, which expire if nothing can renew them", async () => {
    const front = await open();
    const { id } = await front.svc.connectedAccounts.create({
      auth_config: { id: "ac_github_own" },
      connection: {
        user_id: "bob",
        state: { authScheme: "OAUTH2", val: { status: "ACTIVE", access_token: "gho_secret", expires_in: 3600 } },
      },
    });
    front.emulator.clock.advance("59m");
    expect(await front.svc.connectedAccounts.get(id)).toMatchObject({ status: "ACTIVE" });
    front.emulator.clock.advance("2m");
    expect(await front.svc.connectedAccounts.get(id)).toMatchObject({
      status: "EXPIRED",
      status_reason: "Permanent auth error during token refresh",
      updated_at: "2026-01-01T01:00:00.000Z",
    });
  });

  test("expires an account on enabling if its token expired while it was disabled", async () => {
    const front = await open();
    const val = { status: "ACTIVE", access_token: "gho_secret", expires_in: "60" } as const;
    const { id } = await front.svc.connectedAccounts.create({
      auth_config: { id: "ac_github_own" },
      connection: { user_id: "bob", state: { authScheme: "OAUTH2", val } },
    });
    await front.svc.connectedAccounts.disable(id);
    front.emulator.clock.advance("5m");
    expect(await front.svc.connectedAccounts.get(id)).toMatchObject({ status: "INACTIVE" });
    await front.svc.connectedAccounts.enable(id);
    expect(await front.svc.connectedAccounts.get(id)).toMatchObject({
      status: "EXPIRED",
      updated_at: "2026-01-01T00:05:00.000Z",
    });
  });

  test("has a new token if it's activated after its token expired while it was disabled", async () => {
    const front = await open();
    const val = { status: "ACTIVE", access_token: "gho_secret", expires_in: 60 } as const;
    const { id } = await front.svc.connectedAccounts.create({
      auth_config: { id: "ac_github_own" },
      connection: { user_id: "bob", state: { authScheme: "OAUTH2", val } },
    });
    await front.svc.connectedAccounts.disable(id);
    front.emulator.clock.advance("5m");
    front.emulator.accounts.activate(id);
    expect(await front.svc.connectedAccounts.get(id)).toMatchObject({ status: "ACTIVE" });
  });

  test("reports missing credentials by label", async () => {
    const { svc } = await open();
    const none = { auth_config: { id: "ac_weather" }, connection: { user_id: "bob" } };
    expect(await refusal(svc.connectedAccounts.create(none))).toMatchObject({
      status: 400,
      code: 612,
      slug: "ConnectedAccount_MissingRequiredFields",
      message: "Missing required fields: API key",
      suggested_fix: "Send generic_api_key",
    });
  });

  test("rejects a state of another scheme, or with an invalid initial status", async () => {
    const { svc } = await open();
    const bearer = { authScheme: "BEARER_TOKEN", val: { status: "ACTIVE", token: "t" } } as const;
    expect(await refusal(svc.connectedAccounts.create(weather({ state: bearer })))).toMatchObject({
      status: 400,
      message: "The auth config's scheme is API_KEY, not BEARER_TOKEN",
    });
    const dead = { authScheme: "API_KEY", val: { status: "EXPIRED" } } as const;
    expect(await refusal(svc.connectedAccounts.create(weather({ state: dead })))).toMatchObject({ code: 10400 });
  });

  test("rejects a key that starts with invalid if validate_credentials is set", async () => {
    const { svc } = await open();
    const bad = { authScheme: "API_KEY", val: { status: "ACTIVE", generic_api_key: "invalid_1" } } as const;
    const body = weather({ state: bad });
    expect(await refusal(svc.connectedAccounts.create({ ...body, validate_credentials: true }))).toMatchObject({
      message: "The credentials were rejected",
    });
    expect(await svc.connectedAccounts.create(body)).toMatchObject({ status: "ACTIVE" });
  });

  test("rejects an unknown or disabled auth config", async () => {
    const { svc } = await open();
    const on = (id: string) => svc.connectedAccounts.create({ auth_config: { id }, connection: {} });
    expect(await refusal(on("ac_none"))).toMatchObject({ status: 404 });
    expect(await refusal(on("ac_off"))).toMatchObject({ status: 400, message: "Auth config is disabled" });
  });

  test("requires aliases to be unique per user and toolkit", async () => {
    const { svc } = await open();
    const { id } = await svc.connectedAccounts.create(weather({ alias: "work" }));
    expect(await svc.connectedAccounts.get(id)).toMatchObject({ alias: "work" });
    expect(await refusal(svc.connectedAccounts.create(weather({ alias: "work" })))).toMatchObject({
      status: 400,
      code: 600,
      message: 'Alias "work" is already in use by another connection for this entity',
    });
    const { id: other } = await svc.connectedAccounts.create(weather({ alias: "work", user_id: "carol" }));
    expect(await svc.connectedAccounts.get(other)).toMatchObject({ alias: "work" });
  });

  test("accepts an ACL for shared accounts only", async () => {
    const { svc } = await open();
    const experimental = { acl_config_for_shared: { allow_all_users: true } };
    const error = await refusal(svc.connectedAccounts.create(weather({ experimental })));
    expect(error).toMatchObject({ status: 400 });
    expect(error.message).toContain("acl_config_for_shared is only valid on SHARED");
  });
});
