import { endpoint, type } from "../../core/endpoint.js";
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
const collection = "/api/v3.1/webhook_subscriptions";
const one = "/api/v3.1/webhook_subscriptions/{id}";

export const createWebhookSubscription = endpoint({
  name: "webhookSubscriptions.create",
  method: "POST",
  path: collection,
  auth: ["apiKey"],
  repeat: "effect",
  deprecated: ["body.version=V1", "body.version=V2"],
  body: type<CreateWebhookSubscriptionBody>(),
  response: type<WebhookSubscription>(),
});

export const listWebhookSubscriptions = endpoint({
  name: "webhookSubscriptions.list",
  needs: ["items"],
  method: "GET",
  path: collection,
  auth: ["apiKey"],
  repeat: "safe",
  query: type<ListWebhookSubscriptionsQuery>(),
  response: type<WebhookSubscriptionPage>(),
});

export const getWebhookSubscription = endpoint({
  name: "webhookSubscriptions.get",
  method: "GET",
  path: one,
  auth: ["apiKey"],
  repeat: "safe",
  response: type<WebhookSubscription>(),
});

export const updateWebhookSubscription = endpoint({
  name: "webhookSubscriptions.update",
  method: "PATCH",
  path: one,
  auth: ["apiKey"],
  // Only the given fields change, and to the given values: a retry changes nothing more.
  repeat: "idempotent",
  deprecated: ["body.version=V1", "body.version=V2"],
  body: type<UpdateWebhookSubscriptionBody>(),
  response: type<WebhookSubscription>(),
});

export const deleteWebhookSubscription = endpoint({
  name: "webhookSubscriptions.delete",
  method: "DELETE",
  path: one,
  auth: ["apiKey"],
  repeat: "idempotent",
  alreadyDone: { statuses: [404, 410], data: () => ({ success: true }) },
  response: type<DeletedWebhookSubscription>(),
});

export const rotateWebhookSubscriptionSecret = endpoint({
  name: "webhookSubscriptions.rotateSecret",
  method: "POST",
  path: "/api/v3.1/webhook_subscriptions/{id}/rotate_secret",
  auth: ["apiKey"],
  // A retry would invalidate the secret that the first attempt returned.
  repeat: "effect",
  response: type<RotatedWebhookSecret>(),
});

export const listWebhookEventTypes = endpoint({
  name: "webhookSubscriptions.eventTypes",
  method: "GET",
  path: "/api/v3.1/webhook_subscriptions/event_types",
  auth: ["apiKey"],
  repeat: "safe",
  response: type<WebhookEventTypeList>(),
});
