import type * as endpoints from "../resources/webhook-subscriptions/endpoints.js";
import * as shapes from "../resources/webhook-subscriptions/schema.js";
import type { SchemasFor } from "./operation.js";

const spec = "Endpoints > Webhook subscriptions; assumption C6";

export const webhookSubscriptions = {
  "webhookSubscriptions.create": {
    spec,
    status: 201,
    body: shapes.CreateWebhookSubscriptionBody,
    response: shapes.WebhookSubscription,
  },
  "webhookSubscriptions.list": {
    spec,
    status: 200,
    query: shapes.ListWebhookSubscriptionsQuery,
    response: shapes.WebhookSubscriptionPage,
  },
  "webhookSubscriptions.get": { spec, status: 200, response: shapes.WebhookSubscription },
  "webhookSubscriptions.update": {
    spec,
    status: 200,
    body: shapes.UpdateWebhookSubscriptionBody,
    response: shapes.WebhookSubscription,
  },
  "webhookSubscriptions.delete": { spec, status: 200, response: shapes.DeletedWebhookSubscription },
  "webhookSubscriptions.rotateSecret": { spec, status: 200, response: shapes.RotatedWebhookSecret },
  "webhookSubscriptions.eventTypes": { spec, status: 200, response: shapes.WebhookEventTypeList },
} satisfies SchemasFor<typeof endpoints>;
