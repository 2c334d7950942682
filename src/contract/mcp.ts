import type * as endpoints from "../resources/mcp/endpoints.js";
import * as shapes from "../resources/mcp/schema.js";
import type { SchemasFor } from "./operation.js";

export const mcp = {
  "mcp.list": { spec: "assumption R8", status: 200, query: shapes.ListMcpServersQuery, response: shapes.McpServerPage },
  "mcp.create": { spec: "assumption R8", status: 201, body: shapes.CreateMcpServerBody, response: shapes.McpServer },
  "mcp.createCustom": {
    spec: "assumption R8",
    status: 201,
    body: shapes.CreateCustomMcpServerBody,
    response: shapes.CreatedCustomMcpServer,
  },
  "mcp.generateUrl": { spec: "assumption R8", status: 200, body: shapes.GenerateMcpUrlBody, response: shapes.McpUrls },
  "mcp.get": { spec: "assumption R8", status: 200, response: shapes.McpServer },
  "mcp.update": { spec: "assumption R8", status: 200, body: shapes.UpdateMcpServerBody, response: shapes.McpServer },
  "mcp.delete": { spec: "assumption R8", status: 200, response: shapes.DeletedMcpServer },
  "mcp.listByApp": {
    spec: "assumption R8",
    status: 200,
    query: shapes.ListMcpServersQuery,
    response: shapes.McpServerPage,
  },
  "mcp.listInstances": {
    spec: "assumption R8",
    status: 200,
    query: shapes.ListMcpInstancesQuery,
    response: shapes.McpInstancePage,
  },
  "mcp.createInstance": {
    spec: "assumption R8",
    status: 201,
    body: shapes.CreateMcpInstanceBody,
    response: shapes.McpInstance,
  },
  "mcp.deleteInstance": { spec: "assumption R8", status: 200, response: shapes.DeletedMcpInstance },
} satisfies SchemasFor<typeof endpoints>;
