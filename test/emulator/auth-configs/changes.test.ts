import { describe, expect, test } from "vitest";
import { FRONTS, testSeed } from "../fronts.js";

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

describe.each(FRONTS)("authConfigs.get, update, delete and status %s", (_, open) => {
  test("shows client_id and consumer_key of a custom one, and masks the rest", async () => {
    const { svc } = await open({ seed });
    const { auth_config } = await svc.authConfigs.create({
      toolkit: { slug: "github" },
      auth_config: {
        type: "use_custom_auth",
        authScheme: "OAUTH2",
        credentials: { consumer_key: "clear", consumer_secret: "0123456", scopes: "repo" },
      },
    });
    expect((await svc.authConfigs.get(auth_config.id)).credentials).toEqual({
      consumer_key: "clear",
      consumer_secret: "0123...",
      scopes: "repo",
    });
    const shown = { client_id: "Iv1.clear", client_secret: "very...", scopes: ["repo"], pin: "REDACTED" };
    expect((await svc.authConfigs.get("ac_custom")).credentials).toEqual(shown);
  });

  test("hides all credentials of a managed one", async () => {
    const credentials = { client_id: "x-client", client_secret: "x-secret", scopes: "repo" };
    const authConfigs = [{ id: "ac_managed", toolkit: "github", credentials }];
    const { raw, svc } = await open({ seed: { keys: testSeed.keys, authConfigs } });
    const shown = { client_id: "REDACTED", client_secret: "REDACTED", scopes: "repo" };
    expect((await svc.authConfigs.get("ac_managed")).credentials).toEqual(shown);
    expect((await raw("GET", "/api/v3/auth_configs")).text).not.toContain("x-secret");
  });

  test("counts active connections, and returns a disabled one", async () => {
    const { svc } = await open({ seed });
    expect((await svc.authConfigs.get("ac_github_demo")).no_of_connections).toBe(1);
    expect(await svc.authConfigs.get("ac_off")).toMatchObject({ status: "DISABLED" });
  });

  test("merges credentials of a custom one by key on update", async () => {
    const { svc, emulator } = await open({ seed });
    emulator.clock.advance("1h");
    const body = { type: "custom", name: "Renamed", credentials: { client_secret: "new-secret" } } as const;
    expect(await svc.authConfigs.update("ac_custom", body)).toEqual({});
    expect(await svc.authConfigs.get("ac_custom")).toMatchObject({
      name: "Renamed",
      credentials: { client_id: "Iv1.clear", client_secret: "new-...", scopes: ["repo"] },
      created_at: "2026-01-01T00:00:00.000Z",
      last_updated_at: "2026-01-01T01:00:00.000Z",
    });
  });

  test("accepts every field of the custom shape on update, and null removes the proxy", async () => {
    const { svc } = await open({ seed });
    await svc.authConfigs.update("ac_custom", {
      type: "custom",
      proxy_config: { proxy_url: "https://proxy.example.com" },
      restrict_to_following_tools: ["GITHUB_CREATE_AN_ISSUE"],
      tool_access_config: { tools_available_for_execution: ["GITHUB_CREATE_AN_ISSUE"] },
      shared_credentials: { token: "shared" },
      is_enabled_for_tool_router: false,
    });
    expect(await svc.authConfigs.get("ac_custom")).toMatchObject({
      name: "Own app",
      proxy_config: { proxy_url: "https://proxy.example.com" },
      restrict_to_following_tools: ["GITHUB_CREATE_AN_ISSUE"],
      tool_access_config: {
        tools_for_connected_account_creation: [],
        tools_available_for_execution: ["GITHUB_CREATE_AN_ISSUE"],
      },
      shared_credentials: { token: "shar..." },
      is_enabled_for_tool_router: false,
    });
    await svc.authConfigs.update("ac_custom", { type: "custom", proxy_config: null, restrict_to_following_tools: [] });
    const cleared = { proxy_config: null, restrict_to_following_tools: [], shared_credentials: { token: "shar..." } };
    expect(await svc.authConfigs.get("ac_custom")).toMatchObject(cleared);
  });

  test("accepts scopes at the top level for a default one, and an empty string clears them", async () => {
    const { svc } = await open({ seed });
    await svc.authConfigs.update("ac_github_demo", { type: "default", scopes: ["repo"], user_scopes: "user" });
    expect((await svc.authConfigs.get("ac_github_demo")).credentials).toEqual({
      scopes: ["repo"],
      user_scopes: "user",
    });
    await svc.authConfigs.update("ac_github_demo", { type: "default", scopes: "" });
    expect((await svc.authConfigs.get("ac_github_demo")).credentials).toEqual({ scopes: "", user_scopes: "user" });
  });

  test("derives scopes from the tools in an update", async () => {
    const { svc } = await open({ seed });
    const tool_access_config = { tools_for_connected_account_creation: ["GITHUB_STAR_A_REPOSITORY"] };
    await svc.authConfigs.update("ac_github_demo", { type: "default", tool_access_config });
    expect((await svc.authConfigs.get("ac_github_demo")).credentials).toEqual({ scopes: ["public_repo"] });
  });

  test("rejects an update of another type with 400", async () => {
    const { svc } = await open({ seed });
    await expect(svc.authConfigs.update("ac_custom", { type: "default" })).rejects.toMatchObject({
      status: 400,
      errors: ["body.type: this auth config is custom, not default"],
    });
  });

  test("rejects an empty name with a 400 that reports the minimum length", async () => {
    const { raw } = await open({ seed });
    const headers = { "x-api-key": "ak_emulator" };
    const answer = await raw("PATCH", "/api/v3/auth_configs/ac_custom", {
      headers,
      body: { type: "custom", name: "" },
    });
    const errors = ["body.name: expected at least 1 character, received fewer"];
    expect(answer).toMatchObject({ status: 400, body: { error: { errors } } });
  });

  test("hides a deleted config everywhere, permanently", async () => {
    const { svc } = await open({ seed });
    expect(await svc.authConfigs.delete("ac_custom")).toEqual({});
    await expect(svc.authConfigs.get("ac_custom")).rejects.toMatchObject({ status: 404 });
    await expect(svc.authConfigs.delete("ac_custom")).rejects.toMatchObject({ status: 404 });
    await expect(svc.authConfigs.enable("ac_custom")).rejects.toMatchObject({ status: 404 });
    expect((await svc.authConfigs.list({ show_disabled: true, search: "custom" })).total_items).toBe(0);
    expect((await svc.tools.list({ auth_config_ids: "ac_custom" })).total_items).toBe(0);
  });

  test("returns a job for revoke_on_delete, and the accounts become unusable", async () => {
    const { svc } = await open({ seed });
    const call = { user_id: "user-4711", version: "latest", arguments: { channel: "general", text: "hi" } };
    expect(await svc.tools.execute("SLACK_SEND_MESSAGE", call)).toMatchObject({ successful: true });
    const deleted = await svc.authConfigs.delete("ac_slack_demo", { revoke_on_delete: true });
    expect(deleted.revoke_job_id).toMatch(/^[0-9a-f-]{36}$/);
    await expect(svc.tools.execute("SLACK_SEND_MESSAGE", call)).rejects.toMatchObject({ status: 422 });
  });

  test("revokes nothing if revoke_on_delete is false or null", async () => {
    const { svc } = await open({ seed });
    expect(await svc.authConfigs.delete("ac_custom", { revoke_on_delete: false })).toEqual({});
    expect(await svc.authConfigs.delete("ac_slack_demo", { revoke_on_delete: null })).toEqual({});
  });

  test("changes the status on disable and enable, and returns an empty object", async () => {
    const { svc } = await open({ seed });
    expect(await svc.authConfigs.disable("ac_github_demo")).toEqual({});
    expect(await svc.authConfigs.get("ac_github_demo")).toMatchObject({ status: "DISABLED" });
    expect(await svc.authConfigs.enable("ac_github_demo")).toEqual({});
    expect(await svc.authConfigs.get("ac_github_demo")).toMatchObject({ status: "ENABLED" });
  });

  test.each(["enabled", "GONE"])("rejects the status %s with 400", async (status) => {
    const { raw } = await open({ seed });
    const answer = await raw("PATCH", `/api/v3/auth_configs/ac_custom/${status}`);
    const errors = ["params.status: expected ENABLED or DISABLED"];
    expect(answer).toMatchObject({ status: 400, body: { error: { errors } } });
  });

  test("accepts only the project key for status", async () => {
    const { raw } = await open({ seed });
    const headers = { "x-user-api-key": "uak_emulator" };
    expect(await raw("PATCH", "/api/v3/auth_configs/ac_custom/DISABLED", { headers })).toMatchObject({ status: 401 });
  });

  test("accepts the user key for the other operations", async () => {
    const { client } = await open({ seed });
    const svc = client({ apiKey: undefined });
    expect((await svc.authConfigs.list()).total_items).toBe(4);
    expect(await svc.authConfigs.get("ac_custom")).toMatchObject({ id: "ac_custom" });
  });

  test("returns 400 for an invalid id, and 404 for an unknown one", async () => {
    const { svc } = await open({ seed });
    await expect(svc.authConfigs.get("ca_github_demo")).rejects.toMatchObject({
      name: "BadRequestError",
      errors: ["params.nanoid: expected an id that starts with ac_"],
    });
    await expect(svc.authConfigs.get("ac_unknown")).rejects.toMatchObject({
      name: "NotFoundError",
      errorSlug: "AuthConfig_ResourceNotFound",
      message: expect.stringContaining("Auth config ac_unknown not found"),
    });
  });
});
