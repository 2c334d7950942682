import { endpoint, typed } from "../../core/endpoint.js";
import type {
  CreateWebhookEndpointBody,
  GetWebhookEndpointSchemaQuery,
  ListWebhookEndpointsQuery,
  ReplaceWebhookEndpointBody,
  UpdateWebhookEndpointBody,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointSchema,
} from "./schema.js";

// The spec mentions only the group's name. Assumption C7.

export const getWebhookEndpointSchema = endpoint({
  name: "webhookEndpoints.schema",
  method: "GET",
  path: "/api/{apiVersion}/webhook_endpoints/schema",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<GetWebhookEndpointSchemaQuery>(),
  response: typed<WebhookEndpointSchema>(),
});

export const createWebhookEndpoint = endpoint({
  name: "webhookEndpoints.create",
  method: "POST",
  path: "/api/{apiVersion}/webhook_endpoints",
  auth: ["apiKey"],
  // The same toolkit and client id return the same endpoint.
  retry: "idempotent",
  body: typed<CreateWebhookEndpointBody>(),
  response: typed<WebhookEndpoint>(),
});

export const listWebhookEndpoints = endpoint({
  name: "webhookEndpoints.list",
  method: "GET",
  path: "/api/{apiVersion}/webhook_endpoints",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<ListWebhookEndpointsQuery>(),
  response: typed<WebhookEndpointList>(),
});

export const getWebhookEndpoint = endpoint({
  name: "webhookEndpoints.get",
  method: "GET",
  path: "/api/{apiVersion}/webhook_endpoints/{nano_id}",
  auth: ["apiKey"],
  retry: "safe",
  response: typed<WebhookEndpoint>(),
});

export const updateWebhookEndpoint = endpoint({
  name: "webhookEndpoints.update",
  method: "PATCH",
  path: "/api/{apiVersion}/webhook_endpoints/{nano_id}",
  auth: ["apiKey"],
  // Only the given fields change, and to the given values: a retry changes nothing more.
  retry: "idempotent",
  body: typed<UpdateWebhookEndpointBody>(),
  response: typed<WebhookEndpoint>(),
});

export const replaceWebhookEndpoint = endpoint({
  name: "webhookEndpoints.replace",
  method: "POST",
  path: "/api/{apiVersion}/webhook_endpoints/{nano_id}",
  auth: ["apiKey"],
  // It isn't documented whether it does more than store values.
  retry: "effect",
  body: typed<ReplaceWebhookEndpointBody>(),
  response: typed<WebhookEndpoint>(),
});
