import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { mismatchesOf } from "../../src/contract/check-shape.js";
import { createEmulator } from "../../src/emulator/index.js";
import { ConnectionError, NotFoundError, Svc } from "../../src/index.js";
import { ConnectedAccountDetail } from "../../src/resources/connected-accounts/schema.js";
import { EventV3, TriggerMessageV1, TriggerMessageV2 } from "../../src/resources/events/schema.js";
import { Tool } from "../../src/resources/tools/schema.js";
import { TriggerInstance } from "../../src/resources/triggers/schema.js";
import {
  connectedAccountRecord,
  instantClock,
  sampleEvent,
  signedDelivery,
  toolRecord,
  triggerInstanceRecord,
} from "../../src/testing/index.js";
import { mswHandlers } from "../../src/testing/msw.js";
import { ConfigError, createReceiver, normalizeTrigger, verifyWebhook } from "../../src/webhooks/index.js";
import { rejectionOf } from "../support/client.js";
import { checkDeclared } from "../support/declared-fields.js";
import { eventually } from "../support/eventually.js";

const secret = "whsec_of_these_tests";

describe("signedDelivery", () => {
  const all = [
    signedDelivery({ secret }),
    signedDelivery({ secret, version: "V2" }),
    signedDelivery({ secret, version: "V1" }),
    signedDelivery({ secret, type: "svc.connected_account.expired" }),
    signedDelivery({ secret, type: "svc.connected_account.activated" }),
    signedDelivery({ secret, type: "svc.trigger.disabled" }),
  ];

  test("creates every event type in every format, signed and known", async () => {
    const seen = await Promise.all(
      all.map(async ({ request, id, event }) => {
        const delivery = await verifyWebhook(request, { secret });
        expect(delivery).toMatchObject({ kind: "known", id, event });
        expect(request.headers.get("x-svc-webhook-version")).toBe(delivery.version);
        return `${delivery.version} ${delivery.type}`;
      }),
    );
    expect(seen).toEqual([
      "V3 svc.trigger.message",
      "V2 svc.trigger.message",
      "V1 svc.trigger.message",
      "V3 svc.connected_account.expired",
      "V3 svc.connected_account.activated",
      "V3 svc.trigger.disabled",
    ]);
  });

  test("creates valid samples", () => {
    const [v3, v2, v1, ...lifecycle] = all.map(({ event }) => event);
    for (const event of [v3, ...lifecycle]) expect(mismatchesOf(EventV3, event)).toEqual([]);
    expect(mismatchesOf(TriggerMessageV2, v2)).toEqual([]);
    expect(mismatchesOf(TriggerMessageV1, v1)).toEqual([]);
  });

  test("also returns the parts, and a new request on each call", async () => {
    const delivery = signedDelivery({ secret, attempt: 2, url: "https://app.example.com/hooks" });
    const { id, body, headers } = delivery;
    expect(await delivery.request.text()).toBe(body);
    expect(await delivery.request.text()).toBe(body);
    expect(delivery.request).toMatchObject({ method: "POST", url: "https://app.example.com/hooks" });
    expect(headers).toMatchObject({ "webhook-id": id, "x-svc-delivery-attempt": "2" });
    expect((await verifyWebhook({ body, headers }, { secret })).id).toBe(id);
  });

  test("includes your fields: merges envelope and ids, replaces the event, the same in every format", async () => {
    const payload = { number: 7 };
    const deliveries = [
      signedDelivery({ secret, overrides: { metadata: { trigger_slug: "APP_TICKET" }, data: payload } }),
      signedDelivery({ secret, version: "V2", overrides: { type: "app_ticket", data: payload } }),
      signedDelivery({ secret, version: "V1", overrides: { trigger_name: "APP_TICKET", payload } }),
    ];
    for (const { request } of deliveries) {
      const view = normalizeTrigger(await verifyWebhook(request, { secret }));
      expect(view).toMatchObject({ triggerSlug: "APP_TICKET", payload });
      expect(Object.keys(view?.payload ?? {})).toEqual(["number"]);
    }
    const { event } = signedDelivery({
      secret,
      version: "V2",
      overrides: { data: { trigger_nano_id: "ti_mine", number: 7 } },
    });
    expect(event.data).toMatchObject({ trigger_nano_id: "ti_mine", connection_nano_id: "ca_5TgBn9YhUj2M", number: 7 });
    const { event: disabled } = signedDelivery({
      secret,
      type: "svc.trigger.disabled",
      overrides: { data: { user_id: null } },
    });
    expect(disabled.data).toMatchObject({ user_id: null, disabled_reason: "connection_expired" });
  });

  test.each(["V3", "V2", "V1"] as const)("signs another trigger's event in %s, with its content", async (version) => {
    const payload = { channel: "C1", text: "Hello" };
    const delivery = signedDelivery({ secret, trigger: "CHAT_MESSAGE_POSTED", payload, version });
    const view = normalizeTrigger(await verifyWebhook(delivery.request, { secret }), "CHAT_MESSAGE_POSTED");
    expect(view).toMatchObject({ version, triggerSlug: "CHAT_MESSAGE_POSTED", id: delivery.id });
    expect(view?.payload).toEqual(payload);
  });

  test("merges overrides with a trigger, as with a sample", () => {
    const trigger = { secret, trigger: "CHAT_MESSAGE_POSTED", payload: { text: "Hello" } } as const;
    const { metadata } = signedDelivery({ ...trigger, overrides: { metadata: { user_id: "ada" } } }).event;
    expect(metadata).toMatchObject({
      trigger_slug: "CHAT_MESSAGE_POSTED",
      user_id: "ada",
      trigger_id: "ti_8KdRw2PqLx0Z",
    });
    const { data } = signedDelivery({ ...trigger, version: "V2", overrides: { log_id: "log_1" } }).event;
    expect(data).toMatchObject({ text: "Hello", trigger_nano_id: "ti_8KdRw2PqLx0Z" });
  });

  test("keeps the ids of a V2 event where its payload has the same names, as the service does", () => {
    const trigger = { secret, trigger: "CRM_CONTACT_ADDED", payload: { user_id: "crm-user-7", name: "Ada" } } as const;
    const { event } = signedDelivery({ ...trigger, version: "V2" });
    expect(event.data).toMatchObject({ user_id: sampleEvent("svc.trigger.message", "V2").data.user_id, name: "Ada" });
  });

  test.each<[string, object | string]>([
    ["signedDelivery: the options must be an object, such as { secret }.", secret],
    ["signedDelivery: Unknown option override. Did you mean overrides?", { secret, override: {} }],
    ["signedDelivery: Unknown option body. The options are secret, ", { secret, body: {} }],
    ["signedDelivery: trigger and payload must be passed together", { secret, payload: {} }],
    ["signedDelivery: trigger and payload must be passed together", { secret, trigger: "CHAT_MESSAGE_POSTED" }],
    [
      "signedDelivery: type, trigger and event can't be combined. Pass one of type, trigger (with payload) and event.",
      { secret, event: {}, trigger: "CHAT_MESSAGE_POSTED", payload: {} },
    ],
    [
      "signedDelivery: type, trigger and event can't be combined. Pass one of type, trigger (with payload) and event.",
      { secret, event: {}, type: "svc.trigger.disabled" },
    ],
    [
      "signedDelivery: overrides change a sample, and event is sent unchanged. Pass one of them.",
      { secret, event: {}, overrides: { id: "evt_1" } },
    ],
    ["signedDelivery: event must be an object. Omit it to send a sample.", { secret, event: undefined }],
  ])("rejects an option it would ignore: %s", (message, options) => {
    // Options that no type allows: JavaScript may pass them.
    const run = () => signedDelivery(options as { secret: string });
    expect(run).toThrow(ConfigError);
    expect(run).toThrow(message);
  });

  test.each(["svc.trigger.message", "svc.connected_account.expired", "svc.trigger.disabled"] as const)(
    "an id is that of the V3 event %s too, as the service sends it, unless overrides have another",
    (type) => {
      const { id, event } = signedDelivery({ secret, type, id: "evt_42" });
      expect([id, event.id]).toEqual(["evt_42", "evt_42"]);
      expect(signedDelivery({ secret, type, id: "evt_42", overrides: { id: "evt_43" } }).event.id).toBe("evt_43");
    },
  );

  test("sends your own event unchanged, whatever it is", async () => {
    const event = {
      id: "evt_new",
      timestamp: "2027-01-01T00:00:00Z",
      type: "svc.tool.retired",
      metadata: {},
      data: {},
    };
    const delivery = await verifyWebhook(signedDelivery({ secret, event }).request, { secret });
    expect(delivery).toMatchObject({ kind: "unknown", id: "evt_new", type: "svc.tool.retired", event });
  });

  test.each([
    ["V3", { type: "svc.tool.retired", metadata: {}, data: {} }],
    ["V2", { type: "svc.tool.retired", data: { trigger_nano_id: "ti_1" } }],
    ["V1", { trigger_name: "GITHUB_COMMIT_EVENT", payload: {} }],
  ])("names the format %s that a receiver detects in your own event", async (version, event) => {
    const { headers, request } = signedDelivery({ secret, event });
    expect(headers["x-svc-webhook-version"]).toBe(version);
    expect((await verifyWebhook(request, { secret })).version).toBe(version);
  });

  test("names V3 for an event without a format", async () => {
    const { headers, request } = signedDelivery({ secret, event: { type: "svc.tool.retired", data: {} } });
    expect(headers["x-svc-webhook-version"]).toBe("V3");
    expect((await verifyWebhook(request, { secret })).version).toBeUndefined();
  });

  test.each(["svc.trigger.mesage", "constructor"])("rejects the event type %s, which doesn't exist", (name) => {
    const type = name as "svc.trigger.message"; // Test files often run unchecked.
    const problem = `There is no sample of ${name}, only of svc.trigger.message, `;
    expect(() => sampleEvent(type, "V3")).toThrow(`sampleEvent: ${problem}`);
    expect(() => signedDelivery({ secret, type })).toThrow(`signedDelivery: ${problem}`);
  });

  test("can be early, late, signed with another secret, or repeated", async () => {
    const receiver = createReceiver({ secret, on: {}, onUnhandled: () => undefined, onError: () => undefined });
    const status = async (request: Request) => (await receiver(request)).status;
    const now = Date.now();
    expect(await status(signedDelivery({ secret, timestamp: new Date(now - 301_000) }).request)).toBe(401);
    expect(await status(signedDelivery({ secret, timestamp: Math.floor(now / 1_000) + 302 }).request)).toBe(401);
    expect(await status(signedDelivery({ secret: "another" }).request)).toBe(401);
    const delivery = signedDelivery({ secret, id: "msg_again" });
    expect(await (await receiver(delivery.request)).json()).toEqual({ result: "handled" });
    expect(await (await receiver(delivery.request)).json()).toEqual({ result: "duplicate" });
    expect(await status(signedDelivery({ secret }).request)).toBe(200);
  });

  test("rejects a format the event type doesn't have, in types and at run time", () => {
    const run = () =>
      // @ts-expect-error this type exists in V3 only
      signedDelivery({ secret, type: "svc.trigger.disabled", version: "V1" });
    expect(run).toThrow(new ConfigError("signedDelivery: svc.trigger.disabled doesn't exist in V1. Pass V3."));
    expect(() => sampleEvent("svc.trigger.message", "v2" as "V2")).toThrow(
      new ConfigError("sampleEvent: svc.trigger.message doesn't exist in v2. Pass V1 or V2 or V3."),
    );
    // @ts-expect-error metadata belongs to V3
    sampleEvent("svc.trigger.message", "V1", { metadata: {} });
    expect(() => signedDelivery({ secret, id: "with.stop" })).toThrow(ConfigError);
  });
});

