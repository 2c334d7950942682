import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  type Middleware,
  MiddlewareError,
  observe,
  RateLimitError,
  ServerError,
  TimeoutError,
} from "../../../src/index.js";
import { clientOf, rejection, rejectionOf, send } from "../../support/client.js";
import { failure, type Step, scriptedFetch } from "../../support/scripted-fetch.js";

const ok = () => Response.json({ ok: true });

/** A client of a scripted service, and what it sent. */
function clientWith(use: readonly Middleware[], ...answers: readonly Step[]) {
  const fetch = scriptedFetch(...(answers.length > 0 ? answers : [ok]));
  return { fetch, svc: clientOf(fetch, { use }) };
}

describe("a faulty middleware", () => {
  test("that fails after the call with another call's error doesn't make the call safe to repeat", async () => {
    const unsent = Object.assign(new Error("no connection"), { outcome: "not_sent" });
    const audit: Middleware = async (_call, next) => {
      await next();
      throw unsent;
    };
    const error = await rejectionOf(MiddlewareError, send(clientWith([audit]).svc, "effect"));
    expect(error).toMatchObject({ operation: "probe.effect", outcome: "unknown", cause: unsent });
    expect(error.message).toBe(
      "probe.effect: a middleware failed after the call: no connection It may have run. Check before you retry.",
    );
  });

  test("isn't one of the client because the list that it was given changes later", async () => {
    const use: Middleware[] = [];
    const svc = clientOf(scriptedFetch(ok), { use });
    use.push(() => Promise.reject(new Error("of another client")));
    expect(await send(svc)).toEqual({ ok: true });
  });

  test("sends nothing if it calls next after the call has ended", async () => {
    let late: Promise<unknown> = Promise.resolve();
    const events: string[] = [];
    const giving: Middleware = async (_call, next) => {
      late = new Promise((resolve) => setTimeout(resolve)).then(next);
      late.catch(() => undefined);
      throw new Error("gave up");
    };
    const { svc, fetch } = clientWith([observe(({ type }) => void events.push(type)), giving]);
    await rejectionOf(Error, send(svc, "effect"));
    expect((await rejectionOf(TypeError, late)).message).toMatch(/^The call has ended/);
    expect(fetch.sent).toEqual([]);
    expect(events).toEqual(["request", "result"]);
  });

  test("ends the call if it stops waiting for next: no retry, and no event after the result", async () => {
    const events: string[] = [];
    let passed: Promise<unknown> = Promise.resolve();
    let answer: (response: Response) => void = () => undefined;
    const giving: Middleware = async (_call, next) => {
      passed = next();
      await new Promise((resolve) => setTimeout(resolve));
      throw new Error("gave up");
    };
    const { svc, fetch } = clientWith(
      [observe(({ type }) => void events.push(type)), giving],
      () => new Promise<Response>((resolve) => (answer = resolve)),
      ok(),
    );
    await rejectionOf(Error, send(svc));
    answer(failure(503));
    expect(await rejectionOf(ServerError, passed)).toMatchObject({ attempts: 1 });
    expect(fetch.sent).toHaveLength(1);
    expect(events).toEqual(["request", "attempt", "result"]);
  });

  test("leaves no unhandled rejection if it ignores the promise of next", async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", listen);
    const forgetful: Middleware = async (_call, next) => {
      void next();
      throw new Error("a mistake");
    };
    const { svc } = clientWith([forgetful], failure(400));
    await rejectionOf(Error, send(svc));
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off("unhandledRejection", listen);
    expect(unhandled).toEqual([]);
  });

  test("gets the same deadline, abort reason and ban as the caller", async () => {
    const seen: unknown[] = [];
    const looking: Middleware = (_call, next) =>
      next().catch((error: unknown) => {
        seen.push(error);
        throw error;
      });
    const silent = clientWith([looking], () => new Promise<Response>(() => undefined));
    const late = await rejectionOf(TimeoutError, send(silent.svc, "safe", { deadlineMs: 5 }));
    const reason = { mine: true };
    const controller = new AbortController();
    const aborted = rejection(send(silent.svc, "safe", { signal: controller.signal }));
    controller.abort(reason);
    expect(await aborted).toBe(reason);
    const ban = () => Response.json({ message: "slow down" }, { status: 429, headers: { "retry-after": "3600" } });
    const banned = clientWith([looking], ban);
    const asked = await rejectionOf(RateLimitError, send(banned.svc));
    const blocked = await rejectionOf(RateLimitError, send(banned.svc));
    expect(blocked.attempts).toBe(0);
    expect(seen).toEqual([late, reason, asked, blocked]);
    expect(seen.every((error, index) => error === [late, reason, asked, blocked][index])).toBe(true);
  });

  test("shows no credential when it prints the call", async () => {
    let shown = "";
    const printing: Middleware = (call, next) => {
      shown = inspect(call, { depth: 9 }) + JSON.stringify({ ...call }) + inspect({ ...call.versions }, { depth: 9 });
      return next();
    };
    const fetch = scriptedFetch(ok());
    await send(clientOf(fetch, { use: [printing], headers: { "x-gateway": "gw_secret" } }));
    expect(fetch.sent[0]?.headers.get("x-gateway")).toBe("gw_secret");
    expect(shown).not.toMatch(/ak_test|gw_secret/);
  });
});
