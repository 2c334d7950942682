import { describe, expect, test, vi } from "vitest";
import {
  type Logger,
  type LogLevel,
  logCalls,
  RateLimitError,
  RetryBudget,
  ServerError,
  type SvcEvent,
} from "../../../src/index.js";
import { clientOf, emulated, rejection, rejectionOf, send } from "../../support/client.js";
import { fakeClock, heldClock, settle } from "../../support/clock.js";
import { broken, failure, scriptedFetch, silence } from "../../support/scripted-fetch.js";

/** A place where events are kept. */
function recorder() {
  const events: SvcEvent[] = [];
  return { events, onEvent: (event: SvcEvent) => void events.push(event), types: () => events.map(({ type }) => type) };
}

/** A logger whose lines are kept. */
function lines(): { readonly logger: Logger; readonly written: string[] } {
  const written: string[] = [];
  // Calls are numbered over all clients of the process.
  const write = (level: string) => (message: string) =>
    void written.push(`${level} ${message.replace(/call \d+/, "call N")}`);
  const logger = { debug: write("debug"), info: write("info"), warn: write("warn") };
  return { logger, written };
}

function throwing(): never {
  throw new Error("mine");
}

describe("onEvent", () => {
  test("reports a call from its request to its result", async () => {
    const { events, onEvent } = recorder();
    const window = {
      "x-request-id": "r1",
      "x-ratelimit": "10",
      "x-ratelimit-remaining": "9",
      "x-ratelimit-window-size": "60",
    };
    const clock = fakeClock();
    const fetch = scriptedFetch(broken("ECONNRESET"), failure(500), () => {
      clock.advance(40);
      return Response.json({}, { headers: window });
    });
    await clientOf(fetch, { onEvent, clock }).tools.get("GITHUB_STAR");
    const call = { callNumber: events[0]?.callNumber, operation: "tools.get" };
    const start = Date.UTC(2026, 0, 1);
    expect(events).toEqual([
      {
        type: "request",
        method: "GET",
        origin: "https://api.example.com",
        path: "/api/v3.1/tools/{tool_slug}",
        tool: "GITHUB_STAR",
        ...call,
        at: start,
      },
      { type: "attempt", attempt: 1, ...call, at: start },
      {
        type: "failure",
        attempt: 1,
        durationMs: 0,
        error: "ConnectionError",
        code: "ECONNRESET",
        phase: "headers",
        ...call,
        at: start,
      },
      { type: "retry", attempt: 1, delayMs: 250, error: "ConnectionError", status: undefined, ...call, at: start },
      { type: "attempt", attempt: 2, ...call, at: start + 250 },
      {
        type: "response",
        attempt: 2,
        status: 500,
        durationMs: 0,
        requestId: undefined,
        rateLimit: undefined,
        ...call,
        at: start + 250,
      },
      { type: "retry", attempt: 2, delayMs: 500, error: "ServerError", status: 500, ...call, at: start + 250 },
      { type: "attempt", attempt: 3, ...call, at: start + 750 },
      {
        type: "response",
        attempt: 3,
        status: 200,
        durationMs: 40,
        requestId: "r1",
        rateLimit: { limit: 10, remaining: 9, windowMs: 60_000 },
        ...call,
        at: start + 790,
      },
      {
        type: "result",
        succeeded: true,
        attempts: 3,
        durationMs: 790,
        status: 200,
        error: undefined,
        outcome: undefined,
        ...call,
        at: start + 790,
      },
    ]);
  });

  test("reports how a call failed, and whether it may have run", async () => {
    const { events, onEvent } = recorder();
    await rejection(send(clientOf(scriptedFetch(failure(502)), { onEvent }), "effect"));
    expect(events.at(-1)).toMatchObject({
      type: "result",
      succeeded: false,
      attempts: 1,
      status: 502,
      error: "ServerError",
      outcome: "unknown",
    });
  });

  test("reports a call that its caller aborted", async () => {
    const { events, onEvent, types } = recorder();
    const controller = new AbortController();
    const call = rejection(send(clientOf(scriptedFetch(silence), { onEvent }), "safe", { signal: controller.signal }));
    await settle();
    controller.abort(new Error("mine"));
    await call;
    expect(types()).toEqual(["request", "attempt", "failure", "result"]);
    expect(events.slice(2)).toMatchObject([
      { error: "Aborted", phase: "headers" },
      { error: "Aborted", succeeded: false },
    ]);
  });

  test("reports that an execution aborted in flight may have run", async () => {
    const { events, onEvent } = recorder();
    const controller = new AbortController();
    const { signal } = controller;
    const call = rejection(send(clientOf(scriptedFetch(silence), { onEvent }), "effect", { signal }));
    await settle();
    controller.abort();
    await call;
    expect(events.at(-1)).toMatchObject({ type: "result", attempts: 1, outcome: "unknown" });
  });

  test("may abort the call: nothing more is sent, and the call rejects with the caller's reason", async () => {
    const { events, onEvent } = recorder();
    const controller = new AbortController();
    const reason = new Error("stop");
    const fetch = scriptedFetch(Response.json({ ok: true }));
    const stopping = (event: SvcEvent) => {
      onEvent(event);
      if (event.type === "attempt") controller.abort(reason);
    };
    const { signal } = controller;
    expect(await rejection(send(clientOf(fetch, { onEvent: stopping }), "effect", { signal }))).toBe(reason);
    expect(fetch.sent).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: "result", error: "Aborted", outcome: "not_sent" });
  });

  test("reports a wait for the rate limit", async () => {
    const { events, onEvent } = recorder();
    const clock = heldClock();
    const headers = { "x-ratelimit": "1", "x-ratelimit-remaining": "0", "x-ratelimit-window-size": "60s" };
    const svc = clientOf(scriptedFetch(Response.json({ ok: true }, { headers })), { onEvent, clock });
    await send(svc);
    const second = send(svc);
    await settle();
    expect(events.at(-1)).toMatchObject({ type: "wait", expectedMs: 60_000 });
    clock.advance(60_000);
    await second;
    expect(
      events.filter(({ callNumber: callId }) => callId === events.at(-1)?.callNumber).map(({ type }) => type),
    ).toEqual(["request", "wait", "attempt", "response", "result"]);
  });

  test("reports a response that doesn't match the contract before the result, with types and no values", async () => {
    const { events, onEvent, types } = recorder();
    const contract = {
      check: (_: string, part: string) => (part === "response" ? [{ path: "a", expected: "b", received: "c" }] : []),
    };
    await send(clientOf(scriptedFetch(Response.json({ ok: true })), { onEvent, contract, logLevel: "off" }));
    expect(types()).toEqual(["request", "attempt", "response", "drift", "result"]);
    expect(events[3]).toMatchObject({ mismatches: [{ path: "a", expected: "b", received: "c" }] });
  });

  test("logs a mismatch of list items once, not for each item", async () => {
    const { events, onEvent } = recorder();
    const { logger, written } = lines();
    const paths = ["items[0].x", "items[1].x", "items[2].y[7]"];
    const found = paths.map((path) => ({ path, expected: "b", received: "c" }));
    const contract = { check: (_: string, part: string) => (part === "response" ? found : []) };
    const svc = clientOf(scriptedFetch(Response.json({ ok: true })), { onEvent, contract, logger });
    await send(svc);
    await send(svc);
    expect(events.filter(({ type }) => type === "drift")).toHaveLength(2);
    const warnings = written.filter((line) => line.startsWith("warn"));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("items[0].x");
    expect(warnings[0]).toContain("items[2].y[7]");
    expect(warnings[0]).not.toContain("items[1].x");
  });

  test("gets frozen events, so that one observer can't mislead another", async () => {
    const { events, onEvent } = recorder();
    await send(clientOf(scriptedFetch(Response.json({ ok: true })), { onEvent }));
    expect(events.every((event) => Object.isFrozen(event))).toBe(true);
  });

  test("has one line per event, whatever the name of a tool contains", async () => {
    const { logger, written } = lines();
    const svc = clientOf(scriptedFetch(failure(404)), { logger, logLevel: "debug" });
    await rejection(svc.tools.get("A\nsvc-sdk: \u001b[31m\u202e"));
    expect(written[0]).toMatch(/\(A%0Asvc-sdk: %1B\[31m%E2%80%AE\)$/);
  });

  test.each<[string, () => unknown]>([
    ["throws", throwing],
    ["is async and rejects", async () => throwing()],
  ])("doesn't affect the call if it %s", async (_, onEvent) => {
    const shown = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const svc = clientOf(scriptedFetch(Response.json({ ok: true })), { onEvent });
    expect(await send(svc, "effect")).toEqual({ ok: true });
    expect(shown).toHaveBeenCalledWith("svc-sdk: a listener threw", expect.objectContaining({ message: "mine" }));
    shown.mockRestore();
  });

  test("reports file transfers without their URLs, which are secrets", async () => {
    const { events, onEvent } = recorder();
    const fetch = scriptedFetch(new Response("bytes", { headers: { "content-type": "text/plain" } }));
    await clientOf(fetch, { onEvent }).files.download("https://storage.example/bucket/file?signature=abc");
    expect(events[0]).toMatchObject({
      type: "request",
      operation: "files.download",
      origin: "https://storage.example",
      path: "",
    });
    expect(JSON.stringify(events)).not.toContain("signature");
    expect(events.at(-1)).toMatchObject({ type: "result", succeeded: true, status: 200 });
  });
});

