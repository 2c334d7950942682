import { describe, expect, test } from "vitest";
import {
  createReceiver,
  type DedupeStore,
  type HandlerContext,
  memoryDeliveries,
  type ReceiverOptions,
} from "../../src/webhooks/index.js";
import { eventually } from "../support/eventually.js";
import { TRIGGER_V3 } from "./samples.js";
import { deliver, now, SECRET } from "./vectors.js";

/** The lease of a receiver whose handlers have less than two seconds. It is renewed each quarter. */
const LEASE_MS = 4_000;

const SECOND_RUN = "runs the handler a second time";

/** A receiver whose handlers run until the test ends them, with a store whose clock moves only when set. */
function setUp(
  wrap: (store: DedupeStore) => Partial<DedupeStore> = () => ({}),
  options: Partial<ReceiverOptions> = {},
) {
  const clock = { time: 0 };
  const memory = memoryDeliveries({ now: () => clock.time });
  const store = { ...memory, ...wrap(memory) };
  const errors: { error: unknown; status: number }[] = [];
  const runs: { context: HandlerContext; end(): void; fail(error: unknown): void }[] = [];
  const receiver = createReceiver({
    secret: SECRET,
    now,
    store,
    handlerTimeoutMs: 10,
    on: {
      "svc.trigger.message": (_delivery, context) =>
        new Promise<void>((end, fail) => runs.push({ context, end, fail })),
    },
    onUnhandled: () => undefined,
    onError: (error, { status }) => errors.push({ error, status }),
    ...options,
  });
  const send = async (): Promise<[number, unknown]> => {
    const response = await receiver(deliver(TRIGGER_V3));
    const body = await response.json();
    return [response.status, body.result ?? body.error.reason];
  };
  return { clock, memory, store, errors, runs, send };
}

const onceSettled = <Value>(assertion: () => Value) => eventually(assertion);

test("runs one copy of a handler that exceeds handlerTimeoutMs, and responds 503 while it runs", async () => {
  const { errors, runs, send } = setUp();
  for (const _ of Array(5)) expect(await send()).toEqual([503, "running"]);
  expect(runs).toHaveLength(1);
  expect(runs[0]?.context.signal.aborted).toBe(true);
  expect(errors).toMatchObject([
    { error: { message: expect.stringContaining("(10 ms) and still runs") }, status: 503 },
  ]);
});

test("sends Retry-After while a handler exceeds handlerTimeoutMs", async () => {
  const on = { "svc.trigger.message": () => new Promise<void>(() => {}) };
  const receiver = createReceiver({ secret: SECRET, now, handlerTimeoutMs: 1, on, onUnhandled() {}, onError() {} });
  expect((await receiver(deliver(TRIGGER_V3))).headers.get("retry-after")).toBe("1");
});

test("commits a handler that succeeds after handlerTimeoutMs, so later deliveries are duplicates", async () => {
  const { errors, runs, send } = setUp();
  await send();
  runs[0]?.end();
  await onceSettled(async () => expect(await send()).toEqual([200, "duplicate"]));
  expect([runs.length, errors.length]).toEqual([1, 1]);
});

test("releases the claim of a handler that fails after handlerTimeoutMs, and reports errors other than the abort", async () => {
  const { errors, runs, send } = setUp();
  await send();
  runs[0]?.fail(runs[0].context.signal.reason);
  await onceSettled(async () => {
    await send();
    expect(runs).toHaveLength(2);
  });
  const boom = new Error("boom");
  runs[1]?.fail(boom);
  await onceSettled(() => expect(errors).toContainEqual({ error: boom, status: 503 }));
  expect(errors).toHaveLength(3);
});

