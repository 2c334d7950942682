import { typed } from "../../client/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

export const mcp = endpoints("mcp", () => ({
  list: define("GET /api/{apiVersion}/mcp/servers", {
    query: typed<shapes.ListMcpServersQuery>(),
    response: typed<shapes.McpServerPage>(),
  }),
  create: define("POST /api/{apiVersion}/mcp/servers", {
    body: typed<shapes.CreateMcpServerBody>(),
    response: typed<shapes.McpServer>(),
  }),
  createCustom: define("POST /api/{apiVersion}/mcp/servers/custom", {
    deprecated: ["body.custom_tools"],
    body: typed<shapes.CreateCustomMcpServerBody>(),
    response: typed<shapes.CreatedCustomMcpServer>(),
  }),
  generateUrl: define("POST /api/{apiVersion}/mcp/servers/generate", {
    body: typed<shapes.GenerateMcpUrlBody>(),
    response: typed<shapes.McpUrls>(),
  }),
  get: define("GET /api/{apiVersion}/mcp/{id}", { response: typed<shapes.McpServer>() }),
  update: define("PATCH /api/{apiVersion}/mcp/{id}", {
    body: typed<shapes.UpdateMcpServerBody>(),
    response: typed<shapes.McpServer>(),
  }),
  delete: define("DELETE /api/{apiVersion}/mcp/{id}", {
    alreadyApplied: { statuses: [404], data: ({ id }) => ({ id, deleted: true }) },
    response: typed<shapes.DeletedMcpServer>(),
  }),
  listByApp: define("GET /api/{apiVersion}/mcp/app/{appKey}", {
    query: typed<shapes.ListMcpServersQuery>(),
    response: typed<shapes.McpServerPage>(),
  }),
  listInstances: define("GET /api/{apiVersion}/mcp/servers/{serverId}/instances", {
    query: typed<shapes.ListMcpInstancesQuery>(),
    response: typed<shapes.McpInstancePage>(),
  }),
  createInstance: define("POST /api/{apiVersion}/mcp/servers/{serverId}/instances", {
    body: typed<shapes.CreateMcpInstanceBody>(),
    response: typed<shapes.McpInstance>(),
  }),
  deleteInstance: define("DELETE /api/{apiVersion}/mcp/servers/{serverId}/instances/{instanceId}", {
    deprecated: ["operation"],
    alreadyApplied: { statuses: [404], data: () => ({}) },
    response: typed<shapes.DeletedMcpInstance>(),
  }),
}));
