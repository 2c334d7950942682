import { expect, test } from "vitest";
import { clientOf, rejection, send } from "../../support/client.js";
import { fakeClock, heldClock, settle } from "../../support/clock.js";
import { scriptedFetch } from "../../support/scripted-fetch.js";
import { window } from "./service.js";

/** A service that answers immediately and allows 1,000 calls a minute, of which none are left in the first. */
async function usedUp(onArrival: (arrived: number) => void = () => undefined) {
  const clock = heldClock();
  const arrived: string[] = [];
  const svc = clientOf(
    async (request) => {
      arrived.push(request.headers.get("x-label") ?? "");
      onArrival(arrived.length);
      return Response.json({ ok: true }, { headers: window(arrived.length === 1 ? 0 : 900, 1_000) });
    },
    { clock },
  );
  const call = (label: string, priority: "normal" | "high" = "normal") =>
    void send(svc, "safe", { headers: { "x-label": label }, priority });
  const calls = async (count: number, label: string, priority: "normal" | "high" = "normal") => {
    for (let index = 0; index < count; index += 1) call(label, priority);
    await settle();
  };
  await send(svc);
  return { clock, svc, arrived, call, calls };
}

test("a long queue starts 100 calls at a time, and other tasks run in between", async () => {
  const { clock, arrived, calls } = await usedUp();
  await calls(240, "queued");
  clock.advance(60_000);
  const atNextTask = new Promise((resolve) => setImmediate(() => resolve(arrived.length)));
  expect(await atNextTask).toBe(1 + 100);
  await settle();
  expect(arrived).toHaveLength(1 + 240);
});

test("calls of both priorities that are more than 100 only together all start", async () => {
  const { clock, arrived, calls } = await usedUp();
  await calls(60, "normal");
  await calls(60, "high", "high");
  clock.advance(60_000);
  await settle();
  expect(arrived.slice(1, 61)).toEqual(Array.from({ length: 60 }, () => "high"));
  expect(arrived).toHaveLength(1 + 120);
});

test("a new call waits behind a long queue that starts", async () => {
  const service = await usedUp((arrived) => {
    if (arrived === 2) service.call("late");
  });
  await service.calls(150, "queued");
  service.clock.advance(60_000);
  await settle();
  expect(service.arrived).toHaveLength(1 + 151);
  expect(service.arrived.at(-1)).toBe("late");
});

test("a call that is aborted in the queue delays no other", async () => {
  const { clock, svc, arrived, calls } = await usedUp();
  const controller = new AbortController();
  const given = rejection(send(svc, "safe", { signal: controller.signal }));
  await calls(1, "waiting");
  controller.abort("enough");
  expect(await given).toBe("enough");
  clock.advance(60_000);
  await settle();
  expect(arrived.slice(1)).toEqual(["waiting"]);
});

test("a call doesn't start before its time if the clock's sleep ends early", async () => {
  const limited = Response.json({ message: "Slow down" }, { status: 429, headers: { "retry-after": "20" } });
  let passed = 0;
  const clock = { ...fakeClock(), sleep: async () => undefined, monotonic: () => passed };
  const fetch = scriptedFetch(limited, Response.json({ ok: true }));
  const svc = clientOf(fetch, { clock, maxRetries: 0 });
  await rejection(send(svc));
  const waiting = send(svc);
  await settle();
  expect(fetch.sent).toHaveLength(1);
  passed = 20_000;
  await waiting;
  expect(fetch.sent).toHaveLength(2);
});

test("other tasks run while calls wait on a clock that never advances", async () => {
  const limited = Response.json({ message: "Slow down" }, { status: 429, headers: { "retry-after": "20" } });
  const clock = { ...fakeClock(), sleep: async () => undefined, monotonic: () => 0 };
  const svc = clientOf(scriptedFetch(limited), { clock, maxRetries: 0 });
  await rejection(send(svc));
  const controller = new AbortController();
  const waiting = rejection(send(svc, "safe", { signal: controller.signal }));
  await settle();
  expect(svc.rateLimit.queued).toBe(1);
  controller.abort("enough");
  expect(await waiting).toBe("enough");
});
