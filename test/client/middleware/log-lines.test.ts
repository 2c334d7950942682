import { describe, expect, test, vi } from "vitest";
import { type LogLevel, NotFoundError } from "../../../src/index.js";
import { clientOf, rejection, rejectionOf, send, type TestOptions } from "../../support/client.js";
import { heldClock, settle } from "../../support/clock.js";
import { broken, failure, type Step, scriptedFetch, silence } from "../../support/scripted-fetch.js";

/** A client whose log is kept, and what it wrote. */
function logged(steps: readonly Step[], options: TestOptions = {}) {
  const written: string[] = [];
  // Calls are numbered over all clients of the process.
  const write = (level: string) => (line: string) =>
    void written.push(`${level} ${line.replace(/call \d+/, "call N")}`);
  const logger = { debug: write("debug"), info: write("info"), warn: write("warn") };
  return { svc: clientOf(scriptedFetch(...steps), { logger, logLevel: "debug", ...options }), written };
}

describe("a line of the log", () => {
  test("names the tool of a call, and the path without it", async () => {
    const { svc, written } = logged([Response.json({})]);
    await svc.tools.get("GITHUB_STAR");
    expect(written[0]).toBe(
      "debug svc-sdk: tools.get: call N, GET https://api.example.com/api/v3.1/tools/{tool_slug} (GITHUB_STAR)",
    );
  });

  test.each([
    [{ "x-ratelimit": "10", "x-ratelimit-remaining": "9" }, ", 9 of 10 requests left"],
    [{ "x-ratelimit-remaining": "9" }, ", 9 of ? requests left"],
    [{ "x-ratelimit": "10" }, ""],
    [{ "x-request-id": "r1" }, " [request r1]"],
  ])("shows a response with %o", async (headers, said) => {
    const { svc, written } = logged([Response.json({ ok: true }, { headers })]);
    await send(svc);
    expect(written).toContain(`debug svc-sdk: probe.safe: call N, response 200 after 0 ms${said}`);
    expect(written).toContain("debug svc-sdk: probe.safe: call N succeeded after 0 ms and 1 request");
  });

  test.each([
    [broken("EPIPE"), "ConnectionError (EPIPE)"],
    [new TypeError("fetch failed"), "ConnectionError"],
  ])("shows why a request got no response: %o", async (thrown, why) => {
    const { svc, written } = logged([thrown], { maxRetries: 1 });
    await rejection(send(svc));
    expect(written.slice(2)).toEqual([
      `debug svc-sdk: probe.safe: call N, no response after 0 ms: ${why}`,
      "info svc-sdk: probe.safe: call N is retried in 0.3 s: ConnectionError",
      "debug svc-sdk: probe.safe: call N, attempt 2",
      `debug svc-sdk: probe.safe: call N, no response after 0 ms: ${why}`,
      "debug svc-sdk: probe.safe: call N failed: ConnectionError after 250 ms and 2 requests",
    ]);
  });

  test("shows when more calls can start, if that is known", async () => {
    const headers = { "x-ratelimit": "1", "x-ratelimit-remaining": "0", "x-ratelimit-window-size": "60s" };
    const clock = heldClock();
    const { svc, written } = logged([Response.json({ ok: true }, { headers })], { clock, logLevel: "info" });
    await send(svc);
    const waiting = send(svc);
    await settle();
    const start = "info svc-sdk: probe.safe: call N is queued because of the rate limit";
    expect(written).toEqual([`${start}; more calls can start in at most 60 s`]);
    clock.advance(60_000);
    await waiting;
  });

  test("shows no time for a wait before the window is known", async () => {
    const controller = new AbortController();
    const { svc, written } = logged([silence], { logLevel: "info", clock: heldClock() });
    const calls = Array.from({ length: 17 }, () => rejection(send(svc, "safe", { signal: controller.signal })));
    await settle();
    controller.abort();
    await Promise.all(calls);
    expect(new Set(written)).toEqual(new Set(["info svc-sdk: probe.safe: call N is queued because of the rate limit"]));
  });
});

describe("each log level", () => {
  const contract = { check: (_: string, part: string) => (part === "response" ? [misfit] : []) };
  const misfit = { path: "a", expected: "b", received: "c" };
  const throwing = () => {
    throw new Error("mine");
  };
  const deprecated = { headers: { sunset: "Fri, 01 Jan 2027 00:00:00 GMT" } };

  test.each<[LogLevel, readonly string[]]>([
    ["off", []],
    ["warn", ["warn"]],
    ["info", ["info", "warn"]],
    ["debug", ["debug", "info", "warn"]],
  ])("%s writes its own lines and those of higher levels only", async (logLevel, severities) => {
    const steps = [failure(503), Response.json({ ok: true }, deprecated)];
    const { svc, written } = logged(steps, { logLevel, contract });
    await send(svc);
    expect([...new Set(written.map((line) => line.split(" ")[0]))].sort()).toEqual(severities);
  });

  test("warn shows deprecations and mismatches, even without a listener", async () => {
    const { svc, written } = logged([Response.json({ ok: true }, deprecated)], { logLevel: "warn", contract });
    await send(svc);
    expect(written).toEqual([
      "warn svc-sdk: probe.safe: this operation is deprecated and will be removed on Fri, 01 Jan 2027 00:00:00 GMT. " +
        "See its documentation for the replacement.",
      "warn svc-sdk: probe.safe: the response doesn't match the contract: a: expected b, received c",
    ]);
  });

  test("never changes whether a call succeeds", async () => {
    const shown = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const logger = { debug: throwing, info: throwing, warn: throwing };
    const { svc } = logged([failure(404)], { logger });
    await rejectionOf(NotFoundError, send(svc));
    expect(shown).toHaveBeenCalled();
    shown.mockRestore();
  });
});
