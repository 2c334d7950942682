import { describe, expect, test } from "vitest";
import { Core } from "../src/core/client.js";
import type { Clock } from "../src/core/options/clock.js";
import { resolveSettings } from "../src/core/options/settings.js";
import { NotFoundError } from "../src/errors/api-error.js";
import { TimeoutError } from "../src/errors/connection.js";
import { ValidationError } from "../src/errors/local.js";
import { canUseSharedConnection } from "../src/resources/connected-accounts/acl.js";
import { parseConnectCallback } from "../src/resources/connected-accounts/callback.js";
import { ConnectedAccounts } from "../src/resources/connected-accounts/connected-accounts.js";
import { ConnectionStateError } from "../src/resources/connected-accounts/connection-state-error.js";
import type { SharedConnectionAcl } from "../src/resources/connected-accounts/schema.js";

describe("canUseSharedConnection", () => {
  const lists = [undefined, [], ["user"], ["somebody else"]];
  const acls: SharedConnectionAcl[] = [undefined, false, true].flatMap((allow_all_users) =>
    lists.flatMap((allowed_user_ids) =>
      lists.map((not_allowed_user_ids) => ({
        ...(allow_all_users !== undefined && { allow_all_users }),
        ...(allowed_user_ids && { allowed_user_ids }),
        ...(not_allowed_user_ids && { not_allowed_user_ids }),
      })),
    ),
  );

  test("the table contains every combination", () => {
    expect(new Set(acls.map((acl) => JSON.stringify(acl))).size).toBe(48);
  });

  test.each(acls)("%j allows its creator", (acl) => {
    expect(canUseSharedConnection(acl, { userId: "user", creatorId: "user" })).toBe(true);
  });

  // The resolution, line by line as in the specification.
  const expected = (acl: SharedConnectionAcl): "ALLOW" | "DENY" => {
    if (acl.not_allowed_user_ids?.[0] === "user") return "DENY";
    if (acl.allow_all_users) return "ALLOW";
    if (acl.allowed_user_ids?.[0] === "user") return "ALLOW";
    return "DENY";
  };

  test.each(acls.map((acl) => ({ acl, decision: expected(acl) })))(
    "$acl results in $decision for another user",
    (row) => {
      expect(canUseSharedConnection(row.acl, { userId: "user", creatorId: "creator" })).toBe(row.decision === "ALLOW");
    },
  );

  test.each([undefined, null, {}])("without a config (%s), only the creator may use it", (acl) => {
    expect(canUseSharedConnection(acl, { userId: "user", creatorId: "creator" })).toBe(false);
    expect(canUseSharedConnection(acl, { userId: "creator", creatorId: "creator" })).toBe(true);
  });

  test.each([undefined, null, ""])(
    "a missing user (%j) may not use it, even if the creator is missing too",
    (missing) => {
      for (const acl of [undefined, { allow_all_users: true }]) {
        // @ts-expect-error: a JavaScript program may get both from a session and an event that lack them.
        expect(canUseSharedConnection(acl, { userId: missing, creatorId: missing })).toBe(false);
      }
    },
  );

  test("a denied user stays denied if all users are allowed and the list of allowed users includes them", () => {
    const acl = { allow_all_users: true, allowed_user_ids: ["user"], not_allowed_user_ids: ["user"] };
    expect(canUseSharedConnection(acl, { userId: "user", creatorId: "creator" })).toBe(false);
  });
});

describe("parseConnectCallback", () => {
  const at = (query: string) => parseConnectCallback(`https://app.example/done${query}`);

  test("a success with an id is recognized", () => {
    expect(at("?theme=dark&status=success&connected_account_id=ca_1")).toEqual({
      kind: "success",
      connectedAccountId: "ca_1",
    });
  });

  test("a failure is recognized with or without an id", () => {
    expect(at("?status=failed&connected_account_id=ca_1")).toEqual({ kind: "failed", connectedAccountId: "ca_1" });
    expect(at("?status=failed")).toEqual({ kind: "failed", connectedAccountId: undefined });
  });

  test.each(["?connected_account_id=ca_1", "?status=&connected_account_id=ca_1"])(
    "an id alone (%s) isn't a success",
    (query) => {
      expect(at(query)).toMatchObject({
        kind: "incomplete",
        connectedAccountId: "ca_1",
        problem: "status is missing.",
      });
    },
  );

  test("a success without an id is incomplete", () => {
    expect(at("?status=success&connected_account_id=")).toMatchObject({
      kind: "incomplete",
      status: "success",
      problem: "connected_account_id is missing.",
    });
  });

  test("an unknown status is returned as it is", () => {
    expect(at("?status=SUCCESS&connected_account_id=ca_1")).toEqual({
      kind: "unknown",
      status: "SUCCESS",
      connectedAccountId: "ca_1",
    });
  });

  test.each([
    "?status=failed&status=success&connected_account_id=ca_1",
    "?status=success&connected_account_id=ca_1&connected_account_id=ca_2",
  ])("contradictory values (%s) aren't a success", (query) => {
    expect(at(query).kind).toBe("incomplete");
  });

  test("the same value twice isn't contradictory", () => {
    expect(at("?status=success&status=success&connected_account_id=ca_1").kind).toBe("success");
  });

  test("a URL and Node's path with query have the same result", () => {
    const query = "?status=success&connected_account_id=ca_%2F1";
    const result = { kind: "success", connectedAccountId: "ca_/1" };
    expect(parseConnectCallback(new URL(`https://app.example/${query}`))).toEqual(result);
    expect(parseConnectCallback(`/done${query}`)).toEqual(result);
  });

  test("an invalid URL rejects without being quoted", () => {
    const parse = () => parseConnectCallback("https://[secret");
    expect(parse).toThrow(ValidationError);
    expect(parse).not.toThrow(/secret/);
  });
});

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
  const settings = resolveSettings({ baseUrl: "https://svc.example", apiKey: "ak_1", fetch, clock, environment: {} });
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
    expect(clock.monotonic()).toBe(59_500);
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
      expect(String(error)).toContain("connectedAccounts.waitUntilActive: the options of a call must be an object.");
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
