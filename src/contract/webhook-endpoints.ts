import type * as endpoints from "../resources/webhook-endpoints/endpoints.js";
import * as shapes from "../resources/webhook-endpoints/schema.js";
import type { SchemasFor } from "./operation.js";

const spec = "assumption C7";

export const webhookEndpoints = {
  "webhookEndpoints.schema": {
    spec,
    status: 200,
    query: shapes.GetWebhookEndpointSchemaQuery,
    response: shapes.WebhookEndpointSchema,
  },
  "webhookEndpoints.create": {
    spec,
    // 200 for an endpoint that existed, 201 for a new one.
    status: [200, 201],
    body: shapes.CreateWebhookEndpointBody,
    response: shapes.WebhookEndpoint,
  },
  "webhookEndpoints.list": {
    spec,
    status: 200,
    query: shapes.ListWebhookEndpointsQuery,
    response: shapes.WebhookEndpointList,
  },
  "webhookEndpoints.get": { spec, status: 200, response: shapes.WebhookEndpoint },
  "webhookEndpoints.update": {
    spec,
    status: 200,
    body: shapes.UpdateWebhookEndpointBody,
    response: shapes.WebhookEndpoint,
  },
  "webhookEndpoints.replace": {
    spec,
    status: 200,
    body: shapes.ReplaceWebhookEndpointBody,
    response: shapes.WebhookEndpoint,
  },
} satisfies SchemasFor<typeof endpoints>;
