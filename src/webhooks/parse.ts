import { WebhookPayloadError } from "../errors/webhook.js";
import type { PayloadVersion } from "../resources/events/schema.js";
import { isObject, isString, type Json } from "../shared/json.js";
import type { Delivery, KnownEventType } from "./delivery.js";
import { isTriggerMessageV1, isTriggerMessageV2, V3_CHECKS } from "./event-checks.js";
import { nameIn } from "./options.js";
import { textOf } from "./text.js";
import type { VerifiedWebhook } from "./verify.js";

/**
 * Parses a verified body. An event that isn't understood becomes a delivery of kind `unknown`, never an error, so that
 * it isn't lost.
 *
 * @throws {WebhookPayloadError} if the body isn't a JSON object.
 */
export function parseDelivery(verified: VerifiedWebhook): Delivery {
  try {
    return parseVerified(verified);
  } catch (error) {
    throw nameIn(error, "parseDelivery");
  }
}

/** As {@link parseDelivery}. Messages don't name the operation: see {@link nameIn}. */
export function parseVerified({ id, timestamp, secretIndex, body }: VerifiedWebhook): Delivery {
  const event = parseObject(id, body);
  const version = versionOf(event);
  const known = version && typeIfKnown(version, event);
  const type = known ?? (isString(event["type"]) ? event["type"] : undefined);
  // If the type is known, the event has passed its check. The compiler can't follow that.
  return { id, timestamp, secretIndex, event, kind: known ? "known" : "unknown", version, type } as unknown as Delivery;
}

/** Whether this version of the package knows an event type. */
export function isKnownType(type: unknown): type is KnownEventType {
  return isString(type) && Object.hasOwn(V3_CHECKS, type);
}

function parseObject(id: string, body: string | Uint8Array): Json {
  const unreadable = (problem: string) =>
    new WebhookPayloadError(id, `The delivery is authentic, but its body ${problem}.`);
  const text = textOf(body);
  if (text === undefined) throw unreadable("isn't valid UTF-8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own error quotes the body, which may contain users' data.
    throw unreadable(`(${text.length} characters) isn't JSON`);
  }
  if (!isObject(value)) {
    const found = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
    throw unreadable(`is ${found}, not a JSON object`);
  }
  return value;
}

/**
 * Detects the format of a payload from its envelope. The user's part decides nothing, and neither does `type`: some
 * senders of V2 put the event type there, others the trigger's slug.
 */
function versionOf(event: Json): PayloadVersion | undefined {
  const { type, metadata, data } = event;
  if (isString(type)) {
    if (isObject(metadata) && "data" in event) return "V3";
    if (isObject(data) && (isString(data["trigger_nano_id"]) || isString(data["connection_nano_id"]))) return "V2";
  }
  return isString(event["trigger_name"]) && "payload" in event ? "V1" : undefined;
}

function typeIfKnown(version: PayloadVersion, event: Json): KnownEventType | undefined {
  if (version === "V3") {
    const { type } = event;
    return isKnownType(type) && V3_CHECKS[type](event) ? type : undefined;
  }
  const isMessage = version === "V2" ? isTriggerMessageV2 : isTriggerMessageV1;
  return isMessage(event) ? "svc.trigger.message" : undefined;
}
