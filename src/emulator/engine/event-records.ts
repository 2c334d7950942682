import * as z from "zod/mini";
import { type EventType, PAYLOAD_VERSIONS, type PayloadVersion } from "../../resources/events/schema.js";
import { boolean, JsonObject, number, object, string } from "../../resources/schema-kit.js";
import { WebhookEndpoint } from "../../resources/webhook-endpoints/schema.js";
import { WebhookSubscription } from "../../resources/webhook-subscriptions/schema.js";

/** An event emitted by the emulated service, in the current format. */
export interface EmittedEvent {
  /** `msg_` and a UUID for trigger messages, `evt_` and a UUID for other events. */
  readonly id: string;
  /** Event type. Subscriptions select events by it. */
  readonly type: EventType;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  /** Ids of the records involved. */
  readonly metadata: Record<string, unknown>;
  /** Content of the event. */
  readonly data: Record<string, unknown>;
  /** For trigger messages: legacy ids, used by the V1 and V2 formats. */
  readonly legacy?:
    | {
        /** `trigger_id` of V1 and V2. */
        readonly triggerUuid: string;
        /** `connection_id` of V1 and V2. */
        readonly connectionUuid: string;
      }
    | undefined;
}

/** Schema of an {@link EmittedEvent}. */
export const EventShape = object({
  id: string,
  type: string,
  timestamp: string,
  metadata: JsonObject,
  data: JsonObject,
  legacy: z.optional(object({ triggerUuid: string, connectionUuid: string })),
});

/** Header of every delivery, which the control plane rejects: others choose where deliveries go. */
export const ATTEMPT_HEADER = "x-svc-delivery-attempt";

/** The POST of an attempt. Its body is the delivery's. */
export interface DeliveryRequest {
  /** The subscription's URL at that time. */
  readonly url: string;
  /** With the signature, by lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The response of a receiver. */
export interface ReceiverResponse {
  /** By lowercase name; cookies are masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body's first 16,384 characters. */
  readonly body: string;
}

/** One attempt of a delivery. */
export interface DeliveryAttempt {
  /** From 1; sent as `x-svc-delivery-attempt`. */
  readonly number: number;
  /** When it was sent, ISO 8601, by the emulator's clock. */
  readonly startedAt: string;
  /** When it ended, ISO 8601. */
  readonly endedAt: string;
  /** The receiver's status; null if it didn't respond. */
  readonly status: number | null;
  /** Why there was no response; null if there was one. */
  readonly error: string | null;
  /** The POST; null if none was sent, because the subscription no longer exists. */
  readonly request: DeliveryRequest | null;
  /** The response; null if the receiver didn't respond. */
  readonly response: ReceiverResponse | null;
}

/** How a delivery was sent again, by `deliveries.resend`. */
export interface ResendInfo {
  /** Id of the delivery that was sent again. */
  readonly of: string;
  /** The exact request to send; null to sign one. */
  readonly exactly: DeliveryRequest | null;
  /** Offset of the sender's clock in seconds. */
  readonly skewSeconds: number;
  /** Whether to sign with a secret other than the subscription's. */
  readonly wrongSecret: boolean;
}

/** The delivery of one event to one subscription. */
export interface DeliveryRecord {
  /** Id of this delivery, not of the event. */
  readonly id: string;
  /** Sent as `webhook-id`: the same for every attempt, copy, and subscription. */
  readonly eventId: string;
  /** The subscription it's sent to. */
  readonly subscriptionId: string;
  /** The event's type. */
  readonly type: EventType;
  /** The subscription's format when the event was emitted. */
  readonly version: PayloadVersion;
  /** Request body, the same in every attempt. */
  readonly body: string;
  /** `delivered`: the receiver returned a 2xx. `failed`: all attempts failed. */
  readonly state: "pending" | "delivered" | "failed";
  /** Finished attempts, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Time of the next attempt, in milliseconds since 1970; null if there isn't one. */
  readonly dueAt: number | null;
  /** How it was sent again; absent if an event caused it. Has one attempt. */
  readonly resend?: ResendInfo | undefined;
}

const headers = z.record(string, string);

const requestShape = z.nullable(object({ url: string, headers }));

/** Schema of a {@link DeliveryRecord}. */
export const DeliveryShape = object({
  id: string,
  eventId: string,
  subscriptionId: string,
  type: string,
  version: z.enum(PAYLOAD_VERSIONS),
  body: string,
  state: z.enum(["pending", "delivered", "failed"]),
  attempts: z.array(
    object({
      number: z.int(),
      startedAt: string,
      endedAt: string,
      status: z.nullable(z.int()),
      error: z.nullable(string),
      request: requestShape,
      response: z.nullable(object({ headers, body: string })),
    }),
  ),
  dueAt: z.nullable(number),
  resend: z.optional(object({ of: string, exactly: requestShape, skewSeconds: z.int(), wrongSecret: boolean })),
});

/** A delivery in the state. */
export interface StoredDelivery extends DeliveryRecord {
  state: DeliveryRecord["state"];
  attempts: DeliveryAttempt[];
  dueAt: number | null;
}

/** Faults injected into deliveries. */
export const ActiveDeliveryFaults = object({
  copies: number,
  reorder: boolean,
  delayMs: number,
  skewSeconds: number,
  wrongSecret: boolean,
});
export type ActiveDeliveryFaults = z.infer<typeof ActiveDeliveryFaults>;

/** No injected faults. */
export const NO_DELIVERY_FAULTS: ActiveDeliveryFaults = {
  copies: 1,
  reorder: false,
  delayMs: 0,
  skewSeconds: 0,
  wrongSecret: false,
};

/** A webhook subscription, including fields that responses don't show. */
export const StoredWebhookSubscription = object({
  ...WebhookSubscription.shape,
  /** The project it belongs to. Other projects can't see it. */
  projectId: string,
});
export type StoredWebhookSubscription = z.infer<typeof StoredWebhookSubscription>;

/** An inbound URL for the events of one OAuth app. Its data is in plain text; responses mask secrets. */
export const StoredWebhookEndpoint = object({
  ...WebhookEndpoint.shape,
  data: z.record(string, string),
  /** The project it belongs to. Other projects can't see it. */
  projectId: string,
});
export type StoredWebhookEndpoint = z.infer<typeof StoredWebhookEndpoint>;
