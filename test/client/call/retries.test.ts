import { describe, expect, test } from "vitest";
import {
  ApiError,
  type CallOutcome,
  ConnectionError,
  NotFoundError,
  RateLimitError,
  type RetryClass,
  ServerError,
  SvcError,
  TimeoutError,
} from "../../../src/index.js";
import { clientOf, emulated, probes, rejection, rejectionOf, send } from "../../support/client.js";
import { fakeClock } from "../../support/clock.js";
import { broken, cutOff, failure, type Step, scriptedFetch, silence } from "../../support/scripted-fetch.js";

const ok = Response.json({ ok: true });
const limiter = (headers: Record<string, string> = {}) =>
  Response.json({ message: "Rate limit exceeded. Limit: 10 requests per 60 seconds" }, { status: 429, headers });
const classes: readonly RetryClass[] = ["safe", "idempotent", "effect"];
const BUSY = { status: 429, headers: { "retry-after": "1" } };
const redirect = (status: number) => new Response(null, { status, headers: { location: "https://x.example" } });

/** As Deno rejects: the step is named in the cause alone. */
const denoFailure = (step: string) =>
  new TypeError("fetch failed", { cause: new Error(`error sending request for url (http://host/): ${step}`) });
/** As Node rejects for a fault of a system call. */
const networkFailure = (code: string, syscall: string) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) });

/**
 * Fault, attempts of a safe, an idempotent and an effect call with two retries, and what the effect call then knows.
 */
