import { expect, onTestFinished, test, vi } from "vitest";
import {
  ConfigError,
  createReceiver,
  type DedupeStore,
  type Delivery,
  type HandlerContext,
  memoryDeliveries,
  type ReceiverOptions,
  type TriggerEvent,
} from "../../src/webhooks/index.js";
import { eventually } from "../support/eventually.js";
import { DISABLED, EXPIRED, TRIGGER_V1, TRIGGER_V2, TRIGGER_V3 } from "./samples.js";
import { deliver, now, SECRET, SENT_AT } from "./vectors.js";

/** A receiver whose default handlers record their arguments. */
function setUp(options: Partial<ReceiverOptions> = {}) {
  const received: [string, unknown][] = [];
  const errors: [unknown, { status: number; delivery: Delivery | undefined }][] = [];
  const receiver = createReceiver({
    secret: SECRET,
    now,
    on: { "svc.trigger.message": (delivery) => received.push(["message", delivery]) },
    onUnhandled: (delivery) => received.push(["unknown", delivery]),
    onError: (error, failure) => errors.push([error, failure]),
    ...options,
  });
  return { receiver, received, errors };
}

const contentOf = async (response: Response) => [response.status, await response.json()];

test("runs the handler of an event type with the event as sent, and responds 200", async () => {
  const { receiver, received } = setUp();
  expect(await contentOf(await receiver(deliver(TRIGGER_V3)))).toEqual([200, { result: "handled" }]);
  expect(received).toEqual([["message", expect.objectContaining({ kind: "known", version: "V3", event: TRIGGER_V3 })]]);
});

test("reads the time of day at each delivery, so a test can set it after the receiver was created", async () => {
  const { receiver } = setUp({ now: undefined });
  const { now: actual } = Date;
  onTestFinished(() => {
    Date.now = actual;
  });
  expect((await receiver(deliver(TRIGGER_V3))).status).toBe(401);
  Date.now = now;
  expect((await receiver(deliver(TRIGGER_V3))).status).toBe(200);
});

test("runs a slug's handler instead of the event type's, with the neutral view of every version", async () => {
  const events: [TriggerEvent, HandlerContext][] = [];
  const { receiver, received } = setUp({
    on: {
      HELPDESK_TICKET_CREATED: (event, context) => events.push([event, context]),
      "svc.trigger.message": (delivery) => received.push(["message", delivery]),
    },
  });
  for (const [index, event] of [TRIGGER_V3, TRIGGER_V2, TRIGGER_V1].entries()) {
    expect((await receiver(deliver(event, { id: `msg_${index}` }))).status).toBe(200);
  }
  const other = { ...TRIGGER_V3, metadata: { ...TRIGGER_V3.metadata, trigger_slug: "OTHER" } };
  await receiver(deliver(other, { id: "msg_3" }));
  expect(events.map(([event]) => event.version)).toEqual(["V3", "V2", "V1"]);
  expect(events.map(([event]) => event.payload)).toEqual([TRIGGER_V3.data, TRIGGER_V3.data, TRIGGER_V3.data]);
  expect(events[0]?.[1].delivery.event).toEqual(TRIGGER_V3);
  expect(received).toHaveLength(1);
});

test.each<[string, object]>([
  ["V2 with null legacy ids", { ...TRIGGER_V2, data: { ...TRIGGER_V2.data, connection_id: null, trigger_id: null } }],
  ["V1 with null ids", { ...TRIGGER_V1, connection_id: null, trigger_id: null, log_id: null }],
  ["V1 without ids", { trigger_name: TRIGGER_V1.trigger_name, payload: TRIGGER_V1.payload }],
])("runs the slug's handler for a %s", async (_name, event) => {
  const payloads: unknown[] = [];
  const { receiver, received } = setUp({ on: { HELPDESK_TICKET_CREATED: ({ payload }) => payloads.push(payload) } });
  expect((await receiver(deliver(event))).status).toBe(200);
  expect(payloads).toEqual([TRIGGER_V3.data]);
  expect(received).toEqual([]);
});

