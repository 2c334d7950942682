import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEmulator, type Emulator, type InjectedFault } from "../../../src/emulator/index.js";
import { startEmulator } from "../../../src/emulator/node.js";
import { eventually } from "../../support/eventually.js";
import { FRONTS, testSeed } from "../fronts.js";

const LIST = "/api/v3.1/tools";
const CONFIGS = "/api/v3/auth_configs";
const headers = { "x-api-key": "ak_emulator" };
const github = { headers, body: { toolkit: { slug: "github" } } };

type Steered = Pick<Emulator, "snapshot">;

function countAuthConfigs(emulator: Steered): number {
  const records = emulator.snapshot()["authConfigs"];
  return Array.isArray(records) ? records.length : Number.NaN;
}

/** Resolves when the first fault has hit: its request has arrived. */
function firstFaultTaken(emulator: Steered): Promise<void> {
  const taken = () => expect(emulator.snapshot()["faults"]).toMatchObject({ rules: { 0: { remaining: 0 } } });
  return eventually(taken);
}

test("a fault that is added after another was removed has a new id", () => {
  const { faults } = createEmulator();
  for (const status of [500, 501]) faults.next("tools.list", { status });
  const [first] = faults.items;
  faults.remove(first?.id ?? 0);
  faults.next("tools.list", { status: 502 });
  const [second, third] = faults.items;
  expect(third?.id).not.toBe(second?.id);
  faults.remove(third?.id ?? 0);
  expect(faults.items.map(({ fault }) => fault.status)).toEqual([501]);
});

