import { endpoint, type } from "../../core/endpoint.js";
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

const servers = "/api/{apiVersion}/mcp/servers";
const one = "/api/{apiVersion}/mcp/{id}";
const instances = "/api/{apiVersion}/mcp/servers/{serverId}/instances";

export const listMcpServers = endpoint({
  name: "mcp.list",
  method: "GET",
  path: servers,
  auth: ["apiKey"],
  repeat: "safe",
  query: type<ListMcpServersQuery>(),
  response: type<McpServerPage>(),
});

export const createMcpServer = endpoint({
  name: "mcp.create",
  method: "POST",
  path: servers,
  auth: ["apiKey"],
  repeat: "effect",
  body: type<CreateMcpServerBody>(),
  response: type<McpServer>(),
});

export const createCustomMcpServer = endpoint({
  name: "mcp.createCustom",
  method: "POST",
  path: `${servers}/custom`,
  auth: ["apiKey"],
  repeat: "effect",
  deprecated: ["body.custom_tools"],
  body: type<CreateCustomMcpServerBody>(),
  response: type<CreatedCustomMcpServer>(),
});

export const generateMcpUrl = endpoint({
  name: "mcp.generateUrl",
  method: "POST",
  path: `${servers}/generate`,
  auth: ["apiKey"],
  // It isn't documented whether it stores anything, so assume it does.
  repeat: "effect",
  body: type<GenerateMcpUrlBody>(),
  response: type<McpUrls>(),
});

export const getMcpServer = endpoint({
  name: "mcp.get",
  method: "GET",
  path: one,
  auth: ["apiKey"],
  repeat: "safe",
  response: type<McpServer>(),
});

export const updateMcpServer = endpoint({
  name: "mcp.update",
  method: "PATCH",
  path: one,
  auth: ["apiKey"],
  // Only the given fields change, and to the given values: a retry changes nothing more.
  repeat: "idempotent",
  body: type<UpdateMcpServerBody>(),
  response: type<McpServer>(),
});

export const deleteMcpServer = endpoint({
  name: "mcp.delete",
  method: "DELETE",
  path: one,
  auth: ["apiKey"],
  repeat: "idempotent",
  alreadyDone: { statuses: [404], data: ({ id }) => ({ id, deleted: true }) },
  response: type<DeletedMcpServer>(),
});

export const listMcpServersByApp = endpoint({
  name: "mcp.listByApp",
  method: "GET",
  path: "/api/{apiVersion}/mcp/app/{appKey}",
  auth: ["apiKey"],
  repeat: "safe",
  query: type<ListMcpServersQuery>(),
  response: type<McpServerPage>(),
});

export const listMcpInstances = endpoint({
  name: "mcp.listInstances",
  method: "GET",
  path: instances,
  auth: ["apiKey"],
  repeat: "safe",
  query: type<ListMcpInstancesQuery>(),
  response: type<McpInstancePage>(),
});

export const createMcpInstance = endpoint({
  name: "mcp.createInstance",
  method: "POST",
  path: instances,
  auth: ["apiKey"],
  repeat: "effect",
  body: type<CreateMcpInstanceBody>(),
  response: type<McpInstance>(),
});

export const deleteMcpInstance = endpoint({
  name: "mcp.deleteInstance",
  method: "DELETE",
  path: `${instances}/{instanceId}`,
  auth: ["apiKey"],
  repeat: "idempotent",
  alreadyDone: { statuses: [404], data: () => ({}) },
  response: type<DeletedMcpInstance>(),
});
