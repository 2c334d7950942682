import { describe, expect, test } from "vitest";
import type { SvcEvent, SvcOptions } from "../../../src/index.js";
import { clientOf, rejection, send } from "../../support/client.js";
import { heldClock, settle } from "../../support/clock.js";
import { failure, held, scriptedFetch, silence } from "../../support/scripted-fetch.js";

const ok = Response.json({ ok: true });

/**
 * How many requests two calls make, one after the other, where the first is answered so, before any time has passed.
 */
async function arrivedAfter(first: Response, options: SvcOptions = {}): Promise<number> {
  const fetch = scriptedFetch(first, ok);
  const svc = clientOf(fetch, { clock: heldClock(), maxRetries: 0, ...options });
  await rejection(send(svc));
  const controller = new AbortController();
  const second = send(svc, "safe", { signal: controller.signal }).catch((error: unknown) => error);
  await settle();
  const { length } = fetch.sent;
  controller.abort();
  await second;
  return length;
}

describe("the next call waits", () => {
  const limited = (seconds: number) =>
    Response.json({ message: "Slow down" }, { status: 429, headers: { "retry-after": String(seconds) } });

  test("after a 429 with Retry-After", async () => {
    expect(await arrivedAfter(limited(60))).toBe(1);
  });

  test("after a 429 whose Retry-After exceeds maxRetryDelayMs, and isn't sent", async () => {
    expect(await arrivedAfter(limited(61))).toBe(1);
    expect(await arrivedAfter(limited(2), { maxRetryDelayMs: 1_999 })).toBe(1);
  });

  test("but not after a 503 with Retry-After, which concerns one call", async () => {
    expect(await arrivedAfter(failure(503, {}, { "retry-after": "60" }))).toBe(2);
  });
});

test("an abort on the event of a wait leaves nothing in the queue", async () => {
  const clock = heldClock();
  const controller = new AbortController();
  const limited = Response.json({ message: "Slow down" }, { status: 429, headers: { "retry-after": "8" } });
  const svc = clientOf(scriptedFetch(limited, ok), {
    clock,
    maxRetries: 0,
    onEvent: ({ type }) => {
      if (type === "wait") controller.abort("given up");
    },
  });
  await rejection(send(svc));
  expect(await rejection(send(svc, "safe", { signal: controller.signal }))).toBe("given up");
  await settle();
  expect(clock.waiting).toBe(0);
});

test("an abort at any moment around a call's slot ends the call, and the next call gets the slot", async () => {
  const headers = { "x-ratelimit": "2", "x-ratelimit-remaining": "1", "x-ratelimit-window-size": "60s" };
  for (let moment = 0; moment < 30; moment += 1) {
    const answer = () => Response.json({ ok: true }, { headers });
    const first = held();
    const fetch = scriptedFetch(answer(), first.step, (request) =>
      request.headers.has("x-given-up") ? silence(request) : answer(),
    );
    let attempts = 0;
    const onEvent = ({ type }: SvcEvent) => {
      if (type === "attempt") attempts += 1;
    };
    const svc = clientOf(fetch, { clock: heldClock(), onEvent });
    const controller = new AbortController();
    await send(svc);
    const one = send(svc);
    const given = rejection(send(svc, "safe", { signal: controller.signal, headers: { "x-given-up": "yes" } }));
    const next = send(svc);
    await settle();
    expect(fetch.sent).toHaveLength(2);
    first.answer(answer());
    // Each step is one turn of the promises between the response and the request it releases.
    for (let step = 0; step < moment; step += 1) await Promise.resolve();
    controller.abort("given up");
    expect(await given).toBe("given up");
    await Promise.all([one, next]);
    expect(svc.rateLimit).toMatchObject({ inFlight: 0, queued: 0 });
    expect(attempts).toBe(fetch.sent.length);
  }
});
