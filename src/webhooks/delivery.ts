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

/** An event type this version of the package knows. */
export type KnownEventType = (typeof EVENT_TYPES)[number];

/** What every delivery has, whatever it brings. */
interface DeliveryBase {
  /** The delivery's id, from `webhook-id`: the same each time it is sent again. What to recognise a duplicate by. */
  readonly id: string;
  /** When this attempt was sent, from `webhook-timestamp`: seconds since 1970. Not when the event happened. */
  readonly timestamp: number;
  /** Which of the secrets signed it, from 0. */
  readonly secretIndex: number;
}

interface Known<Type extends KnownEventType, Version extends PayloadVersion, Event> extends DeliveryBase {
  readonly kind: "known";
  /** The payload format, told by the payload's structure. */
  readonly version: Version;
  /** The event type. V2 and V1 do not carry it: they are trigger messages. */
  readonly type: Type;
  /** Exactly what was sent, fields this package does not know included. */
  readonly event: Event;
}

/** An event of an enabled trigger instance, in any format. {@link normalizeTrigger} gives one view of all three. */
export type TriggerDelivery =
  | Known<"svc.trigger.message", "V3", TriggerMessageV3>
  | Known<"svc.trigger.message", "V2", TriggerMessageV2>
  | Known<"svc.trigger.message", "V1", TriggerMessageV1>;

/** An authentic delivery whose event is of a known type and fits its shape. `type` and `version` tell which. */
export type KnownDelivery =
  | TriggerDelivery
  | Known<"svc.connected_account.expired", "V3", ConnectedAccountExpired>
  | Known<"svc.connected_account.activated", "V3", ConnectedAccountActivated>
  | Known<"svc.trigger.disabled", "V3", TriggerDisabled>;

/** An authentic delivery this version of the package does not understand: a newer event type, or a changed shape. */
export interface UnknownDelivery extends DeliveryBase {
  readonly kind: "unknown";
  /** The format the structure fits, if any. */
  readonly version: PayloadVersion | undefined;
  /** The payload's own `type`, where it is a text. May be a known one whose fields do not fit. */
  readonly type: string | undefined;
  /** Exactly what was sent. */
  readonly event: Readonly<Record<string, unknown>>;
}

/** An authentic delivery. Look at `kind` first, then at `type`. */
export type Delivery = KnownDelivery | UnknownDelivery;

/** The deliveries of one event type. */
export type DeliveryOf<Type extends KnownEventType> = Extract<KnownDelivery, { readonly type: Type }>;
