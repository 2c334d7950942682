import { describe, expect, test, vi } from "vitest";
import { createEmulator, type Emulator, type JsonObject } from "../../../src/emulator/index.js";
import { BadRequestError, ConfigError, Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { eventually } from "../../support/eventually.js";
import { FRONTS, testSeed } from "../fronts.js";

const CREATE = "/api/v3.1/tools/execute/GITHUB_CREATE_AN_ISSUE";
const issue = { user_id: "user-4711", arguments: { owner: "octo-org", repo: "hello-world", title: "t" } };
const headers = { "x-api-key": "ak_emulator" };

function post(emulator: Emulator, path: string, body: object): Promise<Response> {
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  return emulator.fetch(emulator.connection.baseUrl + path, init);
}

/** Changes everything there is to change: records, ids, the provider's data, rate limit, faults, requests, and time. */
async function disturb(emulator: Emulator): Promise<string[]> {
  emulator.clock.advance("90s");
  emulator.faults.every(3, "*", { status: 503 }, { times: 2 });
  const answers = [
    await post(emulator, "/api/v3/auth_configs", { toolkit: { slug: "github" } }),
    await post(emulator, CREATE, issue),
    await post(emulator, CREATE, issue),
    await emulator.fetch(`${emulator.connection.baseUrl}/api/v3/auth_configs`),
    await emulator.fetch(`${emulator.connection.baseUrl}/api/v3/auth_configs/ac_slack_demo?revoke_on_delete=true`, {
      method: "DELETE",
      headers,
    }),
    await emulator.fetch(`${emulator.connection.baseUrl}/nowhere`),
  ];
  emulator.clock.advance("1d");
  return Promise.all(
    answers.map(async (answer) => `${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`),
  );
}

describe("reset, snapshot and restore", () => {
  test("resets everything, byte for byte", async () => {
    const emulator = createEmulator({ seed: testSeed, idSeed: 1 });
    const atStart = JSON.stringify(emulator.snapshot());
    const first = await disturb(emulator);
    expect(JSON.stringify(emulator.snapshot())).not.toBe(atStart);
    emulator.reset();
    expect(JSON.stringify(emulator.snapshot())).toBe(atStart);
    expect(emulator.clock.iso()).toBe("2026-01-01T00:00:00.000Z");
    expect(emulator.requests).toEqual([]);
    expect(await disturb(emulator)).toEqual(first);
  });

  test("keeps what is still running out of the new state", async () => {
    const emulator = createEmulator({ idSeed: 1 });
    const svc = new Svc({ ...emulator.connection, maxRetries: 0 });
    const linked = async () =>
      (await svc.connectedAccounts.link({ auth_config_id: "ac_github_demo", user_id: "u" })).link_token;
    const first = await linked();
    emulator.reset();

    let respond = (_: JsonObject) => {};
    const provided = new Promise<JsonObject>((resolve) => {
      respond = resolve;
    });
    const reverse = vi.fn(() => provided);
    emulator.tools.stub("TEXTKIT_REVERSE", reverse);
    const tools = ["TEXTKIT_REVERSE", "TEXTKIT_REVERSE"].map((tool_slug) => ({
      tool_slug,
      arguments: { text: "abc" },
    }));
    const session = await svc.toolRouter.create({ user_id: "u" });
    const running = [
      svc.tools.execute("TEXTKIT_REVERSE", { user_id: "u", version: "latest", arguments: { text: "abc" } }),
      session.executeMeta({ slug: "SVC_MULTI_EXECUTE_TOOL", arguments: { tools, sync_response_to_workbench: false } }),
    ];
    emulator.faults.next("connectedAccounts.delete", { delayMs: 60_000 });
    const delayed = svc.connectedAccounts.delete("ca_github_demo");
    await eventually(() => expect([reverse.mock.calls.length, emulator.faults.items]).toEqual([2, []]));
    emulator.reset();
    respond({ reversed: "cba" });
    emulator.clock.advance("1m");
    for (const call of [...running, delayed]) {
      const message = "The emulator was reset or restored while it handled this request";
      const error = { message, code: 10400, slug: "Emulator_Replaced", status: 400, request_id: expect.any(String) };
      expect((await rejectionOf(BadRequestError, call)).body).toEqual({ error });
    }
    expect(emulator.requests).toEqual([]);
    expect(emulator.tools.calls("TEXTKIT_REVERSE")).toEqual([]);
    expect((await svc.connectedAccounts.get("ca_github_demo")).status).toBe("ACTIVE");
    emulator.reset();
    expect(await linked()).toBe(first);
  });

  test("responds after restoring a snapshot as before", async () => {
    const emulator = createEmulator({ seed: testSeed, idSeed: 1 });
    await disturb(emulator);
    const snapshot = emulator.snapshot();
    const after = await disturb(emulator);
    emulator.restore(snapshot);
    expect(await disturb(emulator)).toEqual(after);
  });

  test("moves a snapshot through JSON to another equal emulator", async () => {
    const emulator = createEmulator({ seed: testSeed, idSeed: 1 });
    await disturb(emulator);
    const snapshot: Record<string, unknown> = JSON.parse(JSON.stringify(emulator.snapshot()));
    const other = createEmulator({ seed: testSeed, idSeed: 1 });
    other.restore(snapshot);
    expect(JSON.stringify(other.snapshot())).toBe(JSON.stringify(emulator.snapshot()));
    expect(other.clock.iso()).toBe(emulator.clock.iso());
    // They tell what callers did to one emulator, and aren't part of its state.
    expect([emulator.requests.length, other.requests.length]).toEqual([6, 0]);
    expect(await disturb(other)).toEqual(await disturb(emulator));
  });

  test("copies the state into a snapshot", async () => {
    const emulator = createEmulator({ seed: testSeed, idSeed: 1 });
    const snapshot = emulator.snapshot();
    const text = JSON.stringify(snapshot);
    await disturb(emulator);
    expect(JSON.stringify(snapshot)).toBe(text);
    emulator.restore(snapshot);
    await disturb(emulator);
    expect(JSON.stringify(snapshot)).toBe(text);
  });

  test.each([
    ["an empty object", () => ({})],
    ["one without ids", (whole: object) => ({ ...whole, ids: undefined })],
    ["one whose records aren't an array", (whole: object) => ({ ...whole, authConfigs: 5 })],
    ["one whose records aren't entries", (whole: object) => ({ ...whole, connectedAccounts: ["x"] })],
    ["one without a time", (whole: object) => ({ ...whole, clock: { ms: "soon" } })],
    ["one after the latest possible date", (whole: object) => ({ ...whole, clock: { ms: 9e15 } })],
    ["one with an impossible time", (whole: object) => ({ ...whole, clock: { ms: 0, now: 9e15 } })],
    ["one with a clock moved back", (whole: object) => ({ ...whole, clock: { ms: -1 } })],
    ["one with invalid numbers", (whole: object) => ({ ...whole, rateLimit: { startedAt: 0, used: Number.NaN } })],
    ["one with an invalid record", (whole: object) => ({ ...whole, connectedAccounts: [["ca_x", 5]] })],
    ["one with an array of invalid records", (whole: object) => ({ ...whole, faults: { rules: [5] } })],
    ["one of an emulator with other toolkits", (whole: object) => ({ ...whole, toolkitData: [["acme", {}]] })],
  ])("rejects an invalid snapshot and changes nothing: %s", async (_case, spoil) => {
    const emulator = createEmulator({ seed: testSeed, idSeed: 1 });
    await disturb(emulator);
    const before = JSON.stringify(emulator.snapshot());
    const foreign: Record<string, unknown> = spoil(createEmulator({ seed: testSeed, idSeed: 1 }).snapshot());
    expect(() => emulator.restore(foreign)).toThrow(/^This (is|isn't) a snapshot of (this|an) emulator/);
    expect(JSON.stringify(emulator.snapshot())).toBe(before);
  });

  test("names the project that a snapshot lacks, without which no operation finds its key's project", async () => {
    const emulator = createEmulator({ seed: testSeed, idSeed: 1 });
    const svc = new Svc(emulator.connection);
    const second = await svc.projects.create({ name: "second", should_create_api_key: true });
    const snapshot = emulator.snapshot();
    const [first, other] = snapshot["projects"] as [string, object][];
    expect(() => emulator.restore({ ...snapshot, projects: [] })).toThrow("projects: pr_emulator is missing");
    expect(() => emulator.restore({ ...snapshot, projects: [other] })).toThrow("projects: pr_emulator is missing");
    expect(() => emulator.restore({ ...snapshot, projects: [first] })).toThrow(`projects: ${second.id} is missing`);
    expect((await svc.toolkits.list()).items).not.toEqual([]);
  });

  test.each([null, undefined, 5, "state", []])("rejects %j as a snapshot with a ConfigError", async (nothing) => {
    const emulator = createEmulator({ seed: testSeed, idSeed: 1 });
    // @ts-expect-error the compiler rejects these snapshots too
    expect(() => emulator.restore(nothing)).toThrow(ConfigError);
    expect((await emulator.fetch(`${emulator.connection.baseUrl}/api/v3/auth_configs`, { headers })).status).toBe(200);
  });

  test("returns byte-identical responses from two equal emulators", async () => {
    const transcripts = await Promise.all([1, 2].map(() => disturb(createEmulator({ seed: testSeed, idSeed: 1 }))));
    expect(transcripts[0]).toEqual(transcripts[1]);
    expect(transcripts[0]?.map((line) => line.slice(0, 3))).toEqual(["201", "200", "503", "401", "200", "404"]);
  });

  test("logs requests, responses, and injected faults", async () => {
    const emulator = createEmulator({ seed: testSeed, idSeed: 1 });
    await disturb(emulator);
    const at = "2026-01-01T00:01:30.000Z";
    expect(emulator.requests).toMatchObject([
      { at, method: "POST", path: "/api/v3/auth_configs", operation: "authConfigs.create", status: 201 },
      { at, method: "POST", path: CREATE, operation: "tools.execute", status: 200 },
      { operation: "tools.execute", status: 503, fault: "status 503" },
      { method: "GET", operation: "authConfigs.list", status: 401 },
      { method: "DELETE", path: "/api/v3/auth_configs/ac_slack_demo?revoke_on_delete=true", status: 200 },
      { method: "GET", path: "/nowhere", operation: undefined, status: 404 },
    ]);
  });

  test("keeps the last thousand requests in the log", async () => {
    const emulator = createEmulator({ seed: testSeed, idSeed: 1 });
    for (let n = 0; n < 1_002; n += 1) await emulator.fetch(`${emulator.connection.baseUrl}/n/${n}`);
    expect(emulator.requests).toHaveLength(1_000);
    expect(emulator.requests[0]?.path).toBe("/n/2");
  });
});

describe("time", () => {
  test.each([
    [1_500, 1_500],
    ["1500ms", 1_500],
    ["90s", 90_000],
    ["10m", 600_000],
    ["2h", 7_200_000],
    ["30d", 2_592_000_000],
    ["1.5h", 5_400_000],
    [0, 0],
  ] as const)("advance(%j) moves the clock by %d milliseconds", (duration, ms) => {
    const { clock } = createEmulator();
    const before = clock.now();
    clock.advance(duration);
    expect(clock.now() - before).toBe(ms);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "", "5", "-1s", "soon", "1w", "1 s", "1e3s", null, true, 1e300])(
    "rejects advance(%j) and doesn't move the clock",
    (duration) => {
      const { clock } = createEmulator();
      const before = clock.iso();
      // @ts-expect-error the compiler rejects most of these durations too
      expect(() => clock.advance(duration)).toThrow(/^clock\.advance: /);
      expect(clock.iso()).toBe(before);
    },
  );

  test("starts the clock at a valid time only", () => {
    const { clock } = createEmulator({ clock: { start: "2030-05-06T07:08:09Z" } });
    expect(clock.iso()).toBe("2030-05-06T07:08:09.000Z");
    expect(() => createEmulator({ clock: { start: "tomorrow" } })).toThrow("ISO 8601");
  });
});

describe.each(FRONTS)("routes %s", (_, open) => {
  test.each([
    ["GET", "/api/v3.1/team/members"],
    ["DELETE", "/api/v3.1/tools"],
    ["GET", "/api/v3.1/auth_configs/"],
    ["GET", "/api/v9/tools"],
  ])("return 404 for the unsupported %s %s", async (method, path) => {
    const { raw } = await open();
    const message = `No ${method} ${path}`;
    const error = { message, code: 10404, slug: "HTTP_NotFound", status: 404, request_id: expect.any(String) };
    const answer = await raw(method, path);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ error });
  });

  test("return 404 outside the API", async () => {
    const { raw } = await open();
    expect(await raw("GET", "/")).toMatchObject({ status: 404, body: { error: { slug: "HTTP_NotFound" } } });
  });

  test("prefer literal segments to parameters", async () => {
    const { raw, emulator } = await open();
    await raw("GET", "/api/v3.1/tools/enum");
    await raw("GET", "/api/v3.1/tools/ENUM");
    await raw("POST", "/api/v3.1/tools/execute/proxy", { headers, body: {} });
    await raw("POST", "/api/v3.1/tools/execute/PROXY", { headers, body: {} });
    for (const name of ["categories", "changelog", "github"]) await raw("GET", `/api/v3.1/toolkits/${name}`);
    expect(emulator.requests.map(({ operation }) => operation)).toEqual([
      "tools.listSlugs",
      "tools.get",
      "tools.proxy",
      "tools.execute",
      "toolkits.listCategories",
      "toolkits.getChangelog",
      "toolkits.get",
    ]);
  });

  test.each([
    "a/b",
    "../x",
    "a b",
    "100%",
    "%2F",
    "%252F",
    "é",
    "日本語 🙂",
    "a?b#c",
    "semi;colon,comma",
    "plus+&=",
    "back\\slash",
    ":colon{brace}",
    "new\nline",
    "~!$'()*@",
  ])("pass on the path parameter %j byte for byte", async (slug) => {
    const { svc } = await open();
    await expect(svc.tools.get(slug)).rejects.toMatchObject({
      status: 404,
      body: { error: { message: `Tool ${slug} not found` } },
    });
  });
});
