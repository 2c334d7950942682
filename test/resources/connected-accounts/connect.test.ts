import { describe, expect, test, vi } from "vitest";
import { ConnectionStateError, parseConnectCallback, TimeoutError, ValidationError } from "../../../src/index.js";
import { emulated, rejectionOf } from "../../support/client.js";
import { fakeClock, heldClock } from "../../support/clock.js";

const CALLBACK = "https://app.example/connected?theme=dark";

/** A client whose user is sent to GitHub, and control over what happens while the client waits. */
async function linking() {
  const during: (() => Promise<unknown> | undefined)[] = [];
  const { emulator, svc: setup } = emulated();
  const clock = fakeClock(emulator);
  const sleep = async (ms: number, signal?: AbortSignal) => {
    await clock.sleep(ms, signal);
    await during.shift()?.();
  };
  const { svc } = emulated({ ...emulator.connection, clock: { ...clock, sleep } });
  const link = await setup.connectedAccounts.link({
    auth_config_id: "ac_github_demo",
    user_id: "ada",
    callback_url: CALLBACK,
  });
  const page = (outcome: "complete" | "fail") => emulator.fetch(`${link.redirect_url}/${outcome}`, { method: "POST" });
  return { emulator, svc, clock, link, id: link.connected_account_id, page, during };
}

describe("a user who connects an account", () => {
  test("goes to the page, returns with a success, and has an ACTIVE account", async () => {
    const { svc, link, id, page } = await linking();
    expect(new URL(link.redirect_url).pathname).toMatch(/^\/link\/lk_/);

    const left = await page("complete");
    const address = left.headers.get("location") ?? "";
    expect(address.startsWith(`${CALLBACK}&`)).toBe(true);
    expect(parseConnectCallback(address)).toEqual({ kind: "success", connectedAccountId: id });

    const account = await svc.connectedAccounts.waitUntilActive(id);
    expect(account).toMatchObject({ id, user_id: "ada", status: "ACTIVE" });
  });

  test("returns with a failure after declining, and the wait reports the reason", async () => {
    const { svc, id, page } = await linking();
    const address = (await page("fail")).headers.get("location") ?? "";
    expect(parseConnectCallback(address)).toEqual({ kind: "failed", connectedAccountId: id });

    const error = await rejectionOf(ConnectionStateError, svc.connectedAccounts.waitUntilActive(id));
    expect(error).toMatchObject({ connectedAccountId: id, status: "FAILED" });
    expect(error.reason).toBe("OAuth callback failed during token exchange");
  });

  test("can't forge a callback: the account's status differs from the URL's", async () => {
    const { svc, id } = await linking();
    const forged = parseConnectCallback(`${CALLBACK}&status=success&connected_account_id=${id}`);
    expect(forged.kind).toBe("success");
    await rejectionOf(TimeoutError, svc.connectedAccounts.waitUntilActive(id, { deadlineMs: 5_000 }));
  });
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["a word", "garbage"],
  ["a request", new Request(CALLBACK)],
  ["parsed parameters", { status: "success", connected_account_id: "ca_1" }],
])("parseConnectCallback rejects %s", (_, address) => {
  // JavaScript programs can pass this.
  expect(() => parseConnectCallback(address as string)).toThrow(
    /isn't a URL\. Pass the full URL.*for a Request, pass its url/,
  );
});

test("parseConnectCallback accepts Node's path with query, a URL object, and a custom scheme", () => {
  const success = { kind: "success", connectedAccountId: "ca_1" };
  const query = "?status=success&connected_account_id=ca_1";
  const ofFramework = { href: `https://app.example/cb${query}` };
  const deep = `myapp://connected${query}`;
  for (const address of [`/connected${query}`, query, deep, new URL(query, CALLBACK), ofFramework as URL]) {
    expect(parseConnectCallback(address)).toEqual(success);
  }
});