describe.concurrent("while a handler runs", () => {
  test("renews its claim before the lease ends", async () => {
    const renewals: number[] = [];
    const { clock, memory, runs, send } = setUp((store) => ({
      async renew(id, token, leaseMs) {
        renewals.push(leaseMs);
        return store.renew(id, token, leaseMs);
      },
    }));
    await send();
    clock.time = LEASE_MS - 1;
    await onceSettled(() => expect(renewals).toEqual([LEASE_MS]));
    clock.time = 2 * LEASE_MS - 2;
    expect(await send()).toEqual([503, "running"]);
    runs[0]?.end();
    await onceSettled(async () => expect((await memory.claim("msg_1", 1)).status).toBe("committed"));
    expect(runs).toHaveLength(1);
  });

  test("renews again after a renewal that failed", async () => {
    let renewals = 0;
    const { clock, runs, send } = setUp((store) => ({
      async renew(id, token, leaseMs) {
        renewals += 1;
        if (renewals === 1) throw new Error("reset");
        return store.renew(id, token, leaseMs);
      },
    }));
    await send();
    clock.time = LEASE_MS - 1;
    await onceSettled(() => expect(renewals).toBe(2));
    clock.time = LEASE_MS + 1;
    expect(await send()).toEqual([503, "running"]);
    expect(runs).toHaveLength(1);
  });

  test("takes back a claim whose lease ended while the process was suspended", async () => {
    const renewals: boolean[] = [];
    const { clock, runs, send } = setUp((store) => ({
      async renew(id, token, leaseMs) {
        const isOurs = await store.renew(id, token, leaseMs);
        renewals.push(isOurs);
        return isOurs;
      },
    }));
    await send();
    clock.time = 3 * LEASE_MS;
    await onceSettled(() => expect(renewals).toEqual([true]));
    expect(await send()).toEqual([503, "running"]);
    expect(runs).toHaveLength(1);
  });

  test("aborts the handler if another receiver got the claim, and leaves that claim alone", async () => {
    const { clock, errors, memory, runs, send } = setUp(undefined, { handlerTimeoutMs: 1_900 });
    const response = send();
    await onceSettled(() => expect(runs).toHaveLength(1));
    clock.time = LEASE_MS;
    expect((await memory.claim("msg_1", LEASE_MS)).status).toBe("claimed");
    const signal = runs[0]?.context.signal;
    await onceSettled(() => expect(signal?.aborted).toBe(true));
    expect(String(signal?.reason)).toContain("claim of delivery msg_1 was lost");
    runs[0]?.end();
    expect(await response).toEqual([503, "running"]);
    expect(errors).toMatchObject([{ error: { message: expect.stringContaining("may have run the handler too") } }]);
    expect((await memory.claim("msg_1", LEASE_MS)).status).toBe("running");
  });
});

describe.concurrent("when the handler has run", () => {
  const quick: Partial<ReceiverOptions> = { on: {}, onUnhandled: () => undefined };

  test("retries a commit that fails, and responds 200", async () => {
    const calls: string[] = [];
    const onUnhandled = () => calls.push("run");
    const { errors, send } = setUp(
      (store) => ({
        async commit(id, token) {
          if (calls.push("commit") === 2) throw new Error("OOM");
          return store.commit(id, token);
        },
      }),
      { ...quick, onUnhandled },
    );
    expect(await send()).toEqual([200, "handled"]);
    expect(await send()).toEqual([200, "duplicate"]);
    expect([calls, errors]).toEqual([["run", "commit", "commit"], []]);
  });

  test("responds 503 while the commit fails, reports what may happen, and keeps trying", async () => {
    let isDown = true;
    const handled: unknown[] = [];
    const onUnhandled = (delivery: unknown) => handled.push(delivery);
    const { errors, send } = setUp(
      (store) => ({
        async commit(id, token) {
          if (isDown) throw new Error("OOM");
          return store.commit(id, token);
        },
      }),
      { ...quick, onUnhandled },
    );
    expect(await send()).toEqual([503, "store_unavailable"]);
    const message = expect.stringMatching(/msg_1 has run, but.*retries until the claim ends.*a second time/);
    expect(errors).toMatchObject([{ error: { message, cause: { message: "OOM" } }, status: 503 }]);
    expect(await send()).toEqual([503, "running"]);
    isDown = false;
    await onceSettled(async () => expect(await send()).toEqual([200, "duplicate"]));
    expect([handled.length, errors.length]).toEqual([1, 1]);
  });

  test("reports a lease that ended without a commit", { timeout: 15_000 }, async () => {
    const commit = () => Promise.reject(new Error("OOM"));
    const { errors, send } = setUp(() => ({ commit }), quick);
    expect(await send()).toEqual([503, "store_unavailable"]);
    await onceSettled(() => expect(errors).toHaveLength(2));
    const message = expect.stringMatching(
      /didn't record it \(OOM\)\. The next delivery runs the handler a second time\.$/,
    );
    expect(errors[1]).toMatchObject({ error: { message, cause: { message: "OOM" } }, status: 503 });
  });

  test("responds 503 and reports it if another receiver has the claim", async () => {
    const { errors, send } = setUp(() => ({ commit: async () => false }), quick);
    expect(await send()).toEqual([503, "running"]);
    expect(errors).toMatchObject([{ status: 503 }]);
    expect(String(errors[0]?.error)).not.toContain(SECOND_RUN);
  });
});