test("record factories match the contract, and accept overrides", () => {
  expect(mismatchesOf(ConnectedAccountDetail, connectedAccountRecord({ status: "INACTIVE" }))).toEqual([]);
  expect(mismatchesOf(TriggerInstance, triggerInstanceRecord({ trigger_name: "APP_TICKET" }))).toEqual([]);
  expect(mismatchesOf(Tool, toolRecord({ slug: "APP_DO" }))).toEqual([]);
  expect(connectedAccountRecord({ user_id: "ada" }).user_id).toBe("ada");
  expect(triggerInstanceRecord({ trigger_name: "APP_TICKET" }).triggerName).toBe("APP_TICKET");
  expect(triggerInstanceRecord({ triggerName: "OLD_TICKET" }).triggerName).toBe("OLD_TICKET");
  expect(toolRecord({ name: "Do" }).deprecated.displayName).toBe("Do");
});

describe("mswHandlers", () => {
  const emulator = createEmulator();
  const baseUrl = "https://api.example.com";
  const server = setupServer(...mswHandlers(emulator, baseUrl));
  const svc = new Svc({
    baseUrl,
    apiKey: "ak_emulator",
    use: [checkDeclared()],
    env: {},
    maxRetries: 0,
  });
  beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
  afterEach(() => emulator.reset());
  afterAll(() => server.close());

  test("respond to a client that knows nothing of the emulator", async () => {
    const { auth_config } = await svc.authConfigs.create({ toolkit: { slug: "github" } });
    expect((await svc.authConfigs.get(auth_config.id)).id).toBe(auth_config.id);
    expect(emulator.requests.map(({ operation }) => operation)).toEqual(["authConfigs.create", "authConfigs.get"]);
    expect((await rejectionOf(NotFoundError, svc.tools.get("NO_SUCH_TOOL"))).condition).toBe("tool_not_found");
  });

  test("return injected faults, as a status or a broken connection", async () => {
    emulator.faults.next("tools.listSlugs", { status: 503 });
    emulator.faults.next("tools.listSlugs", { connection: "reset" });
    expect(await svc.tools.listSlugs().then(String, (error: { status?: number }) => error.status)).toBe(503);
    expect(await rejectionOf(ConnectionError, svc.tools.listSlugs())).toBeInstanceOf(ConnectionError);
  });

  test("print nothing about a request that its caller gave up", async () => {
    const printed = vi.spyOn(console, "error").mockReturnValue();
    const caller = new AbortController();
    emulator.faults.next("tools.listSlugs", { connection: "hang" });
    const listed = svc.tools.listSlugs({ signal: caller.signal });
    await eventually(() => expect(emulator.faults.items).toEqual([]));
    caller.abort(new Error("not needed"));
    await expect(listed).rejects.toThrow("not needed");
    await eventually(() => expect(emulator.requests).toHaveLength(1));
    await svc.tools.listSlugs();
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  test("serve the pages that responses link to", async () => {
    const body = { auth_config_id: "ac_github_demo", user_id: "ada" };
    const { redirect_url } = await svc.connectedAccounts.link(body);
    expect(redirect_url.startsWith(`${baseUrl}/link/`)).toBe(true);
    expect((await fetch(redirect_url)).status).toBe(200);
  });

  test("use the emulator's own URL by default, and reject one with a path", () => {
    expect(mswHandlers(emulator)[0]?.info.path).toBe("http://emulator.localhost/*");
    for (const odd of ["https://api.example.com/v1", "api.example.com", ""]) {
      expect(() => mswHandlers(emulator, odd)).toThrow(ConfigError);
    }
  });
});

describe("instantClock", () => {
  test("lets a client wait in the emulator's time, so that a test doesn't", async () => {
    const emulator = createEmulator();
    const clock = instantClock(emulator);
    const svc = new Svc({ ...emulator.connection, clock });
    const start = emulator.clock.now();
    emulator.faults.next("toolkits.list", { status: 429, retryAfterSeconds: 40 });
    await svc.toolkits.list();
    expect(clock.waits).toEqual([40_000]);
    expect(emulator.clock.now() - start).toBe(40_000);
    emulator.clock.advance("1m");
    expect(clock.monotonic()).toBe(100_000);
    emulator.reset();
    expect([clock.now(), clock.monotonic()]).toEqual([start, 100_000]);
  });

  test("ends an outage that its waits outlast", async () => {
    const emulator = createEmulator();
    const clock = instantClock(emulator);
    const svc = new Svc({ ...emulator.connection, clock, maxRetries: 10, maxRetryDelayMs: 120_000 });
    emulator.faults.every(1, "toolkits.list", { status: 503, retryAfterSeconds: 120 });
    const outage = emulator.clock.sleep(600_000).then(() => emulator.faults.clear());
    expect((await svc.toolkits.list()).items).not.toEqual([]);
    await outage;
    expect(clock.waits).toEqual(Array(5).fill(120_000));
  });

  test("ends no wait of a call that is over", async () => {
    const clock = instantClock(createEmulator());
    await expect(clock.sleep(1, AbortSignal.abort(new Error("over")))).rejects.toThrow("over");
    expect(clock.waits).toEqual([]);
  });
});