test("calls onUnhandled for new types, changed shapes and known types without a handler", async () => {
  const { receiver, received } = setUp();
  const events = [{ ...EXPIRED, type: "svc.new" }, { ...TRIGGER_V3, metadata: {} }, DISABLED, { anything: 1 }];
  for (const [index, event] of events.entries()) {
    expect((await receiver(deliver(event, { id: `msg_${index}` }))).status).toBe(200);
  }
  expect(received.map(([name]) => name)).toEqual(["unknown", "unknown", "unknown", "unknown"]);
  expect(received.map(([, delivery]) => (delivery as Delivery).event)).toEqual(events);
});

test("responds 500 if onUnhandled fails, so the event is delivered again", async () => {
  const onUnhandled = vi.fn().mockRejectedValueOnce(new Error("disk full"));
  const { receiver } = setUp({ onUnhandled });
  const statuses = [await receiver(deliver({ new: 1 })), await receiver(deliver({ new: 1 }))].map(
    ({ status }) => status,
  );
  expect(statuses).toEqual([500, 200]);
  expect(onUnhandled).toHaveBeenCalledTimes(2);
});

test("responds 405 with Allow to other methods and 415 to other content types, without reading the body", async () => {
  const { receiver, received, errors } = setUp();
  const get = await receiver(new Request("http://localhost/"));
  expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
  expect(errors).toEqual([
    [expect.objectContaining({ reason: "method_not_allowed" }), { status: 405, delivery: undefined }],
  ]);
  for (const type of ["text/plain", "", "application/jsonp", "application/x-www-form-urlencoded"]) {
    const request = deliver(TRIGGER_V3);
    request.headers.set("content-type", type);
    expect((await receiver(request)).status).toBe(415);
    expect(request.bodyUsed).toBe(false);
  }
  const request = deliver(TRIGGER_V3);
  request.headers.set("content-type", "Application/JSON; charset=utf-8");
  expect((await receiver(request)).status).toBe(200);
  expect(received).toHaveLength(1);
});

test.each([
  [415, "unsupported_media_type", (request: Request) => request.headers.set("content-type", "text/plain")],
  [400, "missing_header", (request: Request) => request.headers.delete("webhook-id")],
  [400, "duplicate_header", (request: Request) => request.headers.append("webhook-id", "x")],
  [400, "bad_timestamp", (request: Request) => request.headers.set("webhook-timestamp", "soon")],
  [400, "ambiguous_id", (request: Request) => request.headers.set("webhook-id", "a.b")],
  [401, "too_old", (request: Request) => request.headers.set("webhook-timestamp", String(SENT_AT - 301))],
  [401, "too_new", (request: Request) => request.headers.set("webhook-timestamp", String(SENT_AT + 301))],
  [401, "no_match", (request: Request) => request.headers.set("webhook-signature", "v1,AAAA")],
  [413, "body_too_large", (request: Request) => request.headers.set("content-length", "99999999")],
  [500, "body_already_parsed", (request: Request) => void request.text()],
])(
  "responds %i to %s with the reason and no number, and passes the error to onError",
  async (status, reason, spoil) => {
    const { receiver, received, errors } = setUp();
    const request = deliver(TRIGGER_V3);
    spoil(request);
    const response = await receiver(request);
    const body = await response.text();
    expect([response.status, JSON.parse(body).error.reason]).toEqual([status, reason]);
    expect(body.replace("1970", "")).not.toMatch(/\d/);
    expect(body).not.toContain(SECRET);
    expect(errors).toEqual([[expect.objectContaining({ reason }), { status, delivery: undefined }]]);
    expect(received).toEqual([]);
  },
);

test("responds 400, not 401, to an authentic body that isn't a JSON object", async () => {
  const { receiver } = setUp();
  expect(await contentOf(await receiver(deliver("[]")))).toMatchObject([400, { error: { reason: "bad_payload" } }]);
});

