import type * as endpoints from "../resources/tools/endpoints.js";
import * as shapes from "../resources/tools/schema.js";
import type { SchemasFor } from "./operation.js";

export const tools = {
  "tools.list": { spec: "Tool endpoints", status: 200, query: shapes.ListToolsQuery, response: shapes.ToolPage },
  "tools.get": { spec: "Tool endpoints", status: 200, query: shapes.GetToolQuery, response: shapes.Tool },
  "tools.enum": { spec: "assumption A8", status: 200, response: shapes.ToolSlugs },
  "tools.execute": { spec: "Tool endpoints", status: 200, body: shapes.ExecuteToolBody, response: shapes.ToolResult },
  "tools.input": {
    spec: "Tool endpoints",
    status: 200,
    body: shapes.GenerateInputBody,
    response: shapes.GeneratedInput,
  },
  "tools.proxy": { spec: "assumption A8", status: 200, body: shapes.ProxyRequestBody, response: shapes.ProxyResponse },
  "tools.requiredScopes": {
    spec: "Tool endpoints",
    status: 200,
    body: shapes.RequiredScopesBody,
    response: shapes.RequiredScopes,
  },
} satisfies SchemasFor<typeof endpoints>;
