import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type RunningEmulator, type StartOptions, startEmulator } from "../../src/emulator/node.js";
import { Svc } from "../../src/index.js";
import { testSeed } from "./fronts.js";

async function start(options: StartOptions = {}): Promise<RunningEmulator> {
  const emulator = await startEmulator({ seed: testSeed, clock: { running: false }, ...options });
  onTestFinished(() => emulator.close());
  return emulator;
}

interface Sent {
  readonly status: number;
  readonly text: string;
  /** The JSON body, or `undefined`. */
  readonly body: unknown;
}

/** Writes one request to the port as it is, past everything that would correct it. */
async function send(
  { url }: RunningEmulator,
  requestLine: string,
  headers: readonly string[],
  body = "",
): Promise<Sent> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname.replace(/[[\]]/g, ""));
  const length = body === "" ? [] : [`Content-Length: ${body.length}`];
  socket.write([requestLine, ...headers, ...length, "Connection: close", "", body].join("\r\n"));
  let text = "";
  for await (const part of socket.setEncoding("latin1")) text += part;
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
  const [, content = ""] = /\r\n\r\n([\s\S]*)$/.exec(text) ?? [];
  // A chunked body has its lengths between the chunks.
  const [json] = /application\/json/i.test(text) ? (/\{[\s\S]*\}/.exec(content) ?? []) : [];
  return { status: Number(status), text, body: json === undefined ? undefined : JSON.parse(json) };
}

const KEY = "x-api-key: ak_emulator";
const LIST = "GET /api/v3.1/tools/enum HTTP/1.1";