test("responds 200 to a duplicate of a committed delivery without a second run", async () => {
  const { receiver, received } = setUp();
  await receiver(deliver(TRIGGER_V3));
  const second = await receiver(deliver(TRIGGER_V3, { timestamp: SENT_AT + 60 }));
  expect(await contentOf(second)).toEqual([200, { result: "duplicate" }]);
  expect(received).toHaveLength(1);
});

test("runs equal events with different ids", async () => {
  const { receiver, received } = setUp();
  await Promise.all([receiver(deliver(TRIGGER_V1, { id: "a" })), receiver(deliver(TRIGGER_V1, { id: "b" }))]);
  expect(received).toHaveLength(2);
});

test("responds 503 with Retry-After to a duplicate while the first is running, without a second run", async () => {
  let finish = () => {};
  const run = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const { receiver } = setUp({ on: { "svc.trigger.message": run } });
  const first = receiver(deliver(TRIGGER_V3));
  await eventually(() => expect(run).toHaveBeenCalled());
  const second = await receiver(deliver(TRIGGER_V3));
  expect([second.status, second.headers.get("retry-after")]).toEqual([503, "1"]);
  finish();
  expect((await first).status).toBe(200);
  expect((await receiver(deliver(TRIGGER_V3))).status).toBe(200);
  expect(run).toHaveBeenCalledTimes(1);
});

test("responds 500 and releases the claim if a handler throws or rejects", async () => {
  for (const failing of [
    () => {
      throw new Error("boom");
    },
    () => Promise.reject(new Error("boom")),
  ]) {
    const run = vi.fn<() => unknown>().mockImplementationOnce(failing);
    const { receiver, errors } = setUp({ on: { "svc.trigger.message": run } });
    const response = await receiver(deliver(TRIGGER_V3));
    expect(await contentOf(response)).toMatchObject([500, { error: { reason: "handler_failed" } }]);
    expect(errors).toMatchObject([[{ message: "boom" }, { status: 500, delivery: { id: "msg_1" } }]]);
    expect((await receiver(deliver(TRIGGER_V3))).status).toBe(200);
    expect(run).toHaveBeenCalledTimes(2);
  }
});

test("responds 500 and calls onError if a handler rejects without an error", async () => {
  const run = vi.fn<() => unknown>().mockImplementationOnce(() => Promise.reject());
  const { receiver, errors } = setUp({ on: { "svc.trigger.message": run } });
  expect(await contentOf(await receiver(deliver(TRIGGER_V3)))).toMatchObject([
    500,
    { error: { reason: "handler_failed" } },
  ]);
  expect(errors).toMatchObject([[undefined, { status: 500, delivery: { id: "msg_1" } }]]);
  expect((await receiver(deliver(TRIGGER_V3))).status).toBe(200);
});

const failing = (method: keyof DedupeStore): DedupeStore => ({
  ...memoryDeliveries(),
  [method]: () => {
    throw new Error("store down");
  },
});

test("responds 503 and runs no handler if the store can't claim", async () => {
  const { receiver, received, errors } = setUp({ store: failing("claim") });
  expect((await receiver(deliver(TRIGGER_V3))).status).toBe(503);
  expect(received).toEqual([]);
  expect(errors).toHaveLength(1);
});

test("keeps the response and passes both errors to onError if the store can't release", async () => {
  const run = () => Promise.reject(new Error("boom"));
  const { receiver, errors } = setUp({ store: failing("release"), on: { "svc.trigger.message": run } });
  expect((await receiver(deliver(TRIGGER_V3))).status).toBe(500);
  expect(errors.map(([error]) => String(error))).toEqual(["Error: store down", "Error: boom"]);
});

/** The console's messages of one kind, until the test ends. */
function logOf(method: "error" | "warn") {
  const log = vi.spyOn(console, method).mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  return log;
}

