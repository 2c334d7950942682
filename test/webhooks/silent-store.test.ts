import { expect, test, vi } from "vitest";
import { createReceiver, type DedupeStore, memoryStore, SvcError } from "../../src/webhooks/index.js";
import { TRIGGER_V3 } from "./samples.js";
import { deliver, now, SECRET } from "./vectors.js";

/** A store of which one method keeps its callers waiting until it is connected, as clients of Redis do. */
function setUp(silent: keyof DedupeStore, run: () => unknown = () => undefined, handlerTimeoutMs = 40) {
  // Its time stands still, so that no lease ends by itself.
  const memory = memoryStore({ now: () => 0 });
  let connect = () => {};
  const connected = new Promise<void>((resolve) => (connect = resolve));
  const whenConnected = async <Value>(call: () => Promise<Value>) => connected.then(call);
  const store: DedupeStore = {
    ...memory,
    ...(silent === "claim" && { claim: (id, leaseMs) => whenConnected(() => memory.claim(id, leaseMs)) }),
    ...(silent === "renew" && { renew: (id, token, leaseMs) => whenConnected(() => memory.renew(id, token, leaseMs)) }),
    ...(silent === "commit" && { commit: (id, token) => whenConnected(() => memory.commit(id, token)) }),
    ...(silent === "release" && { release: (id, token) => whenConnected(() => memory.release(id, token)) }),
  };
  const errors: unknown[] = [];
  const handler = vi.fn(run);
  const receiver = createReceiver({
    secret: SECRET,
    now,
    store,
    handlerTimeoutMs,
    on: { "svc.trigger.message": handler },
    onUnknown: () => undefined,
    onError: (error) => errors.push(error),
  });
  const answer = async () => {
    const response = await receiver(deliver(TRIGGER_V3));
    return [response.status, await response.json()];
  };
  return { answer, connect, errors, handler };
}

const silence = new SvcError("The store did not answer within 1000 ms. Is it connected?");

test("a store that never answers a claim is 503, and no handler runs", async () => {
  const { answer, errors, handler } = setUp("claim");
  expect(await answer()).toMatchObject([503, { error: { reason: "store_unavailable" } }]);
  expect(errors).toEqual([silence]);
  expect(handler).not.toHaveBeenCalled();
});

test("what is claimed too late is given back, so that the next delivery runs at once", async () => {
  const { answer, connect, handler } = setUp("claim");
  expect((await answer())[0]).toBe(503);
  connect();
  expect(await answer()).toEqual([200, { result: "handled" }]);
  expect(handler).toHaveBeenCalledTimes(1);
});

test("a store that never answers a commit is 503, and a commit that comes late still counts", async () => {
  const { answer, connect, errors, handler } = setUp("commit");
  expect(await answer()).toMatchObject([503, { error: { reason: "store_unavailable" } }]);
  expect(errors).toMatchObject([
    { message: expect.stringContaining("runs the handler a second time"), cause: silence },
  ]);
  connect();
  await vi.waitFor(async () => expect(await answer()).toEqual([200, { result: "duplicate" }]), { interval: 1 });
  expect(handler).toHaveBeenCalledTimes(1);
});

test("a store that never answers a release leaves the answer of the handler that failed", async () => {
  const boom = new Error("boom");
  const { answer, connect, errors, handler } = setUp("release", () => Promise.reject(boom));
  expect(await answer()).toMatchObject([500, { error: { reason: "handler_failed" } }]);
  expect(errors).toEqual([silence, boom]);
  expect(await answer()).toMatchObject([503, { error: { reason: "running" } }]);
  connect();
  await vi.waitFor(async () => expect((await answer())[0]).toBe(500), { interval: 1 });
  expect(handler).toHaveBeenCalledTimes(2);
});

test("a store that never answers a renewal delays neither the commit nor a later delivery", async () => {
  let finish = () => {};
  const { answer, errors, handler } = setUp("renew", () => new Promise<void>((resolve) => (finish = resolve)), 2_000);
  const first = answer();
  await vi.waitFor(() => expect(handler).toHaveBeenCalled(), { interval: 1 });
  finish();
  expect(await first).toEqual([200, { result: "handled" }]);
  expect(await answer()).toEqual([200, { result: "duplicate" }]);
  expect(errors).toEqual([]);
});
