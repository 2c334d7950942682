import { describe, expect, test } from "vitest";
import { createEmulator } from "../../../src/emulator/index.js";
import { FRONTS, type RawAnswer } from "../fronts.js";

const LIST = "/api/v3.1/tools";

function windowOf({ headers }: RawAnswer) {
  return ["x-ratelimit", "x-ratelimit-remaining", "x-ratelimit-window-size"].map((name) => headers.get(name));
}

describe.each(FRONTS)("rate limit %s", (_, open) => {
  test("is the Hobby plan's by default: 2,000 in 60 seconds", async () => {
    const { raw } = await open();
    expect(windowOf(await raw("GET", LIST))).toEqual(["2000", "1999", "60s"]);
    expect(windowOf(await raw("GET", LIST))).toEqual(["2000", "1998", "60s"]);
  });

  test("sends its headers with every response, whatever the status", async () => {
    const { raw, emulator } = await open({ rateLimit: { limit: 10, windowSeconds: 2 } });
    const headers = { "x-api-key": "ak_emulator" };
    const answers = [
      await raw("GET", LIST, { headers: {} }),
      await raw("GET", "/api/v3.1/nothing/here"),
      await raw("GET", "/elsewhere"),
      await raw("POST", "/api/v3/auth_configs", { headers: { "x-api-key": "ak_readonly" }, body: {} }),
      await raw("GET", "/api/v3.1/tools/NOPE"),
      await raw("POST", "/api/v3/auth_configs", { headers, body: {} }),
      await raw("PATCH", "/api/v1/integrations/integration-demo", { headers, body: {} }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 404, 404, 403, 404, 400, 204]);
    const left = answers.map((answer) => windowOf(answer));
    expect(left.map(([limit, , size]) => [limit, size])).toEqual(answers.map(() => ["10", "2s"]));
    expect(left.map(([, remaining]) => remaining)).toEqual(["10", "10", "10", "10", "9", "8", "7"]);
    emulator.faults.next("tools.list", { status: 503 });
    expect(windowOf(await raw("GET", LIST))).toEqual(["10", "7", "2s"]);
  });

  test("returns a bare message with Retry-After above the limit, and runs nothing", async () => {
    const { raw, emulator } = await open({ rateLimit: { limit: 1 } });
    const headers = { "x-api-key": "ak_emulator" };
    await raw("GET", LIST);
    const before = emulator.snapshot()["authConfigs"];
    emulator.clock.advance("12.5s");
    const refused = await raw("POST", "/api/v3/auth_configs", { headers, body: { toolkit: { slug: "github" } } });
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({ message: "Rate limit exceeded. Limit: 1 requests per 60 seconds" });
    expect(refused.headers.get("retry-after")).toBe("48");
    expect(windowOf(refused)).toEqual(["1", "0", "60s"]);
    expect(emulator.snapshot()["authConfigs"]).toEqual(before);
  });

  test("starts a window if a restored one was started by a clock that was ahead", async () => {
    const rateLimit = { limit: 1 };
    const later = createEmulator({ rateLimit, clock: { start: "2030-01-01T00:00:00Z" } });
    await later.fetch(new Request(`${later.connection.baseUrl}${LIST}`, { headers: { "x-api-key": "ak_emulator" } }));
    const { raw, emulator } = await open({ rateLimit });
    // Snapshots of earlier versions have no time.
    emulator.restore({ ...later.snapshot(), clock: { ms: 0 } });
    expect(await raw("GET", LIST)).toMatchObject({ status: 200 });
    expect((await raw("GET", LIST)).headers.get("retry-after")).toBe("60");
  });

  test("resets by the clock, not with each request", async () => {
    const { raw, emulator } = await open({ rateLimit: { limit: 2, windowSeconds: 10 } });
    await raw("GET", LIST);
    emulator.clock.advance("9s");
    expect(windowOf(await raw("GET", LIST))[1]).toBe("0");
    expect(await raw("GET", LIST)).toMatchObject({ status: 429 });
    emulator.clock.advance("1s");
    expect(windowOf(await raw("GET", LIST, { headers: {} }))[1]).toBe("2");
    expect(windowOf(await raw("GET", LIST))[1]).toBe("1");
  });

  test("starts a window with the first request after the last one ended", async () => {
    const { raw, emulator } = await open({ rateLimit: { limit: 1, windowSeconds: 10 } });
    emulator.clock.advance("25s");
    await raw("GET", LIST);
    emulator.clock.advance("9s");
    const refused = await raw("GET", LIST);
    expect(refused.headers.get("retry-after")).toBe("1");
    emulator.clock.advance("1s");
    expect(await raw("GET", LIST)).toMatchObject({ status: 200 });
  });

  test("doesn't count unauthenticated requests", async () => {
    const { raw, emulator } = await open({ rateLimit: { limit: 1, windowSeconds: 10 } });
    for (const headers of [{}, { "x-api-key": "ak_wrong" }]) await raw("GET", LIST, { headers });
    emulator.clock.advance("9s");
    await raw("GET", LIST);
    emulator.clock.advance("9s");
    expect(await raw("GET", LIST)).toMatchObject({ status: 429 });
    expect(await raw("GET", LIST, { headers: {} })).toMatchObject({ status: 401 });
  });

  test("is shared by all keys and operations", async () => {
    const { client, raw } = await open({ rateLimit: { limit: 2 } });
    await client({}).session.info();
    await client({ userApiKey: undefined }).tools.listSlugs();
    expect(await raw("GET", LIST)).toMatchObject({ status: 429 });
  });

  test("is reported to the client, with the time until its reset", async () => {
    const { svc, client } = await open({ rateLimit: { limit: 1, windowSeconds: 7 } });
    await svc.tools.listSlugs();
    await expect(client({}).tools.listSlugs()).rejects.toMatchObject({
      name: "RateLimitError",
      isServiceLimit: true,
      retryAfterMs: 7_000,
      rateLimit: { limit: 1, remaining: 0, windowMs: 7_000 },
    });
  });
});

describe("options of the rate limit", () => {
  test.each([
    { limit: 0 },
    { limit: -1 },
    { limit: 1.5 },
    { limit: Number.NaN },
    { windowSeconds: 0 },
    { windowSeconds: 0.5 },
    { windowSeconds: Number.POSITIVE_INFINITY },
  ])("rejects %j", (rateLimit) => {
    expect(() => createEmulator({ rateLimit })).toThrow(
      /rateLimit\.(limit|windowSeconds): expected a positive integer/,
    );
  });
});
