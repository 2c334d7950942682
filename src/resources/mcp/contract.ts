import { byName, type OperationsOf, operation } from "../operation.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

export const mcp = byName(
  operation(endpoints.listMcpServers, {
    spec: "assumption R8",
    status: 200,
    query: shapes.ListMcpServersQuery,
    response: shapes.McpServerPage,
  }),
  operation(endpoints.createMcpServer, {
    spec: "assumption R8",
    status: 201,
    body: shapes.CreateMcpServerBody,
    response: shapes.McpServer,
  }),
  operation(endpoints.createCustomMcpServer, {
    spec: "assumption R8",
    status: 201,
    body: shapes.CreateCustomMcpServerBody,
    response: shapes.CreatedCustomMcpServer,
  }),
  operation(endpoints.generateMcpUrl, {
    spec: "assumption R8",
    status: 200,
    body: shapes.GenerateMcpUrlBody,
    response: shapes.McpUrls,
  }),
  operation(endpoints.getMcpServer, { spec: "assumption R8", status: 200, response: shapes.McpServer }),
  operation(endpoints.updateMcpServer, {
    spec: "assumption R8",
    status: 200,
    body: shapes.UpdateMcpServerBody,
    response: shapes.McpServer,
  }),
  operation(endpoints.deleteMcpServer, {
    spec: "assumption R8",
    status: 200,
    response: shapes.DeletedMcpServer,
  }),
  operation(endpoints.listMcpServersByApp, {
    spec: "assumption R8",
    status: 200,
    query: shapes.ListMcpServersQuery,
    response: shapes.McpServerPage,
  }),
  operation(endpoints.listMcpInstances, {
    spec: "assumption R8",
    status: 200,
    query: shapes.ListMcpInstancesQuery,
    response: shapes.McpInstancePage,
  }),
  operation(endpoints.createMcpInstance, {
    spec: "assumption R8",
    status: 201,
    body: shapes.CreateMcpInstanceBody,
    response: shapes.McpInstance,
  }),
  operation(endpoints.deleteMcpInstance, {
    spec: "assumption R8",
    status: 200,
    response: shapes.DeletedMcpInstance,
  }),
) satisfies OperationsOf<typeof endpoints>;
