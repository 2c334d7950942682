import { typed } from "../../core/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

// The spec mentions only the group's name. Assumption C7.

export const webhookEndpoints = endpoints("webhookEndpoints", {
  schema: define({
    method: "GET",
    path: "/api/{apiVersion}/webhook_endpoints/schema",
    auth: ["apiKey"],
    retry: "safe",
    query: typed<shapes.GetWebhookEndpointSchemaQuery>(),
    response: typed<shapes.WebhookEndpointSchema>(),
  }),
  create: define({
    method: "POST",
    path: "/api/{apiVersion}/webhook_endpoints",
    auth: ["apiKey"],
    // The same toolkit and client id return the same endpoint.
    retry: "idempotent",
    body: typed<shapes.CreateWebhookEndpointBody>(),
    response: typed<shapes.WebhookEndpoint>(),
  }),
  list: define({
    method: "GET",
    path: "/api/{apiVersion}/webhook_endpoints",
    auth: ["apiKey"],
    retry: "safe",
    query: typed<shapes.ListWebhookEndpointsQuery>(),
    response: typed<shapes.WebhookEndpointList>(),
  }),
  get: define({
    method: "GET",
    path: "/api/{apiVersion}/webhook_endpoints/{nano_id}",
    auth: ["apiKey"],
    retry: "safe",
    response: typed<shapes.WebhookEndpoint>(),
  }),
  update: define({
    method: "PATCH",
    path: "/api/{apiVersion}/webhook_endpoints/{nano_id}",
    auth: ["apiKey"],
    // Only the given fields change, and to the given values: a retry changes nothing more.
    retry: "idempotent",
    body: typed<shapes.UpdateWebhookEndpointBody>(),
    response: typed<shapes.WebhookEndpoint>(),
  }),
  replace: define({
    method: "POST",
    path: "/api/{apiVersion}/webhook_endpoints/{nano_id}",
    auth: ["apiKey"],
    // It isn't documented whether it does more than store values.
    retry: "effect",
    body: typed<shapes.ReplaceWebhookEndpointBody>(),
    response: typed<shapes.WebhookEndpoint>(),
  }),
});
