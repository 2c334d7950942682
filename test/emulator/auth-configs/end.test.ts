import { describe, expect, test } from "vitest";
import { eventTypes, link, post, refusal, seed, visit } from "../connected-accounts/support.js";
import { FRONTS, type Front } from "../fronts.js";

const disable = ({ svc }: Front, id: string) => svc.authConfigs.disable(id);
const remove = ({ svc }: Front, id: string) => svc.authConfigs.delete(id);
const ENDS = [
  ["disabled", disable, 400, "Auth config is disabled"],
  ["deleted", remove, 404, "not found"],
] as const;

const fresh = { connection: { state: { authScheme: "API_KEY", val: { generic_api_key: "wk_fresh" } } } } as const;
const call = {
  user_id: "ada",
  version: "latest",
  arguments: { owner: "octo-org", repo: "hello-world", issue_number: 1 },
};

describe.each(FRONTS)("a deleted or disabled auth config, %s", (_, openFront) => {
  const open = () => openFront({ seed });

  test.each(ENDS)("%s, completes no link started before", async (_how, end, status, message) => {
    const front = await open();
    const made = await link(front);
    await end(front, "ac_github");
    const answer = await post(front, `${made.redirect_url}/complete`);
    expect(answer).toMatchObject({ status, location: null, text: expect.stringContaining(message) });
    const { status: now } = await front.svc.connectedAccounts.get(made.connected_account_id);
    expect(now).toBe("INITIATED");
    expect(eventTypes(front)).toEqual([]);
    // Denying needs no auth config.
    expect(await post(front, `${made.redirect_url}/fail`)).toMatchObject({ status: 200 });
  });

  test.each(ENDS)("%s, renews no EXPIRED account on the hosted page", async (_how, end, status) => {
    const front = await open();
    const { redirect_url } = await front.svc.connectedAccounts.refresh("ca_dead");
    await end(front, "ac_github");
    expect(await post(front, `${redirect_url}/complete`)).toMatchObject({ status });
    expect(await front.svc.connectedAccounts.get("ca_dead")).toMatchObject({ status: "EXPIRED" });
  });

  test.each(ENDS)("%s, lets no callback verifier complete a flow", async (_how, end, status) => {
    const front = await openFront({ seed, project: { callbackVerifierUrl: "https://app.example/verify" } });
    const made = await link(front);
    const { location } = await post(front, `${made.redirect_url}/complete`);
    await end(front, "ac_github");
    const body = { session_uri: new URL(location ?? "").searchParams.get("session_uri") ?? "", user_id: "ada" };
    expect(await refusal(front.svc.connectedAccounts.completeAuth(body))).toMatchObject({ status });
    expect(await front.svc.connectedAccounts.get(made.connected_account_id)).toMatchObject({ status: "INITIATED" });
  });

  test.each(ENDS)(
    "%s, accepts no new credentials for an EXPIRED account, and changes nothing",
    async (_how, end, status) => {
      const front = await open();
      front.emulator.accounts.expire("ca_weather");
      await end(front, "ac_weather");
      const before = front.emulator.snapshot()["connectedAccounts"];
      const update = front.svc.connectedAccounts.update("ca_weather", { ...fresh, alias: "mine" });
      expect(await refusal(update)).toMatchObject({ status });
      expect(front.emulator.snapshot()["connectedAccounts"]).toEqual(before);
    },
  );

  test.each(ENDS)("%s, allows none of its accounts to be enabled", async (_how, end, status) => {
    const front = await open();
    await front.svc.connectedAccounts.disable("ca_github");
    await end(front, "ac_github");
    const enable = front.svc.connectedAccounts.enable("ca_github");
    expect(await refusal(enable)).toMatchObject({ status });
    expect(await front.svc.connectedAccounts.get("ca_github")).toMatchObject({ status: "INACTIVE" });
  });

  test("deleted, doesn't change its ACTIVE accounts: they run tools, and can be disabled", async () => {
    const front = await open();
    await remove(front, "ac_github");
    expect(await front.svc.connectedAccounts.get("ca_github")).toMatchObject({ status: "ACTIVE" });
    const result = await front.svc.tools.execute("GITHUB_GET_AN_ISSUE", call);
    expect(result).toMatchObject({ data: { status_code: 404 } });
    await front.svc.connectedAccounts.disable("ca_github");
    expect(await front.svc.connectedAccounts.get("ca_github")).toMatchObject({ status: "INACTIVE" });
  });

  test("enabled again, leaves accounts disabled that the caller disabled in the meantime", async () => {
    const { svc } = await open();
    await svc.authConfigs.disable("ac_github");
    await svc.connectedAccounts.disable("ca_github");
    await svc.authConfigs.enable("ac_github");
    expect(await svc.connectedAccounts.get("ca_github")).toMatchObject({
      status: "INACTIVE",
      status_reason: "Connection status updated by user",
    });
  });

  test("disabled in the seed, makes the seed's ACTIVE accounts INACTIVE until it's enabled", async () => {
    const accounts = [{ id: "ca_off", userId: "ada", authConfigId: "ac_off" }];
    const front = await openFront({ seed: { ...seed, connectedAccounts: accounts } });
    expect(await front.svc.connectedAccounts.get("ca_off")).toMatchObject({
      status: "INACTIVE",
      status_reason: "Auth config is disabled",
    });
    await front.svc.authConfigs.enable("ac_off");
    expect(await front.svc.connectedAccounts.get("ca_off")).toMatchObject({ status: "ACTIVE", status_reason: null });
  });
});

