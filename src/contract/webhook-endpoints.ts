import * as endpoints from "../resources/webhook-endpoints/endpoints.js";
import * as shapes from "../resources/webhook-endpoints/schema.js";
import { type OperationsOf, operation } from "./operation.js";

const spec = "assumption C7";

export const webhookEndpoints = {
  "webhookEndpoints.schema": operation(endpoints.getWebhookEndpointSchema, {
    spec,
    status: 200,
    query: shapes.GetWebhookEndpointSchemaQuery,
    response: shapes.WebhookEndpointSchema,
  }),
  "webhookEndpoints.create": operation(endpoints.createWebhookEndpoint, {
    spec,
    // 200 for an endpoint that existed, 201 for a new one.
    status: [200, 201],
    body: shapes.CreateWebhookEndpointBody,
    response: shapes.WebhookEndpoint,
  }),
  "webhookEndpoints.list": operation(endpoints.listWebhookEndpoints, {
    spec,
    status: 200,
    query: shapes.ListWebhookEndpointsQuery,
    response: shapes.WebhookEndpointList,
  }),
  "webhookEndpoints.get": operation(endpoints.getWebhookEndpoint, {
    spec,
    status: 200,
    response: shapes.WebhookEndpoint,
  }),
  "webhookEndpoints.update": operation(endpoints.updateWebhookEndpoint, {
    spec,
    status: 200,
    body: shapes.UpdateWebhookEndpointBody,
    response: shapes.WebhookEndpoint,
  }),
  "webhookEndpoints.replace": operation(endpoints.replaceWebhookEndpoint, {
    spec,
    status: 200,
    body: shapes.ReplaceWebhookEndpointBody,
    response: shapes.WebhookEndpoint,
  }),
} satisfies OperationsOf<typeof endpoints>;
