import { typed } from "../../core/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

// The spec ties these operations to v3.1 and to the project key.

export const webhookSubscriptions = endpoints("webhookSubscriptions", {
  create: define({
    method: "POST",
    path: "/api/v3.1/webhook_subscriptions",
    auth: ["apiKey"],
    retry: "effect",
    deprecated: ["body.version=V1", "body.version=V2"],
    body: typed<shapes.CreateWebhookSubscriptionBody>(),
    response: typed<shapes.WebhookSubscription>(),
  }),
  list: define({
    requiredFields: ["items"],
    method: "GET",
    path: "/api/v3.1/webhook_subscriptions",
    auth: ["apiKey"],
    retry: "safe",
    query: typed<shapes.ListWebhookSubscriptionsQuery>(),
    response: typed<shapes.WebhookSubscriptionPage>(),
  }),
  get: define({
    method: "GET",
    path: "/api/v3.1/webhook_subscriptions/{id}",
    auth: ["apiKey"],
    retry: "safe",
    response: typed<shapes.WebhookSubscription>(),
  }),
  update: define({
    method: "PATCH",
    path: "/api/v3.1/webhook_subscriptions/{id}",
    auth: ["apiKey"],
    // Only the given fields change, and to the given values: a retry changes nothing more.
    retry: "idempotent",
    deprecated: ["body.version=V1", "body.version=V2"],
    body: typed<shapes.UpdateWebhookSubscriptionBody>(),
    response: typed<shapes.WebhookSubscription>(),
  }),
  delete: define({
    method: "DELETE",
    path: "/api/v3.1/webhook_subscriptions/{id}",
    auth: ["apiKey"],
    retry: "idempotent",
    alreadyApplied: { statuses: [404, 410], data: () => ({ success: true }) },
    response: typed<shapes.DeletedWebhookSubscription>(),
  }),
  rotateSecret: define({
    method: "POST",
    path: "/api/v3.1/webhook_subscriptions/{id}/rotate_secret",
    auth: ["apiKey"],
    // A retry would invalidate the secret that the first attempt returned.
    retry: "effect",
    response: typed<shapes.RotatedWebhookSecret>(),
  }),
  eventTypes: define({
    method: "GET",
    path: "/api/v3.1/webhook_subscriptions/event_types",
    auth: ["apiKey"],
    retry: "safe",
    response: typed<shapes.WebhookEventTypeList>(),
  }),
});
