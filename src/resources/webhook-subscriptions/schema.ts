import * as z from "zod/mini";
import { EventType, PAYLOAD_VERSIONS } from "../events/schema.js";
import { boolean, identifier, list, object, openEnum, request, string } from "../schema-kit.js";
import { pageQuery, pageTotals, timestamps } from "../shared.js";

/** A webhook subscription: where and how events are delivered. A project has one. */
export const WebhookSubscription = object({
  /** Opaque id. */
  id: identifier("webhookSubscriptionId"),
  /** URL to which deliveries are POSTed. */
  webhook_url: string,
  /** Format of the payloads. */
  version: openEnum(PAYLOAD_VERSIONS),
  /** The event types that are delivered. */
  enabled_events: z.array(EventType),
  /** The signing secret. Complete in the responses to `create` and `rotateSecret`. Other responses may mask it. */
  secret: string,
  ...timestamps,
});
export interface WebhookSubscription extends z.infer<typeof WebhookSubscription> {}

/** A page of webhook subscriptions. */
export const WebhookSubscriptionPage = object({ items: z.array(WebhookSubscription), ...pageTotals });
export interface WebhookSubscriptionPage extends z.infer<typeof WebhookSubscriptionPage> {}

/** Parameters of the webhook subscription list. */
export const ListWebhookSubscriptionsQuery = request(pageQuery);
export interface ListWebhookSubscriptionsQuery extends z.infer<typeof ListWebhookSubscriptionsQuery> {}

const webhookUrl = z.url().check(z.maxLength(2048));
const enabledEvents = list(EventType).check(z.minLength(1));
const version = z.optional(z.enum(PAYLOAD_VERSIONS));

/** Body for creating a webhook subscription. */
export const CreateWebhookSubscriptionBody = request({
  /** Absolute URL, at most 2048 characters. Use https in production. */
  webhook_url: webhookUrl,
  /** The event types to deliver, at least one. Lifecycle events exist in V3 only. */
  enabled_events: enabledEvents,
  /** Format of the payloads. The default is `V3`. `V2` and `V1` are deprecated. */
  version,
});
export interface CreateWebhookSubscriptionBody extends z.infer<typeof CreateWebhookSubscriptionBody> {}

/** Body for updating a webhook subscription. Omitted fields stay unchanged. */
export const UpdateWebhookSubscriptionBody = request({
  /** Absolute URL, at most 2048 characters. Use https in production. */
  webhook_url: z.optional(webhookUrl),
  /** The event types to deliver, at least one. Replaces the list. Lifecycle events exist in V3 only. */
  enabled_events: z.optional(enabledEvents),
  /** Format of the payloads. Applies to all future deliveries, so update your receiver first. */
  version,
});
export interface UpdateWebhookSubscriptionBody extends z.infer<typeof UpdateWebhookSubscriptionBody> {}

/** Response to deleting a webhook subscription. */
export const DeletedWebhookSubscription = object({ success: boolean });
export interface DeletedWebhookSubscription extends z.infer<typeof DeletedWebhookSubscription> {}

/** A new signing secret. */
export const RotatedWebhookSecret = object({
  /** Id of the subscription. */
  id: identifier("webhookSubscriptionId"),
  /** The new signing secret, complete. */
  secret: string,
});
export interface RotatedWebhookSecret extends z.infer<typeof RotatedWebhookSecret> {}

/** The event types that a subscription can enable, in one response. */
export const WebhookEventTypeList = object({
  items: z.array(
    object({
      event_type: EventType,
      description: string,
      /** Payload formats that have this event. */
      supported_versions: z.array(openEnum(PAYLOAD_VERSIONS)),
    }),
  ),
});
export interface WebhookEventTypeList extends z.infer<typeof WebhookEventTypeList> {}
