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
  /** The event exactly as sent, including fields that this package doesn't know. */
  readonly event: Event;
}

/** An event of an enabled trigger instance, in any format. {@link normalizeTrigger} returns one view of all three. */
export type TriggerDelivery =
  | Known<"svc.trigger.message", "V3", TriggerMessageV3>
  | Known<"svc.trigger.message", "V2", TriggerMessageV2>
  | Known<"svc.trigger.message", "V1", TriggerMessageV1>;

/** An authentic delivery whose event has a known type and matches its shape: see `type` and `version`. */
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
  /** The event exactly as sent. */
  readonly event: Readonly<Record<string, unknown>>;
}

/** An authentic delivery. Check `kind` first, then `type`. */
export type Delivery = KnownDelivery | UnknownDelivery;

/** The deliveries of one event type. */
export type DeliveryOf<Type extends KnownEventType> = Extract<KnownDelivery, { readonly type: Type }>;
