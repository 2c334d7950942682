import { describe, expect, test } from "vitest";
import { createEmulator } from "../../../src/emulator/index.js";
import { ConfigError, verifyWebhook, WebhookVerificationError } from "../../../src/webhooks/index.js";
import { rejectionOf } from "../../support/client.js";
import { settle } from "../../support/clock.js";
import { longTest } from "../../support/size.js";
import { headersOf, Post, silence } from "./support.js";

const items = ({ emulator }: Post) => emulator.deliveries.items;
const states = (post: Post) => items(post).map(({ state }) => state);

describe("attempts", () => {
  test.each([200, 201, 202, 204, 299])("are over after a %i", async (status) => {
    const post = new Post([status]);
    await post.subscribe();
    await post.fire();
    await post.pass("60s");
    expect(post.received).toHaveLength(1);
    expect(items(post)).toEqual([
      {
        id: expect.stringMatching(/^wd_/),
        eventId: post.emulator.events[0]?.id,
        subscriptionId: (await post.svc.webhookSubscriptions.list()).items[0]?.id,
        type: "svc.trigger.message",
        version: "V3",
        body: post.received[0]?.body,
        createdAt: "2026-01-01T00:00:00.000Z",
        state: "delivered",
        attempts: [
          {
            number: 1,
            startedAt: "2026-01-01T00:00:00.000Z",
            endedAt: "2026-01-01T00:00:00.000Z",
            status,
            error: null,
            request: {
              url: "https://app.example.com/hooks",
              headers: expect.objectContaining(post.received[0]?.headers),
            },
            response: { headers: expect.any(Object), body: expect.any(String) },
          },
        ],
        dueAt: null,
      },
    ]);
  });

  test.each([300, 302, 304, 400, 401, 410, 429, 500, 503])("are repeated after a %i", async (status) => {
    const refusal = () => new Response(null, { status, headers: { location: "https://elsewhere.example.com/" } });
    const post = new Post([refusal, 200]);
    await post.subscribe();
    await post.fire();
    expect(states(post)).toEqual(["pending"]);
    await post.pass("1s");
    expect(states(post)).toEqual(["delivered"]);
    expect(new Set(post.received.map(({ url }) => url))).toEqual(new Set(["https://app.example.com/hooks"]));
  });

  test("come after 1 s and 2 s, with the same id and body, a new time and number, and then end", async () => {
    const post = new Post([500]);
    await post.subscribe();
    await post.fire();
    await post.pass("999ms");
    expect(post.received).toHaveLength(1);
    await post.pass("1ms");
    await post.pass("1s");
    expect(post.received).toHaveLength(2);
    await post.pass("1s");
    await post.pass("60m");
    expect(headersOf(post, "x-svc-delivery-attempt")).toEqual(["1", "2", "3"]);
    expect(headersOf(post, "webhook-timestamp")).toEqual(["1767225600", "1767225601", "1767225603"]);
    expect(new Set(headersOf(post, "webhook-id")).size).toBe(1);
    expect(new Set(headersOf(post, "webhook-signature")).size).toBe(3);
    expect(new Set(post.received.map(({ body }) => body)).size).toBe(1);
    expect(states(post)).toEqual(["failed"]);
    expect(items(post)[0]?.attempts.map(({ startedAt }) => startedAt.slice(17, 23))).toEqual([
      "00.000",
      "01.000",
      "03.000",
    ]);
  });

  test("are all made at their own time if the clock advances past all of them", async () => {
    const post = new Post([500]);
    await post.subscribe();
    await post.fire();
    await post.pass("60m");
    expect(headersOf(post, "webhook-timestamp")).toEqual(["1767225600", "1767229200", "1767229200"]);
    expect(states(post)).toEqual(["failed"]);
  });

  test("have a configurable number and delays, of which the last repeats", async () => {
    const post = new Post([500], { deliveries: { attempts: 4, delaysMs: [10, 20] } });
    await post.subscribe();
    await post.fire();
    for (let passed = 0; passed < 60; passed += 1) await post.pass("1ms");
    expect(post.received.map(({ at }) => at - Date.UTC(2026, 0, 1))).toEqual([0, 10, 30, 50]);
  });

  test("time out after 10 s of the emulator's clock", async () => {
    const post = new Post([silence, 200]);
    await post.subscribe();
    const id = await post.trigger();
    post.emulator.triggers.fire(id, { id: "c", message: "m", author: "a" });
    await settle();
    post.emulator.clock.advance("9s");
    await settle();
    expect(items(post)[0]?.attempts).toEqual([]);
    await post.pass("1s");
    expect(items(post)[0]?.attempts).toMatchObject([{ status: null, error: "No response within 10000 ms." }]);
    expect(states(post)).toEqual(["pending"]);
    await post.pass("1s");
    expect(states(post)).toEqual(["delivered"]);
  });

  test("also time out in real time, if the clock is stopped", async () => {
    const post = new Post([() => new Promise(() => undefined)], { deliveries: { attempts: 1, timeoutMs: 20 } });
    await post.subscribe();
    await post.fire();
    expect(states(post)).toEqual(["failed"]);
  });

  test("record the reason of a broken connection", async () => {
    const refused = new TypeError("fetch failed", {
      cause: Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }),
    });
    const post = new Post([() => Promise.reject(refused), 200]);
    await post.subscribe();
    await post.fire();
    expect(items(post)[0]?.attempts).toMatchObject([{ status: null, error: "fetch failed: ECONNREFUSED" }]);
  });

  test("ignore the response body, even one that ends early", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
    const post = new Post([() => new Response(broken)]);
    await post.subscribe();
    await post.fire();
    expect(states(post)).toEqual(["delivered"]);
  });

  test("are made automatically with a running clock, and waitForDeliveries waits for the last", async () => {
    const post = new Post([500, 500, 200], { clock: { running: true }, deliveries: { delaysMs: [1, 2] } });
    await post.subscribe();
    await post.fire();
    expect(headersOf(post, "x-svc-delivery-attempt")).toEqual(["1", "2", "3"]);
    expect(states(post)).toEqual(["delivered"]);
  });

  test("reject an invalid schedule", () => {
    for (const deliveries of [
      { attempts: 0 },
      { attempts: 1.5 },
      { delaysMs: [-1] },
      { delaysMs: [], attempts: 2 },
      { delaysMs: [Number.NaN] },
      { timeoutMs: 0 },
      { timeoutMs: 2 ** 31 },
    ]) {
      expect(() => createEmulator({ deliveries })).toThrow(ConfigError);
    }
    expect(() => createEmulator({ deliveries: { delaysMs: [] } })).not.toThrow();
  });
});

