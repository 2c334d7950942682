import { typed } from "../../client/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

// The spec ties these operations to v3.1 and to the project key.

export const webhookSubscriptions = endpoints("webhookSubscriptions", () => ({
  create: define("POST /api/v3.1/webhook_subscriptions", {
    deprecated: ["body.version=V1", "body.version=V2"],
    body: typed<shapes.CreateWebhookSubscriptionBody>(),
    response: typed<shapes.WebhookSubscription>(),
  }),
  list: define("GET /api/v3.1/webhook_subscriptions", {
    requiredFields: ["items"],
    query: typed<shapes.ListWebhookSubscriptionsQuery>(),
    response: typed<shapes.WebhookSubscriptionPage>(),
  }),
  get: define("GET /api/v3.1/webhook_subscriptions/{id}", { response: typed<shapes.WebhookSubscription>() }),
  update: define("PATCH /api/v3.1/webhook_subscriptions/{id}", {
    deprecated: ["body.version=V1", "body.version=V2"],
    body: typed<shapes.UpdateWebhookSubscriptionBody>(),
    response: typed<shapes.WebhookSubscription>(),
  }),
  delete: define("DELETE /api/v3.1/webhook_subscriptions/{id}", {
    alreadyApplied: { statuses: [404, 410], data: () => ({ success: true }) },
    response: typed<shapes.DeletedWebhookSubscription>(),
  }),
  rotateSecret: define("POST /api/v3.1/webhook_subscriptions/{id}/rotate_secret", {
    response: typed<shapes.RotatedWebhookSecret>(),
  }),
  listEventTypes: define("GET /api/v3.1/webhook_subscriptions/event_types", {
    response: typed<shapes.WebhookEventTypeList>(),
  }),
}));
