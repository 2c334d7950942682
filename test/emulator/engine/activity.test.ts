import { describe, expect, onTestFinished, test } from "vitest";
import { type Activity, createEmulator, type Emulator } from "../../../src/emulator/index.js";
import { Svc } from "../../../src/index.js";
import { fakeClock } from "../../support/clock.js";
import { eventually } from "../../support/eventually.js";
import { FRONTS, testSeed } from "../fronts.js";

const EXECUTE = "/api/v3.1/tools/execute/GITHUB_CREATE_AN_ISSUE";
const issue = { owner: "octo-org", repo: "hello-world", title: "It works" };

/** Collects what happens until the test ends. */
function collected(emulator: Pick<Emulator, "subscribe">) {
  const activities: Activity[] = [];
  const unsubscribe = emulator.subscribe((activity) => activities.push(activity));
  return { activities, unsubscribe };
}

describe.each(FRONTS)("emulator.requests, %s", (_, open) => {
  test("has the arguments that a call sent, and what it got back", async () => {
    const { emulator, svc } = await open();
    await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
      user_id: "user-4711",
      version: "20251023_00",
      arguments: issue,
    });
    const [record] = emulator.requests;
    expect(JSON.parse(record?.body ?? "")).toMatchObject({ user_id: "user-4711", arguments: issue });
    expect(record).toMatchObject({ operation: "tools.execute", status: 200, attempt: 1 });
    expect(record?.bytes).toBe(record?.body.length);
    expect(record?.durationMs).toBeGreaterThan(0);
    expect(record?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(record?.response?.body ?? "")).toMatchObject({ successful: true });
    expect(record?.response?.headers).toMatchObject({ "x-ratelimit": "2000", "x-ratelimit-remaining": "1999" });
  });

  test("numbers the attempts of a call", async () => {
    const { emulator, client } = await open();
    emulator.faults.next("tools.listSlugs", { status: 503, retryAfterSeconds: 0 });
    emulator.faults.next("tools.listSlugs", { connection: "reset" });
    const svc = client({ maxRetries: 2, clock: fakeClock() });
    await svc.tools.listSlugs();
    await svc.tools.listSlugs();
    expect(emulator.requests.map(({ attempt, status, fault }) => [attempt, status, fault])).toEqual([
      [1, 503, "status 503"],
      [2, undefined, "reset"],
      [3, 200, undefined],
      [1, 200, undefined],
    ]);
  });

  test("counts the attempts of each of two equal calls, and doesn't number the requests of other programs", async () => {
    const { emulator, client, raw } = await open();
    emulator.faults.next("tools.listSlugs", { status: 503 }, { times: 2 });
    const svc = client({ maxRetries: 0 });
    for (const call of [1, 2])
      await expect(svc.tools.listSlugs(), `call ${call}`).rejects.toMatchObject({ attempts: 1 });
    await raw("GET", "/api/v3/tools/enum");
    await raw("GET", "/api/v3/tools/enum");
    expect(emulator.requests.map(({ attempt }) => attempt)).toEqual([1, 1, undefined, undefined]);
  });

  test("shows the bodies of rejected requests, which no handler read", async () => {
    const { emulator, raw } = await open();
    await raw("POST", EXECUTE, { headers: {}, body: { arguments: issue } });
    await raw("POST", EXECUTE, { body: "{ not JSON" });
    expect(emulator.requests.map(({ status, body }) => [status, body])).toEqual([
      [401, JSON.stringify({ arguments: issue })],
      [400, "{ not JSON"],
    ]);
  });

  test("has the messages of a session's MCP endpoint", async () => {
    const { emulator, svc, raw } = await open();
    const { mcp } = await svc.toolRouter.create({ user_id: "user-4711" });
    const accept = "application/json, text/event-stream";
    const headers = { "x-api-key": "ak_emulator", "content-type": "application/json", accept };
    const body = { jsonrpc: "2.0", id: 7, method: "ping" };
    expect((await raw("POST", new URL(mcp.url).pathname, { headers, body })).body).toMatchObject({ id: 7 });
    const record = emulator.requests.at(-1);
    expect(JSON.parse(record?.body ?? "")).toEqual(body);
    expect(JSON.parse(record?.response?.body ?? "")).toMatchObject({ id: 7, result: {} });
  });

  test("keeps the start of a long body and its length, and no bytes of a file", async () => {
    const { emulator, svc, raw } = await open();
    const description = "é".repeat(20_000);
    await raw("POST", EXECUTE, { body: { user_id: "user-4711", arguments: { ...issue, body: description } } });
    const [record] = emulator.requests;
    expect(record?.body).toHaveLength(16_384);
    expect(record?.bytes).toBeGreaterThan(40_000);
    const mount = (await svc.toolRouter.create({ user_id: "ada" })).mounts();
    const { upload_url } = await mount.uploadUrl({ mount_relative_path: "a.png", mimetype: "image/png" });
    await raw("PUT", new URL(upload_url).pathname + new URL(upload_url).search, {
      headers: { "content-type": "image/png" },
      body: "\u0089PNG",
    });
    expect(emulator.requests.at(-1)).toMatchObject({ status: 200, body: "", bytes: 5 });
  });
});

