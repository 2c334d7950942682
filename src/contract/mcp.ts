import * as endpoints from "../resources/mcp/endpoints.js";
import * as shapes from "../resources/mcp/schema.js";
import { type OperationsOf, operation } from "./operation.js";

export const mcp = {
  "mcp.list": operation(endpoints.listMcpServers, {
    spec: "assumption R8",
    status: 200,
    query: shapes.ListMcpServersQuery,
    response: shapes.McpServerPage,
  }),
  "mcp.create": operation(endpoints.createMcpServer, {
    spec: "assumption R8",
    status: 201,
    body: shapes.CreateMcpServerBody,
    response: shapes.McpServer,
  }),
  "mcp.createCustom": operation(endpoints.createCustomMcpServer, {
    spec: "assumption R8",
    status: 201,
    body: shapes.CreateCustomMcpServerBody,
    response: shapes.CreatedCustomMcpServer,
  }),
  "mcp.generateUrl": operation(endpoints.generateMcpUrl, {
    spec: "assumption R8",
    status: 200,
    body: shapes.GenerateMcpUrlBody,
    response: shapes.McpUrls,
  }),
  "mcp.get": operation(endpoints.getMcpServer, { spec: "assumption R8", status: 200, response: shapes.McpServer }),
  "mcp.update": operation(endpoints.updateMcpServer, {
    spec: "assumption R8",
    status: 200,
    body: shapes.UpdateMcpServerBody,
    response: shapes.McpServer,
  }),
  "mcp.delete": operation(endpoints.deleteMcpServer, {
    spec: "assumption R8",
    status: 200,
    response: shapes.DeletedMcpServer,
  }),
  "mcp.listByApp": operation(endpoints.listMcpServersByApp, {
    spec: "assumption R8",
    status: 200,
    query: shapes.ListMcpServersQuery,
    response: shapes.McpServerPage,
  }),
  "mcp.listInstances": operation(endpoints.listMcpInstances, {
    spec: "assumption R8",
    status: 200,
    query: shapes.ListMcpInstancesQuery,
    response: shapes.McpInstancePage,
  }),
  "mcp.createInstance": operation(endpoints.createMcpInstance, {
    spec: "assumption R8",
    status: 201,
    body: shapes.CreateMcpInstanceBody,
    response: shapes.McpInstance,
  }),
  "mcp.deleteInstance": operation(endpoints.deleteMcpInstance, {
    spec: "assumption R8",
    status: 200,
    response: shapes.DeletedMcpInstance,
  }),
} satisfies OperationsOf<typeof endpoints>;