describe("a deprecation", () => {
  test("of an input is reported once per client, and names the input", async () => {
    const { events, onEvent } = recorder();
    const { logger, written } = lines();
    const { svc } = emulated({ onEvent, logger });
    await svc.tools.list({ search: "a" });
    await svc.tools.list({ search: "b" });
    expect(events.filter(({ type }) => type === "deprecation")).toMatchObject([
      { operation: "tools.list", subject: "query.search", deprecation: undefined, sunset: undefined },
    ]);
    expect(written).toEqual([
      "warn svc-sdk: tools.list: query.search is deprecated. See its documentation for the replacement.",
    ]);
  });

  test("isn't reported if the input isn't used", async () => {
    const { types, onEvent } = recorder();
    const { svc } = emulated({ onEvent });
    await svc.tools.list({ query: "a" });
    expect(types()).not.toContain("deprecation");
  });

  test("in the service's headers is reported once, also on an error response", async () => {
    const { events, onEvent } = recorder();
    const { logger, written } = lines();
    const headers = { deprecation: "@1767225600", sunset: "Fri, 01 Jan 2027 00:00:00 GMT" };
    const svc = clientOf(scriptedFetch(failure(404, {}, headers)), { onEvent, logger });
    await rejection(svc.authConfigs.get("ac_1"));
    await rejection(svc.authConfigs.get("ac_2"));
    expect(events.filter(({ type }) => type === "deprecation")).toMatchObject([
      { operation: "authConfigs.get", subject: "operation", deprecation: "@1767225600", sunset: headers.sunset },
    ]);
    expect(written[0]).toContain("this operation is deprecated and will be removed on Fri, 01 Jan 2027 00:00:00 GMT");
  });
});

