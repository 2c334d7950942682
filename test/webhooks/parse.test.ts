import { expect, test } from "vitest";
import { type Delivery, normalizeTrigger, type TriggerDelivery, verifyWebhook } from "../../src/webhooks/index.js";
import { ACTIVATED, DISABLED, EXPIRED, TRIGGER_V1, TRIGGER_V2, TRIGGER_V3 } from "./samples.js";
import { deliver, now, SECRET } from "./vectors.js";

const receive = (event: unknown, id = "msg_1"): Promise<Delivery> =>
  verifyWebhook(deliver(event, { id }), { secret: SECRET, now });

async function receiveTrigger(event: unknown): Promise<TriggerDelivery> {
  const delivery = await receive(event);
  if (delivery.kind !== "known" || delivery.type !== "svc.trigger.message") throw new Error("not a trigger message");
  return delivery;
}

test.each([
  ["V3", "svc.trigger.message", TRIGGER_V3],
  ["V2", "svc.trigger.message", TRIGGER_V2],
  ["V1", "svc.trigger.message", TRIGGER_V1],
  ["V1", "svc.trigger.message", { ...TRIGGER_V1, type: "svc.trigger.message" }],
  ["V3", "svc.connected_account.expired", EXPIRED],
  ["V3", "svc.connected_account.activated", ACTIVATED],
  ["V3", "svc.trigger.disabled", DISABLED],
])("parses a %s %s as a known event, exactly as sent", async (version, type, event) => {
  const sent = { ...event, brand_new: [1, { deep: null }] };
  const delivery = await receive(sent);
  expect(delivery).toEqual({
    kind: "known",
    version,
    type,
    id: "msg_1",
    timestamp: 1767225600,
    secretIndex: 0,
    event: sent,
  });
});

const without = (event: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(event).filter(([name]) => !names.includes(name)));

test.each([
  ["a V3 without a user", { ...TRIGGER_V3, metadata: { ...TRIGGER_V3.metadata, user_id: null } }],
  ["a V3 without a log id", { ...TRIGGER_V3, metadata: without(TRIGGER_V3.metadata, "log_id") }],
  ["a V2 without a log id", without(TRIGGER_V2, "log_id")],
  ["a V2 without a user", { ...TRIGGER_V2, data: { ...TRIGGER_V2.data, user_id: null } }],
  ["a V2 without the old ids", { ...TRIGGER_V2, data: without(TRIGGER_V2.data, "connection_id", "trigger_id") }],
  [
    "a V2 whose legacy ids and log id are null",
    { ...TRIGGER_V2, log_id: null, data: { ...TRIGGER_V2.data, connection_id: null, trigger_id: null } },
  ],
  ["a V1 without the legacy ids", without(TRIGGER_V1, "connection_id", "trigger_id")],
  ["a V1 whose ids are null", { ...TRIGGER_V1, connection_id: null, trigger_id: null, log_id: null }],
  [
    "a V3 whose auth config and log id are null",
    { ...TRIGGER_V3, metadata: { ...TRIGGER_V3.metadata, auth_config_id: null, log_id: null } },
  ],
  ["a V2 that names the event type", { ...TRIGGER_V2, type: "svc.trigger.message" }],
  ["a V1 without a log id", without(TRIGGER_V1, "log_id")],
  ["an account with a new status", { ...EXPIRED, data: { ...EXPIRED.data, status: "HIBERNATING" } }],
  ["an activation without its project", { ...ACTIVATED, metadata: {} }],
  ["an activation with empty data", { ...ACTIVATED, data: {} }],
  [
    "an activation whose fields are null",
    { ...ACTIVATED, data: { id: null, toolkit: null, auth_config: null, status: null } },
  ],
  ["a disabled trigger whose configuration is null", { ...DISABLED, data: { ...DISABLED.data, trigger_config: null } }],
  ["an expired account without org_id", { ...EXPIRED, metadata: { project_id: EXPIRED.metadata.project_id } }],
  [
    "data with names of Object.prototype",
    { ...TRIGGER_V3, data: { constructor: null, toString: 1, hasOwnProperty: {} } },
  ],
])("parses %s as a known event", async (_name, event) => {
  expect(await receive(event)).toMatchObject({ kind: "known", event });
});

