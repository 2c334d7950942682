import { connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { follow } from "../../src/cli/emulator-control.js";
import { startEmulator } from "../../src/emulator/node.js";
import { Svc } from "../../src/index.js";
import { listen } from "../support/ports.js";
import { sized } from "../support/size.js";

/** A proxy that cuts each connection after so many bytes of the response, as often as `cuts` says. */
async function cuttingProxy(port: number, cuts: number) {
  const count = { cuts: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const service = connect({ port, host: "127.0.0.1" });
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
    // Longer than the head and any message, so each connection gets further; mostly in the middle of a message.
    let left = 6_000 + ((count.cuts * 397) % 2_500);
    client.pipe(service);
    client.on("close", () => service.destroy());
    service.on("close", () => client.destroy());
    service.on("data", (bytes) => {
      const isCut = count.cuts < cuts && bytes.length >= left;
      client.write(isCut ? bytes.subarray(0, left) : bytes);
      left -= bytes.length;
      if (!isCut) return;
      count.cuts += 1;
      client.end();
      service.destroy();
    });
  });
  const own = await listen(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${own}`, count };
}

test("following an emulator over connections that are cut misses nothing, and reports nothing twice", async () => {
  const emulator = await startEmulator({ deliveries: { fetch: async () => new Response() } });
  onTestFinished(() => emulator.close());
  const svc = new Svc({ ...emulator.connection, env: {} });
  await svc.webhookSubscriptions.create({
    webhook_url: "https://app.example/events",
    enabled_events: ["svc.trigger.message"],
  });
  const { trigger_id } = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
    connected_account_id: "ca_github_demo",
    trigger_config: { owner: "octo-org", repo: "hello-world" },
  });
  const cuts = sized(4, 100);
  const proxy = await cuttingProxy(Number(new URL(emulator.url).port), cuts);
  const stop = new AbortController();
  const activities = follow(proxy.url, stop.signal);
  // It starts with what happens after it's connected.
  const first = activities.next();
  await expect.poll(() => isReported(first, () => svc.session.info())).toBe(true);
  const fired: string[] = [];
  const received: string[] = [];
  const fireNext = () =>
    void fired.push(emulator.triggers.fire(trigger_id, { id: "a1", message: "m", author: "ada" }).id);
  fireNext();
  for await (const activity of activities) {
    expect(activity.type).not.toBe("gap");
    if (activity.type !== "attempt") continue;
    received.push(activity.delivery.eventId);
    const isCutEnough = proxy.count.cuts >= cuts;
    if (!isCutEnough && fired.length - received.length < 3) {
      fireNext();
      fireNext();
    }
    if (isCutEnough && received.length >= fired.length) stop.abort();
  }
  expect(proxy.count.cuts).toBe(cuts);
  expect(received).toEqual(fired);
});

/** Whether a promise is resolved after something was done. */
async function isReported(promise: Promise<unknown>, act: () => Promise<unknown>): Promise<boolean> {
  await act();
  return Promise.race([
    promise.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ]);
}

test("following ends with the reason if there is no emulator", async () => {
  const server = createServer((socket) => socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n{}"));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${await listen(server)}`;
  await expect(follow(url, new AbortController().signal).next()).rejects.toThrow(
    /isn't an emulator: GET \/_emulator\/events is 404\. .*run a tunnel/,
  );
  server.close();
  await expect(follow("http://127.0.0.1:1", new AbortController().signal).next()).rejects.toThrow(
    /No emulator responds at http:\/\/127\.0\.0\.1:1/,
  );
});

test("following ends without an error if it's stopped before it's connected", async () => {
  const activities = follow("http://127.0.0.1:1", AbortSignal.abort());
  expect(await activities.next()).toEqual({ done: true, value: undefined });
});
