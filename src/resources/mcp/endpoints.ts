import { endpoint, typed } from "../../core/endpoint.js";
import type {
  CreateCustomMcpServerBody,
  CreatedCustomMcpServer,
  CreateMcpInstanceBody,
  CreateMcpServerBody,
  DeletedMcpInstance,
  DeletedMcpServer,
  GenerateMcpUrlBody,
  ListMcpInstancesQuery,
  ListMcpServersQuery,
  McpInstance,
  McpInstancePage,
  McpServer,
  McpServerPage,
  McpUrls,
  UpdateMcpServerBody,
} from "./schema.js";

export const listMcpServers = endpoint({
  name: "mcp.list",
  method: "GET",
  path: "/api/{apiVersion}/mcp/servers",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<ListMcpServersQuery>(),
  response: typed<McpServerPage>(),
});

export const createMcpServer = endpoint({
  name: "mcp.create",
  method: "POST",
  path: "/api/{apiVersion}/mcp/servers",
  auth: ["apiKey"],
  retry: "effect",
  body: typed<CreateMcpServerBody>(),
  response: typed<McpServer>(),
});

export const createCustomMcpServer = endpoint({
  name: "mcp.createCustom",
  method: "POST",
  path: "/api/{apiVersion}/mcp/servers/custom",
  auth: ["apiKey"],
  retry: "effect",
  deprecated: ["body.custom_tools"],
  body: typed<CreateCustomMcpServerBody>(),
  response: typed<CreatedCustomMcpServer>(),
});

export const generateMcpUrl = endpoint({
  name: "mcp.generateUrl",
  method: "POST",
  path: "/api/{apiVersion}/mcp/servers/generate",
  auth: ["apiKey"],
  // It isn't documented whether it stores anything, so assume it does.
  retry: "effect",
  body: typed<GenerateMcpUrlBody>(),
  response: typed<McpUrls>(),
});

export const getMcpServer = endpoint({
  name: "mcp.get",
  method: "GET",
  path: "/api/{apiVersion}/mcp/{id}",
  auth: ["apiKey"],
  retry: "safe",
  response: typed<McpServer>(),
});

export const updateMcpServer = endpoint({
  name: "mcp.update",
  method: "PATCH",
  path: "/api/{apiVersion}/mcp/{id}",
  auth: ["apiKey"],
  // Only the given fields change, and to the given values: a retry changes nothing more.
  retry: "idempotent",
  body: typed<UpdateMcpServerBody>(),
  response: typed<McpServer>(),
});

export const deleteMcpServer = endpoint({
  name: "mcp.delete",
  method: "DELETE",
  path: "/api/{apiVersion}/mcp/{id}",
  auth: ["apiKey"],
  retry: "idempotent",
  alreadyApplied: { statuses: [404], data: ({ id }) => ({ id, deleted: true }) },
  response: typed<DeletedMcpServer>(),
});

export const listMcpServersByApp = endpoint({
  name: "mcp.listByApp",
  method: "GET",
  path: "/api/{apiVersion}/mcp/app/{appKey}",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<ListMcpServersQuery>(),
  response: typed<McpServerPage>(),
});

export const listMcpInstances = endpoint({
  name: "mcp.listInstances",
  method: "GET",
  path: "/api/{apiVersion}/mcp/servers/{serverId}/instances",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<ListMcpInstancesQuery>(),
  response: typed<McpInstancePage>(),
});

export const createMcpInstance = endpoint({
  name: "mcp.createInstance",
  method: "POST",
  path: "/api/{apiVersion}/mcp/servers/{serverId}/instances",
  auth: ["apiKey"],
  retry: "effect",
  body: typed<CreateMcpInstanceBody>(),
  response: typed<McpInstance>(),
});

export const deleteMcpInstance = endpoint({
  name: "mcp.deleteInstance",
  method: "DELETE",
  path: "/api/{apiVersion}/mcp/servers/{serverId}/instances/{instanceId}",
  auth: ["apiKey"],
  retry: "idempotent",
  deprecated: ["operation"],
  alreadyApplied: { statuses: [404], data: () => ({}) },
  response: typed<DeletedMcpInstance>(),
});