describe("credentials", () => {
  const CANARY = "canary-7f3a";

  test("are masked in requests and in everything that is streamed", async () => {
    const keys = [...testSeed.keys, { kind: "apiKey" as const, value: `ak_${CANARY}` }];
    const emulator = createEmulator({ seed: { ...testSeed, keys } });
    const { activities } = collected(emulator);
    const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
      emulator.fetch(`http://emulator.localhost${path}`, {
        method,
        headers: { "x-api-key": `ak_${CANARY}`, "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
    const config = {
      toolkit: { slug: "github" },
      auth_config: {
        type: "use_custom_auth",
        authScheme: "OAUTH2",
        credentials: { client_id: `${CANARY}-id`, client_secret: `${CANARY}-secret` },
      },
    };
    expect((await send("POST", "/api/v3.1/auth_configs", config)).status).toBe(201);
    const connection = { user_id: "ada", state: { authScheme: "API_KEY", val: { generic_api_key: CANARY } } };
    await send("POST", "/api/v3/connected_accounts", { auth_config: { id: "ac_weather_demo" }, connection });
    const values = [{ name: "Authorization", value: `Bearer ${CANARY}`, type: "header" }];
    await send("POST", "/api/v3.1/tools/execute/proxy", { endpoint: "/x", method: "GET", parameters: values });
    await send("POST", EXECUTE, { user_id: "user-4711", arguments: { ...issue, body: `My key is ak_${CANARY}` } });
    await send("POST", EXECUTE, `{"password": "${CANARY}`);
    await send("POST", EXECUTE, `{"val": {"subdomain": "${CANARY}", "pin": 73917391}, }`);
    await send("POST", EXECUTE, { arguments: { password: 73917391 } }, { "api-key": CANARY, "x-auth-token": CANARY });
    await send("GET", `/api/v3.1/toolkits?api_key=${CANARY}&access_token=${CANARY}&api%5Fkey=${CANARY}`, undefined);
    await send("POST", "/link/lk_x/complete", `generic_api_key=${CANARY}`, {
      "content-type": "application/x-www-form-urlencoded",
      authorization: `Bearer ${CANARY}`,
      cookie: `authToken=${CANARY}`,
    });
    const svc = new Svc({ ...emulator.connection, env: {} });
    const { secret, id } = await svc.webhookSubscriptions
      .create({
        webhook_url: `https://user:${CANARY}@app.example.com/`,
        enabled_events: ["svc.trigger.message"],
      })
      .catch(() =>
        svc.webhookSubscriptions.create({
          webhook_url: "https://app.example.com/",
          enabled_events: ["svc.trigger.message"],
        }),
      );
    const { secret: rotated } = await svc.webhookSubscriptions.rotateSecret(id);
    const shown = JSON.stringify([activities, emulator.requests]);
    expect(activities.length).toBeGreaterThan(8);
    for (const canary of [CANARY, "73917391", secret, rotated]) expect(shown).not.toContain(canary);
    expect(shown).toContain("ak_c...");
    // Nothing else is hidden.
    expect(shown).toContain("My key is");
    expect(shown).toContain("octo-org");
  });

  test.each<[string, string, object, Record<string, string>?]>([
    ["POST", "/api/v3.1/connected_accounts", { connection: { data: { pin: CANARY } } }],
    ["POST", "/api/v3.1/auth_configs", { auth_config: { proxy_config: { proxy_auth_key: CANARY } } }],
    ["PATCH", "/api/v1/integrations/integration-demo", { authConfig: { pin: CANARY } }],
    ["POST", EXECUTE, { user_id: "user-4711" }, { "x-llm-gateway-headers": `{"Authorization":"Bearer ${CANARY}"}` }],
  ])("are masked wherever a request can contain them: %s %s %j", async (method, path, body, given = {}) => {
    const emulator = createEmulator({ seed: testSeed });
    const headers = { "x-api-key": "ak_emulator", ...given };
    await emulator.fetch(`http://emulator.localhost${path}`, { method, headers, body: JSON.stringify(body) });
    const [request] = emulator.requests;
    expect([request?.body, JSON.stringify(request?.headers)].join()).not.toContain(CANARY.slice(4));
  });

  test("are hidden entirely up to eight characters, otherwise after the fourth, and stay as they are if masked", async () => {
    const keys = [...testSeed.keys, { kind: "apiKey" as const, value: "4711" }];
    const emulator = createEmulator({ seed: { ...testSeed, keys } });
    const secrets = { password: "1234", pin: "12345678", token: "123456789", otp: "5678..." };
    await emulator.fetch(`http://emulator.localhost${EXECUTE}`, {
      method: "POST",
      headers: { "x-api-key": "4711", "x-auth-token": "5678" },
      body: JSON.stringify({ text: "The key is 4711.", arguments: secrets }),
    });
    await emulator.fetch("http://emulator.localhost/api/v3/tools/enum", { headers: { "x-api-key": "8765" } });
    const [first, second] = emulator.requests;
    expect(JSON.parse(first?.body ?? "")).toEqual({
      text: "The key is REDACTED.",
      arguments: { password: "REDACTED", pin: "REDACTED", token: "1234...", otp: "5678..." },
    });
    expect(first?.headers).toMatchObject({ "x-api-key": "REDACTED", "x-auth-token": "REDACTED" });
    expect(second?.status).toBe(401);
    expect(JSON.stringify(second)).not.toContain("8765");
  });

  test("are masked, but not what says which credentials they are", async () => {
    const emulator = createEmulator({ seed: testSeed });
    const given = { authScheme: "API_KEY", toolkitSlug: "weathermap", val: { api_key: CANARY } };
    await emulator.fetch(`http://emulator.localhost${EXECUTE}`, {
      method: "POST",
      headers: { "x-api-key": "ak_emulator" },
      body: JSON.stringify({ custom_connection_data: given }),
    });
    expect(JSON.parse(emulator.requests[0]?.body ?? "")).toEqual({
      custom_connection_data: { ...given, val: { api_key: `${CANARY.slice(0, 4)}...` } },
    });
  });

  test("leave a body without any as it was sent", async () => {
    const emulator = createEmulator({ seed: testSeed });
    const body = '{ "user_id" : "user-4711",\n "arguments": {"n": 1e2, "max_tokens": 12, "page_token": "next"} }';
    await emulator.fetch(`http://emulator.localhost${EXECUTE}`, {
      method: "POST",
      headers: { "x-api-key": "ak_emulator" },
      body,
    });
    expect(emulator.requests[0]?.body).toBe(body);
  });
});

/** Uncaught errors of the process while a test runs. Without the test runner's own listeners, which fail the run. */
function uncaughtErrors(): unknown[] {
  const errors: unknown[] = [];
  const before = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (error) => errors.push(error));
  onTestFinished(() => {
    process.removeAllListeners("uncaughtException");
    for (const listener of before) process.on("uncaughtException", listener);
  });
  return errors;
}

test("errors of onRequest and of listeners are uncaught errors, and the request runs once and succeeds", async () => {
  const errors = uncaughtErrors();
  const [first, second] = [new Error("of onRequest"), new Error("of a listener")];
  const emulator = createEmulator({
    seed: testSeed,
    onRequest: () => {
      throw first;
    },
  });
  emulator.subscribe(() => {
    throw second;
  });
  const svc = new Svc(emulator.connection);
  const { data } = await svc.tools.execute("TEXTKIT_REVERSE", {
    user_id: "u",
    version: "latest",
    arguments: { text: "ab" },
  });
  expect(data).toEqual({ text: "ba" });
  expect(emulator.requests).toHaveLength(1);
  await eventually(() => expect(errors).toEqual([first, second]));
});

describe("emulator.subscribe", () => {
  test("reports a request, its events, deliveries, and changed records, in order and numbered", async () => {
    const fetch = async () => new Response("thanks", { headers: { "x-receiver": "1" } });
    const emulator = createEmulator({ seed: testSeed, deliveries: { fetch } });
    const svc = new Svc({ ...emulator.connection, env: {} });
    const { activities } = collected(emulator);
    const { id } = await svc.webhookSubscriptions.create({
      webhook_url: "https://app.example.com/hooks",
      enabled_events: ["svc.connected_account.expired"],
    });
    emulator.accounts.expire("ca_github_demo");
    await emulator.waitForDeliveries();
    expect(activities.map(({ type }) => type)).toEqual([
      ...["change", "request", "change", "event", "delivery", "delivery"],
    ]);
    const numbers = activities.map((activity) => activity.id);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    expect(activities[0]).toMatchObject({ kind: "webhookSubscriptions", recordId: id, action: "created" });
    expect(activities[2]).toMatchObject({ kind: "connectedAccounts", recordId: "ca_github_demo", action: "changed" });
    expect(activities[4]).toMatchObject({ attempt: null, delivery: { state: "pending", attempts: [] } });
    expect(activities[5]).toMatchObject({
      delivery: { state: "delivered" },
      attempt: {
        status: 200,
        request: { url: "https://app.example.com/hooks", headers: { "webhook-signature": expect.any(String) } },
        response: { headers: { "x-receiver": "1" }, body: "thanks" },
      },
    });
  });

  test("reports the clock, faults, published versions, and resets", async () => {
    const emulator = createEmulator({ seed: testSeed });
    const { activities } = collected(emulator);
    emulator.clock.advance("1h");
    emulator.faults.next("tools.list", { status: 503 });
    emulator.deliveries.injectFaults({ copies: 2 });
    emulator.catalog.publish("github", "20990101_00");
    emulator.reset();
    expect(activities.map(({ type }) => type)).toEqual(["clock", "faults", "faults", "catalog", "restored"]);
    expect(activities[0]).toMatchObject({ now: "2026-01-01T01:00:00.000Z", isRunning: false });
  });

  test("reports each change of a record, even if the clock is stopped", async () => {
    const emulator = createEmulator();
    const svc = new Svc({ ...emulator.connection, env: {} });
    const { auth_config } = await svc.authConfigs.create({
      toolkit: { slug: "github" },
      auth_config: { type: "use_custom_auth", authScheme: "BEARER_TOKEN" },
    });
    const state = (token: string) => ({ authScheme: "BEARER_TOKEN" as const, val: { token } });
    const { id } = await svc.connectedAccounts.create({
      auth_config: { id: auth_config.id },
      connection: {
        state: { ...state("one"), val: { token: "one", status: "ACTIVE" } },
        experimental: { account_type: "SHARED" },
      },
    });
    const session = await svc.toolRouter.create({ user_id: "ada" });
    const upload = async (content: string) => {
      const { upload_url } = await session.mounts().uploadUrl({ mount_relative_path: "a.txt" });
      await emulator.fetch(upload_url, { method: "PUT", body: content });
    };
    await upload("one");

    const { activities } = collected(emulator);
    await svc.authConfigs.update(auth_config.id, { type: "custom", credentials: { scopes: "repo" } });
    await svc.connectedAccounts.update(id, { connection: { state: state("two") } });
    await svc.connectedAccounts.update(id, { experimental: { acl_config_for_shared: { allow_all_users: true } } });
    await upload("two");
    const changed = activities.flatMap((activity) => (activity.type === "change" ? [activity.kind] : []));
    expect(changed).toEqual(["authConfigs", "connectedAccounts", "connectedAccounts", "mountFiles"]);
  });

  test("reports what expires when the clock advances", async () => {
    const emulator = createEmulator({ seed: testSeed });
    const svc = new Svc({ ...emulator.connection, env: {} });
    const link = await svc.connectedAccounts.link({ auth_config_id: "ac_github_demo", user_id: "ada" });
    const { activities } = collected(emulator);
    emulator.clock.advance("11m");
    const change = { type: "change", recordId: link.connected_account_id, action: "changed" };
    expect(activities).toContainEqual(expect.objectContaining(change));
  });

  test("ends with the function it returned, for that listener only", async () => {
    const emulator = createEmulator();
    const [one, other] = [collected(emulator), collected(emulator)];
    emulator.clock.advance(1);
    one.unsubscribe();
    one.unsubscribe();
    emulator.clock.advance(1);
    expect([one.activities.length, other.activities.length]).toEqual([1, 2]);
  });
});

describe("the list of requests", () => {
  const ask = (emulator: Emulator, path: string) => emulator.fetch(`http://emulator.localhost${path}`);

  test("has at most 1000, the latest", async () => {
    const emulator = createEmulator();
    for (let index = 0; index < 1_005; index += 1) await ask(emulator, `/nowhere/${index}`);
    expect(emulator.requests).toHaveLength(1_000);
    expect([emulator.requests[0]?.path, emulator.requests.at(-1)?.path]).toEqual(["/nowhere/5", "/nowhere/1004"]);
  });

  test("drops the oldest bodies above 8,000,000 characters, and no record", async () => {
    const emulator = createEmulator();
    const body = JSON.stringify({ text: "x".repeat(20_000) });
    const count = Math.ceil(8_000_000 / 16_384) + 10;
    for (let index = 0; index < count; index += 1) {
      await emulator.fetch(`http://emulator.localhost${EXECUTE}`, {
        method: "POST",
        headers: { "x-api-key": "ak_emulator" },
        body,
      });
    }
    const { requests } = emulator;
    const kept = requests.reduce((sum, record) => sum + record.body.length + (record.response?.body.length ?? 0), 0);
    expect(requests).toHaveLength(count);
    expect(kept).toBeLessThanOrEqual(8_000_000);
    expect(kept).toBeGreaterThan(7_900_000);
    expect([requests[0]?.body, requests[0]?.bytes, requests.at(-1)?.body.length]).toEqual(["", body.length, 16_384]);
  });

  test("is empty after reset and restore", async () => {
    const emulator = createEmulator();
    const snapshot = emulator.snapshot();
    await ask(emulator, "/nowhere");
    emulator.restore(snapshot);
    expect(emulator.requests).toEqual([]);
    await ask(emulator, "/nowhere");
    emulator.reset();
    expect(emulator.requests).toEqual([]);
  });
});