test.each([
  ["a new svc.* type", { ...EXPIRED, type: "svc.tool.renamed" }, "V3", "svc.tool.renamed"],
  ["a type without the prefix svc.", { ...EXPIRED, type: "other" }, "V3", "other"],
  ["a known type with other fields", { ...TRIGGER_V3, metadata: {} }, "V3", "svc.trigger.message"],
  ["an account without its project", { ...EXPIRED, metadata: {} }, "V3", "svc.connected_account.expired"],
  [
    "an account whose project is null",
    { ...EXPIRED, metadata: { project_id: null, org_id: null } },
    "V3",
    "svc.connected_account.expired",
  ],
  ["a V2 without a time", without(TRIGGER_V2, "timestamp"), "V2", "helpdesk_ticket_created"],
  ["a V1 with an id that is a number", { ...TRIGGER_V1, trigger_id: 7 }, "V1", undefined],
  ["data that is an array", { ...TRIGGER_V3, data: [] }, "V3", "svc.trigger.message"],
  ["a type without metadata or ids", { type: "x", data: {} }, undefined, "x"],
  ["metadata without data", { type: "x", metadata: {} }, undefined, "x"],
  ["a type that isn't a string", { type: 7 }, undefined, undefined],
  ["the empty object", {}, undefined, undefined],
])("parses %s as an unknown event, exactly as sent", async (_name, event, version, type) => {
  const delivery = await receive(event);
  expect(delivery).toMatchObject({ kind: "unknown", version, type });
  expect(delivery.event).toEqual(event);
});

test("keeps a field named __proto__ and changes no prototype", async () => {
  const body = JSON.stringify(TRIGGER_V2).replace('"data":{', '"data":{"__proto__":{"polluted":1},');
  const event = normalizeTrigger(await receive(body));
  expect(Object.hasOwn(event?.payload ?? {}, "__proto__")).toBe(true);
  expect(Object.hasOwn({}, "polluted") || "polluted" in {}).toBe(false);
});

test("normalizes one event in every version to the same view, with undefined for missing fields", async () => {
  const [v3, v2, v1] = await Promise.all([TRIGGER_V3, TRIGGER_V2, TRIGGER_V1].map(receiveTrigger));
  const common = {
    id: "msg_1",
    triggerSlug: "HELPDESK_TICKET_CREATED",
    logId: "log_Qm7aXv2LrT9k",
    payload: TRIGGER_V3.data,
  };
  const nano = { triggerId: "ti_8KdRw2PqLx0Z", connectedAccountId: "ca_5TgBn9YhUj2M" };
  const legacy = {
    legacyTriggerId: "d2a7c9b4-1f38-4e21-8a66-5c0e3b7f9d42",
    legacyConnectionId: "0b6f1f0e-6a53-4c0b-9c1e-7f6d2a4e9b10",
  };
  const person = { userId: "user-4711", timestamp: "2026-03-02T08:15:42.310Z" };
  expect([v3, v2, v1].flatMap((delivery) => delivery ?? []).map(normalizeTrigger)).toEqual([
    { ...common, ...nano, ...person, version: "V3", authConfigId: "ac_1QaZ2WsX3EdC" },
    { ...common, ...nano, ...person, ...legacy, version: "V2" },
    { ...common, ...legacy, version: "V1" },
  ]);
});

test("normalizes null and missing fields differently, and reads a V1 with new ids", async () => {
  const nulled = await receiveTrigger({ ...TRIGGER_V3, metadata: { ...TRIGGER_V3.metadata, user_id: null } });
  expect(normalizeTrigger(nulled).userId).toBeNull();
  const modern = await receiveTrigger({ ...TRIGGER_V1, trigger_id: "ti_1", connection_id: "ca_1" });
  expect(normalizeTrigger(modern)).toMatchObject({ triggerId: "ti_1", connectedAccountId: "ca_1" });
  expect(normalizeTrigger(modern).legacyTriggerId).toBeUndefined();
  const bare = normalizeTrigger(await receiveTrigger({ ...without(TRIGGER_V1, "trigger_id"), connection_id: null }));
  expect([bare.triggerId, bare.legacyTriggerId]).toEqual([undefined, undefined]);
  expect([bare.connectedAccountId, bare.legacyConnectionId]).toEqual([undefined, null]);
  const nameless = await receiveTrigger({ ...TRIGGER_V2, type: "svc.trigger.message" });
  expect(normalizeTrigger(nameless).triggerSlug).toBeUndefined();
});

test("normalizes only the events of the requested trigger type", async () => {
  for (const event of [TRIGGER_V3, TRIGGER_V2, TRIGGER_V1]) {
    const delivery = await receive(event);
    expect(normalizeTrigger(delivery, "HELPDESK_TICKET_CREATED")).toEqual(normalizeTrigger(delivery));
    expect(normalizeTrigger(delivery, "HELPDESK_TICKET_CLOSED")).toBeUndefined();
  }
  expect(normalizeTrigger(await receive(DISABLED), "HELPDESK_TICKET_CREATED")).toBeUndefined();
});

test("returns undefined for deliveries that aren't trigger messages", async () => {
  for (const event of [EXPIRED, { type: "x" }]) {
    expect(normalizeTrigger(await receive(event))).toBeUndefined();
  }
});
