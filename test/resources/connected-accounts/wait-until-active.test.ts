import { describe, expect, test } from "vitest";
import { Core } from "../../../src/client/client.js";
import type { Clock } from "../../../src/client/clock.js";
import { resolveSettings } from "../../../src/client/options/settings.js";
import { NotFoundError } from "../../../src/errors/api-error.js";
import { TimeoutError } from "../../../src/errors/connection.js";
import { ValidationError } from "../../../src/errors/local.js";
import { ConnectedAccounts } from "../../../src/resources/connected-accounts/connected-accounts.js";
import { ConnectionStateError } from "../../../src/resources/connected-accounts/needs-connection.js";

/** A clock that advances only in `sleep`. */
function fakeClock(random = 0) {
  let time = 0;
  const slept: number[] = [];
  const clock: Clock = {
    now: () => time,
    monotonic: () => time,
    random: () => random,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      time += ms;
    },
  };
  return { ...clock, slept, pass: (ms: number) => (time += ms) };
}

type Reply = { readonly status: string; readonly status_reason?: string | null } | Response;

/** The resource with a service that returns these responses in order, and then repeats the last one. */
function accountsOver(replies: readonly Reply[], { random, takesMs = 0 }: { random?: number; takesMs?: number } = {}) {
  const clock = fakeClock(random);
  const requests: Request[] = [];
  const fetch = async (request: Request) => {
    const reply = replies[Math.min(requests.length, replies.length - 1)];
    requests.push(request);
    clock.pass(takesMs);
    return reply instanceof Response ? reply : Response.json({ id: "ca_1", status_reason: null, ...reply });
  };
  const settings = resolveSettings({ baseUrl: "https://svc.example", apiKey: "ak_1", fetch, clock, env: {} });
  return { accounts: new ConnectedAccounts(new Core(settings)), clock, requests };
}

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