describe("waitUntilActive", () => {
  test("rejects a deadline of null", async () => {
    const { svc, id } = await linking();
    // JavaScript programs can pass this.
    const wait = svc.connectedAccounts.waitUntilActive(id, { deadlineMs: null as unknown as number });
    expect((await rejectionOf(ValidationError, wait)).message).toContain("deadlineMs must be a number");
  });

  test("resolves when the page is completed while it waits", async () => {
    const { emulator, svc, id, page, during } = await linking();
    during.push(
      () => undefined,
      () => undefined,
      () => page("complete"),
    );
    expect((await svc.connectedAccounts.waitUntilActive(id)).status).toBe("ACTIVE");
    const looks = emulator.requests.filter(({ operation }) => operation === "connectedAccounts.get");
    expect(looks).toHaveLength(4);
  });

  test("rejects after the page expired unused in ten minutes", async () => {
    const { svc, id } = await linking();
    const wait = svc.connectedAccounts.waitUntilActive(id, { deadlineMs: 900_000 });
    const error = await rejectionOf(ConnectionStateError, wait);
    expect(error.status).toBe("EXPIRED");
    expect(error.reason).toBe("Connection initiation did not complete within 10 minutes");
  });

  test("waits until the deadline, however short", async () => {
    const { svc, id, clock } = await linking();
    for (const deadlineMs of [20, 500, 1_200]) {
      const startedAt = clock.monotonic();
      await rejectionOf(TimeoutError, svc.connectedAccounts.waitUntilActive(id, { deadlineMs }));
      expect(clock.monotonic() - startedAt).toBeGreaterThanOrEqual(deadlineMs);
    }
  });

  test("rejects when the credentials were revoked", async () => {
    const { svc, id, page, during } = await linking();
    // Completed, and revoked before the next poll.
    during.push(async () => {
      await page("complete");
      await svc.connectedAccounts.revoke(id);
    });
    const error = await rejectionOf(ConnectionStateError, svc.connectedAccounts.waitUntilActive(id));
    expect(error.status).toBe("REVOKED");
    expect(error.message).toContain("connectedAccounts.link");
  });

  test("rejects when a refresh has failed permanently", async () => {
    const { emulator, svc, id, page } = await linking();
    await page("complete");
    emulator.accounts.expire(id);
    const error = await rejectionOf(ConnectionStateError, svc.connectedAccounts.waitUntilActive(id));
    expect(error).toMatchObject({ status: "EXPIRED", reason: "Permanent auth error during token refresh" });
  });

  test("polls less and less often, at most once a second", async () => {
    const { emulator, svc, id } = await linking();
    await rejectionOf(TimeoutError, svc.connectedAccounts.waitUntilActive(id));
    const times = emulator.requests
      .filter(({ operation }) => operation === "connectedAccounts.get")
      .map(({ at }) => Date.parse(at));
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    // The last pause is shorter, so the response still arrives.
    const whole = pauses.slice(0, -1);
    expect(Math.min(...whole)).toBeGreaterThanOrEqual(1_000);
    expect(whole).toEqual(whole.toSorted((one, other) => one - other));
    expect(times.length).toBeLessThan(20);
  });

  test("spreads two waits that started together", async () => {
    const pausesOf = async (random: number) => {
      const { emulator, id } = await linking();
      const clock = { ...fakeClock(emulator), random: () => random };
      const { svc } = emulated({ ...emulator.connection, clock });
      await rejectionOf(TimeoutError, svc.connectedAccounts.waitUntilActive(id, { deadlineMs: 20_000 }));
      return clock.slept;
    };
    const [one, other] = [await pausesOf(0.1), await pausesOf(0.9)];
    expect(one.slice(0, 3).every((ms, index) => ms !== other[index])).toBe(true);
  });

  test("aborts during a pause with the caller's own reason, and stops polling", async () => {
    const { emulator, id } = await linking();
    const clock = heldClock();
    const { svc } = emulated({ ...emulator.connection, clock });
    const caller = new AbortController();
    const reason = { because: "the user closed the window" };
    const wait = svc.connectedAccounts.waitUntilActive(id, { signal: caller.signal });
    await vi.waitUntil(() => clock.waiting === 1);
    caller.abort(reason);
    await expect(wait).rejects.toBe(reason);
    expect(clock.waiting).toBe(0);
    expect(emulator.requests.filter(({ operation }) => operation === "connectedAccounts.get")).toHaveLength(1);
  });
});
