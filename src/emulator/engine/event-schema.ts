import * as z from "zod/mini";
import { EventType, PAYLOAD_VERSIONS } from "../../resources/events/schema.js";
import { boolean, JsonObject, number, object, request, string } from "../../resources/schema-kit.js";
import { copies, delay, skew } from "./options-schema.js";

/** An event emitted by the emulated service, in the current format. */
export const EmittedEvent = object({
  /** `msg_` and a UUID for trigger messages, `evt_` and a UUID for other events. */
  id: string,
  /** Event type. Subscriptions select events by it. */
  type: EventType,
  /** When it happened, ISO 8601. */
  timestamp: string,
  /** Ids of the records involved. */
  metadata: JsonObject,
  /** Content of the event. */
  data: JsonObject,
  /** For trigger messages: legacy ids, used by the V1 and V2 formats. */
  legacy: z.optional(
    object({
      /** `trigger_id` of V1 and V2. */
      triggerUuid: string,
      /** `connection_id` of V1 and V2. */
      connectionUuid: string,
    }),
  ),
});
export interface EmittedEvent extends Readonly<z.infer<typeof EmittedEvent>> {}

/** The POST of an attempt. Its body is the delivery's. */
export const DeliveryRequest = object({
  /** The subscription's URL at that time. */
  url: string,
  /** With the signature, by lowercase name. */
  headers: z.record(string, string),
});
export interface DeliveryRequest extends Readonly<z.infer<typeof DeliveryRequest>> {}

/** The response of a receiver. */
export const ReceiverResponse = object({
  /** By lowercase name; cookies are masked. */
  headers: z.record(string, string),
  /** The body's first 16,384 characters. */
  body: string,
});
export interface ReceiverResponse extends Readonly<z.infer<typeof ReceiverResponse>> {}

/** One attempt of a delivery. */
export const DeliveryAttempt = object({
  /** From 1; sent as `x-svc-delivery-attempt`. */
  number: z.int(),
  /** When it was sent, ISO 8601, by the emulator's clock. */
  startedAt: string,
  /** When it ended, ISO 8601. */
  endedAt: string,
  /** The receiver's status; null if it didn't respond. */
  status: z.nullable(z.int()),
  /** Why there was no response; null if there was one. */
  error: z.nullable(string),
  /** The POST; null if none was sent, because the subscription no longer exists. */
  request: z.nullable(DeliveryRequest),
  /** The response; null if the receiver didn't respond. */
  response: z.nullable(ReceiverResponse),
});
export interface DeliveryAttempt extends Readonly<z.infer<typeof DeliveryAttempt>> {}

/** How a delivery was sent again, by `deliveries.resend`. */
export const ResendInfo = object({
  /** Id of the delivery that was sent again. */
  of: string,
  /** The exact request to send; null to sign one. */
  exactly: z.nullable(DeliveryRequest),
  /** Offset of the sender's clock in seconds. */
  skewSeconds: z.int(),
  /** Whether to sign with a secret other than the subscription's. */
  wrongSecret: boolean,
});
export interface ResendInfo extends Readonly<z.infer<typeof ResendInfo>> {}

/** The delivery of one event to one subscription. */
export const DeliveryRecord = object({
  /** Id of this delivery, not of the event. */
  id: string,
  /** Sent as `webhook-id`: the same for every attempt, copy, and subscription. */
  eventId: string,
  /** The subscription it's sent to. */
  subscriptionId: string,
  /** The event's type. */
  type: EventType,
  /** When it was scheduled, ISO 8601, by the emulator's clock. */
  createdAt: string,
  /** The subscription's format when the event was emitted. */
  version: z.enum(PAYLOAD_VERSIONS),
  /** Request body, the same in every attempt. */
  body: string,
  /**
   * `delivered`: the receiver returned a 2xx. `duplicate`: it also said that it had handled the event before, as the
   * receivers of `createReceiver` do. `failed`: all attempts failed.
   */
  state: z.enum(["pending", "delivered", "duplicate", "failed"]),
  /** Finished attempts, oldest first. */
  attempts: z.array(DeliveryAttempt),
  /** Time of the next attempt, in milliseconds since 1970; null if there isn't one. */
  dueAt: z.nullable(number),
  /** How it was sent again; absent if an event caused it. Has one attempt. */
  resend: z.optional(ResendInfo),
});
export interface DeliveryRecord extends Readonly<z.infer<typeof DeliveryRecord>> {}

const signing = {
  /**
   * Offset of the sender's clock in seconds; negative if it's behind.
   * @default 0
   */
  skewSeconds: z.optional(skew),
  /**
   * Signs with a secret other than the subscription's.
   * @default false
   */
  wrongSecret: z.optional(boolean),
};

/** Faults to inject into webhook deliveries. Omitted faults are turned off. */
export const DeliveryFaults = request({
  /**
   * How many times each delivery is sent, from 1 to 100. Copies have the same id and body, and their own attempts.
   * @default 1
   */
  copies: z.optional(copies),
  /**
   * Sends deliveries that are due at the same time newest first, one after another. With `delayMs`, deliveries are
   * collected for that long and sent together.
   * @default false
   */
  reorder: z.optional(boolean),
  /**
   * Delay between an event and its delivery, in milliseconds of the emulator's clock.
   * @default 0
   */
  delayMs: z.optional(delay),
  ...signing,
});
export interface DeliveryFaults extends Readonly<z.infer<typeof DeliveryFaults>> {}

/** How to send a delivery again. */
export const ResendOptions = request({
  /**
   * Another body.
   * @default the delivery's
   */
  body: z.optional(string),
  /**
   * How many times to send it, from 1 to 100.
   * @default 1
   */
  copies: z.optional(copies),
  /**
   * Whether to sign it again, with the current time and the subscription's current URL and secret. The other options
   * except `copies` imply it.
   * @default false
   */
  sign: z.optional(boolean),
  ...signing,
});
export interface ResendOptions extends Readonly<z.infer<typeof ResendOptions>> {}
