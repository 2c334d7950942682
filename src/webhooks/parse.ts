import { WebhookPayloadError } from "../errors/webhook.js";
import { isObject, isText, type Json } from "../json.js";
import type { PayloadVersion } from "../resources/events/schema.js";
import type { Delivery, KnownEventType } from "./delivery.js";
import { isTriggerMessageV1, isTriggerMessageV2, V3_CHECKS } from "./event-checks.js";
import { textOf } from "./text.js";
import type { VerifiedWebhook } from "./verify.js";

/**
 * Reads a verified body. An event that is not understood becomes a delivery of kind `unknown`, never an error, so that it is
 * not lost.
 *
 * @throws {WebhookPayloadError} when the body is not a JSON object. Spec: Events.
 */
export function parseDelivery(verified: VerifiedWebhook): Delivery {
  const { id, timestamp, secretIndex, body } = verified;
  const event = parseObject(id, body);
  const version = versionOf(event);
  const known = version && typeIfKnown(version, event);
  const type = known ?? (isText(event["type"]) ? event["type"] : undefined);
  // A known type is one whose check the event has just passed; the compiler cannot follow that.
  return { id, timestamp, secretIndex, event, kind: known ? "known" : "unknown", version, type } as unknown as Delivery;
}

/** Whether this version of the package knows an event type. */
export function isKnownType(type: unknown): type is KnownEventType {
  return isText(type) && Object.hasOwn(V3_CHECKS, type);
}

function parseObject(id: string, body: string | Uint8Array): Json {
  const text = textOf(body);
  if (text === undefined)
    throw new WebhookPayloadError(id, "The delivery is authentic, but its body is not UTF-8 text.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own error quotes the body, which may hold users' data.
    throw new WebhookPayloadError(
      id,
      `The delivery is authentic, but its body (${text.length} characters) is not JSON.`,
    );
  }
  if (!isObject(value)) {
    const found = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
    throw new WebhookPayloadError(id, `The delivery is authentic, but its body is ${found}, not a JSON object.`);
  }
  return value;
}

/**
 * The format of a payload, by its envelope. What stands in the user's part decides nothing, and neither does `type`: some
 * senders of V2 put the event type there, others the trigger's slug.
 */
function versionOf(event: Json): PayloadVersion | undefined {
  const { type, metadata, data } = event;
  if (isText(type)) {
    if (isObject(metadata) && "data" in event) return "V3";
    if (isObject(data) && (isText(data["trigger_nano_id"]) || isText(data["connection_nano_id"]))) return "V2";
  }
  return isText(event["trigger_name"]) && "payload" in event ? "V1" : undefined;
}

function typeIfKnown(version: PayloadVersion, event: Json): KnownEventType | undefined {
  if (version === "V3") {
    const { type } = event;
    return isKnownType(type) && V3_CHECKS[type](event) ? type : undefined;
  }
  const isMessage = version === "V2" ? isTriggerMessageV2 : isTriggerMessageV1;
  return isMessage(event) ? "svc.trigger.message" : undefined;
}
