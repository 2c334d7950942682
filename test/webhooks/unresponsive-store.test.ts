import { expect, test, vi } from "vitest";
import { createReceiver, type DedupeStore, memoryDeliveries, SvcError } from "../../src/webhooks/index.js";
import { eventually } from "../support/eventually.js";
import { TRIGGER_V3 } from "./samples.js";
import { deliver, now, SECRET } from "./vectors.js";

/** A receiver whose store has one method that waits until it is connected, as Redis clients do. */
function setUp(waiting: keyof DedupeStore, run: () => unknown = () => undefined, handlerTimeoutMs = 40) {
  // Its clock never advances, so no lease ends.
  const memory = memoryDeliveries({ now: () => 0 });
  let connect = () => {};
  const connected = new Promise<void>((resolve) => (connect = resolve));
  const whenConnected = async <Value>(call: () => Promise<Value>) => connected.then(call);
  const store: DedupeStore = {
    ...memory,
    ...(waiting === "claim" && { claim: (id, leaseMs) => whenConnected(() => memory.claim(id, leaseMs)) }),
    ...(waiting === "renew" && {
      renew: (id, token, leaseMs) => whenConnected(() => memory.renew(id, token, leaseMs)),
    }),
    ...(waiting === "commit" && { commit: (id, token) => whenConnected(() => memory.commit(id, token)) }),
    ...(waiting === "release" && { release: (id, token) => whenConnected(() => memory.release(id, token)) }),
  };
  const errors: unknown[] = [];
  const handler = vi.fn(run);
  const receiver = createReceiver({
    secret: SECRET,
    now,
    store,
    handlerTimeoutMs,
    on: { "svc.trigger.message": handler },
    onUnhandled: () => undefined,
    onError: (error) => errors.push(error),
  });
  const send = async () => {
    const response = await receiver(deliver(TRIGGER_V3));
    return [response.status, await response.json()];
  };
  return { send, connect, errors, handler };
}

const noResponse = new SvcError("createReceiver: The store didn't respond within 1000 ms. Check its connection.");

test.concurrent("responds 503 and runs no handler if the store doesn't respond to a claim", async () => {
  const { send, errors, handler } = setUp("claim");
  expect(await send()).toMatchObject([503, { error: { reason: "store_unavailable" } }]);
  expect(errors).toEqual([noResponse]);
  expect(handler).not.toHaveBeenCalled();
});

test.concurrent("releases a claim that comes too late, so the next delivery runs immediately", async () => {
  const { send, connect, handler } = setUp("claim");
  expect((await send())[0]).toBe(503);
  connect();
  expect(await send()).toEqual([200, { result: "handled" }]);
  expect(handler).toHaveBeenCalledTimes(1);
});

test.concurrent("responds 503 if the store doesn't respond to a commit, and a late commit still counts", async () => {
  const { send, connect, errors, handler } = setUp("commit");
  expect(await send()).toMatchObject([503, { error: { reason: "store_unavailable" } }]);
  expect(errors).toMatchObject([
    { message: expect.stringContaining("runs the handler a second time"), cause: noResponse },
  ]);
  connect();
  await eventually(async () => expect(await send()).toEqual([200, { result: "duplicate" }]));
  expect(handler).toHaveBeenCalledTimes(1);
});

test.concurrent("keeps the response of a failed handler if the store doesn't respond to a release", async () => {
  const boom = new Error("boom");
  const { send, connect, errors, handler } = setUp("release", () => Promise.reject(boom));
  expect(await send()).toMatchObject([500, { error: { reason: "handler_failed" } }]);
  expect(errors).toEqual([noResponse, boom]);
  expect(await send()).toMatchObject([503, { error: { reason: "running" } }]);
  connect();
  await eventually(async () => expect((await send())[0]).toBe(500));
  expect(handler).toHaveBeenCalledTimes(2);
});

test.concurrent("delays neither the commit nor a later delivery if the store doesn't respond to a renewal", async () => {
  let finish = () => {};
  const { send, errors, handler } = setUp("renew", () => new Promise<void>((resolve) => (finish = resolve)), 2_000);
  const first = send();
  await eventually(() => expect(handler).toHaveBeenCalled());
  finish();
  expect(await first).toEqual([200, { result: "handled" }]);
  expect(await send()).toEqual([200, { result: "duplicate" }]);
  expect(errors).toEqual([]);
});
