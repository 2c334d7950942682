import { byName, type OperationsOf, operation } from "../operation.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

export const tools = byName(
  operation(endpoints.listTools, {
    spec: "Tool endpoints",
    status: 200,
    query: shapes.ListToolsQuery,
    response: shapes.ToolPage,
  }),
  operation(endpoints.getTool, {
    spec: "Tool endpoints",
    status: 200,
    query: shapes.GetToolQuery,
    response: shapes.Tool,
  }),
  operation(endpoints.listToolSlugs, { spec: "assumption A8", status: 200, response: shapes.ToolSlugs }),
  operation(endpoints.executeTool, {
    spec: "Tool endpoints",
    status: 200,
    body: shapes.ExecuteToolBody,
    headers: ["x-llm-gateway-headers"],
    response: shapes.ToolResult,
  }),
  operation(endpoints.generateToolInput, {
    spec: "Tool endpoints",
    status: 200,
    body: shapes.GenerateInputBody,
    response: shapes.GeneratedInput,
  }),
  operation(endpoints.proxyRequest, {
    spec: "assumption A8",
    status: 200,
    body: shapes.ProxyRequestBody,
    response: shapes.ProxyResponse,
  }),
  operation(endpoints.getRequiredScopes, {
    spec: "Tool endpoints",
    status: 200,
    body: shapes.RequiredScopesBody,
    response: shapes.RequiredScopes,
  }),
) satisfies OperationsOf<typeof endpoints>;
