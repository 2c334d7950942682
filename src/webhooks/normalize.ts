import type { PayloadVersion } from "../resources/events/schema.js";
import type { TriggerCatalog } from "../resources/typed-catalog.js";
import { isString, type Json } from "../shared/json.js";
import type { Delivery, TriggerDelivery } from "./parse.js";

/**
 * A trigger's event, the same for every format. Fields that the format doesn't have are `undefined`. `null` means that
 * the service sent null.
 */
export interface TriggerEvent<Payload = Readonly<Record<string, unknown>>> {
  /** The delivery's id: the same each time it is retried. */
  readonly id: string;
  /** The format it was sent in. */
  readonly version: PayloadVersion;
  /** The trigger type, in upper case: `GITHUB_COMMIT_EVENT`. Not in every V2. */
  readonly triggerSlug: string | undefined;
  /** The trigger instance, `ti_…`. Not in every V1. */
  readonly triggerId: string | undefined;
  /** The trigger instance's legacy id, a UUID. Not in every V2 and V1. */
  readonly legacyTriggerId: string | null | undefined;
  /** The connected account, `ca_…`. Not in every V1. */
  readonly connectedAccountId: string | undefined;
  /** The connected account's legacy id, a UUID. Not in every V2 and V1. */
  readonly legacyConnectionId: string | null | undefined;
  /** The auth config, `ac_…`. V3. */
  readonly authConfigId: string | null | undefined;
  /** The end user. V3 and V2. */
  readonly userId: string | null | undefined;
  /** The service's log entry. Not in every event. */
  readonly logId: string | null | undefined;
  /** When it happened, ISO 8601. V3 and V2. */
  readonly timestamp: string | undefined;
  /** The event itself, without the ids that V2 adds to it. You choose its type: it isn't checked. */
  readonly payload: Payload;
}

/** The payload of a trigger's event: the type generated for its slug, otherwise any JSON object. */
export type TriggerPayload<Slug extends string> =
  // Checked against the whole catalog type, so that a name every object has is a slug like any other.
  TriggerCatalog extends Readonly<Record<Slug, { payload: infer Payload }>>
    ? Payload
    : Readonly<Record<string, unknown>>;

/** Returns a trigger's event in the same form for every format. */
export function normalizeTrigger(delivery: TriggerDelivery): TriggerEvent;
/** As above; `undefined` if the delivery isn't a known trigger message. */
export function normalizeTrigger(delivery: Delivery): TriggerEvent | undefined;
/**
 * Returns the event of one trigger type in the same form for every format, with the payload type generated for it.
 * `undefined` for any other delivery.
 *
 * @param slug the trigger type, in upper case.
 */
export function normalizeTrigger<Slug extends keyof TriggerCatalog | (Uppercase<string> & {})>(
  delivery: Delivery,
  slug: Slug,
): TriggerEvent<TriggerPayload<Slug>> | undefined;
export function normalizeTrigger(delivery: Delivery, slug?: string): TriggerEvent | undefined {
  if (delivery.kind === "unknown" || delivery.type !== "svc.trigger.message") return undefined;
  const { id, version, event: sent } = delivery;
  // The event has passed its check. The compiler can't follow that.
  const event = { ...NO_FIELDS, ...readTrigger(version, sent), id, version } as Writable<TriggerEvent>;
  // Some senders of V2 put the event type in the slug's place; then the slug is missing.
  const isType = version === "V2" && event.triggerSlug?.startsWith("svc.");
  event.triggerSlug = isType ? undefined : event.triggerSlug?.toUpperCase();
  // Some senders of V1 put the current ids in the legacy ones' places.
  if (version === "V1" && event.legacyTriggerId?.startsWith("ti_")) {
    event.triggerId = event.legacyTriggerId;
    event.legacyTriggerId = undefined;
  }
  if (version === "V1" && event.legacyConnectionId?.startsWith("ca_")) {
    event.connectedAccountId = event.legacyConnectionId;
    event.legacyConnectionId = undefined;
  }
  // `deliveries.map(normalizeTrigger)` passes an index here.
  return typeof slug !== "string" || event.triggerSlug === slug ? event : undefined;
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** The fields of a trigger's event that are in its body. */
type BodyFields = Partial<Record<Exclude<keyof TriggerEvent, "version">, unknown>>;

/** The field in each place of a format. In V2, the ids are among the payload's own fields. */
const FORMATS: Readonly<Record<PayloadVersion, Readonly<Record<string, keyof BodyFields>>>> = {
  V3: {
    id: "id",
    timestamp: "timestamp",
    "metadata.log_id": "logId",
    "metadata.trigger_slug": "triggerSlug",
    "metadata.trigger_id": "triggerId",
    "metadata.connected_account_id": "connectedAccountId",
    "metadata.auth_config_id": "authConfigId",
    "metadata.user_id": "userId",
    data: "payload",
  },
  V2: {
    type: "triggerSlug",
    timestamp: "timestamp",
    log_id: "logId",
    data: "payload",
    "data.connection_id": "legacyConnectionId",
    "data.connection_nano_id": "connectedAccountId",
    "data.trigger_nano_id": "triggerId",
    "data.trigger_id": "legacyTriggerId",
    "data.user_id": "userId",
  },
  V1: {
    trigger_name: "triggerSlug",
    trigger_id: "legacyTriggerId",
    connection_id: "legacyConnectionId",
    payload: "payload",
    log_id: "logId",
  },
};

/** Every field, because a format has only some of them. */
const NO_FIELDS: BodyFields = Object.fromEntries(
  Object.values(FORMATS).flatMap((format) => Object.values(format).map((field) => [field, undefined])),
);

/** The fields of an event in one format. */
export function readTrigger(version: PayloadVersion, event: Json): BodyFields {
  const fields: BodyFields = {};
  for (const [place, field] of Object.entries(FORMATS[version])) {
    const [outer = "", inner] = place.split(".");
    fields[field] = inner === undefined ? event[outer] : Object(event[outer])[inner];
  }
  if (version === "V2") {
    const own = Object.entries(Object(fields.payload)).filter(([key]) => !(`data.${key}` in FORMATS.V2));
    fields.payload = Object.fromEntries(own);
  }
  return fields;
}

/** An event in one format. Fields without a value are `undefined`. */
export function writeTrigger(version: PayloadVersion, fields: BodyFields): Json {
  const event: Record<string, unknown> = version === "V3" ? { type: "svc.trigger.message" } : {};
  for (const [place, field] of Object.entries(FORMATS[version])) {
    const [outer = "", inner] = place.split(".");
    const value = fields[field];
    if (inner !== undefined) event[outer] = { ...Object(event[outer]), [inner]: value };
    else event[outer] = place === "type" && isString(value) ? value.toLowerCase() : value;
  }
  return event;
}
