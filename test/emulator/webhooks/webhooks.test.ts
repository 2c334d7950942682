import { describe, expect, test } from "vitest";
import { refusal, seed } from "../connected-accounts/support.js";
import { FRONTS, type Front } from "../fronts.js";

const body = { webhook_url: "https://app.example/hook", enabled_events: ["svc.trigger.message"] };
const create = ({ svc }: Front) => svc.webhookSubscriptions.create(body);

describe.each(FRONTS)("webhook subscriptions, %s", (_, openFront) => {
  const open = () => openFront({ seed });

  test("have a secret and the current format", async () => {
    const front = await open();
    const made = await create(front);
    expect(made).toMatchObject({ ...body, version: "V3", secret: expect.stringMatching(/^whsec_[\da-f]{32}$/) });
    expect(await front.svc.webhookSubscriptions.get(made.id)).toEqual(made);
    expect((await front.svc.webhookSubscriptions.list()).items).toEqual([made]);
  });

  test("are limited to one per project by default", async () => {
    const front = await open();
    await create(front);
    expect(await refusal(create(front))).toMatchObject({ status: 409, slug: "WebhookSubscription_Conflict" });
    const roomy = await openFront({ seed, project: { subscriptionsPerProject: 2 } });
    const [one, other] = [await create(roomy), await create(roomy)];
    expect(one.secret).not.toBe(other.secret);
    expect(await refusal(create(roomy))).toMatchObject({ status: 409 });
  });

  test("change only included fields with an update", async () => {
    const front = await open();
    const { id, secret } = await create(front);
    front.emulator.clock.advance("1m");
    const webhook_url = "https://app.example/other";
    expect(await front.svc.webhookSubscriptions.update(id, { webhook_url })).toMatchObject({
      webhook_url,
      enabled_events: body.enabled_events,
      secret,
      updated_at: "2026-01-01T00:01:00.000Z",
    });
  });

  test("reject V3-only events in an older format, in creation and update", async () => {
    const front = await open();
    const { webhookSubscriptions } = front.svc;
    const enabled_events = ["svc.trigger.message", "svc.connected_account.expired"];
    expect(await refusal(webhookSubscriptions.create({ ...body, enabled_events, version: "V2" }))).toMatchObject({
      status: 400,
      errors: ["body.enabled_events[1]: svc.connected_account.expired does not exist in V2, only in V3"],
    });
    const { id } = await webhookSubscriptions.create({ ...body, enabled_events });
    expect(await refusal(webhookSubscriptions.update(id, { version: "V1" }))).toMatchObject({ status: 400 });
    const both = { version: "V1", enabled_events: ["svc.trigger.message"] } as const;
    expect(await webhookSubscriptions.update(id, { ...both, enabled_events: [...both.enabled_events] })).toMatchObject({
      version: "V1",
    });
  });

  test("reject an unknown event type, an empty list, and an invalid URL", async () => {
    const { svc, raw } = await open();
    const bad = (change: object) => refusal(svc.webhookSubscriptions.create({ ...body, ...change }));
    expect(await bad({ enabled_events: ["svc.nothing"] })).toMatchObject({
      errors: ["body.enabled_events[0]: there is no event type svc.nothing"],
    });
    expect(await bad({ webhook_url: "mailto:ada@example.com" })).toMatchObject({ status: 400 });
    const headers = { "x-api-key": "ak_emulator", "content-type": "application/json" };
    const empty = await raw("POST", "/api/v3.1/webhook_subscriptions", {
      headers,
      body: { ...body, enabled_events: [] },
    });
    expect(empty).toMatchObject({ status: 400, body: { error: { code: 10400 } } });
  });

  test("get a new secret with a rotation", async () => {
    const front = await open();
    const { id, secret } = await create(front);
    const rotated = await front.svc.webhookSubscriptions.rotateSecret(id);
    expect(rotated.secret).not.toBe(secret);
    expect(await front.svc.webhookSubscriptions.get(id)).toMatchObject({ secret: rotated.secret });
  });

  test("aren't found after deletion, which allows another", async () => {
    const front = await open();
    const { id } = await create(front);
    expect(await front.svc.webhookSubscriptions.delete(id)).toEqual({ success: true });
    for (const call of [
      front.svc.webhookSubscriptions.get(id),
      front.svc.webhookSubscriptions.delete(id),
      front.svc.webhookSubscriptions.rotateSecret(id),
      front.svc.webhookSubscriptions.update(id, {}),
    ]) {
      expect(await refusal(call)).toMatchObject({ status: 404, slug: "WebhookSubscription_ResourceNotFound" });
    }
    expect(await create(front)).toMatchObject(body);
  });

  test("are created and then updated by ensure", async () => {
    const { svc } = await open();
    const made = await svc.webhookSubscriptions.ensure(body);
    const again = await svc.webhookSubscriptions.ensure({ ...body, webhook_url: "https://app.example/new" });
    expect(again).toMatchObject({ id: made.id, webhook_url: "https://app.example/new" });
  });

  test("list the formats of each event type", async () => {
    const { svc } = await open();
    const { items } = await svc.webhookSubscriptions.listEventTypes();
    expect(items.map(({ event_type, supported_versions }) => [event_type, supported_versions.length])).toEqual([
      ["svc.trigger.message", 3],
      ["svc.connected_account.expired", 1],
      ["svc.connected_account.activated", 1],
      ["svc.trigger.disabled", 1],
    ]);
  });
});

