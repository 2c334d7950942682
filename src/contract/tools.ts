import * as endpoints from "../resources/tools/endpoints.js";
import * as shapes from "../resources/tools/schema.js";
import { type OperationsOf, operation } from "./operation.js";

export const tools = {
  "tools.list": operation(endpoints.listTools, {
    spec: "Tool endpoints",
    status: 200,
    query: shapes.ListToolsQuery,
    response: shapes.ToolPage,
  }),
  "tools.get": operation(endpoints.getTool, {
    spec: "Tool endpoints",
    status: 200,
    query: shapes.GetToolQuery,
    response: shapes.Tool,
  }),
  "tools.enum": operation(endpoints.listToolSlugs, { spec: "assumption A8", status: 200, response: shapes.ToolSlugs }),
  "tools.execute": operation(endpoints.executeTool, {
    spec: "Tool endpoints",
    status: 200,
    body: shapes.ExecuteToolBody,
    response: shapes.ToolResult,
  }),
  "tools.input": operation(endpoints.generateToolInput, {
    spec: "Tool endpoints",
    status: 200,
    body: shapes.GenerateInputBody,
    response: shapes.GeneratedInput,
  }),
  "tools.proxy": operation(endpoints.proxyRequest, {
    spec: "assumption A8",
    status: 200,
    body: shapes.ProxyRequestBody,
    response: shapes.ProxyResponse,
  }),
  "tools.requiredScopes": operation(endpoints.getRequiredScopes, {
    spec: "Tool endpoints",
    status: 200,
    body: shapes.RequiredScopesBody,
    response: shapes.RequiredScopes,
  }),
} satisfies OperationsOf<typeof endpoints>;