describe("the log", () => {
  async function writtenAt(logLevel: LogLevel | undefined, environment = {}): Promise<string[]> {
    const { logger, written } = lines();
    const fetch = scriptedFetch(failure(503), Response.json({ ok: true }));
    await send(clientOf(fetch, { logger, logLevel, env: environment }));
    return written;
  }

  test("is silent about successful calls by default", async () => {
    expect(await writtenAt(undefined)).toEqual([]);
  });

  test("shows retries at the level info, set by option or SVC_LOG", async () => {
    const told = ["info svc-sdk: probe.safe: call N is retried in 0.3 s: ServerError (503)"];
    expect(await writtenAt("info")).toEqual(told);
    expect(await writtenAt(undefined, { SVC_LOG: "info" })).toEqual(told);
  });

  test("shows every request at the level debug, and the option overrides SVC_LOG", async () => {
    expect(await writtenAt("debug", { SVC_LOG: "off" })).toEqual([
      "debug svc-sdk: probe.safe: call N, POST https://api.example.com/api/v3.1/probe",
      "debug svc-sdk: probe.safe: call N, attempt 1",
      "debug svc-sdk: probe.safe: call N, response 503 after 0 ms",
      "info svc-sdk: probe.safe: call N is retried in 0.3 s: ServerError (503)",
      "debug svc-sdk: probe.safe: call N, attempt 2",
      "debug svc-sdk: probe.safe: call N, response 200 after 0 ms",
      "debug svc-sdk: probe.safe: call N succeeded after 250 ms and 2 requests",
    ]);
  });

  test.each<[string, () => unknown]>([
    ["throws", throwing],
    ["is async and rejects", async () => throwing()],
  ])("that %s changes no call", async (_, debug) => {
    const shown = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const logger = { ...lines().logger, debug };
    const svc = clientOf(scriptedFetch(Response.json({ ok: true })), { logger, logLevel: "debug" });
    expect(await send(svc)).toEqual({ ok: true });
    expect(shown).toHaveBeenCalledWith("svc-sdk: a listener threw", expect.objectContaining({ message: "mine" }));
    shown.mockRestore();
  });

  test.each(["loud", "WARN"])("rejects the unknown level %s", (level) => {
    expect(() => logCalls({ env: { SVC_LOG: level } })).toThrow(
      "logCalls: SVC_LOG must be one of off, warn, info, debug.",
    );
  });
});

