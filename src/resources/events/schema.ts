// The room of the events that subscriptions deliver, in each payload version: shapes without a resource. `webhooks`
// receives them. It imports only the functions that shapes are written with. Start here.

import * as z from "zod/mini";
import { deprecated, identifier, JsonObject, nullish, object, openEnum, string } from "../schema-kit.js";

/** The known event types. */
export const EVENT_TYPES = [
  "svc.trigger.message",
  "svc.connected_account.expired",
  "svc.connected_account.activated",
  "svc.trigger.disabled",
] as const;

/** An event type that a webhook subscription can deliver. */
export const EventType = openEnum(EVENT_TYPES);
export type EventType = z.infer<typeof EventType>;

/** The payload formats, newest first. `V2` and `V1` are deprecated and exist for trigger messages only. */
export const PAYLOAD_VERSIONS = ["V3", "V2", "V1"] as const;

/** A payload format. */
export type PayloadVersion = (typeof PAYLOAD_VERSIONS)[number];

/** The fields around every V3 event. */
const envelope = {
  /** The same as the delivery's `webhook-id`. */
  id: string,
  /** When the event happened, ISO 8601. */
  timestamp: string,
};

// See assumption W2.
/** An event of an enabled trigger instance. The service doesn't document its shape. */
export const TriggerMessageV3 = object({
  ...envelope,
  type: z.literal("svc.trigger.message"),
  /** Ids of the objects that the event concerns, and the trigger type. */
  metadata: object({
    /** The trigger type, in upper case. Select your handler by it. */
    trigger_slug: string,
    /** The trigger instance, `ti_…`. */
    trigger_id: identifier("triggerInstanceId"),
    /** Starts with `ca_`. */
    connected_account_id: identifier("connectedAccountId"),
    /** Starts with `ac_`. */
    auth_config_id: nullish(identifier("authConfigId")),
    user_id: nullish(string),
    log_id: nullish(string),
  }),
  /** The event itself, as the trigger type's `payload` describes it. */
  data: JsonObject,
});
export interface TriggerMessageV3 extends z.infer<typeof TriggerMessageV3> {}

// See assumption W2.
/** An event of an enabled trigger instance, in the second format: the event's own fields and five ids share `data`. */
export const TriggerMessageV2 = object({
  /** The trigger type, in lower case. */
  type: string,
  /** When the event happened, ISO 8601. */
  timestamp: string,
  /** Id of the service's log entry. Some senders omit it. */
  log_id: nullish(string),
  /** The event itself, with the ids of the objects that it concerns. */
  data: z.intersection(
    object({
      /** The trigger instance, `ti_…`. */
      trigger_nano_id: identifier("triggerInstanceId"),
      /** The connected account, `ca_…`. */
      connection_nano_id: identifier("connectedAccountId"),
      /** The trigger instance's legacy id, a UUID. Some senders omit it. */
      trigger_id: nullish(string),
      /** The connected account's legacy id, a UUID. Some senders omit it. */
      connection_id: nullish(string),
      user_id: nullish(string),
    }),
    JsonObject,
  ),
});
/**
 * An event of an enabled trigger instance, in the second format.
 * @deprecated Set the subscription's `version` to `V3`.
 */
export interface TriggerMessageV2 extends z.infer<typeof TriggerMessageV2> {}

// See assumption W2.
/** An event of an enabled trigger instance, in the first format. */
export const TriggerMessageV1 = object({
  /** The trigger type, mostly in upper case. */
  trigger_name: string,
  /** The trigger instance's legacy id, a UUID. Some senders send the `ti_…` id instead, or omit the field. */
  trigger_id: nullish(string),
  /** The connected account's legacy id, a UUID. Some senders send the `ca_…` id instead, or omit the field. */
  connection_id: nullish(string),
  /** The event itself. */
  payload: JsonObject,
  /** Id of the service's log entry. Some senders omit it. */
  log_id: nullish(string),
});
/**
 * An event of an enabled trigger instance, in the first format.
 * @deprecated Set the subscription's `version` to `V3`.
 */
export interface TriggerMessageV1 extends z.infer<typeof TriggerMessageV1> {}

const project_id = identifier("projectId");
const org_id = identifier("orgId");

/** The project of an event whose metadata isn't in the spec. See assumptions W2 and W3. */
const projectMetadata = object({
  project_id: nullish(project_id),
  /** @deprecated Read `project_id`. */
  org_id: deprecated(nullish(org_id)),
});

/** A connected account became EXPIRED. V3 only. */
export const ConnectedAccountExpired = object({
  ...envelope,
  type: z.literal("svc.connected_account.expired"),
  /** The project in which it happened. */
  metadata: object({
    project_id,
    /** @deprecated Read `project_id`. */
    org_id: deprecated(nullish(org_id)),
  }),
  /** The account. May contain more fields of its record. */
  data: object({
    /** Starts with `ca_`. */
    id: string,
    toolkit: object({ slug: string }),
    auth_config: object({
      /** Starts with `ac_`. */
      id: string,
      auth_scheme: string,
    }),
    status: openEnum(["EXPIRED"]),
    /** The reason, in words. */
    status_reason: nullish(string),
    user_id: nullish(string),
  }),
});
export interface ConnectedAccountExpired extends z.infer<typeof ConnectedAccountExpired> {}

// See assumption W3.
/** A connected account became ACTIVE. V3 only. The service documents only the name of this event. */
export const ConnectedAccountActivated = object({
  ...envelope,
  type: z.literal("svc.connected_account.activated"),
  /** The project in which it happened. */
  metadata: projectMetadata,
  /** The account. Any field may be missing. */
  data: object({
    /** Starts with `ca_`. */
    id: nullish(string),
    toolkit: nullish(object({ slug: string })),
    auth_config: nullish(object({ id: string, auth_scheme: nullish(string) })),
    status: nullish(openEnum(["ACTIVE"])),
    status_reason: nullish(string),
    user_id: nullish(string),
  }),
});
export interface ConnectedAccountActivated extends z.infer<typeof ConnectedAccountActivated> {}

// See assumption W2.
/** The service disabled a trigger. Not sent when you disable one. V3 only. */
export const TriggerDisabled = object({
  ...envelope,
  type: z.literal("svc.trigger.disabled"),
  /** The project in which it happened. */
  metadata: projectMetadata,
  /** The trigger instance, and why it was disabled. */
  data: object({
    /** The trigger instance, `ti_…`. */
    id: string,
    /** Starts with `ca_`. */
    connected_account_id: identifier("connectedAccountId"),
    /** The trigger type's slug. */
    trigger_name: string,
    user_id: nullish(string),
    trigger_config: nullish(JsonObject),
    /** ISO 8601. */
    disabled_at: string,
    /** The reason: `connection_expired`, `subscription_auth_failure`, …, or a sentence. */
    disabled_reason: string,
  }),
});
export interface TriggerDisabled extends z.infer<typeof TriggerDisabled> {}

/** Any V3 event. `type` is the discriminator. */
export const EventV3 = z.discriminatedUnion("type", [
  TriggerMessageV3,
  ConnectedAccountExpired,
  ConnectedAccountActivated,
  TriggerDisabled,
]);
export type EventV3 = TriggerMessageV3 | ConnectedAccountExpired | ConnectedAccountActivated | TriggerDisabled;