const table: readonly (readonly [fault: string, step: Step, attempts: readonly number[], outcome: CallOutcome])[] = [
  // Provably not sent: every class may go again.
  ["connection refused", broken("ECONNREFUSED"), [3, 3, 3], "not_sent"],
  ["connection refused on Bun", Object.assign(new Error("no"), { code: "ConnectionRefused" }), [3, 3, 3], "not_sent"],
  ["connection refused on Deno", denoFailure("client error (Connect): tcp connect error"), [3, 3, 3], "not_sent"],
  ["a reset on Deno", denoFailure("client error (SendRequest): connection closed"), [3, 3, 1], "unknown"],
  ["no route while connecting", networkFailure("EHOSTUNREACH", "connect"), [3, 3, 3], "not_sent"],
  ["no route on an established connection", networkFailure("EHOSTUNREACH", "read"), [3, 3, 1], "unknown"],
  ["a TLS fault in the middle", broken("ERR_SSL_BAD_RECORD_TYPE"), [3, 3, 1], "unknown"],
  ["host not found", broken("ENOTFOUND"), [3, 3, 3], "not_sent"],
  ["DNS failing for now", broken("EAI_AGAIN"), [3, 3, 3], "not_sent"],
  ["no connection in time", broken("UND_ERR_CONNECT_TIMEOUT"), [3, 3, 3], "not_sent"],
  // A certificate that is not trusted now will not be in a second.
  ["a certificate that ran out", broken("CERT_HAS_EXPIRED"), [1, 1, 1], "not_sent"],
  ["a certificate of its own", broken("DEPTH_ZERO_SELF_SIGNED_CERT"), [1, 1, 1], "not_sent"],
  [
    "a certificate in another runtime's words",
    broken("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"),
    [1, 1, 1],
    "unknown",
  ],
  ["a certificate for another name", broken("ERR_TLS_CERT_ALTNAME_INVALID"), [1, 1, 1], "not_sent"],
  ["a certificate without a chain", broken("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), [1, 1, 1], "not_sent"],
  // May have run: only what a retry does not change goes again.
  ["connection reset", broken("ECONNRESET"), [3, 3, 1], "unknown"],
  ["connection closed", broken("UND_ERR_SOCKET"), [3, 3, 1], "unknown"],
  ["a failure without a code", new TypeError("Failed to fetch"), [3, 3, 1], "unknown"],
  ["a body that breaks off", cutOff(), [3, 3, 1], "unknown"],
  ["a body that breaks off as if it never connected", () => cutOff(200, "{", "ECONNREFUSED"), [3, 3, 1], "unknown"],
  ["silence", silence, [3, 3, 1], "unknown"],
  ["408", failure(408), [3, 3, 1], "unknown"],
  ["500", failure(500), [3, 3, 1], "unknown"],
  ["502", failure(502), [3, 3, 1], "unknown"],
  ["503", failure(503), [3, 3, 1], "unknown"],
  ["503 with Retry-After", failure(503, {}, { "retry-after": "1" }), [3, 3, 1], "unknown"],
  ["504", failure(504), [3, 3, 1], "unknown"],
  ["520 with HTML", new Response("<html>", { status: 520 }), [3, 3, 1], "unknown"],
  ["501", failure(501), [1, 1, 1], "unknown"],
  // The platform's own limiter: nothing ran.
  ["429 with Retry-After", limiter({ "retry-after": "1" }), [3, 3, 3], "rejected"],
  ["429 with retry-after-ms", limiter({ "retry-after-ms": "10" }), [3, 3, 3], "rejected"],
  ["429 with Retry-After of something in between", new Response("", BUSY), [3, 3, 3], "rejected"],
  [
    "429 of a provider on the last call of a window",
    failure(429, {}, { "x-ratelimit-remaining": "0" }),
    [3, 3, 1],
    "unknown",
  ],
  ["429 with a message and window headers", limiter({ "x-ratelimit": "9" }), [3, 3, 3], "rejected"],
  ["429 with a message and neither", limiter(), [3, 3, 1], "unknown"],
  // A provider's own, passed through: the tool may have run.
  ["429 of a provider", failure(429), [3, 3, 1], "unknown"],
  ["429 of a provider with Retry-After", failure(429, {}, { "retry-after": "1" }), [3, 3, 1], "unknown"],
  [
    "429 of a provider with requests remaining",
    failure(429, {}, { "x-ratelimit-remaining": "7" }),
    [3, 3, 1],
    "unknown",
  ],
  ["429 without a body", new Response(null, { status: 429 }), [3, 3, 1], "unknown"],
  // The request or the result is too large.
  ["413", failure(413), [1, 1, 1], "unknown"],
  // The service said no.
  ...[400, 401, 403, 404, 405, 409, 410, 415, 422, 425, 451].map(
    (status) => [String(status), failure(status), [1, 1, 1], "rejected"] as const,
  ),
  ["a redirect of the request", redirect(307), [1, 1, 1], "rejected"],
  ["a redirect for good", redirect(308), [1, 1, 1], "rejected"],
  // May say where to look at what was done.
  ["a redirect to another page", redirect(303), [1, 1, 1], "unknown"],
  ["a redirect of the old kind", redirect(302), [1, 1, 1], "unknown"],
  ["a good status that is not the data", new Response("<html>", { status: 200 }), [3, 3, 1], "unknown"],
];

describe("what is retried", () => {
  test.each(table)("%s", async (_, step, attempts, outcome) => {
    for (const [index, retry] of classes.entries()) {
      const fetch = scriptedFetch(step);
      const error = await rejectionOf(SvcError, send(clientOf(fetch, { timeoutMs: 5 }), retry));
      expect(fetch.sent, retry).toHaveLength(attempts[index] ?? 0);
      expect(error).toMatchObject({
        operation: `probe.${retry}`,
        attempts: attempts[index],
        outcome: retry === "effect" ? outcome : undefined,
      });
    }
  });

  test.each(classes)("the %s call that succeeds at its last attempt reports the number of attempts", async (retry) => {
    const fetch = scriptedFetch(limiter({ "retry-after": "1" }), broken("ECONNREFUSED"), ok);
    const { data, meta } = await send(clientOf(fetch), retry).withResponse();
    expect(data).toEqual({ ok: true });
    expect(meta).toMatchObject({ attempts: 3, alreadyApplied: false });
  });

  test("every attempt sends the same request", async () => {
    const fetch = scriptedFetch(failure(500), failure(502), ok);
    await clientOf(fetch).call(probes.idempotent, { body: { n: 1 } });
    const [first, ...others] = fetch.sent.map(({ method, target, body, headers }) => ({
      method,
      target,
      body,
      headers: [...headers],
    }));
    expect(others).toEqual([first, first]);
    expect(first?.body).toEqual({ n: 1 });
  });

  test.each([
    failure(500, {}, { "x-should-retry": "false" }),
    limiter({ "x-should-retry": "false", "retry-after": "1" }),
  ])("x-should-retry: false ends the retries", async (answer) => {
    const fetch = scriptedFetch(answer);
    await rejectionOf(ApiError, send(clientOf(fetch)));
    expect(fetch.sent).toHaveLength(1);
  });

  test("x-should-retry: true retries a call if a second run changes nothing more", async () => {
    for (const retry of ["safe", "idempotent"] as const) {
      const fetch = scriptedFetch(failure(409, {}, { "x-should-retry": "true" }), Response.json({ ok: true }));
      expect(await send(clientOf(fetch), retry)).toEqual({ ok: true });
    }
  });

  test("x-should-retry: true doesn't retry a call with an effect", async () => {
    const fetch = scriptedFetch(failure(500, {}, { "x-should-retry": "true" }));
    await rejectionOf(ServerError, send(clientOf(fetch), "effect"));
    expect(fetch.sent).toHaveLength(1);
  });

  test.each([0, 1, 5])("maxRetries %i limits the retries", async (maxRetries) => {
    const ofClient = scriptedFetch(failure(500));
    await rejection(send(clientOf(ofClient, { maxRetries })));
    expect(ofClient.sent).toHaveLength(maxRetries + 1);
    const ofCall = scriptedFetch(failure(500));
    await rejection(send(clientOf(ofCall, { maxRetries: 3 }), "safe", { maxRetries }));
    expect(ofCall.sent).toHaveLength(maxRetries + 1);
  });

  test("an execution that may have run isn't run again in the emulator", async () => {
    for (const fault of [{ connection: "reset" }, { status: 500 }, { status: 503, retryAfterSeconds: 1 }] as const) {
      const { svc, emulator } = emulated();
      emulator.faults.next("tools.execute", { ...fault, when: "after" });
      const issue = { owner: "octo-org", repo: "hello-world", title: "once" };
      const body = { user_id: "user-4711", version: "latest", arguments: issue };
      expect(await rejection(svc.tools.execute("GITHUB_CREATE_AN_ISSUE", body))).toMatchObject({ outcome: "unknown" });
      // Each issue has a number of its own: the next one being the second shows that there was one.
      const second = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", body);
      expect(second).toMatchObject({ successful: true, data: { number: 2 } });
    }
  });
});

describe("a retry after an attempt that succeeded unseen", () => {
  test("a deletion whose first attempt ran without a response resolves with alreadyApplied", async () => {
    const { svc, emulator } = emulated();
    emulator.faults.next("authConfigs.delete", { connection: "reset", when: "after" });
    const { data, meta } = await svc.authConfigs.delete("ac_github_demo").withResponse();
    expect(data).toEqual({});
    expect(meta).toMatchObject({ alreadyApplied: true, status: 404, attempts: 2 });
    await rejectionOf(NotFoundError, svc.authConfigs.get("ac_github_demo"));
  });

  test.each<[string, readonly Step[]]>([
    ["a timeout", [silence]],
    ["a 500", [failure(500)]],
    ["a broken body", [cutOff()]],
    ["a reset and then a refused connection", [broken("ECONNRESET"), broken("ECONNREFUSED")]],
    ["a reset and then the limiter", [broken("ECONNRESET"), limiter({ "retry-after": "1" })]],
  ])("after %s a 404 is success", async (_, steps) => {
    const fetch = scriptedFetch(...steps, failure(404));
    const { meta } = await clientOf(fetch, { timeoutMs: 5 }).authConfigs.delete("ac_1").withResponse();
    expect(meta).toMatchObject({ alreadyApplied: true, status: 404, attempts: steps.length + 1 });
  });

  test.each<[string, readonly Step[]]>([
    ["a first attempt", []],
    ["a refused connection", [broken("ECONNREFUSED")]],
    ["the limiter", [limiter({ "retry-after": "1" })]],
  ])("after %s, which proves that nothing ran, a 404 is an error", async (_, steps) => {
    const error = await rejectionOf(
      NotFoundError,
      clientOf(scriptedFetch(...steps, failure(404))).authConfigs.delete("ac_1"),
    );
    expect(error.attempts).toBe(steps.length + 1);
  });

  test("an endpoint without such a status rejects", async () => {
    await rejectionOf(NotFoundError, clientOf(scriptedFetch(failure(500), failure(404))).authConfigs.get("ac_1"));
  });
});

describe("the wait before a retry", () => {
  const start = Date.UTC(2026, 0, 1);

  /** An HTTP date so many seconds after the start. */
  const httpDate = (seconds: number) => new Date(start + seconds * 1_000).toUTCString();

  /** The waits before a response with these headers is followed by a good one. */
  async function waitsAfter(status: number, headers: Record<string, string>, maxRetryDelayMs?: number) {
    const clock = fakeClock(undefined, start);
    const answer = status === 429 ? limiter(headers) : failure(status, {}, headers);
    const { meta } = await send(clientOf(scriptedFetch(answer, ok), { clock, maxRetryDelayMs })).withResponse();
    expect(meta.attempts).toBe(2);
    return clock.slept;
  }

  test.each([
    ["seconds", "30"],
    ["padded seconds", " 0030 "],
    ["a date as HTTP writes it now", "Thu, 01 Jan 2026 00:00:30 GMT"],
    ["a date as RFC 850 wrote it", "Thursday, 01-Jan-26 00:00:30 GMT"],
    ["a date as asctime wrote it", "Thu Jan  1 00:00:30 2026"],
  ])("is exactly Retry-After as %s", async (_, value) => {
    expect(await waitsAfter(429, { "retry-after": value })).toEqual([30_000]);
    expect(await waitsAfter(503, { "retry-after": value })).toEqual([30_000]);
  });

  test.each(["99999999999999", "9".repeat(200)])(
    "is too long for Retry-After: %s, which isn't unreadable",
    async (value) => {
      const clock = fakeClock();
      const fetch = scriptedFetch(limiter({ "retry-after": value }));
      const error = await rejectionOf(RateLimitError, send(clientOf(fetch, { clock })));
      expect(clock.slept).toEqual([]);
      expect(error.retryAfterMs).toBe(1e15);
      expect(error.retryAt?.getTime()).not.toBeNaN();
    },
  );

  test.each<[string, Record<string, string>, number]>([
    ["a date on a server an hour behind", { "retry-after": httpDate(-3_570), date: httpDate(-3_600) }, 30_000],
    ["a date on a server an hour ahead", { "retry-after": httpDate(3_630), date: httpDate(3_600) }, 30_000],
    ["retry-after-ms of 0 beside 30 s", { "retry-after": "30", "retry-after-ms": "0" }, 30_000],
    ["retry-after-ms of 1 beside 30 s", { "retry-after": "30", "retry-after-ms": "1" }, 30_000],
    ["a longer retry-after-ms", { "retry-after": "1", "retry-after-ms": "1500" }, 1_500],
    ["an unreadable retry-after-ms", { "retry-after": "30", "retry-after-ms": "soon" }, 30_000],
    ["two equal values", { "retry-after": "30, 30" }, 30_000],
    ["two values", { "retry-after": "10, 30" }, 30_000],
    ["a delay and a date", { "retry-after": `10, ${httpDate(30)}` }, 30_000],
    ["a date and a delay", { "retry-after": `${httpDate(10)}, 30` }, 30_000],
    ["two dates", { "retry-after": `${httpDate(30)}, ${httpDate(10)}` }, 30_000],
    ["one readable value of two", { "retry-after": "soon, 30" }, 30_000],
    ["a fraction", { "retry-after": "30.5" }, 30_500],
    ["a fraction of a millisecond", { "retry-after-ms": "30.2" }, 31],
    ["a unit", { "retry-after": "30s" }, 30_000],
    ["a sign", { "retry-after": "+30" }, 30_000],
  ])("is the longest valid one: %s", async (_, headers, ms) => {
    expect(await waitsAfter(429, headers)).toEqual([ms]);
  });

  test.each([
    "0",
    "-1",
    "1e3",
    "0x10",
    "soon",
    "",
    "Infinity",
    "9".repeat(400),
    "2026-01-01T00:00:30Z",
    "Wed, 31 Dec 2025 23:59:59 GMT",
    "Thu, 01 Jan 2026 00:00:00 GMT",
    "Thu, 01 Jan 2026 00:00:30 CET",
    "Thu, 01 Foo 2026 00:00:30 GMT",
    "Thu, 32 Jan 2026 00:00:30 GMT",
    "Thu, 30 Feb 2026 00:00:30 GMT",
    "Thu, 01 Jan 2026 24:00:01 GMT",
    "Thu, 01 Jan 2026 00:61:00 GMT",
    "Friday, 01-Jan-77 00:00:30 GMT",
    "Wednesday, 31-Dec-99 23:59:59 GMT",
  ])("is the usual backoff, never a hot loop, if Retry-After is the invalid %j", async (value) => {
    expect(await waitsAfter(429, { "retry-after": value })).toEqual([250]);
  });

  test.each([59, 60])("may be %i seconds: the limit of 60 s is inclusive", async (seconds) => {
    expect(await waitsAfter(429, { "retry-after": String(seconds) })).toEqual([seconds * 1_000]);
  });

  test.each([61, 3_600, 1_000_000_000])(
    "can't be %i seconds: the call rejects immediately and says when to retry",
    async (seconds) => {
      const clock = fakeClock(undefined, start);
      const fetch = scriptedFetch(limiter({ "retry-after": String(seconds) }), ok);
      const error = await rejectionOf(RateLimitError, send(clientOf(fetch, { clock })));
      expect(clock.slept).toEqual([]);
      expect(error).toMatchObject({ attempts: 1, retryAfterMs: seconds * 1_000, isServiceLimit: true });
      expect(error.retryAt).toEqual(new Date(start + seconds * 1_000));
      expect(error.message).toContain(`The service asks to wait ${seconds} s.`);
    },
  );

  test("is limited by maxRetryDelayMs", async () => {
    expect(await waitsAfter(429, { "retry-after": "120" }, 120_000)).toEqual([120_000]);
    const call = send(clientOf(scriptedFetch(limiter({ "retry-after": "2" }), ok), { maxRetryDelayMs: 1_999 }));
    expect((await rejectionOf(RateLimitError, call)).attempts).toBe(1);
  });

  test("is at most maxRetryDelayMs where the response asks for none", async () => {
    expect(await waitsAfter(503, {}, 0)).toEqual([0]);
  });

  test("isn't made for a 503 with a longer Retry-After, whose error says when to retry", async () => {
    const error = await rejectionOf(
      ServerError,
      send(clientOf(scriptedFetch(failure(503, {}, { "retry-after": "61" })))),
    );
    expect(error).toMatchObject({ attempts: 1, retryAfterMs: 61_000 });
  });

  test("doubles from half a second up to eight without Retry-After, minus a random part of up to half", async () => {
    const waits = async (chance: number) => {
      const clock = { ...fakeClock(), random: () => chance };
      await rejection(send(clientOf(scriptedFetch(failure(500)), { clock, maxRetries: 7 })));
      return clock.slept;
    };
    expect(await waits(0)).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
    expect(await waits(0.5)).toEqual([375, 750, 1_500, 3_000, 6_000, 6_000, 6_000]);
  });

  test("isn't made after the last attempt", async () => {
    const clock = fakeClock();
    await rejection(send(clientOf(scriptedFetch(limiter({ "retry-after": "7" })), { clock, maxRetries: 1 })));
    expect(clock.slept).toEqual([7_000]);
  });
});

describe("the retry budget", () => {
  test("is used up in an outage, and then each call is tried once", async () => {
    const fetch = scriptedFetch(failure(500));
    const svc = clientOf(fetch);
    for (let call = 0; call < 100; call += 1) await rejectionOf(ServerError, send(svc));
    // 100 tokens at 5 a retry.
    expect(fetch.sent).toHaveLength(100 + 20);
  });

  test("charges twice as much for a retry after a timeout", async () => {
    const fetch = scriptedFetch(silence);
    const svc = clientOf(fetch, { timeoutMs: 1 });
    for (let call = 0; call < 8; call += 1) await rejectionOf(TimeoutError, send(svc));
    expect(fetch.sent).toHaveLength(8 + 10);
  });

  test("gets one token back per success, up to its size", async () => {
    let isDown = true;
    const fetch = scriptedFetch(() => (isDown ? failure(500) : ok.clone()));
    const svc = clientOf(fetch);
    const requestsOf = async (calls: number) => {
      const before = fetch.sent.length;
      for (let call = 0; call < calls; call += 1) await send(svc).catch(() => undefined);
      return fetch.sent.length - before;
    };
    expect(await requestsOf(20)).toBe(40);
    isDown = false;
    await requestsOf(5);
    isDown = true;
    expect(await requestsOf(3)).toBe(3 + 1);
    isDown = false;
    await requestsOf(500);
    isDown = true;
    expect(await requestsOf(100)).toBe(100 + 20);
  });

  test("charges nothing for a wait that the rate limit requires", async () => {
    const fetch = scriptedFetch(limiter({ "retry-after": "1" }));
    const svc = clientOf(fetch);
    for (let call = 0; call < 30; call += 1) await rejectionOf(RateLimitError, send(svc));
    expect(fetch.sent).toHaveLength(90);
  });

  test("belongs to one client", async () => {
    const fetch = scriptedFetch(broken("ECONNRESET"));
    for (let client = 0; client < 30; client += 1) await rejectionOf(ConnectionError, send(clientOf(fetch)));
    expect(fetch.sent).toHaveLength(90);
  });
});
