import type { EventType, PayloadVersion } from "../../resources/events/schema.js";
import type { WebhookSubscription } from "../../resources/webhook-subscriptions/schema.js";
import type { JsonObject } from "../catalog/definitions.js";

/** An event that the emulated service emitted, in the current format. */
export interface EmittedEvent {
  /** `msg_` and a UUID for trigger messages, `evt_` and a UUID for the others. */
  readonly id: string;
  /** Decides which subscriptions receive it. */
  readonly type: EventType;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  /** What the event is about. */
  readonly metadata: JsonObject;
  /** The event itself. */
  readonly data: JsonObject;
  /** For trigger messages: the ids of older times that the V1 and V2 formats carry. */
  readonly legacy?: {
    /** `trigger_id` of V1 and V2. */
    readonly triggerUuid: string;
    /** `connection_id` of V1 and V2. */
    readonly connectionUuid: string;
  };
}

/** One POST of a delivery. */
export interface DeliveryAttempt {
  /** From 1; sent as `x-svc-delivery-attempt`. */
  readonly number: number;
  /** When it was sent, ISO 8601, by the emulator's clock. */
  readonly startedAt: string;
  /** When its outcome was known. */
  readonly endedAt: string;
  /** What the receiver answered; null where there was no answer. */
  readonly status: number | null;
  /** Why there was no answer; null where there was one. */
  readonly error: string | null;
}

/** One event on its way to one subscription, or what became of it. */
export interface DeliveryRecord {
  /** Of this delivery, not of the event. */
  readonly id: string;
  /** Sent as `webhook-id`: the same in every attempt, every copy and to every subscription. */
  readonly eventId: string;
  /** The subscription it goes to. */
  readonly subscriptionId: string;
  /** The event's type. */
  readonly type: EventType;
  /** The subscription's format when the event was emitted. */
  readonly version: PayloadVersion;
  /** What is posted, the same in every attempt. */
  readonly body: string;
  /** `delivered`: a 2xx came. `failed`: the attempts are used up. */
  readonly state: "pending" | "delivered" | "failed";
  /** Attempts that are over, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** When the next attempt is made, in milliseconds since 1970; null where there is none. */
  readonly dueAt: number | null;
}

/** A delivery as the state keeps it. */
export interface StoredDelivery extends DeliveryRecord {
  state: DeliveryRecord["state"];
  attempts: DeliveryAttempt[];
  dueAt: number | null;
}

/** What deliveries do wrong. */
export interface ActiveDeliveryFaults {
  copies: number;
  reorder: boolean;
  delayMs: number;
  skewSeconds: number;
  wrongSecret: boolean;
}

/** Deliveries that do nothing wrong. */
export const NO_DELIVERY_FAULTS: ActiveDeliveryFaults = {
  copies: 1,
  reorder: false,
  delayMs: 0,
  skewSeconds: 0,
  wrongSecret: false,
};

/** A webhook subscription with what answers do not show. */
export interface StoredWebhookSubscription extends WebhookSubscription {
  /** The project it belongs to: others do not find it. */
  projectId: string;
}

/** An inbound address for one OAuth application's events. */
export interface StoredWebhookEndpoint {
  id: string;
  /** The project it belongs to: others do not find it. */
  projectId: string;
  toolkit: string;
  clientId: string;
  /** Where the provider posts to. */
  url: string;
  /** By field, in clear; answers mask what is secret. */
  data: Record<string, string>;
  createdAt: string;
}