describe("a loopback binding", () => {
  test.each([
    "localhost",
    "LocalHost:1234",
    "localhost.",
    "localhost.:80",
    "emulator.localhost:4747",
    "a.b.localhost",
    "127.0.0.1:1",
    "127.8.9.10",
    "[::1]:4747",
    "[0:0:0:0:0:0:0:1]:4747",
  ])("responds under Host: %s", async (host) => {
    const emulator = await start();
    // Another spelling of an IP is a host of this machine, but HTTP servers may be strict about its form.
    const { status } = await send(emulator, LIST, [`Host: ${host}`, KEY]);
    expect(host.startsWith("[0:") ? [200, 400] : [200]).toContain(status);
  });

  test.each([
    "rebound.evil.example",
    "rebound.evil.example:4747",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "evillocalhost",
    "localhost..",
    "0.0.0.0",
    "192.168.1.5",
    "[::2]",
    "[::ffff:7f00:1]",
    "xn--localhost-.example",
  ])("rejects Host: %s with 403 before anything happens", async (host) => {
    const emulator = await start();
    const before = emulator.snapshot();
    const body = JSON.stringify({ webhook_url: "http://10.0.0.1/", enabled_events: ["svc.trigger.message"] });
    for (const path of [
      "/api/v3.1/webhook_subscriptions",
      "/_emulator/reset",
      "/link/lk_x/complete",
      "/_storage/x",
      "/x",
    ]) {
      const { status, body: error } = await send(emulator, `POST ${path} HTTP/1.1`, [`Host: ${host}`, KEY], body);
      expect([path, status]).toEqual([path, 403]);
      expect(error).toMatchObject({
        error: {
          status: 403,
          slug: "Emulator_HostNotAllowed",
          message: expect.stringMatching(/^The emulator doesn't respond to requests for /),
          suggested_fix: expect.stringContaining("--allowed-host"),
        },
      });
    }
    expect(emulator.snapshot()).toEqual(before);
  });

  test.each([
    ["GET / HTTP/1.0", []],
    ["GET / HTTP/1.1", []],
    [LIST, ["Host: localhost", "Host: evil.example"]],
    [LIST, ["Host: localhost", "Host: localhost"]],
    [LIST, ["Host: "]],
    [LIST, ["Host: localhost, evil.example"]],
    [LIST, ["Host: localhost@evil.example"]],
    [LIST, ["Host: localhost/x"]],
    [LIST, ["Host: localhost:99999"]],
    [LIST, ["Host: local host"]],
    ["GET https://localhost/ HTTP/1.1", ["Host: localhost"]],
    ["GET http://evil.example@localhost/ HTTP/1.1", ["Host: localhost"]],
    ["GET http://localhost\\@evil.example/ HTTP/1.1", ["Host: localhost"]],
    ["GET http:///evil.example/ HTTP/1.1", ["Host: localhost"]],
    ["OPTIONS * HTTP/1.1", ["Host: localhost"]],
  ])("rejects %s with %j as malformed", async (line, headers) => {
    const emulator = await start();
    expect(await send(emulator, line, [...headers, KEY])).toMatchObject({ status: 400 });
    expect(emulator.requests).toEqual([]);
  });

  test("also checks the host of a target in absolute form", async () => {
    const emulator = await start();
    const absolute = (host: string) => `GET http://${host}/api/v3.1/tools/enum HTTP/1.1`;
    expect(await send(emulator, absolute("evil.example"), ["Host: localhost", KEY])).toMatchObject({ status: 403 });
    expect(await send(emulator, absolute("localhost"), ["Host: evil.example", KEY])).toMatchObject({ status: 403 });
    expect(await send(emulator, absolute("127.0.0.1"), ["Host: localhost", KEY])).toMatchObject({ status: 200 });
  });

  test("builds links from the checked host, ignoring forwarding headers", async () => {
    const emulator = await start();
    const body = JSON.stringify({ auth_config_id: "ac_github_demo", user_id: "ada" });
    const line = "POST /api/v3.1/connected_accounts/link HTTP/1.1";
    const forwarded = [
      "X-Forwarded-Host: evil.example",
      "Forwarded: host=evil.example",
      "X-Original-Host: evil.example",
    ];
    const { body: made, text } = await send(emulator, line, ["Host: my.localhost:4747", ...forwarded, KEY], body);
    expect(made).toMatchObject({ redirect_url: expect.stringMatching(/^http:\/\/my\.localhost:4747\/link\/lk_/) });
    expect(text).not.toContain("evil");
  });
});

describe("a web page", () => {
  const FORM = "POST /link/lk_nothing/complete HTTP/1.1";

  test.each([
    [["Origin: https://evil.example"], 403],
    [["Origin: http://203.0.113.9"], 403],
    [["Origin: http://localhost.evil.example"], 403],
    [["Origin: null"], 403],
    [["Origin: null", "Sec-Fetch-Site: cross-site"], 403],
    [["Origin: chrome-extension://localhost"], 403],
    [["Origin: http://localhost, https://evil.example"], 403],
    [["Origin: "], 403],
    [["Origin: http://localhost"], 404],
    [["Origin: http://localhost:3000"], 404],
    [["Origin: https://app.localhost"], 404],
    [[], 404],
  ])("sending %j gets %d", async (headers, status) => {
    const emulator = await start();
    const plain = ["Host: localhost", "Content-Type: text/plain", ...headers];
    expect(await send(emulator, FORM, plain, "{}")).toMatchObject({ status });
    const fix = { suggested_fix: expect.stringContaining("--allowed-host") };
    const { body } = await send(emulator, LIST, ["Host: localhost", ...headers]);
    expect(body).toMatchObject({ error: status === 403 ? fix : { status: 401 } });
  });

  test("of another site can't complete a connection through the outcome shortcut", async () => {
    const emulator = await start();
    const body = JSON.stringify({ auth_config_id: "ac_github_demo", user_id: "ada" });
    const line = "POST /api/v3.1/connected_accounts/link HTTP/1.1";
    const { body: made } = await send(emulator, line, ["Host: localhost", KEY], body);
    const { link_token: token, connected_account_id: id }: Record<string, unknown> = Object(made);
    const shortcut = `GET /link/${String(token)}?outcome=success HTTP/1.1`;
    const read = () =>
      send(emulator, `GET /api/v3.1/connected_accounts/${String(id)} HTTP/1.1`, ["Host: localhost", KEY]);
    const sent = await send(emulator, shortcut, ["Host: localhost", "Sec-Fetch-Site: cross-site"]);
    expect(sent).toMatchObject({ status: 200, text: expect.stringContaining("Connect GitHub") });
    expect((await read()).body).toMatchObject({ status: "INITIATED" });
    await send(emulator, shortcut, ["Host: localhost", "Sec-Fetch-Site: none"]);
    expect((await read()).body).toMatchObject({ status: "ACTIVE" });
  });
});

describe("the control plane", () => {
  const snapshot = "GET /_emulator/snapshot HTTP/1.1";

  test.each<[string[], number]>([
    [["X-Forwarded-For: 203.0.113.9"], 403],
    [["X-Forwarded-For: 127.0.0.1, 2001:db8::1"], 403],
    [["X-Forwarded-Host: abc.tunnel.example"], 403],
    [["X-Real-IP: 203.0.113.9"], 403],
    [["Forwarded: for=203.0.113.9"], 403],
    [["X-Forwarded-For: 127.0.0.1", "X-Forwarded-Host: localhost:3000"], 200],
    [["X-Forwarded-For: ::ffff:127.0.0.1, ::1, [::1]:80"], 200],
  ])("behind a proxy that sends %j responds with %d", async (headers, status) => {
    const emulator = await start();
    expect(await send(emulator, snapshot, ["Host: localhost", ...headers])).toMatchObject({ status });
    // The service itself may be used through a tunnel.
    expect(await send(emulator, LIST, ["Host: localhost", KEY, ...headers])).toMatchObject({ status: 200 });
  });

  test("rejects the emulator's webhook deliveries, resent ones included", async () => {
    const emulator = await start();
    const svc = new Svc(emulator.connection);
    await svc.webhookSubscriptions.create({
      webhook_url: `${emulator.url}/_emulator/reset`,
      enabled_events: ["svc.connected_account.expired"],
    });
    emulator.accounts.expire("ca_github_demo");
    await emulator.waitForDeliveries();
    const [delivery] = emulator.deliveries.items;
    emulator.deliveries.resend(delivery?.id ?? "");
    await emulator.waitForDeliveries();
    const attempts = emulator.deliveries.items.flatMap((item) => item.attempts);
    expect(attempts.map(({ status }) => status)).toEqual([403, 403]);
    expect((await svc.connectedAccounts.get("ca_github_demo")).status).toBe("EXPIRED");
  });

  test.each<[string[], number]>([
    [["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"], 403],
    [["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors"], 403],
    [["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"], 200],
    [["Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors"], 200],
    [["Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"], 200],
  ])("isn't loaded into pages of other origins: %j gets %d", async (headers, status) => {
    const emulator = await start();
    for (const line of [snapshot, "GET /_emulator/health HTTP/1.1"]) {
      expect(await send(emulator, line, ["Host: localhost", ...headers])).toMatchObject({ status });
    }
  });
});

describe("allowedHosts", () => {
  test("allows additional names in Host and Origin, for the service but not for the control plane", async () => {
    const emulator = await start({ allowedHosts: ["Emulator.Test.", "[2001:db8::1]", "192.0.2.1"] });
    for (const host of ["emulator.test:4747", "EMULATOR.test", "[2001:db8::1]", "192.0.2.1", "localhost"]) {
      expect(await send(emulator, LIST, [`Host: ${host}`, KEY])).toMatchObject({ status: 200 });
    }
    const origin = ["Host: localhost", "Origin: https://emulator.test", KEY];
    expect(await send(emulator, LIST, origin)).toMatchObject({ status: 200 });
    expect(await send(emulator, LIST, ["Host: sub.emulator.test", KEY])).toMatchObject({ status: 403 });
    const health = "GET /_emulator/health HTTP/1.1";
    expect(await send(emulator, health, ["Host: emulator.test"])).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("only to callers on this machine") },
    });
    expect(await send(emulator, health, origin)).toMatchObject({ status: 403 });
  });

  test.each(["http://emulator.test", "emulator.test:4747", "[::1]:4747", "emulator.test/x", "*", "", "a b"])(
    "rejects %j, which isn't a host name, with a ConfigError",
    async (name) => {
      await expect(startEmulator({ allowedHosts: [name] })).rejects.toMatchObject({
        name: "ConfigError",
        message: expect.stringMatching(
          /allowedHosts takes host names without scheme and port, such as emulator\.test, not /,
        ),
      });
    },
  );
});