describe("changed subscriptions", () => {
  test("sign attempts after a rotation with the new secret only", async () => {
    const post = new Post([500, 200]);
    const { id, secret: old } = await post.subscribe();
    await post.fire();
    const { secret } = await post.svc.webhookSubscriptions.rotateSecret(id);
    await post.pass("1s");
    const [first, second] = post.received;
    const now = () => post.emulator.clock.now();
    if (!first || !second) throw new Error("expected two attempts");
    expect((await verifyWebhook(first, { secret: old, now })).kind).toBe("known");
    expect((await verifyWebhook(second, { secret, now })).kind).toBe("known");
    const refused = await rejectionOf(WebhookVerificationError, verifyWebhook(second, { secret: old, now }));
    expect(refused.reason).toBe("no_match");
  });

  test("get attempts at their current URL, with the original body", async () => {
    const post = new Post([500, 200]);
    const { id } = await post.subscribe("V1");
    await post.fire();
    await post.svc.webhookSubscriptions.update(id, { webhook_url: "https://new.example.com/", version: "V3" });
    await post.pass("1s");
    expect(post.received.map(({ url }) => url)).toEqual(["https://app.example.com/hooks", "https://new.example.com/"]);
    expect(headersOf(post, "x-svc-webhook-version")).toEqual(["V1", "V1"]);
  });

  test("get no more attempts after deletion", async () => {
    const post = new Post([500]);
    const { id } = await post.subscribe();
    await post.fire();
    await post.svc.webhookSubscriptions.delete(id);
    await post.pass("1s");
    expect(post.received).toHaveLength(1);
    expect(states(post)).toEqual(["failed"]);
    expect(items(post)[0]?.attempts[1]).toMatchObject({
      status: null,
      error: `Not sent: subscription ${id} no longer exists.`,
    });
  });

  test("forget the oldest finished deliveries, even if more than a thousand were pending", async () => {
    const post = new Post();
    await post.subscribe();
    const id = await post.trigger();
    for (let count = 0; count < 1_010; count += 1) {
      post.emulator.triggers.fire(id, { id: String(count), message: "m", author: "a" });
    }
    expect(items(post)).toHaveLength(1_010);
    await post.emulator.waitForDeliveries();
    expect(items(post)).toHaveLength(1_000);
  });

  longTest("keep the last thousand finished deliveries, and every pending one", async () => {
    const post = new Post([500, 200]);
    await post.subscribe();
    const id = await post.trigger();
    for (let count = 0; count <= 1_001; count += 1) {
      post.emulator.triggers.fire(id, { id: String(count), message: "m", author: "a" });
      await post.emulator.waitForDeliveries();
    }
    expect(items(post)).toHaveLength(1_000);
    expect(states(post)[0]).toBe("pending");
  });
});