describe.each(FRONTS)("injected faults %s", (_, open) => {
  test.each([200, 204, 302, 304, 400, 401, 403, 404, 408, 409, 410, 413, 418, 422, 500, 501, 502, 503, 504, 529, 599])(
    "returns the status %d",
    async (status) => {
      const { raw, emulator } = await open();
      emulator.faults.next("tools.list", { status });
      const answer = await raw("GET", LIST);
      expect(answer.status).toBe(status);
      expect(answer.headers.get("x-ratelimit-remaining")).toBe("2000");
      expect(await raw("GET", LIST)).toMatchObject({ status: 200 });
    },
  );

  test("returns the service's complete error object without a body", async () => {
    const { raw, emulator } = await open();
    emulator.faults.next("tools.list", { status: 503 });
    const request_id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const error = {
      message: "Injected fault: 503",
      code: 10503,
      slug: "Emulator_InjectedFault",
      status: 503,
      request_id,
    };
    expect((await raw("GET", LIST)).body).toEqual({ error });
  });

  test("returns the rate limiter's bare message for a 429 without a body", async () => {
    const { raw, emulator } = await open();
    emulator.faults.next("tools.list", { status: 429, retryAfterSeconds: 7 });
    const answer = await raw("GET", LIST);
    expect(answer.body).toEqual({ message: "Rate limit exceeded. Limit: 2000 requests per 60 seconds" });
    expect(answer.headers.get("retry-after")).toBe("7");
  });

  test("returns a 429 after the operation as a provider's, which doesn't prove that nothing ran", async () => {
    const { svc, emulator } = await open();
    const run = () =>
      svc.tools.execute("TEXTKIT_REVERSE", { user_id: "u", version: "latest", arguments: { text: "abc" } });
    emulator.faults.next("tools.execute", { status: 429, retryAfterSeconds: 1, when: "after" });
    await expect(run()).rejects.toMatchObject({ status: 429, outcome: "unknown", isServiceLimit: false });
    expect(emulator.tools.calls("TEXTKIT_REVERSE")).toHaveLength(1);
    emulator.faults.next("tools.execute", { status: 429, retryAfterSeconds: 1 });
    await expect(run()).rejects.toMatchObject({ status: 429, outcome: "rejected", isServiceLimit: true });
    expect(emulator.tools.calls("TEXTKIT_REVERSE")).toHaveLength(1);
  });

  test("sends body and headers unchanged, instead of the usual ones", async () => {
    const { raw, emulator } = await open();
    emulator.faults.next("tools.list", {
      status: 502,
      body: "<html>Bad gateway</html>",
      headers: { "Content-Type": "text/html", "X-RateLimit-Remaining": "0", "x-should-retry": "false" },
    });
    const answer = await raw("GET", LIST);
    expect(answer).toMatchObject({ status: 502, text: "<html>Bad gateway</html>" });
    expect(answer.headers.get("content-type")).toBe("text/html");
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(answer.headers.get("x-should-retry")).toBe("false");
    emulator.faults.next("tools.list", { status: 400, body: { message: "flat", code: 7 } });
    expect((await raw("GET", LIST)).body).toEqual({ message: "flat", code: 7 });
  });

  test("doesn't run the operation before, runs it and replaces the response after", async () => {
    const { raw, emulator } = await open();
    const atStart = countAuthConfigs(emulator);
    emulator.faults.next("authConfigs.create", { status: 500 });
    expect(await raw("POST", CONFIGS, github)).toMatchObject({ status: 500 });
    expect(countAuthConfigs(emulator)).toBe(atStart);
    emulator.faults.next("authConfigs.create", { status: 500, when: "after" });
    expect(await raw("POST", CONFIGS, github)).toMatchObject({ status: 500 });
    expect(countAuthConfigs(emulator)).toBe(atStart + 1);
  });

  test("counts only requests of the operation for times", async () => {
    const { raw, emulator } = await open();
    emulator.faults.next("tools.list", { status: 503 }, { times: 2 });
    const statuses = [];
    for (const path of [LIST, CONFIGS, LIST, "/api/v3.1/tools/enum", LIST]) {
      statuses.push((await raw("GET", path)).status);
    }
    expect(statuses).toEqual([503, 200, 503, 200, 200]);
  });

  test("queues faults of the same operation", async () => {
    const { raw, emulator } = await open();
    emulator.faults.next("tools.list", { status: 500 });
    emulator.faults.next("tools.list", { status: 502 });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await raw("GET", LIST)).status);
    expect(statuses).toEqual([500, 502, 200]);
  });

  test("applies to every nth request, unlimited or a number of times, whatever else applies", async () => {
    const { raw, emulator } = await open();
    emulator.faults.next("tools.list", { status: 500 });
    emulator.faults.every(2, "*", { status: 503 }, { times: 2 });
    const statuses = [];
    for (let n = 0; n < 7; n += 1) statuses.push((await raw("GET", n === 2 ? CONFIGS : LIST)).status);
    expect(statuses).toEqual([500, 503, 200, 503, 200, 200, 200]);
  });

  test("removes all faults with clear", async () => {
    const { raw, emulator } = await open();
    emulator.faults.every(1, "*", { status: 503 });
    emulator.faults.clear();
    expect(await raw("GET", LIST)).toMatchObject({ status: 200 });
  });

  test("delays by the emulator's clock, then responds as usual", async () => {
    const { raw, emulator } = await open();
    emulator.faults.next("tools.list", { delayMs: 60_000 });
    emulator.faults.next("tools.listSlugs", { delayMs: 0, status: 504 });
    let isAnswered = false;
    const answer = raw("GET", LIST).finally(() => {
      isAnswered = true;
    });
    await firstFaultTaken(emulator);
    expect(await raw("GET", "/api/v3.1/tools/enum")).toMatchObject({ status: 504 });
    expect(isAnswered).toBe(false);
    emulator.clock.advance("59s");
    expect(await raw("GET", CONFIGS)).toMatchObject({ status: 200 });
    expect(isAnswered).toBe(false);
    emulator.clock.advance("1s");
    expect(await answer).toMatchObject({ status: 200 });
    expect(emulator.requests.at(-1)).toMatchObject({ operation: "tools.list", fault: "delay" });
  });

  test("resets the connection without a response, before the operation runs", async () => {
    const { svc, emulator } = await open();
    const before = emulator.snapshot()["authConfigs"];
    emulator.faults.next("authConfigs.create", { connection: "reset" });
    await expect(svc.authConfigs.create({ toolkit: { slug: "github" } })).rejects.toMatchObject({
      name: "ConnectionError",
      code: "ECONNRESET",
      outcome: "unknown",
    });
    expect(emulator.snapshot()["authConfigs"]).toEqual(before);
    expect(emulator.requests.at(-1)).toMatchObject({ operation: "authConfigs.create", fault: "reset" });
    expect(emulator.requests.at(-1)?.status).toBeUndefined();
  });

  test("hangs until the caller's timeout", async () => {
    const { svc, emulator } = await open();
    emulator.faults.next("tools.listSlugs", { connection: "hang" });
    await expect(svc.tools.listSlugs({ timeoutMs: 30 })).rejects.toMatchObject({
      name: "TimeoutError",
      phase: "headers",
    });
    expect(await svc.tools.listSlugs()).toContain("TEXTKIT_REVERSE");
  });

  test("truncates a response in its body, after the operation ran", async () => {
    const { svc, emulator } = await open();
    const before = countAuthConfigs(emulator);
    emulator.faults.next("authConfigs.create", { connection: "truncate" });
    await expect(svc.authConfigs.create({ toolkit: { slug: "github" } })).rejects.toMatchObject({
      name: "ConnectionError",
      phase: "body",
      outcome: "unknown",
    });
    expect(countAuthConfigs(emulator)).toBe(before + 1);
  });

  test("resets the connection if there's no body to truncate", async () => {
    const { svc, emulator } = await open();
    emulator.faults.next("integrations.update", { connection: "truncate" });
    await expect(svc.integrations.update("integration-demo", {})).rejects.toMatchObject({ name: "ConnectionError" });
  });

  test("lets a safe call succeed after retries, and never repeats an effect", async () => {
    const { client, emulator } = await open();
    const clock = {
      now: () => 0,
      monotonic: () => 0,
      random: () => 0,
      sleep: () => Promise.resolve(),
    };
    const svc = client({ maxRetries: 2, clock });
    emulator.faults.next("tools.listSlugs", { connection: "reset" });
    emulator.faults.next("tools.listSlugs", { status: 503 });
    const { meta } = await svc.tools.listSlugs().withResponse();
    expect(meta.attempts).toBe(3);
    emulator.faults.next("authConfigs.create", { status: 503, when: "after" });
    const created = svc.authConfigs.create({ toolkit: { slug: "github" } });
    await expect(created).rejects.toMatchObject({ status: 503, attempts: 1, outcome: "unknown" });
  });
});

