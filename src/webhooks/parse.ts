import { nameIn, WebhookPayloadError } from "../errors/webhook.js";
import type {
  ConnectedAccountActivated,
  ConnectedAccountExpired,
  EVENT_TYPES,
  PayloadVersion,
  TriggerDisabled,
  TriggerMessageV1,
  TriggerMessageV2,
  TriggerMessageV3,
} from "../resources/events/schema.js";
import { isObject, isString, type Json, kindOf, parseJson } from "../shared/json.js";
import { EVENT_CHECKS } from "./event-checks.js";
import { textOf } from "./input.js";
import { type VerifiedWebhook, type VerifyOptions, verifyOne, type WebhookInput } from "./verify.js";

/** An event type that this version of the package knows. */
export type KnownEventType = (typeof EVENT_TYPES)[number];

/** The fields of every delivery. */
interface DeliveryBase {
  /** The delivery's id, from `webhook-id`. The same each time it is retried: use it to detect duplicates. */
  readonly id: string;
  /** When this attempt was sent, from `webhook-timestamp`: seconds since 1970. Not when the event happened. */
  readonly timestamp: number;
  /** Index of the secret that signed it, from 0. */
  readonly secretIndex: number;
}

interface Known<Type extends KnownEventType, Version extends PayloadVersion, Event> extends DeliveryBase {
  readonly kind: "known";
  /** The payload format, detected from the payload's structure. */
  readonly version: Version;
  /** The event type. V2 and V1 don't have one: they are always trigger messages. */
  readonly type: Type;
  /**
   * The event as sent, including fields that this package doesn't know. An integer beyond 2^53 − 1 is a string of its
   * digits.
   */
  readonly event: Event;
}

/** An event of an enabled trigger instance, in any format. {@link normalizeTrigger} returns one view of all three. */
export type TriggerDelivery =
  | Known<"svc.trigger.message", "V3", TriggerMessageV3>
  | Known<"svc.trigger.message", "V2", TriggerMessageV2>
  | Known<"svc.trigger.message", "V1", TriggerMessageV1>;

/** The trigger message of each format. */
export interface TriggerMessages {
  /** The current format. */
  V3: TriggerMessageV3;
  /** Deprecated. */
  V2: TriggerMessageV2;
  /** Deprecated, the oldest. */
  V1: TriggerMessageV1;
}

/** An event with every field optional, in the event itself and one level below. */
export type PartialEvent<Event> = {
  [Key in keyof Event]?: Event[Key] extends Readonly<Record<string, unknown>> ? Partial<Event[Key]> : Event[Key];
};

/** An authentic delivery whose event has a known type and matches its shape. */
export type KnownDelivery =
  | TriggerDelivery
  | Known<"svc.connected_account.expired", "V3", ConnectedAccountExpired>
  | Known<"svc.connected_account.activated", "V3", ConnectedAccountActivated>
  | Known<"svc.trigger.disabled", "V3", TriggerDisabled>;

/**
 * An authentic delivery that this version of the package doesn't understand: a newer event type, or a changed shape.
 */
export interface UnknownDelivery extends DeliveryBase {
  readonly kind: "unknown";
  /** The format that the structure matches, if any. */
  readonly version: PayloadVersion | undefined;
  /** The payload's own `type`, if it is a string. It may be a known type whose fields don't match. */
  readonly type: string | undefined;
  /** The event as sent. An integer beyond 2^53 − 1 is a string of its digits. */
  readonly event: Readonly<Record<string, unknown>>;
}

/** An authentic delivery. Check `kind` first, then `type`. */
export type Delivery = KnownDelivery | UnknownDelivery;

/** The deliveries of one event type. */
export type DeliveryOf<Type extends KnownEventType> = Extract<KnownDelivery, { readonly type: Type }>;

/**
 * Verifies a delivery, then parses it. Needs no client and no API key.
 *
 * Takes a `Request`, or `{ body, headers }` with the raw body. It doesn't detect duplicates: the same event can arrive
 * more than once, with the same `id`. {@link createReceiver} detects duplicates.
 *
 * @throws {WebhookVerificationError} with a `reason`, if it isn't authentic.
 * @throws {WebhookPayloadError} if it is authentic, but not a JSON object.
 * @throws {ConfigError} if a secret or another option isn't usable.
 */
export async function verifyWebhook(input: WebhookInput, options: VerifyOptions = {}): Promise<Delivery> {
  try {
    return parseVerified(await verifyOne(input, options));
  } catch (error) {
    throw nameIn(error, "verifyWebhook");
  }
}

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
  const unreadable = (problem: string) =>
    new WebhookPayloadError(id, `The delivery is authentic, but its body ${problem}.`);
  const text = textOf(body);
  if (text === undefined) throw unreadable("isn't valid UTF-8");
  // Without the parser's error: it quotes the body, which may contain users' data.
  const event = parseJson(text);
  if (event === undefined) throw unreadable(`(${text.length} characters) isn't JSON`);
  if (!isObject(event)) throw unreadable(`is JSON of type ${kindOf(event)}, not an object`);
  const version = versionOf(event);
  const stated = isString(event["type"]) ? event["type"] : undefined;
  // V2 and V1 have trigger messages only.
  const type = version === "V3" ? stated : "svc.trigger.message";
  const isKnown = version !== undefined && EVENT_CHECKS[version].get(type)?.(event) === true;
  const kind = isKnown ? "known" : "unknown";
  // If the type is known, the event has passed its check. The compiler can't follow that.
  return { id, timestamp, secretIndex, event, kind, version, type: isKnown ? type : stated } as unknown as Delivery;
}

/**
 * Detects the format of a payload from its envelope. The user's part decides nothing, and neither does `type`: some
 * senders of V2 put the event type there, others the trigger's slug.
 */
export function versionOf(event: Json): PayloadVersion | undefined {
  const { type, metadata, data } = event;
  if (isString(type)) {
    if (isObject(metadata) && "data" in event) return "V3";
    if (isObject(data) && (isString(data["trigger_nano_id"]) || isString(data["connection_nano_id"]))) return "V2";
  }
  return isString(event["trigger_name"]) && "payload" in event ? "V1" : undefined;
}
