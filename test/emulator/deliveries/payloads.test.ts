import { describe, expect, test } from "vitest";
import { mismatchesOf } from "../../../src/contract/check-shape.js";
import { EventV3 } from "../../../src/resources/events/schema.js";
import { type KnownEventType, verifyWebhook } from "../../../src/webhooks/index.js";
import { commit, headersOf, Post } from "./support.js";

const LIFECYCLE: KnownEventType[] = [
  "svc.connected_account.expired",
  "svc.connected_account.activated",
  "svc.trigger.disabled",
];

describe("payloads", () => {
  test("contain the emitted event in V3, without the emulator's own ids", async () => {
    const post = new Post();
    await post.subscribe("V3");
    await post.fire();
    const [emitted] = post.emulator.events;
    expect(post.received[0]?.event).toEqual({
      id: emitted?.id,
      timestamp: "2026-01-01T00:00:00.000Z",
      type: "svc.trigger.message",
      metadata: {
        log_id: expect.stringMatching(/^log_/),
        trigger_slug: "GITHUB_COMMIT_EVENT",
        trigger_id: expect.stringMatching(/^ti_/),
        connected_account_id: "ca_github",
        auth_config_id: "ac_github",
        user_id: "ada",
      },
      data: commit,
    });
  });

  test("contain the event's fields and five ids in V2, both nano ids and UUIDs", async () => {
    const post = new Post();
    await post.subscribe("V2");
    await post.fire();
    const [instance] = (await post.svc.triggers.listActive()).items;
    expect(post.received[0]?.event).toEqual({
      type: "github_commit_event",
      timestamp: "2026-01-01T00:00:00.000Z",
      log_id: post.emulator.events[0]?.metadata["log_id"],
      data: {
        ...commit,
        connection_id: instance?.connected_account_uuid,
        connection_nano_id: "ca_github",
        trigger_nano_id: instance?.id,
        trigger_id: instance?.uuid,
        user_id: "ada",
      },
    });
  });

  test("contain only the legacy ids in V1", async () => {
    const post = new Post();
    await post.subscribe("V1");
    await post.fire();
    const [instance] = (await post.svc.triggers.listActive()).items;
    expect(post.received[0]?.event).toEqual({
      trigger_name: "GITHUB_COMMIT_EVENT",
      trigger_id: instance?.uuid,
      connection_id: instance?.connected_account_uuid,
      payload: commit,
      log_id: post.emulator.events[0]?.metadata["log_id"],
    });
  });

  test("are valid V3 for other events, in order", async () => {
    const post = new Post();
    await post.subscribe("V3", LIFECYCLE);
    await post.trigger();
    post.emulator.accounts.expire("ca_github");
    await post.emulator.waitForDeliveries();
    await post.reconnect();
    expect(post.received.map(({ event }) => event["type"])).toEqual([
      "svc.connected_account.expired",
      "svc.trigger.disabled",
      "svc.connected_account.activated",
    ]);
    for (const { event, headers } of post.received) {
      expect(mismatchesOf(EventV3, event)).toEqual([]);
      expect(event["id"]).toBe(headers["webhook-id"]);
    }
  });

  test("pass verification in every format", async () => {
    const post = new Post();
    const types: KnownEventType[] = ["svc.trigger.message", ...LIFECYCLE];
    const subscriptions = [await post.subscribe("V1"), await post.subscribe("V2"), await post.subscribe("V3", types)];
    const secrets = subscriptions.map(({ secret }) => secret);
    await post.fire();
    post.emulator.accounts.expire("ca_github");
    await post.reconnect();
    const seen: string[] = [];
    for (const { body, headers } of post.received) {
      const delivery = await verifyWebhook({ body, headers }, { secrets, now: () => post.emulator.clock.now() });
      expect(delivery.kind).toBe("known");
      seen.push(`${delivery.version} ${delivery.type}`);
      expect(subscriptions[delivery.secretIndex]?.version).toBe(delivery.version);
    }
    expect(seen.sort()).toEqual([
      "V1 svc.trigger.message",
      "V2 svc.trigger.message",
      "V3 svc.connected_account.activated",
      "V3 svc.connected_account.expired",
      "V3 svc.trigger.disabled",
      "V3 svc.trigger.message",
    ]);
  });
});

describe("recipients", () => {
  test("get a JSON POST at the subscription's URL, with these headers and without following redirects", async () => {
    const post = new Post();
    await post.subscribe("V2");
    await post.fire();
    expect(post.received[0]).toMatchObject({
      url: "https://app.example.com/hooks",
      method: "POST",
      redirect: "manual",
      headers: {
        "content-type": "application/json",
        "webhook-id": post.emulator.events[0]?.id,
        "webhook-timestamp": "1767225600",
        "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
        "x-svc-webhook-version": "V2",
        "x-svc-delivery-attempt": "1",
      },
    });
    expect(Object.keys(post.received[0]?.headers ?? {})).toHaveLength(6);
  });

  test("get only the types their subscription enabled", async () => {
    const post = new Post();
    await post.subscribe("V1", ["svc.trigger.message"], "https://one.example.com/");
    await post.subscribe("V3", ["svc.connected_account.expired"], "https://two.example.com/");
    await post.fire();
    post.emulator.accounts.expire("ca_github");
    await post.emulator.waitForDeliveries();
    expect(post.received.map(({ url, headers }) => [url, headers["x-svc-webhook-version"]])).toEqual([
      ["https://one.example.com/", "V1"],
      ["https://two.example.com/", "V3"],
    ]);
  });

  test("get nothing without a subscription, or from before it", async () => {
    const post = new Post();
    await post.fire("before");
    await post.subscribe();
    await post.fire("after");
    expect(post.received.map(({ event }) => event["data"])).toEqual([{ ...commit, message: "after" }]);
    expect(post.emulator.deliveries.items).toHaveLength(1);
  });

  test("get the same event under the same id", async () => {
    const post = new Post();
    await post.subscribe("V3");
    await post.subscribe("V1");
    await post.fire();
    expect(new Set(headersOf(post, "webhook-id")).size).toBe(1);
    expect(post.emulator.deliveries.items.map(({ eventId }) => eventId)).toEqual(headersOf(post, "webhook-id"));
  });
});
