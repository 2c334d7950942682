import { byName, type OperationsOf, operation } from "../operation.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

const spec = "Endpoints > Webhook subscriptions; assumption C6";

export const webhookSubscriptions = byName(
  operation(endpoints.createWebhookSubscription, {
    spec,
    status: 201,
    body: shapes.CreateWebhookSubscriptionBody,
    response: shapes.WebhookSubscription,
  }),
  operation(endpoints.listWebhookSubscriptions, {
    spec,
    status: 200,
    query: shapes.ListWebhookSubscriptionsQuery,
    response: shapes.WebhookSubscriptionPage,
  }),
  operation(endpoints.getWebhookSubscription, {
    spec,
    status: 200,
    response: shapes.WebhookSubscription,
  }),
  operation(endpoints.updateWebhookSubscription, {
    spec,
    status: 200,
    body: shapes.UpdateWebhookSubscriptionBody,
    response: shapes.WebhookSubscription,
  }),
  operation(endpoints.deleteWebhookSubscription, {
    spec,
    status: 200,
    response: shapes.DeletedWebhookSubscription,
  }),
  operation(endpoints.rotateWebhookSubscriptionSecret, {
    spec,
    status: 200,
    response: shapes.RotatedWebhookSecret,
  }),
  operation(endpoints.listWebhookEventTypes, {
    spec,
    status: 200,
    response: shapes.WebhookEventTypeList,
  }),
) satisfies OperationsOf<typeof endpoints>;
