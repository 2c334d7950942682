import { execFile } from "node:child_process";
import { request } from "node:http";
import { connect } from "node:net";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEmulator } from "../../src/emulator/index.js";
import { type RunningEmulator, type StartOptions, startEmulator } from "../../src/emulator/node.js";
import { testSeed } from "./fronts.js";

async function start(options: StartOptions = {}): Promise<RunningEmulator> {
  const emulator = await startEmulator({ seed: testSeed, clock: { running: false }, ...options });
  onTestFinished(() => emulator.close());
  return emulator;
}

const portOf = ({ url }: RunningEmulator) => Number(new URL(url).port);

describe("the port", () => {
  test("is a free one by default, on loopback", async () => {
    const emulator = await start();
    expect(emulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(emulator.connection).toEqual({
      baseUrl: emulator.url,
      apiKey: "ak_emulator",
      userApiKey: "uak_emulator",
      orgApiKey: "oak_emulator",
    });
  });

  test("has brackets in the URL for IPv6 loopback", async () => {
    const emulator = await start({ host: "::1" });
    expect(emulator.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${emulator.url}/_emulator/health`)).status).toBe(200);
  });

  test("is rejected with a ConfigError if it's taken", async () => {
    const port = portOf(await start());
    await expect(startEmulator({ port })).rejects.toMatchObject({
      name: "ConfigError",
      message: `The emulator cannot listen on 127.0.0.1:${port}: the port is taken. Choose another port (svc-sdk emulator --port), or 0 for any free one.`,
    });
  });

  test.each([{ port: 70_000 }, { port: -1 }, { host: "no.such.host.invalid" }, { host: "203.0.113.1" }])(
    "is rejected with a ConfigError: %j",
    async (options) => {
      await expect(startEmulator(options)).rejects.toMatchObject({
        name: "ConfigError",
        message: expect.stringMatching(/^The emulator cannot listen on /),
      });
    },
  );

  test("is rejected with a ConfigError if the host is empty", async () => {
    await expect(startEmulator({ host: "" })).rejects.toMatchObject({
      name: "ConfigError",
      message: "The emulator's host is empty. Use an IP address or host name, such as 127.0.0.1.",
    });
  });

  test("is free immediately after closing with requests in flight, which can be done twice", async () => {
    const emulator = await start();
    const port = portOf(emulator);
    emulator.faults.next("tools.listSlugs", { connection: "hang" });
    const socket = connect(port, "127.0.0.1");
    await new Promise((resolve) => socket.once("connect", resolve));
    const broken = new Promise((resolve) => socket.once("close", resolve));
    const hanging = expect(fetch(`${emulator.url}/api/v3.1/tools/enum`)).rejects.toThrow("fetch failed");
    await emulator.close();
    await broken;
    await hanging;
    await emulator.close();
    expect((await start({ port })).url).toBe(emulator.url);
  });

  test("serves the same emulator as the in-process fetch", async () => {
    const emulator = await start();
    const answer = await emulator.fetch(`${emulator.url}/api/v3.1/tools/enum`, {
      headers: { "x-api-key": "ak_emulator" },
    });
    expect(answer.status).toBe(200);
    expect(emulator.requests).toMatchObject([{ operation: "tools.listSlugs", status: 200 }]);
  });

  test("has a running clock by default", async () => {
    const running = await startEmulator({ seed: testSeed });
    onTestFinished(() => running.close());
    expect(Math.abs(running.clock.now() - Date.now())).toBeLessThan(60_000);
    expect((await start()).clock.iso()).toBe("2026-01-01T00:00:00.000Z");
  });

  test("reports every request to onRequest", async () => {
    const seen: unknown[] = [];
    const emulator = await start({ onRequest: (record) => seen.push(record) });
    await fetch(`${emulator.url}/api/v3.1/tools/enum`);
    await fetch(`${emulator.url}/_emulator/health`);
    expect(seen).toEqual(emulator.requests);
    expect(seen).toMatchObject([
      {
        at: emulator.clock.iso(),
        method: "GET",
        path: "/api/v3.1/tools/enum",
        operation: "tools.listSlugs",
        status: 401,
      },
    ]);
  });
});

describe("the control plane", () => {
  async function control(emulator: RunningEmulator, method: string, path: string, body?: unknown) {
    const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const init = { method, ...(text !== undefined && { body: text }) };
    const answer = await fetch(`${emulator.url}/_emulator${path}`, init);
    return { status: answer.status, body: (await answer.json()) as unknown };
  }

  test("returns the time in health", async () => {
    const emulator = await start();
    expect(await control(emulator, "GET", "/health")).toEqual({
      status: 200,
      body: { status: "ok", now: "2026-01-01T00:00:00.000Z" },
    });
  });

  test("reads and advances the clock", async () => {
    const emulator = await start();
    const now = "2026-01-31T00:00:00.000Z";
    expect(await control(emulator, "POST", "/clock", { advance: "30d" })).toEqual({
      status: 200,
      body: { now, isRunning: false },
    });
    expect(await control(emulator, "GET", "/clock")).toEqual({ status: 200, body: { now, isRunning: false } });
    expect((await control(emulator, "POST", "/clock", { advance: 1_000 })).body).toMatchObject({
      now: "2026-01-31T00:00:01.000Z",
    });
  });

  test("adds, applies, and removes faults", async () => {
    const emulator = await start();
    const list = async () => (await fetch(`${emulator.url}/api/v3.1/tools/enum`)).status;
    const fault = { status: 503 };
    expect(await control(emulator, "POST", "/faults", { operation: "tools.listSlugs", fault })).toEqual({
      status: 200,
      body: {},
    });
    expect([await list(), await list()]).toEqual([503, 401]);
    await control(emulator, "POST", "/faults", { operation: "*", fault, every: 2, times: 1 });
    expect([await list(), await list(), await list(), await list()]).toEqual([401, 503, 401, 401]);
    await control(emulator, "POST", "/faults", { operation: "*", fault, times: 3 });
    await control(emulator, "DELETE", "/faults");
    expect(await list()).toBe(401);
  });

  test("supports snapshot, restore, reset, and requests", async () => {
    const emulator = await start();
    emulator.clock.advance("1h");
    const { body: snapshot } = await control(emulator, "GET", "/snapshot");
    await fetch(`${emulator.url}/api/v3.1/tools/enum`);
    expect((await control(emulator, "GET", "/requests")).body).toMatchObject({
      items: [{ operation: "tools.listSlugs" }],
    });
    expect(await control(emulator, "PUT", "/snapshot", snapshot)).toEqual({ status: 200, body: {} });
    expect((await control(emulator, "GET", "/requests")).body).toEqual({ items: [] });
    expect(emulator.clock.iso()).toBe("2026-01-01T01:00:00.000Z");
    expect(await control(emulator, "POST", "/reset")).toEqual({ status: 200, body: {} });
    expect(emulator.clock.iso()).toBe("2026-01-01T00:00:00.000Z");
  });

  test.each([
    ["POST", "/clock", "{", "body: expected JSON"],
    ["POST", "/clock", {}, /advance: .*received missing/],
    ["POST", "/clock", { advance: "soon" }, /^clock\.advance: expected milliseconds/],
    ["POST", "/clock", { advance: "" }, /^clock\.advance: expected milliseconds/],
    ["POST", "/clock", { by: "1d" }, /by: no such field/],
    ["POST", "/faults", { fault: { status: 500 } }, /operation: expected a string, received missing/],
    ["POST", "/faults", { operation: "tools.exec", fault: { status: 500 } }, /unknown operation tools\.exec/],
    ["POST", "/faults", { operation: "*", fault: { status: 99 } }, /fault\.status: expected at least 200/],
    ["POST", "/faults", { operation: "*", fault: { status: 500 }, times: 0 }, /times: expected a positive integer/],
    ["POST", "/faults", { operation: "*", fault: { status: 500 }, every: -2 }, /every: expected a positive integer/],
    ["POST", "/faults", { operation: "*", fault: { conection: "reset" } }, /fault\.conection: no such field/],
    [
      "POST",
      "/faults",
      { operation: "*", fault: { delay_ms: 5 } },
      /delay_ms: no such field \(did you mean delayMs\?\)/,
    ],
    ["PUT", "/snapshot", {}, /This isn't a snapshot of this emulator version/],
    ["PUT", "/snapshot", [], /expected an object, received array/],
    ["PUT", "/snapshot", `${"[".repeat(1_001)}${"]".repeat(1_001)}`, "body: expected at most 1000 levels"],
    ["POST", "/accounts/ca_github_demo/expire", '{"reason": oops', "body: expected JSON"],
  ])("returns a 400 with the reason for %s %s with %j", async (method, path, body, message) => {
    const emulator = await start();
    const expected = typeof message === "string" ? message : expect.stringMatching(message);
    expect(await control(emulator, method, path, body)).toEqual({ status: 400, body: { message: expected } });
  });

  test("returns a 404 with the path for an unknown route", async () => {
    const emulator = await start();
    expect(await control(emulator, "GET", "/nothing")).toEqual({
      status: 404,
      body: { message: "The control plane doesn't have GET /_emulator/nothing" },
    });
  });

  test.each([
    [{ host: "evil.example.com" }, 403],
    [{ host: "127.0.0.1.evil.example.com" }, 403],
    [{ origin: "https://evil.example.com" }, 403],
    [{ origin: "null" }, 403],
    [{ host: "localhost:1234" }, 200],
    [{ origin: "http://localhost:3000" }, 200],
    [{}, 200],
  ])("responds to a page of another site: headers %j, status %d", async (headers, status) => {
    const emulator = await start();
    const answered = new Promise<[number | undefined, string]>((resolve, reject) => {
      const options = { port: portOf(emulator), path: "/_emulator/health", headers };
      const outgoing = request(options, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        answer.on("end", () => resolve([answer.statusCode, text]));
      });
      outgoing.on("error", reject).end();
    });
    const [seen, text] = await answered;
    expect(seen).toBe(status);
    if (status === 403) expect(text).toContain("The emulator doesn't respond");
  });

  test("exists only on the port: in process, its URL is a 404", async () => {
    const emulator = createEmulator();
    const answer = await emulator.fetch(`${emulator.connection.baseUrl}/_emulator/health`);
    expect(answer.status).toBe(404);
  });
});

test("is usable from another process", async () => {
  const emulator = await start();
  const script = `
    const headers = { "x-api-key": "ak_emulator", "x-times": "1" };
    const base = ${JSON.stringify(emulator.url)};
    await fetch(base + "/_emulator/clock", { method: "POST", body: JSON.stringify({ advance: "2h" }) });
    await fetch(base + "/_emulator/faults", { method: "POST", body: JSON.stringify({ operation: "*", fault: { status: 529 } }) });
    const statuses = [];
    for (let n = 0; n < 2; n += 1) statuses.push((await fetch(base + "/api/v3.1/tools/enum", { headers })).status);
    console.log(JSON.stringify(statuses));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  expect(JSON.parse(stdout)).toEqual([529, 200]);
  expect(emulator.requests).toMatchObject([
    { at: "2026-01-01T02:00:00.000Z", status: 529, fault: "status 529" },
    { at: "2026-01-01T02:00:00.000Z", status: 200 },
  ]);
});

test("an emulator on a port closes at the end of its block with `await using`", async () => {
  const urls: string[] = [];
  {
    await using emulator = await startEmulator();
    urls.push(emulator.url);
    expect((await fetch(`${emulator.url}/_emulator/health`)).status).toBe(200);
  }
  await expect(fetch(`${urls[0]}/_emulator/health`)).rejects.toThrow("fetch failed");
});