describe.each(FRONTS)("shared credentials of an auth config, %s", (_, openFront) => {
  const key = { generic_api_key: "sharedkey1" };
  const open = async (shared: object = key) => {
    const front = await openFront({ seed });
    await front.svc.authConfigs.update("ac_weather", { type: "custom", shared_credentials: { ...shared } });
    return front;
  };
  const create = ({ svc }: Front, val: { readonly generic_api_key?: string } = {}) => {
    const state = { authScheme: "API_KEY", val: { status: "ACTIVE", ...val } } as const;
    return svc.connectedAccounts.create({ auth_config: { id: "ac_weather" }, connection: { user_id: "bob", state } });
  };
  const keyOf = async ({ svc }: Front, id: string) =>
    Reflect.get((await svc.connectedAccounts.get(id)).state.val, "generic_api_key");

  test("are inherited by an account without its own, and masked", async () => {
    const front = await open();
    const { id } = await create(front);
    expect(await keyOf(front, id)).toBe("shar...");
    expect(await keyOf(front, (await create(front, { generic_api_key: "own_key" })).id)).toBe("own_...");
  });

  test("aren't fields of the hosted page", async () => {
    const front = await open();
    const made = await link(front, { auth_config_id: "ac_weather" });
    expect((await visit(front, made.redirect_url)).text).not.toContain("<input");
    expect(await post(front, `${made.redirect_url}/complete`)).toMatchObject({ status: 200 });
    expect(await keyOf(front, made.connected_account_id)).toBe("shar...");
  });

  test("replace values an account removes", async () => {
    const front = await open();
    const state = { authScheme: "API_KEY", val: { generic_api_key: null } } as const;
    await front.svc.connectedAccounts.update("ca_weather", { connection: { state } });
    expect(await keyOf(front, "ca_weather")).toBe("shar...");
  });

  test("are rejected if no connection can have them, without affecting accounts", async () => {
    const front = await open();
    const { authConfigs, connectedAccounts } = front.svc;
    const shared_credentials = { ...key, subdomain: 5 };
    const update = authConfigs.update("ac_weather", { type: "custom", name: "Changed", shared_credentials });
    const reason = "subdomain: no value that a connection of API_KEY can have";
    expect(await refusal(update)).toMatchObject({ status: 400, errors: [`body.shared_credentials.${reason}`] });
    expect(await authConfigs.get("ac_weather")).toMatchObject({
      name: "Weathermap",
      shared_credentials: { generic_api_key: "shar..." },
    });
    const auth_config = { type: "use_custom_auth", authScheme: "API_KEY", shared_credentials } as const;
    expect(await refusal(authConfigs.create({ toolkit: { slug: "weathermap" }, auth_config }))).toMatchObject({
      status: 400,
      errors: [`body.auth_config.shared_credentials.${reason}`],
    });
    await create(front);
    await link(front, { auth_config_id: "ac_weather" });
    const state = { authScheme: "API_KEY", val: { generic_api_key: "wk_1" } } as const;
    await connectedAccounts.update("ca_weather", { connection: { state } });
  });

  test("don't cause errors for accounts if they come from a snapshot", async () => {
    const front = await open();
    const text = JSON.stringify(front.emulator.snapshot());
    front.emulator.restore(JSON.parse(text.replace('"sharedkey1"', '"sharedkey1","subdomain":5')));
    const state = { authScheme: "API_KEY", val: { generic_api_key: "wk_1" } } as const;
    const answer = await front.svc.connectedAccounts.update("ca_weather", { connection: { state } });
    expect(answer).toMatchObject({ success: true });
  });
});

describe.each(FRONTS)("a refresh, %s", (_, openFront) => {
  test("makes the previous refresh's page a 410", async () => {
    const front = await openFront({ seed });
    const first = await front.svc.connectedAccounts.refresh("ca_github");
    const second = await front.svc.connectedAccounts.refresh("ca_github");
    expect(await visit(front, first.redirect_url ?? "")).toMatchObject({ status: 410 });
    expect(await post(front, `${first.redirect_url}/complete`)).toMatchObject({ status: 410 });
    expect(await visit(front, second.redirect_url ?? "")).toMatchObject({ status: 200 });
    await front.svc.connectedAccounts.delete("ca_github");
    expect(await visit(front, first.redirect_url ?? "")).toMatchObject({ status: 404 });
  });

  test("is forgotten after a hundred more: 404", async () => {
    const front = await openFront({ seed });
    const pages: string[] = [];
    for (let count = 0; count < 102; count += 1) {
      const { redirect_url } = await front.svc.connectedAccounts.refresh("ca_github");
      pages.push(redirect_url ?? "");
    }
    expect(await visit(front, pages[0] ?? "")).toMatchObject({ status: 404 });
    expect(await visit(front, pages[1] ?? "")).toMatchObject({ status: 410 });
    expect(await visit(front, pages.at(-1) ?? "")).toMatchObject({ status: 200 });
  });

  test.each(["", "  ", "soon", null])("isn't needed by a token with the lifetime %j", async (expires_in) => {
    const front = await openFront({ seed });
    const state = { authScheme: "OAUTH2", val: { status: "ACTIVE", access_token: "at_1", expires_in } } as const;
    const body = { auth_config: { id: "ac_github_own" }, connection: { user_id: "bob", state } };
    const { id } = await front.svc.connectedAccounts.create(body);
    front.emulator.clock.advance("30d");
    expect(await front.svc.connectedAccounts.get(id)).toMatchObject({ status: "ACTIVE" });
  });
});
