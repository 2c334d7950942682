import * as z from "zod/mini";
import { object, openEnum, request } from "../../schema-kit.js";
import { EventType, PAYLOAD_VERSIONS } from "../events/schema.js";
import { pageQuery, pageTotals } from "../shared.js";

/** Where events are delivered. A project has one. Spec: Resources > Webhook subscription. See assumption C6. */
export const WebhookSubscription = object({
  /** Opaque. */
  id: z.string(),
  /** Where deliveries are posted. */
  webhook_url: z.string(),
  /** Format of the payloads. */
  version: openEnum(PAYLOAD_VERSIONS),
  /** The event types that are delivered. */
  enabled_events: z.array(EventType),
  /** Key of the signatures, the whole text. Complete after `create` and `rotateSecret`; other answers may mask it. */
  secret: z.string(),
  /** ISO 8601. */
  created_at: z.string(),
  /** ISO 8601. */
  updated_at: z.string(),
});
/** Where events are delivered. A project has one. Spec: Resources > Webhook subscription. See assumption C6. */
export interface WebhookSubscription extends z.infer<typeof WebhookSubscription> {}

/** A page of webhook subscriptions. */
export const WebhookSubscriptionPage = object({ items: z.array(WebhookSubscription), ...pageTotals });
/** A page of webhook subscriptions. */
export interface WebhookSubscriptionPage extends z.infer<typeof WebhookSubscriptionPage> {}

/** Parameters of the webhook subscription list. */
export const ListWebhookSubscriptionsQuery = request(pageQuery);
/** Parameters of the webhook subscription list. */
export interface ListWebhookSubscriptionsQuery extends z.infer<typeof ListWebhookSubscriptionsQuery> {}

const webhookUrl = z.url().check(z.maxLength(2048));
const enabledEvents = z.array(EventType).check(z.minLength(1));
const version = z.optional(z.enum(PAYLOAD_VERSIONS));

/** Body of a webhook subscription's creation. */
export const CreateWebhookSubscriptionBody = request({
  /** Absolute address, at most 2048 characters; https in production. */
  webhook_url: webhookUrl,
  /** At least one. Lifecycle events exist in V3 only. */
  enabled_events: enabledEvents,
  /** The default is `V3`, the current format. The others are deprecated. */
  version,
});
/** Body of a webhook subscription's creation. */
export interface CreateWebhookSubscriptionBody extends z.infer<typeof CreateWebhookSubscriptionBody> {}

/** Body of a webhook subscription's update; what is left out stays. */
export const UpdateWebhookSubscriptionBody = request({
  /** Absolute address, at most 2048 characters; https in production. */
  webhook_url: z.optional(webhookUrl),
  /** Replaces the list. At least one. Lifecycle events exist in V3 only. */
  enabled_events: z.optional(enabledEvents),
  /** Changes the shape of every payload from now on: let your receiver understand it first. */
  version,
});
/** Body of a webhook subscription's update; what is left out stays. */
export interface UpdateWebhookSubscriptionBody extends z.infer<typeof UpdateWebhookSubscriptionBody> {}

/** What a deletion answers. */
export const DeletedWebhookSubscription = object({ success: z.boolean() });
/** What a deletion answers. */
export interface DeletedWebhookSubscription extends z.infer<typeof DeletedWebhookSubscription> {}

/** A new signing secret. */
export const RotatedWebhookSecret = object({
  /** The subscription. */
  id: z.string(),
  /** Key of the signatures from now on, the whole text. */
  secret: z.string(),
});
/** A new signing secret. */
export interface RotatedWebhookSecret extends z.infer<typeof RotatedWebhookSecret> {}

/** The event types a subscription may enable, on one page. */
export const WebhookEventTypeList = object({
  items: z.array(
    object({
      event_type: EventType,
      description: z.string(),
      /** The payload formats it exists in. */
      supported_versions: z.array(openEnum(PAYLOAD_VERSIONS)),
    }),
  ),
});
/** The event types a subscription may enable, on one page. */
export interface WebhookEventTypeList extends z.infer<typeof WebhookEventTypeList> {}
