import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import { checkInput } from "../../../src/emulator/engine/check-request.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { startEmulator } from "../../../src/emulator/node.js";
import { stopwatch } from "../../support/size.js";
import { FRONTS, testSeed } from "../fronts.js";

const headers = { "x-api-key": "ak_emulator" };
/** What clients of MCP send with each message. */
const MCP_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const EXECUTE = "/api/v3.1/tools/execute/GITHUB_CREATE_AN_ISSUE";

/** JSON text of arrays in each other. */
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const execution = (labels: string) =>
  `{"user_id":"user-4711","arguments":{"owner":"octo-org","repo":"hello-world","title":"t","labels":${labels}}}`;
const cursorOf = (limit: number) => encodeURIComponent(btoa(JSON.stringify({ page: 1, limit })));

describe.each(FRONTS)("a request body, %s", (_, open) => {
  test("may be nested 200 levels deep", async () => {
    const { raw } = await open();
    // The body and its arguments are two of them.
    const answers = [await raw("POST", EXECUTE, { headers, body: execution(nested(198)) })];
    answers.push(await raw("POST", EXECUTE, { headers, body: execution(nested(199)) }));
    expect(answers).toMatchObject([
      { status: 200 },
      { status: 400, body: { error: { errors: ["body: expected at most 200 levels"] } } },
    ]);
  });

  test("is rejected if it's nested too deep, before anything happens", async () => {
    const { raw, emulator } = await open();
    const before = emulator.snapshot();
    const config = `{"toolkit":{"slug":"github"},"auth_config":{"type":"use_custom_auth","authScheme":"OAUTH2","credentials":{"a":${nested(5_000)}}}}`;
    expect(await raw("POST", "/api/v3.1/auth_configs", { headers, body: config })).toMatchObject({ status: 400 });
    expect(await raw("POST", EXECUTE, { headers, body: execution(nested(100_000)) })).toMatchObject({ status: 400 });
    const { authConfigs, toolkitData } = emulator.snapshot();
    expect({ authConfigs, toolkitData }).toEqual({
      authConfigs: before["authConfigs"],
      toolkitData: before["toolkitData"],
    });
  });

  test("is a parse error of MCP if it's nested too deep", async () => {
    const { raw, svc } = await open();
    const { mcp } = await svc.toolRouter.create({ user_id: "user-4711" });
    const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${nested(5_000)}}`;
    expect(
      await raw("POST", new URL(mcp.url).pathname, { headers: { ...headers, ...MCP_HEADERS }, body }),
    ).toMatchObject({
      status: 400,
      body: { error: { code: -32_700 } },
    });
  });

  test("is parsed as JSON whatever its Content-Type, and a form isn't accepted", async () => {
    const { raw } = await open();
    const plain = { ...headers, "content-type": "text/plain" };
    const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
    const body = { toolkit: { slug: "github" } };
    expect(await raw("POST", "/api/v3/auth_configs", { headers: plain, body })).toMatchObject({ status: 201 });
    expect(await raw("POST", "/api/v3/auth_configs", { headers: form, body: "toolkit=github" })).toMatchObject({
      status: 400,
      body: { error: { errors: ["body: expected JSON"] } },
    });
  });

  test("of an execution is rejected with 413 above 6,000,000 bytes, and nothing runs", async () => {
    const { raw, emulator } = await open();
    const before = emulator.snapshot()["toolkitData"];
    const small = execution("[]");
    // Two bytes for one letter: bytes count.
    const filler = (bytes: number) => "é".repeat(bytes >> 1) + "x".repeat(bytes % 2);
    const sized = (bytes: number) => small.replace('"t"', `"t${filler(bytes - small.length)}"`);
    const refused = await raw("POST", EXECUTE, { headers, body: sized(6_000_001) });
    expect(refused).toMatchObject({ status: 413, body: { error: { code: 10413, slug: "HTTP_PayloadTooLarge" } } });
    expect(emulator.snapshot()["toolkitData"]).toEqual(before);
    const taken = await raw("POST", EXECUTE, { headers, body: sized(6_000_000) });
    expect(taken).toMatchObject({ status: 200, body: { successful: true } });
  });
});

test("is rejected with 400 if it ends early, and nothing runs", async () => {
  const emulator = createEmulator({ seed: testSeed });
  const before = emulator.snapshot()["authConfigs"];
  const body = new ReadableStream({ start: (controller) => controller.error(new Error("gone")) });
  // `duplex` is asked for by every runtime, and known to no type.
  const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  const response = await emulator.fetch(`${emulator.connection.baseUrl}/api/v3/auth_configs`, init);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { errors: ["body: ended before it was whole"] } });
  expect(emulator.snapshot()["authConfigs"]).toEqual(before);
});

test("is logged without a status if the caller aborts, and nothing runs", async () => {
  const emulator = await startEmulator({ seed: testSeed });
  onTestFinished(() => emulator.close());
  const before = emulator.snapshot()["authConfigs"];
  const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1");
  const lines = [
    "POST /api/v3/auth_configs HTTP/1.1",
    "host: localhost",
    "x-api-key: ak_emulator",
    "content-length: 99",
  ];
  await new Promise((resolve) => socket.write(`${lines.join("\r\n")}\r\n\r\n{`, resolve));
  socket.destroy();
  await expect.poll(() => emulator.requests).toMatchObject([{ operation: "authConfigs.create", status: undefined }]);
  expect(emulator.snapshot()["authConfigs"]).toEqual(before);
});

describe.each(FRONTS)("a page outside of the API, %s", (_, open) => {
  test("returns a failure with rate limit headers, and is logged", async () => {
    const { raw, svc, emulator } = await open();
    const callback_url = "https://app.example/done";
    const body = { auth_config_id: "ac_github_demo", user_id: "ada", callback_url };
    const { redirect_url } = await svc.connectedAccounts.link(body);
    const rotten = JSON.stringify(emulator.snapshot()).replaceAll(callback_url, "nowhere");
    emulator.restore(JSON.parse(rotten));
    const answer = await raw("GET", new URL(redirect_url).pathname);
    const message = expect.stringMatching(/^The emulator failed in GET \/\S+: \S/);
    expect(answer).toMatchObject({ status: 500, body: { error: { code: 10500, slug: "Emulator_Crashed", message } } });
    expect(answer.headers.get("x-ratelimit")).toBe("2000");
    expect(emulator.requests.at(-1)).toMatchObject({ path: new URL(redirect_url).pathname, status: 500 });
  });
});

describe.each(FRONTS)("the rate limit, %s", (_, open) => {
  const left = (answer: { headers: Headers }) => answer.headers.get("x-ratelimit-remaining");
  const revoke = { headers: {}, body: { api_keys: ["ak_nobody"] } };

  test("doesn't count or limit requests without a key", async () => {
    const { raw } = await open({ rateLimit: { limit: 1 } });
    expect(left(await raw("POST", "/api/v3.1/api_key_revocation", revoke))).toBe("1");
    expect(left(await raw("GET", "/api/v3.1/tools"))).toBe("0");
    expect(await raw("GET", "/api/v3.1/tools")).toMatchObject({ status: 429 });
    expect(await raw("POST", "/api/v3.1/api_key_revocation", revoke)).toMatchObject({ status: 200 });
  });

  test("doesn't count requests to a public MCP endpoint", async () => {
    const { raw, svc } = await open({ rateLimit: { limit: 10 } });
    const { mcp } = await svc.toolRouter.create({ user_id: "user-4711" });
    const { pathname } = new URL(mcp.url);
    const body = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect(left(await raw("POST", pathname, { headers: { ...headers, ...MCP_HEADERS }, body }))).toBe("8");
    await raw("PATCH", "/api/v3.1/org/project/config", { headers, body: { require_mcp_api_key: false } });
    const ping = await raw("POST", pathname, { headers: MCP_HEADERS, body });
    expect(ping.status).toBe(200);
    expect(left(ping)).toBe("7");
  });
});

describe.each(FRONTS)("a query, %s", (_, open) => {
  const TOOL = "/api/v3.1/tools/GITHUB_CREATE_AN_ISSUE";
  test.each([
    "/api/v3.1/auth_configs?limit=5&limit=6",
    "/api/v3.1/auth_configs?limit=&limit=6",
    "/api/v3.1/auth_configs?show_disabled=true&show_disabled=true",
    `${TOOL}?version=latest&version=latest`,
    `${TOOL}?toolkit_versions=latest&toolkit_versions[github]=latest`,
    `${TOOL}?toolkit_versions[github]=latest&toolkit_versions=latest`,
    `${TOOL}?toolkit_versions[github]=latest&toolkit_versions[github]=latest`,
  ])("is rejected if it's ambiguous: %s", async (path) => {
    const { raw } = await open();
    expect(await raw("GET", path)).toMatchObject({ status: 400 });
  });

  test("is logged with the parameters that the service ignores", async () => {
    const { raw, emulator } = await open();
    const path = "/api/v3.1/connected_accounts?labels=a&limit=1";
    expect(await raw("GET", path)).toMatchObject({ status: 200, body: { items: [{}] } });
    expect(emulator.requests.at(-1)?.path).toBe(path);
  });

  test("may repeat arrays, and contains each key of a map once", async () => {
    const { raw } = await open();
    const versions = "toolkit_versions[github]=latest&toolkit_versions[slack]=latest";
    expect(await raw("GET", `${TOOL}?${versions}`)).toMatchObject({ status: 200 });
    const ids = "auth_config_ids=ac_github_demo&auth_config_ids=ac_slack_demo";
    expect(await raw("GET", `/api/v3.1/tools?${ids}`)).toMatchObject({ status: 200 });
  });

  test("may contain a cursor only with a limit in the list's range", async () => {
    const { raw, svc } = await open();
    const { session_id: id } = (await svc.toolRouter.create({ user_id: "user-4711" })).record;
    const pages = (limit: number) =>
      raw("GET", `/api/v3.1/tool_router/session/${id}/toolkits?cursor=${cursorOf(limit)}`);
    expect(await pages(50)).toMatchObject({ status: 200 });
    expect(await pages(51)).toMatchObject({
      status: 400,
      body: { error: { errors: ["query.limit: expected at most 50, received more"] } },
    });
    expect(await raw("GET", `/api/v3.1/tools?cursor=${cursorOf(1_000)}`)).toMatchObject({ status: 200 });
    expect(await raw("GET", `/api/v3.1/tools?limit=5000&cursor=${cursorOf(5)}`)).toMatchObject({ status: 200 });
    expect(await raw("GET", `/api/v3.1/tools?limit=abc&cursor=${cursorOf(5)}`)).toMatchObject({ status: 400 });
    const logs = { headers, body: { cursor: decodeURIComponent(cursorOf(101)) } };
    expect(await raw("POST", "/api/v3.1/logs/tool_execution", logs)).toMatchObject({ status: 400 });
  });
});

test.each([
  ["reject", 400],
  ["ignore", 200],
] as const)("may have unknown fields, which the emulator is to %s", async (unknownFields, status) => {
  const emulator = createEmulator({ seed: testSeed, unknownFields });
  const { fetch, connection } = emulator;
  const body = JSON.stringify({ ...JSON.parse(execution("[]")), user: "ada" });
  const answers = [
    await fetch(connection.baseUrl + EXECUTE, { method: "POST", headers, body }),
    await fetch(`${connection.baseUrl}/api/v3.1/toolkits?size=3`, { headers }),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([status, status]);
});

test("keeps a known field whose name is the start of another one's, if unknown fields are ignored", () => {
  // No operation has two such objects today.
  const part = z.object({ s: z.optional(z.object({ x: z.number() })) });
  const schema = z.strictObject({ tool: part, tools: z.strictObject({}) });
  const given = { tool: { s: { x: 9 } }, tools: { x: 1 } };
  expect(checkInput("body", schema, given, true)).toEqual({ value: { tool: { s: { x: 9 } }, tools: {} }, errors: [] });
});

test("is parsed in linear time, even with a long name", async () => {
  const emulator = createEmulator({ seed: testSeed });
  const watch = stopwatch();
  await emulator.fetch(`${emulator.connection.baseUrl}/api/v3.1/tools?${"a[".repeat(120_000)}=1`, { headers });
  // Quadratic, it took half a minute.
  watch.expectBelow(10_000);
});
