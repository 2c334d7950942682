import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../../src/emulator/node.js";
import { Svc } from "../../../src/index.js";
import { createReceiver, memoryDeliveries } from "../../../src/webhooks/index.js";
import { toNodeHandler } from "../../../src/webhooks/node.js";
import { settle } from "../../support/clock.js";
import { eventually } from "../../support/eventually.js";
import { commit, headersOf, Post, seed, silence } from "./support.js";

const states = ({ emulator }: Post) => emulator.deliveries.items.map(({ state }) => state);

test("waitForDeliveries resolves immediately if there's nothing to deliver", async () => {
  await new Post().emulator.waitForDeliveries();
});

test("waitForDeliveries doesn't wait for deliveries a stopped clock hasn't reached", async () => {
  const post = new Post([500]);
  await post.subscribe();
  await post.fire();
  expect(states(post)).toEqual(["pending"]);
  expect(post.emulator.deliveries.items[0]?.dueAt).toBe(Date.UTC(2026, 0, 1) + 1_000);
});

test("waitForDeliveries stops waiting for scheduled deliveries when the clock is paused", async () => {
  const post = new Post([500, 200], { clock: { running: true }, deliveries: { delaysMs: [600_000] } });
  await post.subscribe();
  const fired = post.fire();
  await eventually(() => expect(post.emulator.deliveries.items[0]?.attempts).toHaveLength(1));
  post.emulator.clock.pause();
  await fired;
  expect(post.emulator.deliveries.items).toMatchObject([{ state: "pending" }]);
  await post.pass("10m");
  expect(post.emulator.deliveries.items).toMatchObject([{ state: "delivered" }]);
});

test("waitForDeliveries waits for events a receiver causes", async () => {
  const post = new Post([
    () => {
      post.emulator.accounts.expire("ca_github");
      return new Response();
    },
    200,
  ]);
  await post.subscribe("V3", ["svc.trigger.message", "svc.connected_account.expired"]);
  await post.fire();
  expect(post.received.map(({ event }) => event["type"])).toEqual([
    "svc.trigger.message",
    "svc.connected_account.expired",
  ]);
});

test("two equal emulators send byte-identical deliveries", async () => {
  const run = async () => {
    const post = new Post([500, 200], { idSeed: 1 });
    await post.subscribe("V2");
    await post.fire("one", "two");
    await post.pass("1s");
    return JSON.stringify([post.received, post.emulator.deliveries.items]);
  };
  expect(await run()).toBe(await run());
});

test("a reset removes deliveries and faults, and cancels deliveries in flight", async () => {
  const post = new Post([silence, 200]);
  const atStart = JSON.stringify(post.emulator.snapshot());
  await post.subscribe();
  post.emulator.deliveries.injectFaults({ copies: 2, wrongSecret: true });
  const id = await post.trigger();
  post.emulator.triggers.fire(id, commit);
  await settle();
  expect(post.received).toHaveLength(2);
  post.emulator.reset();
  await post.emulator.waitForDeliveries();
  expect(JSON.stringify(post.emulator.snapshot())).toBe(atStart);
  await post.pass("60m");
  expect(post.received).toHaveLength(2);
  expect(post.emulator.deliveries.items).toEqual([]);
});

test("a restored snapshot continues with its remaining attempts", async () => {
  const post = new Post([500]);
  await post.subscribe();
  await post.fire();
  const snapshot: Record<string, unknown> = JSON.parse(JSON.stringify(post.emulator.snapshot()));
  await post.pass("60m");
  expect(states(post)).toEqual(["failed"]);
  post.emulator.restore(snapshot);
  await post.emulator.waitForDeliveries();
  expect(states(post)).toEqual(["pending"]);
  expect(post.received).toHaveLength(3);

  const other = new Post([200]);
  other.emulator.restore(snapshot);
  await other.pass("1s");
  expect(headersOf(other, "x-svc-delivery-attempt")).toEqual(["2"]);
  expect(other.received[0]?.body).toBe(post.received[0]?.body);
});

test("a delivery in flight during a snapshot is sent again after its restoration: at least once", async () => {
  const post = new Post([silence, 200]);
  await post.subscribe();
  const id = await post.trigger();
  post.emulator.triggers.fire(id, commit);
  await settle();
  post.emulator.restore(post.emulator.snapshot());
  await post.emulator.waitForDeliveries();
  expect(headersOf(post, "x-svc-delivery-attempt")).toEqual(["1", "1"]);
  expect(states(post)).toEqual(["delivered"]);
});