describe("waitUntilActive", () => {
  test("an ACTIVE account is returned immediately", async () => {
    const { accounts, clock, requests } = accountsOver([{ status: "ACTIVE" }]);
    expect((await accounts.waitUntilActive("ca_1")).status).toBe("ACTIVE");
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET https://svc.example/api/v3.1/connected_accounts/ca_1",
    ]);
    expect(clock.slept).toEqual([]);
  });

  test("keeps waiting through INITIALIZING, INITIATED, INACTIVE and an unknown status", async () => {
    const states = ["INITIALIZING", "INITIATED", "INACTIVE", "PONDERING", "ACTIVE"];
    const { accounts, requests } = accountsOver(states.map((status) => ({ status })));
    expect((await accounts.waitUntilActive("ca_1")).status).toBe("ACTIVE");
    expect(requests).toHaveLength(5);
  });

  test("pauses grow from one second to at most five and are jittered", async () => {
    const replies = [...Array.from({ length: 7 }, () => ({ status: "INITIATED" })), { status: "ACTIVE" }];
    const least = accountsOver(replies);
    const most = accountsOver(replies, { random: 0.999_999 });
    await least.accounts.waitUntilActive("ca_1");
    await most.accounts.waitUntilActive("ca_1");
    expect(least.clock.slept).toEqual([1_000, 1_500, 2_250, 3_375, 4_000, 4_000, 4_000]);
    expect(most.clock.slept[0]).toBeCloseTo(1_250, 0);
    expect(Math.max(...most.clock.slept)).toBeLessThan(5_000);
  });

  test("pollMs is the pause between two requests", async () => {
    const { accounts, clock } = accountsOver([...Array(3).fill({ status: "INITIATED" }), { status: "ACTIVE" }]);
    await accounts.waitUntilActive("ca_1", { pollMs: 200 });
    expect(clock.slept).toEqual([200, 200, 200]);
    for (const pollMs of [0, -1, Number.NaN, "200"]) {
      const error = await caught(accounts.waitUntilActive("ca_1", { pollMs: pollMs as number }));
      expect(error).toBeInstanceOf(ValidationError);
      expect(String(error)).toContain("connectedAccounts.waitUntilActive: pollMs must be a number from 1");
    }
  });

  const response = (status: number, headers: Record<string, string> = {}, body: object = {}) =>
    Response.json(body, { status, headers });

  test("an outage of the service is waited out", async () => {
    const broken = new Response("<html>", { status: 200 });
    const outage = [503, 502, 500, 429, 408].map((status) => response(status));
    const { accounts, requests } = accountsOver([...outage, broken, ...outage, { status: "ACTIVE" }]);
    expect((await accounts.waitUntilActive("ca_1", { maxRetries: 0, pollMs: 100 })).status).toBe("ACTIVE");
    expect(requests).toHaveLength(12);
  });

  test("an outage that lasts ends the wait at its deadline, with the last failure", async () => {
    const { accounts, clock } = accountsOver([response(503)]);
    const error = await caught(accounts.waitUntilActive("ca_1", { deadlineMs: 15_000 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ cause: { name: "ServerError", status: 503 } });
    expect(String(error)).toContain("the last request failed: connectedAccounts.get: 503");
    expect(clock.monotonic()).toBe(15_000);
  });

  test.each([
    [200, { status: "INITIATED" }],
    [503, {}],
  ])("a %d with Retry-After is obeyed", async (status, body) => {
    const later = response(status, { "retry-after": "7" }, body);
    const { accounts, clock } = accountsOver([later, { status: "ACTIVE" }]);
    await accounts.waitUntilActive("ca_1", { maxRetries: 0, pollMs: 100 });
    expect(clock.slept).toEqual([7_000]);
  });

  test("a wait beyond the deadline ends immediately", async () => {
    const { accounts, clock, requests } = accountsOver([response(503, { "retry-after": "61" })]);
    expect(await caught(accounts.waitUntilActive("ca_1"))).toBeInstanceOf(TimeoutError);
    expect(clock.slept).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  test.each(["FAILED", "EXPIRED", "REVOKED"])("%s rejects with status and reason", async (status) => {
    const { accounts, requests } = accountsOver([
      { status: "INITIATED" },
      { status, status_reason: "Max auth failures" },
    ]);
    const error = await caught(accounts.waitUntilActive("ca_1"));
    expect(error).toBeInstanceOf(ConnectionStateError);
    expect(error).toMatchObject({ connectedAccountId: "ca_1", status, reason: "Max auth failures" });
    expect(String(error)).toContain(`ca_1 is ${status} (Max auth failures).`);
    expect(requests).toHaveLength(2);
  });

  test("a missing reason is undefined", async () => {
    const { accounts } = accountsOver([{ status: "FAILED", status_reason: null }]);
    expect(await caught(accounts.waitUntilActive("ca_1"))).toMatchObject({ reason: undefined });
  });

  test("times out at its deadline, 60 seconds by default, after a last request just before", async () => {
    const { accounts, clock } = accountsOver([{ status: "INITIALIZING" }]);
    const error = await caught(accounts.waitUntilActive("ca_1"));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      operation: "connectedAccounts.waitUntilActive",
      timeoutMs: 60_000,
      option: "deadlineMs",
    });
    expect(error).toHaveProperty("cause.status", "INITIALIZING");
    expect(clock.slept.slice(-2)).toEqual([expect.any(Number), 500]);
    expect(clock.monotonic()).toBe(60_000);
  });

  test("errors of its requests have its own name in their message", async () => {
    const { accounts } = accountsOver([{ status: "ACTIVE" }]);
    // @ts-expect-error: a deadline has another name.
    const error = await caught(accounts.waitUntilActive("ca_1", { timeout: 5 }));
    expect(String(error)).toContain("connectedAccounts.waitUntilActive: Unknown option timeout.");
  });

  test.each([null, 5_000, Promise.resolve({ deadlineMs: 5_000 })])(
    "options that aren't an object (%s) are rejected before anything is sent",
    async (options) => {
      const { accounts, requests } = accountsOver([{ status: "ACTIVE" }]);
      // @ts-expect-error: such options pass only unchecked.
      const error = await caught(accounts.waitUntilActive("ca_1", options));
      expect(String(error)).toContain(
        "connectedAccounts.waitUntilActive: the options must be an object, such as { signal }.",
      );
      expect(requests).toEqual([]);
    },
  );

  test("slow responses count against the deadline", async () => {
    const { accounts, clock, requests } = accountsOver([{ status: "INITIATED" }], { takesMs: 3_000 });
    const error = await caught(accounts.waitUntilActive("ca_1", { deadlineMs: 6_000 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(requests).toHaveLength(2);
    expect(clock.slept).toEqual([1_000]);
  });

  test("an abort during a pause rejects with the caller's own reason and stops polling", async () => {
    const caller = new AbortController();
    const reason = { because: "the user left" };
    const { accounts, clock, requests } = accountsOver([{ status: "INITIATED" }]);
    const slept = clock.slept.push.bind(clock.slept);
    clock.slept.push = (ms) => {
      caller.abort(reason);
      return slept(ms);
    };
    expect(await caught(accounts.waitUntilActive("ca_1", { signal: caller.signal }))).toBe(reason);
    expect(requests).toHaveLength(1);
  });

  test("an unknown account rejects immediately", async () => {
    const missing = Response.json({ error: { message: "not found", code: 606, status: 404 } }, { status: 404 });
    const { accounts, requests } = accountsOver([missing]);
    const error = await caught(accounts.waitUntilActive("ca_1"));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ condition: "connected_account_not_found" });
    expect(requests).toHaveLength(1);
  });

  test("options of the call apply to every request", async () => {
    const { accounts, requests } = accountsOver([{ status: "INITIATED" }, { status: "ACTIVE" }]);
    await accounts.waitUntilActive("ca_1", { headers: { "x-request-id": "r1" } });
    expect(requests.map(({ headers }) => headers.get("x-request-id"))).toEqual(["r1", "r1"]);
  });

  test("an invalid deadline rejects before anything is sent", async () => {
    const { accounts, requests } = accountsOver([{ status: "ACTIVE" }]);
    expect(await caught(accounts.waitUntilActive("ca_1", { deadlineMs: 0 }))).toBeInstanceOf(ValidationError);
    expect(requests).toHaveLength(0);
  });
});
