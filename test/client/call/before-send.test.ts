import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import {
  ConnectionError,
  type Middleware,
  type StartingCall,
  TimeoutError,
  ValidationError,
} from "../../../src/index.js";
import { clientOf, rejection } from "../../support/client.js";
import { heldClock, settle } from "../../support/clock.js";
import { scriptedFetch } from "../../support/scripted-fetch.js";

const ok = Response.json({ data: {}, error: null, successful: true, log_id: "log_1" });
const limited = (seconds: number) =>
  Response.json({ message: "Slow down" }, { status: 429, headers: { "retry-after": String(seconds) } });
const BODY = { user_id: "user-1", version: "20251023_00", arguments: {} };

test("beforeSend is called right before the request, with its id", async () => {
  const fetch = scriptedFetch(ok);
  const calls: StartingCall[] = [];
  let sent = -1;
  const beforeSend = (call: StartingCall) => {
    calls.push(call);
    sent = fetch.sent.length;
  };
  await clientOf(fetch).tools.execute("A_TOOL", BODY, { beforeSend });
  expect(sent).toBe(0);
  expect(calls).toEqual([{ signal: undefined, requestId: fetch.sent[0]?.headers.get("x-request-id"), waitedMs: 0 }]);
});

test("beforeSend is called after the wait for the rate limit", async () => {
  const clock = heldClock();
  const fetch = scriptedFetch(limited(10), ok);
  const svc = clientOf(fetch, { clock, maxRetries: 0 });
  await rejection(svc.tools.execute("A_TOOL", BODY));
  const waits: number[] = [];
  const run = svc.tools.execute("A_TOOL", BODY, { beforeSend: ({ waitedMs }) => waits.push(waitedMs) });
  await settle();
  expect([waits.length, svc.rateLimit.queued]).toEqual([0, 1]);
  clock.advance(10_000);
  await run;
  expect(waits).toEqual([10_000]);
});

test("a retry doesn't call beforeSend again", async () => {
  const clock = heldClock();
  const fetch = scriptedFetch(limited(1), ok);
  let calls = 0;
  const run = clientOf(fetch, { clock }).tools.execute("A_TOOL", BODY, { beforeSend: () => calls++ });
  await settle();
  clock.advance(1_000);
  await run;
  expect([calls, fetch.sent.length]).toEqual([1, 2]);
});

test("nothing is sent or retried if beforeSend fails, whatever its error says", async () => {
  const fetch = scriptedFetch(ok);
  const svc = clientOf(fetch);
  const facts = { operation: "tools.execute", attempts: 1, outcome: "not_sent", phase: "headers" } as const;
  const error = new ConnectionError("of the database", facts);
  const beforeSend = () => {
    throw error;
  };
  expect(await rejection(svc.tools.execute("A_TOOL", BODY, { beforeSend }))).toBe(error);
  expect(await rejection(svc.tools.execute("A_TOOL", BODY, { beforeSend: () => Promise.reject(error) }))).toBe(error);
  expect(fetch.sent).toHaveLength(0);
  expect(svc.rateLimit.inFlight).toBe(0);
});

test.each<[string, unknown]>([
  ["no error", "the lease is lost"],
  ["nothing", undefined],
  ["the error of another realm", runInNewContext("new Error('of the database')")],
])("the call rejects with what beforeSend throws, even if it is %s", async (_what, thrown) => {
  const fetch = scriptedFetch(ok);
  const pass: Middleware = (_call, next) => next();
  for (const use of [[], [pass]]) {
    const run = clientOf(fetch, { use }).tools.execute("A_TOOL", BODY, { beforeSend: () => Promise.reject(thrown) });
    await expect(run).rejects.toBe(thrown);
  }
  expect(fetch.sent).toHaveLength(0);
});

test("a deadline ends a beforeSend that doesn't end, and nothing is sent", async () => {
  const fetch = scriptedFetch(ok);
  let signal: AbortSignal | undefined;
  const beforeSend = (call: StartingCall) => {
    signal = call.signal;
    return new Promise(() => {});
  };
  const error = await rejection(clientOf(fetch).tools.execute("A_TOOL", BODY, { beforeSend, deadlineMs: 20 }));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ option: "deadlineMs", outcome: "not_sent", phase: "middleware" });
  expect(signal?.aborted).toBe(true);
  expect(fetch.sent).toHaveLength(0);
});

test("a 429 that arrives during beforeSend blocks the request", async () => {
  const clock = heldClock();
  const fetch = scriptedFetch(limited(10), ok);
  const svc = clientOf(fetch, { clock, maxRetries: 0 });
  let begin: (value?: unknown) => void = () => {};
  const run = svc.tools.execute("A_TOOL", BODY, { beforeSend: () => new Promise((resolve) => (begin = resolve)) });
  expect(await rejection(svc.tools.execute("A_TOOL", BODY))).toMatchObject({ retryAfterMs: 10_000 });
  begin();
  await settle();
  expect(fetch.sent).toHaveLength(1);
  clock.advance(10_000);
  await run;
  expect(fetch.sent).toHaveLength(2);
});

test("calls that don't act have no beforeSend", async () => {
  // @ts-expect-error: only executions have it.
  const error = await rejection(clientOf(scriptedFetch(ok)).tools.list({}, { beforeSend: () => {} }));
  expect(error).toBeInstanceOf(ValidationError);
});
