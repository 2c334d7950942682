import { describe, expect, test } from "vitest";
import { createEmulator } from "../../../src/emulator/index.js";
import { BadRequestError, ConflictError, NotFoundError, type Svc, Svc as SvcClient } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { FRONTS, inProcess } from "../tool-router/fronts.js";

const HOOK = { webhook_url: "https://one.example/hook", enabled_events: ["svc.connected_account.expired"] };
const SECOND = { name: "second", should_create_api_key: true };

describe.each(FRONTS)("a project's webhook subscriptions %s", (_, open) => {
  test("are invisible to other projects, and don't count for them", async () => {
    const { svc, clientWith, close } = await open();
    const { api_key } = await svc.projects.create(SECOND);
    const second = clientWith(api_key ?? "");
    const first = await svc.webhookSubscriptions.create(HOOK);
    expect((await second.webhookSubscriptions.list()).items).toEqual([]);
    const own = await second.webhookSubscriptions.create({ ...HOOK, webhook_url: "https://two.example/hook" });
    await rejectionOf(ConflictError, second.webhookSubscriptions.create(HOOK));
    const strange = second.webhookSubscriptions;
    await rejectionOf(NotFoundError, strange.get(first.id));
    await rejectionOf(NotFoundError, strange.update(first.id, { webhook_url: "https://two.example" }));
    await rejectionOf(NotFoundError, strange.rotateSecret(first.id));
    await rejectionOf(NotFoundError, strange.delete(first.id));
    expect(await svc.webhookSubscriptions.get(first.id)).toEqual(first);
    expect((await second.webhookSubscriptions.list()).items).toEqual([own]);
    expect(own).not.toHaveProperty("projectId");
    await close();
  });
});

describe("events", () => {
  test("reach every project, with its own id, until it's deleted", async () => {
    const received: (readonly [string, unknown])[] = [];
    const fetch = async (request: Request) => {
      const { metadata }: { metadata?: unknown } = Object(await request.json());
      received.push([request.url, metadata]);
      return new Response();
    };
    const emulator = createEmulator({ deliveries: { fetch } });
    const svc = new SvcClient({ ...emulator.connection, env: {} });
    const { id, api_key } = await svc.projects.create(SECOND);
    const second = new SvcClient({ ...emulator.connection, apiKey: api_key ?? "", env: {} });
    await svc.webhookSubscriptions.create(HOOK);
    await second.webhookSubscriptions.create({ ...HOOK, webhook_url: "https://two.example/hook" });
    emulator.accounts.expire("ca_github_demo");
    await emulator.waitForDeliveries();
    expect(received).toEqual([
      ["https://one.example/hook", { project_id: "pr_emulator", org_id: "ok_emulator" }],
      ["https://two.example/hook", { project_id: id, org_id: "ok_emulator" }],
    ]);
    await svc.projects.delete(id);
    emulator.accounts.expire("ca_slack_demo");
    await emulator.waitForDeliveries();
    expect(received.map(([url]) => url)).toEqual([HOOK.webhook_url, "https://two.example/hook", HOOK.webhook_url]);
  });
});

describe("a project's inbound endpoints", () => {
  test("belong to it, like the triggers they allow", async () => {
    const { svc, clientWith } = inProcess();
    const { api_key } = await svc.projects.create(SECOND);
    const second = clientWith(api_key ?? "");
    const slack = { toolkit_slug: "slack", client_id: "c1" };
    const { id } = await svc.webhookEndpoints.create(slack);
    const { setup_fields } = await svc.webhookEndpoints.getSchema({ toolkit_slug: "slack" });
    const data = Object.fromEntries(Object.keys(setup_fields ?? {}).map((name) => [name, "field-value"]));
    await svc.webhookEndpoints.replace(id, { data });
    expect((await second.webhookEndpoints.list()).items).toEqual([]);
    await rejectionOf(NotFoundError, second.webhookEndpoints.get(id));
    await rejectionOf(NotFoundError, second.webhookEndpoints.update(id, { data }));
    expect((await second.webhookEndpoints.create(slack)).id).not.toBe(id);
    const upsert = (client: Svc) => client.triggers.upsert("SLACK_APP_MENTION", { user_id: "user-4711" });
    await rejectionOf(BadRequestError, upsert(second));
    expect((await upsert(svc)).trigger_id).toMatch(/^ti_/);
  });
});

describe("a webhook subscription", () => {
  test.each(["https://user:pw@host.example/hook", "https://user@host.example", "http:foo", "ftp://host.example"])(
    "rejects the URL %s",
    async (webhook_url) => {
      const { svc } = inProcess();
      const refused = await rejectionOf(BadRequestError, svc.webhookSubscriptions.create({ ...HOOK, webhook_url }));
      expect(JSON.stringify(refused.body)).toContain("body.webhook_url: expected an https URL");
      const { id } = await svc.webhookSubscriptions.create(HOOK);
      await rejectionOf(BadRequestError, svc.webhookSubscriptions.update(id, { webhook_url }));
    },
  );

  test("contains each event type once", async () => {
    const { svc } = inProcess();
    const enabled_events = [...HOOK.enabled_events, "svc.trigger.message", ...HOOK.enabled_events];
    const made = await svc.webhookSubscriptions.create({ ...HOOK, enabled_events });
    expect(made.enabled_events).toEqual([...HOOK.enabled_events, "svc.trigger.message"]);
    const twice = ["svc.trigger.message", "svc.trigger.message"];
    const updated = await svc.webhookSubscriptions.update(made.id, { enabled_events: twice });
    expect(updated.enabled_events).toEqual(["svc.trigger.message"]);
  });
});

describe.each(FRONTS)("the masking of accounts %s", (_, open) => {
  test("follows the settings of the requesting project, except for managed tokens", async () => {
    const { svc, clientWith, close } = await open();
    const { api_key } = await svc.projects.create(SECOND);
    const second = clientWith(api_key ?? "");
    await svc.projects.updateConfig({ mask_secret_keys_in_connected_account: false });
    const key = { generic_api_key: "demo_api_key" };
    expect((await svc.connectedAccounts.get("ca_weather_demo")).state?.val).toMatchObject(key);
    const [listed] = (await svc.connectedAccounts.list({ toolkit_slugs: ["weathermap"] })).items;
    expect(listed).toMatchObject({ state: { val: key }, data: key });
    const masked = { state: { val: { generic_api_key: "demo..." } } };
    expect(await second.connectedAccounts.get("ca_weather_demo")).toMatchObject(masked);
    const { items } = await second.connectedAccounts.list({ toolkit_slugs: ["weathermap"] });
    expect(items).toMatchObject([masked]);
    expect((await svc.connectedAccounts.get("ca_github_demo")).state?.val).toMatchObject({ access_token: "REDACTED" });
    await close();
  });
});

describe("the first project, once deleted,", () => {
  test("is reported as deleted to its user, without settings", async () => {
    const { svc, fetch } = inProcess();
    await svc.projects.delete("pr_emulator");
    expect((await svc.session.info()).project).toMatchObject({ nano_id: "pr_emulator", deleted: true });
    const headers = { "x-user-api-key": "uak_emulator" };
    const answer = await fetch("http://emulator.localhost/api/v3.1/org/project/config", { headers });
    expect(answer.status).toBe(404);
  });
});