describe.each(FRONTS)("inbound webhook endpoints, %s", (_, openFront) => {
  const open = () => openFront({ seed });
  const app = { toolkit_slug: "slack", client_id: "app-1" };

  test("have a schema of their fields", async () => {
    const { svc } = await open();
    const { setup_fields } = await svc.webhookEndpoints.getSchema({ toolkit_slug: "slack" });
    expect(setup_fields).toMatchObject({ signing_secret: { is_required: true, is_secret: true } });
    expect(await svc.webhookEndpoints.getSchema({ toolkit_slug: "github" })).toEqual({
      toolkit_slug: "github",
      setup_fields: {},
    });
    expect(await refusal(svc.webhookEndpoints.getSchema({ toolkit_slug: "nothing" }))).toMatchObject({ status: 404 });
  });

  test("are the same for the same app: 201, then 200", async () => {
    const { svc, baseUrl } = await open();
    const first = await svc.webhookEndpoints.create(app).withResponse();
    const again = await svc.webhookEndpoints.create(app).withResponse();
    expect([first.meta.status, again.meta.status]).toEqual([201, 200]);
    expect(again.data).toEqual(first.data);
    expect(first.data).toMatchObject({
      ...app,
      webhook_url: `${baseUrl}/api/v3.1/webhook_ingress/slack/${first.data.id}/trigger_event`,
      data: null,
    });
    expect(await svc.webhookEndpoints.list({ toolkit_slug: "slack" })).toEqual({
      items: [{ id: first.data.id, ...app }],
    });
    expect(await svc.webhookEndpoints.list({ toolkit_slug: "github" })).toEqual({ items: [] });
  });

  test("keep other fields on update, require fields on replacement, and mask secrets", async () => {
    const { svc } = await open();
    const { id } = await svc.webhookEndpoints.create(app);
    await svc.webhookEndpoints.update(id, { data: { signing_secret: "s3cret" } });
    expect(await svc.webhookEndpoints.update(id, { data: { team_id: "T1" } })).toMatchObject({
      data: { signing_secret: "s3cr...", team_id: "T1" },
    });
    expect(await refusal(svc.webhookEndpoints.replace(id, { data: { team_id: "T2" } }))).toMatchObject({
      status: 400,
      errors: ["body.data.signing_secret: required, but missing"],
    });
    expect(await svc.webhookEndpoints.replace(id, { data: { signing_secret: "other" } })).toMatchObject({
      data: { signing_secret: "othe..." },
    });
    expect((await svc.webhookEndpoints.get(id)).data).not.toHaveProperty("team_id");
  });

  test("reject an unknown field, endpoint, or toolkit", async () => {
    const { svc } = await open();
    const { id } = await svc.webhookEndpoints.create(app);
    expect(await refusal(svc.webhookEndpoints.update(id, { data: { nothing: "x" } }))).toMatchObject({
      errors: ["body.data.nothing: no such field"],
    });
    expect(await refusal(svc.webhookEndpoints.get("we_none"))).toMatchObject({ status: 404 });
    expect(await refusal(svc.webhookEndpoints.create({ ...app, toolkit_slug: "github" }))).toMatchObject({
      status: 400,
    });
  });
});

describe.each(FRONTS)("apiKeys.revoke, %s", (_, openFront) => {
  test("revokes a reported key, with the same response for an unknown one", async () => {
    const { svc, client } = await openFront({ seed });
    const leaked = client({ apiKey: "ak_leaked" });
    expect((await leaked.authConfigs.list()).items).not.toEqual([]);
    expect(await svc.apiKeys.revoke({ api_keys: ["ak_leaked", "ak_unknown"] })).toEqual({ received: true });
    expect(await refusal(leaked.authConfigs.list())).toMatchObject({ status: 401, code: 801 });
    expect((await svc.authConfigs.list()).items).not.toEqual([]);
  });
});
