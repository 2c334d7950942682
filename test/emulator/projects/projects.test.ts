import { describe, expect, test } from "vitest";
import { createEmulator, demoSeed } from "../../../src/emulator/index.js";
import { AuthenticationError, BadRequestError, NotFoundError, Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { FRONTS, inProcess } from "../tool-router/fronts.js";

describe.each(FRONTS)("a project %s", (_, open) => {
  test("is created with a working key, listed, read, and deleted", async () => {
    const { svc, clientWith, close } = await open();
    const created = await svc.projects.create({ name: "second", should_create_api_key: true });
    const second = clientWith(created.api_key ?? "");
    expect((await second.toolkits.list()).items).not.toEqual([]);
    const names = [];
    for await (const { name } of svc.projects.list({ limit: 1 })) names.push(name);
    expect(names).toEqual(["emulator", "second"]);
    const { api_keys, ...project } = await svc.projects.get(created.id);
    expect(project).toMatchObject({ id: created.id, name: "second", org_id: "ok_emulator" });
    expect(api_keys).toMatchObject([{ name: "second", key: `${created.api_key?.slice(0, 4)}...` }]);
    expect(await svc.projects.delete(created.id)).toEqual({ status: "success" });
    await rejectionOf(NotFoundError, svc.projects.get(created.id));
    await rejectionOf(AuthenticationError, second.toolkits.list());
    await close();
  });
});

describe("a project", () => {
  test("returns 404 to a user key after deletion, except in session.info", async () => {
    const emulator = createEmulator();
    const options = { ...emulator.connection, env: {} };
    await new Svc(options).projects.delete("pr_emulator");
    const { authConfigs, toolkits, connectedAccounts, tools, session } = new Svc({ ...options, apiKey: undefined });
    const lists = [authConfigs, toolkits, connectedAccounts, tools];
    for (const resource of lists) await rejectionOf(NotFoundError, resource.list());
    expect((await session.info()).project).toMatchObject({ deleted: true });
    await rejectionOf(AuthenticationError, new Svc(options).toolkits.list());
    // The key of the organization isn't one of the project's.
    expect(await new Svc(options).projects.list()).toMatchObject({ data: [] });
  });

  test("isn't served after its deletion, even if the request's body was still arriving", async () => {
    const emulator = createEmulator();
    const svc = new Svc(emulator.connection);
    const { id, api_key } = await svc.projects.create({ name: "short-lived", should_create_api_key: true });
    const { toolRouter } = new Svc({ ...emulator.connection, apiKey: api_key ?? "" });
    const { id: session } = await toolRouter.create({ user_id: "user-4711" });
    const headers = { "x-api-key": api_key ?? "", accept: "application/json, text/event-stream" };
    const begin = (path: string, json: object) => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      // The type doesn't know the option that fetch needs for a stream.
      const init: RequestInit = Object.assign({ method: "POST", headers, body: readable }, { duplex: "half" });
      const response = emulator.fetch(emulator.connection.baseUrl + path, init);
      const end = async () => {
        const writer = writable.getWriter();
        await Promise.all([writer.write(new TextEncoder().encode(JSON.stringify(json))), writer.close()]);
        return (await response).status;
      };
      return end;
    };
    const events = ["svc.trigger.message"];
    const endCreation = begin("/api/v3.1/webhook_subscriptions", {
      webhook_url: "https://a.b/c",
      enabled_events: events,
    });
    const endCall = begin(`/tool_router/v3/${session}/mcp`, { jsonrpc: "2.0", id: 1, method: "tools/list" });
    // Its response comes after both have got as far as their bodies.
    await toolRouter.get(session);
    await svc.projects.delete(id);
    expect([await endCreation(), await endCall()]).toEqual([404, 404]);
    expect(emulator.snapshot()["webhookSubscriptions"]).toEqual([]);
  });

  test("has no key without should_create_api_key", async () => {
    const { svc } = inProcess();
    const { id, api_key } = await svc.projects.create({ name: "keyless" });
    expect(api_key).toBeNull();
    expect((await svc.projects.get(id)).api_keys).toEqual([]);
  });

  test("gets a new key, which revokes the earlier ones", async () => {
    const { svc, clientWith } = inProcess();
    const { id, api_key } = await svc.projects.create({ name: "second", should_create_api_key: true });
    const before = clientWith(api_key ?? "");
    const { api_key: made } = await svc.projects.regenerateApiKey(id);
    await rejectionOf(AuthenticationError, before.toolkits.list());
    expect((await clientWith(made.key).toolkits.list()).items).not.toEqual([]);
    expect((await svc.projects.get(id)).api_keys).toMatchObject([{ id: made.id }]);
  });

  test("shows nothing of a key that is shorter than what is shown of others", async () => {
    const { svc } = inProcess({ seed: { keys: [...(demoSeed.keys ?? []), { kind: "apiKey", value: "k1" }] } });
    const { api_keys } = await svc.projects.get("pr_emulator");
    expect(api_keys?.map(({ key }) => key)).toEqual(["ak_e...", "ak_r...", "REDACTED"]);
  });

  test("has its own settings", async () => {
    const { svc, clientWith } = inProcess();
    const config = { display_name: "Second", signed_url_file_expiry_in_seconds: 60 };
    const { api_key } = await svc.projects.create({ name: "second", should_create_api_key: true, config });
    const second = clientWith(api_key ?? "");
    expect(await second.projects.getConfig()).toMatchObject({ ...config, require_mcp_api_key: true });
    await second.projects.updateConfig({ log_visibility_setting: "dont_store_data" });
    expect(await second.projects.getConfig()).toMatchObject({ ...config, log_visibility_setting: "dont_store_data" });
    expect((await svc.projects.getConfig()).log_visibility_setting).toBe("show_all");
  });

  test("isn't found if it doesn't exist, and an invalid id is rejected", async () => {
    const { svc } = inProcess();
    await rejectionOf(NotFoundError, svc.projects.get("pr_nope"));
    await rejectionOf(BadRequestError, svc.projects.delete("ac_nope"));
  });

  test("is listed for its user, with its organization", async () => {
    const { svc } = inProcess();
    expect((await svc.projects.listMine()).data).toMatchObject([{ id: "pr_emulator", name: "emulator" }]);
    expect(await svc.projects.listOrganizations()).toMatchObject({
      organizations: [{ id: "ok_emulator", name: "Emulator", plan: "hobby" }],
      total_items: 1,
    });
  });
});
