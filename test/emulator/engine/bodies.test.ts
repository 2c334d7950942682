import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEmulator } from "../../../src/emulator/index.js";
import { type RunningEmulator, startEmulator } from "../../../src/emulator/node.js";
import { longTest, sized } from "../../support/size.js";
import { FRONTS, testSeed } from "../fronts.js";

const headers = { "x-api-key": "ak_emulator" };
/** What clients of MCP send with each message. */
const MCP_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const TOO_LARGE = { status: 413, body: { error: { code: 10413, slug: "HTTP_PayloadTooLarge" } } };

/** Operations of every kind, and what isn't one but takes a body. */
const TAKERS = [
  ["POST", "/api/v3.1/auth_configs"],
  ["POST", "/api/v3.1/connected_accounts"],
  ["POST", "/api/v3.1/webhook_subscriptions"],
  ["PATCH", "/api/v3.1/connected_accounts/ca_github_demo"],
  ["POST", "/api/v3.1/files/upload/request"],
  ["POST", "/api/v3.1/tools/execute/GITHUB_CREATE_AN_ISSUE"],
  ["POST", "/api/v3.1/tool_router/session"],
] as const;

const TRIED = sized<readonly (typeof TAKERS)[number][]>(TAKERS.slice(0, 1), TAKERS);

describe.each(FRONTS)("a body of more than 6,000,000 bytes, %s", (_, open) => {
  test.each(TRIED)("is a 413 of %s %s, and changes nothing", async (method, path) => {
    const { raw, emulator } = await open();
    const before = { ...emulator.snapshot(), ids: undefined, log: undefined, rateLimit: undefined };
    const body = `{"name":"${"x".repeat(6_000_000)}"}`;
    expect(await raw(method, path, { headers, body })).toMatchObject(TOO_LARGE);
    expect({ ...emulator.snapshot(), ids: undefined, log: undefined, rateLimit: undefined }).toEqual(before);
  });

  test("is a 413 of the hosted page", async () => {
    const { raw, svc } = await open();
    const { redirect_url } = await svc.connectedAccounts.link({ auth_config_id: "ac_github_demo", user_id: "ada" });
    const path = `${new URL(redirect_url).pathname}/complete`;
    expect(await raw("POST", path, { body: "x".repeat(6_000_001) })).toMatchObject({ status: 413 });
  });

  test("is a 413 of a session's MCP endpoint", async () => {
    const { raw, svc } = await open();
    const { mcp } = await svc.toolRouter.create({ user_id: "user-4711" });
    const body = `{"jsonrpc":"2.0","id":1,"method":"${"x".repeat(6_000_000)}"}`;
    expect(
      await raw("POST", new URL(mcp.url).pathname, { headers: { ...headers, ...MCP_HEADERS }, body }),
    ).toMatchObject(TOO_LARGE);
  });
});

longTest("rejects a file larger than 50,000,000 bytes with 413, and stores one of that size", async () => {
  const emulator = createEmulator({ seed: testSeed });
  const upload = async (md5: string) => {
    const file = {
      toolkit_slug: "github",
      tool_slug: "GITHUB_CREATE_AN_ISSUE",
      filename: "a.bin",
      mimetype: "a/b",
      md5,
    };
    const made = await emulator.fetch(`${emulator.connection.baseUrl}/api/v3.1/files/upload/request`, {
      method: "POST",
      headers,
      body: JSON.stringify(file),
    });
    const { new_presigned_url: url }: Record<string, unknown> = Object(await made.json());
    return String(url);
  };
  const put = async (url: string, bytes: number) => {
    const init = { method: "PUT", headers: { "content-type": "a/b" }, body: new Uint8Array(bytes) };
    return (await emulator.fetch(url, init)).status;
  };
  expect(await put(await upload("0".repeat(32)), 50_000_001)).toBe(413);
  expect(await put(await upload("1".repeat(32)), 50_000_000)).toBe(200);
});

