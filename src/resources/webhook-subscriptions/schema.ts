import * as z from "zod/mini";
import { EventType, PAYLOAD_VERSIONS } from "../events/schema.js";
import { boolean, identifier, list, object, openEnum, request, string } from "../schema-kit.js";
import { pageQuery, pageTotals, timestamps } from "../shared.js";

/** Where events are delivered. A project has one. */
export const WebhookSubscription = object({
  /** Opaque. */
  id: identifier("webhookSubscriptionId"),
  /** Where deliveries are posted. */
  webhook_url: string,
  /** Format of the payloads. */
  version: openEnum(PAYLOAD_VERSIONS),
  /** The event types that are delivered. */
  enabled_events: z.array(EventType),
  /** The signing secret. Complete after `create` and `rotateSecret`; other responses may mask it. */
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
  /** Absolute URL, at most 2048 characters; https in production. */
  webhook_url: webhookUrl,
  /** At least one. Lifecycle events exist in V3 only. */
  enabled_events: enabledEvents,
  /** The default is `V3`, the current format. The others are deprecated. */
  version,
});
export interface CreateWebhookSubscriptionBody extends z.infer<typeof CreateWebhookSubscriptionBody> {}

/** Body for updating a webhook subscription; omitted fields stay unchanged. */
export const UpdateWebhookSubscriptionBody = request({
  /** Absolute URL, at most 2048 characters; https in production. */
  webhook_url: z.optional(webhookUrl),
  /** Replaces the list. At least one. Lifecycle events exist in V3 only. */
  enabled_events: z.optional(enabledEvents),
  /** Changes the format of all future payloads: update your receiver first. */
  version,
});
export interface UpdateWebhookSubscriptionBody extends z.infer<typeof UpdateWebhookSubscriptionBody> {}

/** Response to a deletion. */
export const DeletedWebhookSubscription = object({ success: boolean });
export interface DeletedWebhookSubscription extends z.infer<typeof DeletedWebhookSubscription> {}

/** A new signing secret. */
export const RotatedWebhookSecret = object({
  /** The subscription. */
  id: identifier("webhookSubscriptionId"),
  /** The new signing secret, complete. */
  secret: string,
});
export interface RotatedWebhookSecret extends z.infer<typeof RotatedWebhookSecret> {}

/** The event types a subscription may enable, on one page. */
export const WebhookEventTypeList = object({
  items: z.array(
    object({
      event_type: EventType,
      description: string,
      /** Payload formats that include it. */
      supported_versions: z.array(openEnum(PAYLOAD_VERSIONS)),
    }),
  ),
});
export interface WebhookEventTypeList extends z.infer<typeof WebhookEventTypeList> {}
