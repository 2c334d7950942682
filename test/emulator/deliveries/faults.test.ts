import { describe, expect, test } from "vitest";
import { ConfigError, createReceiver, verifyWebhook, WebhookVerificationError } from "../../../src/webhooks/index.js";
import { rejectionOf } from "../../support/client.js";
import { headersOf, Post, type Received } from "./support.js";

const messages = (post: Post) => post.received.map(({ event }) => Object(event["data"]).message);

async function refusals(post: Post, secret: string): Promise<string[]> {
  const now = () => post.emulator.clock.now();
  const refusal = (received: Received) =>
    rejectionOf(WebhookVerificationError, verifyWebhook(received, { secret, now }));
  return Promise.all(post.received.map(async (received) => (await refusal(received)).reason));
}

describe("injected faults", () => {
  test("send copies with one id and body, each with its own attempts", async () => {
    const post = new Post([200, 500, 200]);
    await post.subscribe();
    post.emulator.deliveries.injectFaults({ copies: 3 });
    await post.fire();
    expect(post.received).toHaveLength(3);
    expect(new Set(headersOf(post, "webhook-id")).size).toBe(1);
    expect(new Set(post.received.map(({ body }) => body)).size).toBe(1);
    await post.pass("1s");
    expect(headersOf(post, "x-svc-delivery-attempt")).toEqual(["1", "1", "1", "2"]);
    expect(new Set(post.emulator.deliveries.items.map(({ id }) => id)).size).toBe(3);
  });

  test("send due deliveries newest first, one after another, with reorder", async () => {
    let atWork = 0;
    const slow = async () => {
      atWork += 1;
      expect(atWork).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      atWork -= 1;
      return new Response();
    };
    const post = new Post([slow]);
    await post.subscribe();
    post.emulator.deliveries.injectFaults({ reorder: true });
    await post.fire("first", "second", "third");
    expect(messages(post)).toEqual(["third", "second", "first"]);
    post.emulator.deliveries.clearFaults();
    post.received.length = 0;
    post.emulator.deliveries.injectFaults({ reorder: true, copies: 2 });
    await post.fire("first", "second");
    expect(messages(post)).toEqual(["second", "second", "first", "first"]);
  });

  test("collect events of different times with reorder and a delay", async () => {
    const post = new Post();
    await post.subscribe();
    post.emulator.deliveries.injectFaults({ reorder: true, delayMs: 5_000 });
    await post.fire("first");
    await post.pass("3s");
    await post.fire("second");
    await post.pass("1s");
    expect(messages(post)).toEqual([]);
    await post.pass("1s");
    expect(messages(post)).toEqual(["second", "first"]);
  });

  test("delay a delivery, but not its retries", async () => {
    const post = new Post([500, 200]);
    await post.subscribe();
    post.emulator.deliveries.injectFaults({ delayMs: 60_000 });
    await post.fire();
    await post.pass("59s");
    expect(post.received).toHaveLength(0);
    await post.pass("1s");
    await post.pass("1s");
    expect(headersOf(post, "x-svc-delivery-attempt")).toEqual(["1", "2"]);
    expect(post.received[0]?.event["timestamp"]).toBe("2026-01-01T00:00:00.000Z");
    expect(headersOf(post, "webhook-timestamp")).toEqual(["1767225660", "1767225661"]);
  });

  test.each([
    [301, "too_new"],
    [-301, "too_old"],
  ])("make a clock that is %i s off fail as %s", async (skewSeconds, reason) => {
    const post = new Post();
    const { secret } = await post.subscribe();
    post.emulator.deliveries.injectFaults({ skewSeconds });
    await post.fire();
    expect(await refusals(post, secret)).toEqual([reason]);
  });

  test("sign with a wrong secret until clearFaults()", async () => {
    const post = new Post([401, 200]);
    const { secret } = await post.subscribe();
    post.emulator.deliveries.injectFaults({ wrongSecret: true });
    await post.fire();
    expect(await refusals(post, secret)).toEqual(["no_match"]);
    post.emulator.deliveries.clearFaults();
    await post.pass("1s");
    const now = () => post.emulator.clock.now();
    const [, second] = post.received;
    expect(second && (await verifyWebhook(second, { secret, now })).kind).toBe("known");
  });

  test("are replaced together: an omitted one is off", async () => {
    const post = new Post();
    await post.subscribe();
    post.emulator.deliveries.injectFaults({ copies: 3, wrongSecret: true });
    post.emulator.deliveries.injectFaults({ skewSeconds: 1 });
    await post.fire();
    expect(headersOf(post, "webhook-timestamp")).toEqual(["1767225601"]);
  });

  test("reject an invalid value, and change nothing", async () => {
    const post = new Post();
    await post.subscribe();
    for (const odd of [
      { copies: 0 },
      { copies: 1.5 },
      { copies: 101 },
      { delayMs: -1 },
      { delayMs: Number.POSITIVE_INFINITY },
      { skewSeconds: 0.5 },
      { skewSeconds: Number.NaN },
    ]) {
      expect(() => post.emulator.deliveries.injectFaults(odd)).toThrow(ConfigError);
    }
    await post.fire();
    expect(post.received).toHaveLength(1);
  });
});

describe("with a receiver", () => {
  test("run once each for events sent five times, with a handler that fails at first", async () => {
    const ran: string[] = [];
    let secret = "not yet";
    const post = new Post([(request) => receiver(request)]);
    ({ secret } = await post.subscribe());
    let isFirst = true;
    const receiver = createReceiver({
      secret,
      now: () => post.emulator.clock.now(),
      on: {
        async GITHUB_COMMIT_EVENT({ payload }) {
          await new Promise((resolve) => setImmediate(resolve));
          if (isFirst) {
            isFirst = false;
            throw new Error("unlucky");
          }
          ran.push(String(payload["message"]));
        },
      },
      onUnhandled: () => undefined,
      onError: () => undefined,
    });
    post.emulator.deliveries.injectFaults({ copies: 5 });
    await post.fire("one", "two", "three");
    await post.pass("1s");
    await post.pass("2s");
    expect(ran.sort()).toEqual(["one", "three", "two"]);
    const states = post.emulator.deliveries.items.map(({ state }) => state);
    expect(states.toSorted()).toEqual([...Array(3).fill("delivered"), ...Array(12).fill("duplicate")]);
    const answers = post.emulator.deliveries.items.flatMap(({ attempts }) => attempts.map(({ status }) => status));
    expect(answers).toContain(503);
    expect(answers).toContain(500);
  });

  test("can use a receiver as fetch directly", async () => {
    const seen: string[] = [];
    const receiver = createReceiver({
      secret: "never used",
      on: {},
      onUnhandled: ({ id }) => void seen.push(id),
      onError: () => undefined,
    });
    const post = new Post([], { deliveries: { fetch: receiver } });
    await post.subscribe();
    await post.fire();
    expect(seen).toEqual([]);
    expect(post.emulator.deliveries.items[0]?.attempts[0]?.status).toBe(401);
  });
});