describe("a binding to every interface", () => {
  test("has a loopback URL, and allows IPs but no foreign names", async () => {
    const emulator = await start({ host: "0.0.0.0", allowedHosts: ["emulator"] });
    expect(emulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    for (const host of ["localhost", "0.0.0.0:4747", "192.0.2.1:4747", "[2001:db8::1]", "emulator:4747"]) {
      expect(await send(emulator, LIST, [`Host: ${host}`, KEY])).toMatchObject({ status: 200 });
    }
    expect(await send(emulator, LIST, ["Host: rebound.evil.example", KEY])).toMatchObject({ status: 403 });
  });

  test("accepts pages from its IP, but not from another", async () => {
    const emulator = await start({ host: "0.0.0.0" });
    const asked = (origin: string) => send(emulator, LIST, ["Host: 192.0.2.1:4747", `Origin: ${origin}`, KEY]);
    expect(await asked("http://192.0.2.1:4747")).toMatchObject({ status: 200 });
    expect(await asked("http://203.0.113.9")).toMatchObject({ status: 403 });
  });
});

test("accepts every base URL in process, without host checks", async () => {
  const emulator = await start();
  const headers = { "x-api-key": "ak_emulator", host: "evil.example", origin: "https://evil.example" };
  const answer = await emulator.fetch("https://api.example.com/api/v3.1/tools/enum", { headers });
  expect(answer.status).toBe(200);
});
