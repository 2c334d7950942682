import { typed } from "../../client/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

// The spec mentions only the group's name. Assumption C7.

export const webhookEndpoints = endpoints("webhookEndpoints", () => ({
  getSchema: define("GET /api/{apiVersion}/webhook_endpoints/schema", {
    query: typed<shapes.GetWebhookEndpointSchemaQuery>(),
    response: typed<shapes.WebhookEndpointSchema>(),
  }),
  create: define("POST /api/{apiVersion}/webhook_endpoints", {
    // The same toolkit and client id return the same endpoint.
    retry: "idempotent",
    body: typed<shapes.CreateWebhookEndpointBody>(),
    response: typed<shapes.WebhookEndpoint>(),
  }),
  list: define("GET /api/{apiVersion}/webhook_endpoints", {
    query: typed<shapes.ListWebhookEndpointsQuery>(),
    response: typed<shapes.WebhookEndpointList>(),
  }),
  get: define("GET /api/{apiVersion}/webhook_endpoints/{nano_id}", { response: typed<shapes.WebhookEndpoint>() }),
  update: define("PATCH /api/{apiVersion}/webhook_endpoints/{nano_id}", {
    body: typed<shapes.UpdateWebhookEndpointBody>(),
    response: typed<shapes.WebhookEndpoint>(),
  }),
  replace: define("POST /api/{apiVersion}/webhook_endpoints/{nano_id}", {
    body: typed<shapes.ReplaceWebhookEndpointBody>(),
    response: typed<shapes.WebhookEndpoint>(),
  }),
}));