describe("on a port", () => {
  async function start(): Promise<RunningEmulator> {
    const emulator = await startEmulator({ seed: testSeed });
    onTestFinished(() => emulator.close());
    return emulator;
  }

  /** Sends a body that never ends until the connection is closed, and returns the response. */
  async function flood({ url }: RunningEmulator, path: string, extra: readonly string[]) {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const lines = [`POST ${path} HTTP/1.1`, "Host: localhost", ...extra, "Transfer-Encoding: chunked", "", ""];
    socket.write(lines.join("\r\n"));
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const said = { text: "" };
    socket.setEncoding("utf8").on("data", (part: string) => {
      said.text += part;
    });
    // A connection that the server closes while more is sent ends with an error, or without.
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on("drain", more);
    more();
    await closed;
    return { text: said.text, bytesSent: socket.bytesWritten };
  }

  test.each([
    ["with a key", "/api/v3.1/auth_configs", ["x-api-key: ak_emulator"], 413],
    ["without a key", "/api/v3.1/auth_configs", [], 401],
    ["of nothing", "/nowhere", [], 404],
    ["of the hosted page", "/link/lk_nothing/complete", [], 413],
    ["of the control plane", "/_emulator/faults", [], 413],
    ["for another host", "/nowhere", ["Host: localhost"], 400],
  ])("stops reading an endless body %s, and reads no more than it may", async (_case, path, extra, status) => {
    const emulator = await start();
    const { text, bytesSent } = await flood(emulator, path, extra);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    // What the buffers of both sockets take is read by no one.
    expect(bytesSent).toBeLessThan(50_000_000);
  });

  test("rejects a body with a too large Content-Length with 413 before reading it", async () => {
    const { url } = await start();
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const lines = ["POST /api/v3.1/auth_configs HTTP/1.1", "Host: localhost", "x-api-key: ak_emulator"];
    socket.write([...lines, "Content-Length: 200000000", "", ""].join("\r\n"));
    const [part]: unknown[] = await once(socket.setEncoding("utf8"), "data");
    expect(part).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  test("accepts a snapshot larger than a request", async () => {
    const { url } = await start();
    const put = (body: string) => fetch(`${url}/_emulator/snapshot`, { method: "PUT", body });
    const large = await put(`{"more":"${"x".repeat(7_000_000)}"}`);
    expect([large.status, await large.json()]).toMatchObject([
      400,
      { message: expect.stringMatching(/isn't a snapshot/) },
    ]);
  });
});

describe.each(FRONTS)("a body with a great many errors, %s", (_, open) => {
  test.each([
    [
      "webhook_subscriptions",
      `{"webhook_url":"https://a.example","enabled_events":[${"1,".repeat(sized(20_000, 500_000))}1]}`,
    ],
    ["auth_configs", `{${Array.from({ length: sized(4_000, 100_000) }, (_, index) => `"x${index}":1`).join(",")}}`],
    ["auth_configs", `{"toolkit":{"slug":"github"},"urls":[${'"data:",'.repeat(sized(4_000, 100_000))}1]}`],
  ])("returns a short 400 for %s", async (path, body) => {
    const { raw } = await open();
    const { status, text } = await raw("POST", `/api/v3.1/${path}`, { headers, body });
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(20_000);
  });
});

describe.each(FRONTS)("a string crafted to take quadratic time, %s", (_, open) => {
  test("is handled in linear time", async () => {
    const { raw, svc } = await open();
    const text = `owner${" ".repeat(sized(50_000, 1_000_000))},`;
    const asked = await raw("POST", "/api/v3.1/tools/execute/GITHUB_CREATE_AN_ISSUE/input", {
      headers,
      body: { text },
    });
    expect(asked.status).toBe(200);
    const overwrite = `https://connect.example.com${"/".repeat(sized(50_000, 1_000_000))}x`;
    const session = await svc.toolRouter.create({
      user_id: "ada",
      experimental: { link_url_overwrite: overwrite },
    });
    const { redirect_url, link_token } = await session.link({ toolkit: "github" });
    expect(redirect_url === `${overwrite}/${link_token}`).toBe(true);
  });
});