describe("a retry budget", () => {
  /** How many requests `calls` calls made that all failed. */
  async function requestsOf(calls: number, svc: ReturnType<typeof clientOf>, fetch: { sent: readonly unknown[] }) {
    const before = fetch.sent.length;
    for (let call = 0; call < calls; call += 1) await rejectionOf(ServerError, send(svc));
    return fetch.sent.length - before;
  }

  test("limits an outage to 1.10 requests per call once it's empty, and refills after the recovery", async () => {
    let isDown = true;
    const retryBudget = new RetryBudget();
    const fetch = scriptedFetch(() => (isDown ? failure(503) : Response.json({ ok: true })));
    const svc = clientOf(fetch, { retryBudget, maxRetries: 3 });
    await requestsOf(10, svc, fetch);
    expect(retryBudget.tokens).toBe(0);
    expect(await requestsOf(500, svc, fetch)).toBeLessThanOrEqual(550);
    isDown = false;
    for (let call = 0; call < 100; call += 1) await send(svc);
    expect(retryBudget.tokens).toBe(100);
    isDown = true;
    expect(await requestsOf(1, svc, fetch)).toBe(4);
  });

  test("is shared by all clients that got it", async () => {
    const retryBudget = new RetryBudget();
    const fetch = scriptedFetch(failure(503));
    const clients = [clientOf(fetch, { retryBudget }), clientOf(fetch, { retryBudget })] as const;
    await requestsOf(10, clients[0], fetch);
    expect(await requestsOf(5, clients[1], fetch)).toBe(5);
  });

  test("isn't spent on waits that the rate limit requires", async () => {
    const retryBudget = new RetryBudget();
    const limited = Response.json({ message: "Slow down" }, { status: 429, headers: { "retry-after": "1" } });
    await rejectionOf(RateLimitError, send(clientOf(scriptedFetch(limited), { retryBudget })));
    expect(retryBudget.tokens).toBe(100);
  });
});

test("a storage that asks to wait gets no request before that", async () => {
  const clock = fakeClock();
  const busy = new Response("busy", { status: 503, headers: { "retry-after": "7" } });
  const svc = clientOf(scriptedFetch(busy, new Response("bytes")), { clock });
  await svc.files.download("https://storage.example/file");
  expect(clock.slept).toEqual([7_000]);
});
