import * as endpoints from "../resources/webhook-subscriptions/endpoints.js";
import * as shapes from "../resources/webhook-subscriptions/schema.js";
import { type OperationsOf, operation } from "./operation.js";

const spec = "Endpoints > Webhook subscriptions; assumption C6";

export const webhookSubscriptions = {
  "webhookSubscriptions.create": operation(endpoints.createWebhookSubscription, {
    spec,
    status: 201,
    body: shapes.CreateWebhookSubscriptionBody,
    response: shapes.WebhookSubscription,
  }),
  "webhookSubscriptions.list": operation(endpoints.listWebhookSubscriptions, {
    spec,
    status: 200,
    query: shapes.ListWebhookSubscriptionsQuery,
    response: shapes.WebhookSubscriptionPage,
  }),
  "webhookSubscriptions.get": operation(endpoints.getWebhookSubscription, {
    spec,
    status: 200,
    response: shapes.WebhookSubscription,
  }),
  "webhookSubscriptions.update": operation(endpoints.updateWebhookSubscription, {
    spec,
    status: 200,
    body: shapes.UpdateWebhookSubscriptionBody,
    response: shapes.WebhookSubscription,
  }),
  "webhookSubscriptions.delete": operation(endpoints.deleteWebhookSubscription, {
    spec,
    status: 200,
    response: shapes.DeletedWebhookSubscription,
  }),
  "webhookSubscriptions.rotateSecret": operation(endpoints.rotateWebhookSubscriptionSecret, {
    spec,
    status: 200,
    response: shapes.RotatedWebhookSecret,
  }),
  "webhookSubscriptions.eventTypes": operation(endpoints.listWebhookEventTypes, {
    spec,
    status: 200,
    response: shapes.WebhookEventTypeList,
  }),
} satisfies OperationsOf<typeof endpoints>;