test("a receiver with a lasting store handles the events after a reset, a restore, and a restart", async () => {
  const store = memoryDeliveries();
  const handled: unknown[] = [];
  const run = async (post: Post, start: () => void) => {
    start();
    const { secret } = await post.subscribe();
    const on = { GITHUB_COMMIT_EVENT: async () => void handled.push("commit") };
    receiver = createReceiver({
      secret,
      store,
      on,
      onUnhandled: () => undefined,
      now: () => post.emulator.clock.now(),
    });
    await post.fire();
    await post.emulator.waitForDeliveries();
    expect(states(post)).toEqual(["delivered"]);
  };
  let receiver: (request: Request) => Promise<Response>;
  const post = new Post([(request) => receiver(request)]);
  const snapshot = post.emulator.snapshot();
  await run(post, () => undefined);
  await run(post, () => post.emulator.reset());
  await run(post, () => post.emulator.restore(snapshot));
  await run(new Post([(request) => receiver(request)]), () => undefined);
  expect(handled).toHaveLength(4);
});

/** An emulator on a port, what calls its control plane, and a receiver on another port that runs a handler. */
async function onPorts(handle: (message: unknown) => void) {
  const emulator = await startEmulator({ seed, deliveries: { delaysMs: [5, 10] } });
  onTestFinished(() => emulator.close());
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // A server listening on a port always returns this type.
  const { port } = server.address() as AddressInfo;
  const svc = new Svc({ ...emulator.connection, env: {} });
  const { secret } = await svc.webhookSubscriptions.create({
    webhook_url: `http://127.0.0.1:${port}/hooks`,
    enabled_events: ["svc.trigger.message"],
  });
  const on = {
    GITHUB_COMMIT_EVENT: async ({ payload }: { payload: Readonly<Record<string, unknown>> }) => {
      await settle();
      handle(payload["message"]);
    },
  };
  server.on("request", toNodeHandler(createReceiver({ secret, on, onUnhandled: () => undefined })));
  const control = async (method: string, path: string, body?: object) => {
    const init = body ? { method, body: JSON.stringify(body) } : { method };
    const response = await fetch(`${emulator.url}/_emulator${path}`, init);
    return { status: response.status, data: (await response.json()) as { items?: { state: string }[] } };
  };
  return { emulator, svc, control };
}

test("an event sent three times over HTTP is handled once", async () => {
  const handled: unknown[] = [];
  const { svc, control } = await onPorts((message) => handled.push(message));
  const trigger_config = { owner: "octo-org", repo: "hello-world" };
  const body = { connected_account_id: "ca_github", trigger_config };
  const { trigger_id } = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", body);
  expect((await control("POST", "/deliveries/faults", { copies: 3 })).status).toBe(200);
  await control("POST", `/triggers/${trigger_id}/fire`, commit);
  expect((await control("POST", "/settled")).status).toBe(200);
  const { items = [] } = (await control("GET", "/deliveries")).data;
  expect(items.map(({ state }) => state)).toEqual(["delivered", "duplicate", "duplicate"]);
  expect(handled).toEqual(["Fix"]);

  expect((await control("DELETE", "/deliveries/faults")).status).toBe(200);
  await control("POST", `/triggers/${trigger_id}/fire`, commit);
  await control("POST", "/settled");
  expect((await control("GET", "/deliveries")).data.items).toHaveLength(4);
  expect((await control("POST", "/deliveries/faults", { copies: "many" })).status).toBe(400);
  expect((await control("POST", "/deliveries/faults", { copies: 0 })).status).toBe(400);
  expect((await control("POST", "/deliveries/faults", { copy: 2 })).status).toBe(400);
});

test("a redirect isn't followed, a refused connection is recorded, and a closed emulator sends nothing", async () => {
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server listening on a port always returns this type.
  const { port } = server.address() as AddressInfo;
  const emulator = await startEmulator({ seed, deliveries: { delaysMs: [1, 60_000] } });
  onTestFinished(() => emulator.close());
  const svc = new Svc({ ...emulator.connection, env: {} });
  const subscription = await svc.webhookSubscriptions.create({
    webhook_url: `http://127.0.0.1:${port}/hooks`,
    enabled_events: ["svc.connected_account.expired"],
  });
  emulator.accounts.expire("ca_github");
  await expect.poll(() => emulator.deliveries.items[0]?.attempts.length).toBe(2);
  expect(paths).toEqual(["/hooks", "/hooks"]);
  expect(emulator.deliveries.items[0]?.attempts).toMatchObject([{ status: 307 }, { status: 307 }]);

  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(subscription.version).toBe("V3");
  emulator.clock.advance("60s");
  await emulator.waitForDeliveries();
  expect(emulator.deliveries.items[0]).toMatchObject({
    state: "failed",
    attempts: [{}, {}, { status: null, error: expect.stringContaining("ECONNREFUSED") }],
  });
  await emulator.close();
  await emulator.waitForDeliveries();
});