test("logs each of the receiver's own errors by default, and ignores errors of onError", async () => {
  const log = logOf("error");
  const on = { "svc.trigger.message": () => Promise.reject(new Error("boom")) };
  const { receiver } = setUp({ on, onError: undefined });
  expect((await receiver(deliver(TRIGGER_V3))).status).toBe(500);
  expect((await receiver(deliver(TRIGGER_V3))).status).toBe(500);
  expect(log).toHaveBeenCalledTimes(2);
  for (const onError of [
    () => Promise.reject(new Error("log")),
    () => {
      throw new Error("log");
    },
  ]) {
    expect((await setUp({ on, onError }).receiver(deliver(TRIGGER_V3))).status).toBe(500);
  }
  await Promise.resolve();
  expect(log).toHaveBeenCalledTimes(4);
});

test("logs the first rejection for each reason by default, with its advice, and no later one", async () => {
  const log = logOf("warn");
  const { receiver } = setUp({ onError: undefined });
  const spoiled = [
    () => deliver(TRIGGER_V3, { secret: "wrong" }),
    () => new Request("http://localhost/"),
    () => deliver(TRIGGER_V3, { timestamp: SENT_AT - 301 }),
    () => deliver("[]"),
  ];
  for (const request of [...spoiled, ...spoiled]) await receiver(request());
  const once = (reason: string) => `This is logged once for ${reason}: onError gets every rejection.`;
  expect(log.mock.calls.flat()).toEqual([
    expect.stringMatching(
      /^svc-sdk: webhook: responded 401: createReceiver: No signature matches\. Either the secret /,
    ),
    `svc-sdk: webhook: responded 405: createReceiver: The request isn't a POST, so it isn't a delivery. Serve pages and health checks at another path. ${once("method_not_allowed")}`,
    expect.stringContaining(once("too_old")),
    `svc-sdk: webhook: responded 400: createReceiver: The delivery is authentic, but its body is JSON of type array, not an object. ${once("bad_payload")}`,
  ]);
});

test("warns at start of each handler whose trigger type doesn't exist, and names the one that was meant", async () => {
  const log = logOf("warn");
  const on = {
    GITHUB_COMIT_EVENT: () => {},
    GITHUB_STAR_EVENT: () => {},
    NOTHING: () => {},
    "svc.trigger.message": () => {},
  };
  const slugs = ["GITHUB_COMMIT_EVENT", "GITHUB_STAR_EVENT"];
  const comit =
    'svc-sdk: createReceiver: on["GITHUB_COMIT_EVENT"] never runs: no trigger type has this slug. Did you mean GITHUB_COMMIT_EVENT?';
  const nothing =
    'svc-sdk: createReceiver: on["NOTHING"] never runs: no trigger type has this slug. Remove the handler, or check the slug.';
  setUp({ on, triggerSlugs: slugs });
  setUp({ on, triggerSlugs: async () => slugs });
  await eventually(() => expect(log.mock.calls).toEqual([[comit], [nothing], [comit], [nothing]]));
});

test("keeps receiving if the slugs of triggers can't be read, and warns", async () => {
  const log = logOf("warn");
  const { receiver } = setUp({ triggerSlugs: () => Promise.reject(new Error("503")) });
  expect((await receiver(deliver(TRIGGER_V3))).status).toBe(200);
  expect(log.mock.calls).toEqual([
    ["svc-sdk: createReceiver: triggerSlugs failed, so the handlers' slugs aren't checked", new Error("503")],
  ]);
});

test("throws a ConfigError for options that can't work", () => {
  const wrong = [
    { secret: "" },
    { toleranceSeconds: 0 },
    { bodyTimeoutMs: 0 },
    { bodyTimeoutMs: 2 ** 30 },
    { handlerTimeoutMs: 0 },
    { handlerTimeoutMs: Number.POSITIVE_INFINITY },
    { on: undefined },
    { onUnhandled: undefined },
    { on: { "svc.trigger.mesage": () => {} } },
    { on: { SLUG: "no function" } },
    { store: { ...memoryDeliveries(), renew: undefined } },
    { store: null },
  ];
  for (const options of wrong) expect(() => setUp(options as Partial<ReceiverOptions>)).toThrow(ConfigError);
});