describe("a caller that aborts", () => {
  test("gets its own abort reason in process, and the delay ends", async () => {
    const emulator = createEmulator({ seed: testSeed });
    emulator.faults.next("tools.list", { delayMs: 1_000 }, { times: 2 });
    const url = emulator.connection.baseUrl + LIST;
    const controller = new AbortController();
    const waiting = emulator.fetch(url, { headers, signal: controller.signal });
    controller.abort(new Error("changed my mind"));
    await expect(waiting).rejects.toThrow("changed my mind");
    await expect(emulator.fetch(url, { signal: controller.signal })).rejects.toThrow("changed my mind");
    expect(emulator.requests).toHaveLength(1);
  });

  test.each([
    ["before", 0],
    ["after", 1],
  ] as const)("in a delay %s the operation leaves it as often run: %i times", async (when, times) => {
    const emulator = createEmulator({ seed: testSeed });
    const before = countAuthConfigs(emulator);
    emulator.faults.next("authConfigs.create", { delayMs: 3_600_000, when });
    const controller = new AbortController();
    const { signal } = controller;
    const body = JSON.stringify(github.body);
    const json = { ...headers, "content-type": "application/json" };
    const waiting = emulator.fetch(emulator.connection.baseUrl + CONFIGS, {
      method: "POST",
      headers: json,
      body,
      signal,
    });
    await firstFaultTaken(emulator);
    await eventually(() => expect(countAuthConfigs(emulator) - before).toBe(times));
    controller.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    expect(countAuthConfigs(emulator) - before).toBe(times);
  });

  test("doesn't block closing a port with a delayed request", async () => {
    const emulator = await startEmulator({ seed: testSeed });
    emulator.faults.next("tools.list", { delayMs: 3_600_000 });
    const refused = expect(fetch(emulator.url + LIST, { headers })).rejects.toThrow("fetch failed");
    await firstFaultTaken(emulator);
    await emulator.close();
    await refused;
  });
});

describe("broken connections on a port, byte by byte", () => {
  async function exchange(fault: InjectedFault): Promise<{ text: string; error: string | undefined }> {
    const emulator = await startEmulator({ seed: testSeed });
    onTestFinished(() => emulator.close());
    emulator.faults.next("tools.listSlugs", fault);
    const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1");
    const seen: { text: string; error: string | undefined } = { text: "", error: undefined };
    socket.setEncoding("utf8").on("data", (part: string) => {
      seen.text += part;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      seen.error = error.code;
    });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write("GET /api/v3.1/tools/enum HTTP/1.1\r\nhost: localhost\r\nx-api-key: ak_emulator\r\n\r\n");
    await closed;
    return seen;
  }

  test("sends nothing and resets the socket", async () => {
    expect(await exchange({ connection: "reset" })).toEqual({ text: "", error: "ECONNRESET" });
  });

  test("announces the whole length of a truncated response and sends half of it", async () => {
    const { text } = await exchange({ connection: "truncate" });
    const [head = "", body = ""] = text.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(head).toMatch(/x-ratelimit-remaining: 1999/i);
    const announced = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(body).toHaveLength(Math.floor(announced / 2));
    expect(body).toMatch(/^\["GITHUB_CREATE_AN_ISSUE"/);
  });
});

describe("a running clock", () => {
  test("ends a delay automatically", async () => {
    const emulator = await startEmulator({ seed: testSeed });
    onTestFinished(() => emulator.close());
    emulator.faults.every(1, "tools.list", { delayMs: 5 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(emulator.url + LIST, { headers })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});
