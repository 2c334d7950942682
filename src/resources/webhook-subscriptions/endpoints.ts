import { endpoint, typed } from "../../core/endpoint.js";
import type {
  CreateWebhookSubscriptionBody,
  DeletedWebhookSubscription,
  ListWebhookSubscriptionsQuery,
  RotatedWebhookSecret,
  UpdateWebhookSubscriptionBody,
  WebhookEventTypeList,
  WebhookSubscription,
  WebhookSubscriptionPage,
} from "./schema.js";

// The spec ties these operations to v3.1 and to the project key.

export const createWebhookSubscription = endpoint({
  name: "webhookSubscriptions.create",
  method: "POST",
  path: "/api/v3.1/webhook_subscriptions",
  auth: ["apiKey"],
  retry: "effect",
  deprecated: ["body.version=V1", "body.version=V2"],
  body: typed<CreateWebhookSubscriptionBody>(),
  response: typed<WebhookSubscription>(),
});

export const listWebhookSubscriptions = endpoint({
  name: "webhookSubscriptions.list",
  requiredFields: ["items"],
  method: "GET",
  path: "/api/v3.1/webhook_subscriptions",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<ListWebhookSubscriptionsQuery>(),
  response: typed<WebhookSubscriptionPage>(),
});

export const getWebhookSubscription = endpoint({
  name: "webhookSubscriptions.get",
  method: "GET",
  path: "/api/v3.1/webhook_subscriptions/{id}",
  auth: ["apiKey"],
  retry: "safe",
  response: typed<WebhookSubscription>(),
});

export const updateWebhookSubscription = endpoint({
  name: "webhookSubscriptions.update",
  method: "PATCH",
  path: "/api/v3.1/webhook_subscriptions/{id}",
  auth: ["apiKey"],
  // Only the given fields change, and to the given values: a retry changes nothing more.
  retry: "idempotent",
  deprecated: ["body.version=V1", "body.version=V2"],
  body: typed<UpdateWebhookSubscriptionBody>(),
  response: typed<WebhookSubscription>(),
});

export const deleteWebhookSubscription = endpoint({
  name: "webhookSubscriptions.delete",
  method: "DELETE",
  path: "/api/v3.1/webhook_subscriptions/{id}",
  auth: ["apiKey"],
  retry: "idempotent",
  alreadyApplied: { statuses: [404, 410], data: () => ({ success: true }) },
  response: typed<DeletedWebhookSubscription>(),
});

export const rotateWebhookSubscriptionSecret = endpoint({
  name: "webhookSubscriptions.rotateSecret",
  method: "POST",
  path: "/api/v3.1/webhook_subscriptions/{id}/rotate_secret",
  auth: ["apiKey"],
  // A retry would invalidate the secret that the first attempt returned.
  retry: "effect",
  response: typed<RotatedWebhookSecret>(),
});

export const listWebhookEventTypes = endpoint({
  name: "webhookSubscriptions.eventTypes",
  method: "GET",
  path: "/api/v3.1/webhook_subscriptions/event_types",
  auth: ["apiKey"],
  retry: "safe",
  response: typed<WebhookEventTypeList>(),
});
