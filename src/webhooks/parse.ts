import { WebhookPayloadError } from "../errors/webhook.js";
import { EventV3, type PayloadVersion, TriggerMessageV1, TriggerMessageV2 } from "../resources/events/schema.js";
import type { Delivery, KnownDelivery } from "./delivery.js";
import { textOf } from "./text.js";
import type { VerifiedWebhook } from "./verify.js";

type Json = Readonly<Record<string, unknown>>;

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
  const base = { id, timestamp, secretIndex, event };
  const known = version && typeIfKnown(version, event);
  if (known) {
    // The schema has just shown that the event fits its type and version; the compiler cannot follow that.
    return { ...base, kind: "known", version, type: known } as unknown as KnownDelivery;
  }
  const type = typeof event["type"] === "string" ? event["type"] : undefined;
  return { ...base, kind: "unknown", version, type };
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
  if (typeof type === "string") {
    if (isObject(metadata)) return "data" in event ? "V3" : undefined;
    const hasIds = isObject(data) && (isText(data["trigger_nano_id"]) || isText(data["connection_nano_id"]));
    return hasIds ? "V2" : undefined;
  }
  return isText(event["trigger_name"]) && "payload" in event ? "V1" : undefined;
}

function typeIfKnown(version: PayloadVersion, event: Json): KnownDelivery["type"] | undefined {
  switch (version) {
    case "V3": {
      const result = EventV3.safeParse(event);
      return result.success ? result.data.type : undefined;
    }
    case "V2":
      return TriggerMessageV2.safeParse(event).success ? "svc.trigger.message" : undefined;
    case "V1":
      return TriggerMessageV1.safeParse(event).success ? "svc.trigger.message" : undefined;
  }
}

const isText = (value: unknown) => typeof value === "string";

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
