import type { WebhookSubscription } from "../../resources/webhook-subscriptions/schema.js";

/** A webhook subscription with what answers do not show. */
export interface StoredWebhookSubscription extends WebhookSubscription {
  /** The project it belongs to: others do not find it. */
  projectId: string;
}
