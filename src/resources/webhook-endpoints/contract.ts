import { byName, type OperationsOf, operation } from "../operation.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

const spec = "assumption C7";

export const webhookEndpoints = byName(
  operation(endpoints.getWebhookEndpointSchema, {
    spec,
    status: 200,
    query: shapes.GetWebhookEndpointSchemaQuery,
    response: shapes.WebhookEndpointSchema,
  }),
  operation(endpoints.createWebhookEndpoint, {
    spec,
    // 200 for an endpoint that existed, 201 for a new one.
    status: [200, 201],
    body: shapes.CreateWebhookEndpointBody,
    response: shapes.WebhookEndpoint,
  }),
  operation(endpoints.listWebhookEndpoints, {
    spec,
    status: 200,
    query: shapes.ListWebhookEndpointsQuery,
    response: shapes.WebhookEndpointList,
  }),
  operation(endpoints.getWebhookEndpoint, {
    spec,
    status: 200,
    response: shapes.WebhookEndpoint,
  }),
  operation(endpoints.updateWebhookEndpoint, {
    spec,
    status: 200,
    body: shapes.UpdateWebhookEndpointBody,
    response: shapes.WebhookEndpoint,
  }),
  operation(endpoints.replaceWebhookEndpoint, {
    spec,
    status: 200,
    body: shapes.ReplaceWebhookEndpointBody,
    response: shapes.WebhookEndpoint,
  }),
) satisfies OperationsOf<typeof endpoints>;
