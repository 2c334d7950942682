import { typed } from "../../core/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

export const mcp = endpoints("mcp", {
  list: define({
    method: "GET",
    path: "/api/{apiVersion}/mcp/servers",
    auth: ["apiKey"],
    retry: "safe",
    query: typed<shapes.ListMcpServersQuery>(),
    response: typed<shapes.McpServerPage>(),
  }),
  create: define({
    method: "POST",
    path: "/api/{apiVersion}/mcp/servers",
    auth: ["apiKey"],
    retry: "effect",
    body: typed<shapes.CreateMcpServerBody>(),
    response: typed<shapes.McpServer>(),
  }),
  createCustom: define({
    method: "POST",
    path: "/api/{apiVersion}/mcp/servers/custom",
    auth: ["apiKey"],
    retry: "effect",
    deprecated: ["body.custom_tools"],
    body: typed<shapes.CreateCustomMcpServerBody>(),
    response: typed<shapes.CreatedCustomMcpServer>(),
  }),
  generateUrl: define({
    method: "POST",
    path: "/api/{apiVersion}/mcp/servers/generate",
    auth: ["apiKey"],
    // It isn't documented whether it stores anything, so assume it does.
    retry: "effect",
    body: typed<shapes.GenerateMcpUrlBody>(),
    response: typed<shapes.McpUrls>(),
  }),
  get: define({
    method: "GET",
    path: "/api/{apiVersion}/mcp/{id}",
    auth: ["apiKey"],
    retry: "safe",
    response: typed<shapes.McpServer>(),
  }),
  update: define({
    method: "PATCH",
    path: "/api/{apiVersion}/mcp/{id}",
    auth: ["apiKey"],
    // Only the given fields change, and to the given values: a retry changes nothing more.
    retry: "idempotent",
    body: typed<shapes.UpdateMcpServerBody>(),
    response: typed<shapes.McpServer>(),
  }),
  delete: define({
    method: "DELETE",
    path: "/api/{apiVersion}/mcp/{id}",
    auth: ["apiKey"],
    retry: "idempotent",
    alreadyApplied: { statuses: [404], data: ({ id }) => ({ id, deleted: true }) },
    response: typed<shapes.DeletedMcpServer>(),
  }),
  listByApp: define({
    method: "GET",
    path: "/api/{apiVersion}/mcp/app/{appKey}",
    auth: ["apiKey"],
    retry: "safe",
    query: typed<shapes.ListMcpServersQuery>(),
    response: typed<shapes.McpServerPage>(),
  }),
  listInstances: define({
    method: "GET",
    path: "/api/{apiVersion}/mcp/servers/{serverId}/instances",
    auth: ["apiKey"],
    retry: "safe",
    query: typed<shapes.ListMcpInstancesQuery>(),
    response: typed<shapes.McpInstancePage>(),
  }),
  createInstance: define({
    method: "POST",
    path: "/api/{apiVersion}/mcp/servers/{serverId}/instances",
    auth: ["apiKey"],
    retry: "effect",
    body: typed<shapes.CreateMcpInstanceBody>(),
    response: typed<shapes.McpInstance>(),
  }),
  deleteInstance: define({
    method: "DELETE",
    path: "/api/{apiVersion}/mcp/servers/{serverId}/instances/{instanceId}",
    auth: ["apiKey"],
    retry: "idempotent",
    deprecated: ["operation"],
    alreadyApplied: { statuses: [404], data: () => ({}) },
    response: typed<shapes.DeletedMcpInstance>(),
  }),
});
