import { describe, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/emulator/index.js";
import { startEmulator } from "../../../src/emulator/node.js";
import { FRONTS, type Front } from "../fronts.js";
import { link, post, refusal, seed } from "./support.js";

/** Changes every kind of record. */
async function fill(front: Front): Promise<void> {
  const { svc, emulator } = front;
  const made = await link(front, { alias: "work" });
  await post(front, `${made.redirect_url}/complete`);
  const { trigger_id } = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
    connected_account_id: "ca_github",
    trigger_config: { owner: "o", repo: "r" },
  });
  emulator.triggers.fire(trigger_id, { id: "1", message: "m", author: "a" });
  emulator.accounts.expire("ca_slack");
  await svc.webhookSubscriptions.ensure({ webhook_url: "https://a.example", enabled_events: ["svc.trigger.message"] });
  await svc.webhookEndpoints.create({ toolkit_slug: "slack", client_id: "app-1" });
  await svc.apiKeys.revoke({ api_keys: ["ak_leaked"] });
}

/** The state a client and the controls can see. */
async function seen({ svc, emulator, client }: Front): Promise<unknown> {
  return {
    accounts: await svc.connectedAccounts.list({ limit: 100 }),
    triggers: await svc.triggers.listActive({ show_disabled: true }),
    subscriptions: await svc.webhookSubscriptions.list(),
    endpoints: await svc.webhookEndpoints.list(),
    events: structuredClone(emulator.events),
    leaked: await client({ apiKey: "ak_leaked" })
      .toolkits.list()
      .then(
        () => "works",
        () => "revoked",
      ),
  };
}

describe.each(FRONTS)("state, %s", (_, openFront) => {
  test("is reset to the seed, and another run creates equal ids if they are seeded", async () => {
    const front = await openFront({ seed, idSeed: 7 });
    const atStart = await seen(front);
    front.emulator.reset();
    await fill(front);
    const filled = await seen(front);
    expect(filled).not.toEqual(atStart);
    front.emulator.reset();
    expect(await seen(front)).toEqual(atStart);
    front.emulator.reset();
    await fill(front);
    expect(await seen(front)).toEqual(filled);
  });

  test("survives a snapshot through JSON", async () => {
    const front = await openFront({ seed });
    await fill(front);
    const filled = await seen(front);
    const snapshot = JSON.parse(JSON.stringify(front.emulator.snapshot()));
    front.emulator.reset();
    front.emulator.restore(snapshot);
    expect(await seen(front)).toEqual(filled);
  });

  test("keeps a pending flow in a snapshot, which still times out", async () => {
    const front = await openFront({ seed });
    const made = await link(front);
    const snapshot = front.emulator.snapshot();
    front.emulator.clock.advance("20m");
    expect(await front.svc.connectedAccounts.get(made.connected_account_id)).toMatchObject({ status: "EXPIRED" });
    front.emulator.restore(snapshot);
    expect(await front.svc.connectedAccounts.get(made.connected_account_id)).toMatchObject({ status: "INITIALIZING" });
    front.emulator.clock.advance("20m");
    expect(front.emulator.events).toHaveLength(1);
  });
});

describe("the control plane", () => {
  const call = async (url: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/_emulator${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };

  test("fires triggers, expires accounts, and lists events", async () => {
    const emulator = await startEmulator({ seed });
    try {
      const { url } = emulator;
      const trigger = await fetch(`${url}/api/v3.1/trigger_instances/SLACK_NEW_MESSAGE/upsert`, {
        method: "POST",
        headers: { "x-api-key": "ak_emulator", "content-type": "application/json" },
        body: JSON.stringify({ connected_account_id: "ca_slack" }),
      });
      const { trigger_id: id } = await trigger.json();
      const payload = { channel: "C0001", user: "U1", text: "hi", ts: "1.0" };
      expect(await call(url, "POST", `/triggers/${id}/fire`, payload)).toMatchObject({
        status: 200,
        body: { type: "svc.trigger.message", data: payload },
      });
      expect(await call(url, "POST", `/triggers/${id}/fire`, {})).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining("the payload doesn't match SLACK_NEW_MESSAGE") },
      });
      expect(await call(url, "POST", "/accounts/ca_slack/expire", { reason: "Max auth failures reached" })).toEqual({
        status: 200,
        body: {},
      });
      expect((await call(url, "POST", "/accounts/ca_slack/expire")).status).toBe(400);
      const { body } = await call(url, "GET", "/events");
      expect(body.items.map(({ type }: { type: string }) => type)).toEqual([
        "svc.trigger.message",
        "svc.connected_account.expired",
        "svc.trigger.disabled",
      ]);
      expect(emulator.events).toHaveLength(3);
    } finally {
      await emulator.close();
    }
  });
});

describe("options of the project", () => {
  const bad = (project: NonNullable<Parameters<typeof createEmulator>[0]>["project"]): (() => Emulator) => {
    return () => createEmulator({ seed, project });
  };

  test("rejects invalid numbers and URLs", () => {
    expect(bad({ subscriptionsPerProject: 0 })).toThrow("subscriptionsPerProject: expected a positive integer");
    expect(bad({ callbackVerifierUrl: "verify" })).toThrow("callbackVerifierUrl: expected an absolute URL");
  });

  test("rejects completeAuth without a pending flow", async () => {
    const [, open] = FRONTS[0] ?? [];
    const front = await open?.({ seed });
    const body = { session_uri: "session_none", user_id: "ada" };
    expect(await refusal(Promise.resolve(front?.svc.connectedAccounts.completeAuth(body)))).toMatchObject({
      status: 400,
    });
  });
});
