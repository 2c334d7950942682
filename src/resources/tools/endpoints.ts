import { endpoint, typed } from "../../core/endpoint.js";
import type {
  ExecuteToolBody,
  GeneratedInput,
  GenerateInputBody,
  GetToolQuery,
  ListToolsQuery,
  ProxyRequestBody,
  ProxyResponse,
  RequiredScopes,
  RequiredScopesBody,
  Tool,
  ToolPage,
  ToolResult,
  ToolSlugs,
} from "./schema.js";

export const listTools = endpoint({
  name: "tools.list",
  method: "GET",
  path: "/api/{apiVersion}/tools",
  auth: ["apiKey", "userApiKey"],
  retry: "safe",
  version: "toolkits_query",
  deprecated: ["query.search"],
  query: typed<ListToolsQuery>(),
  response: typed<ToolPage>(),
});

export const getTool = endpoint({
  name: "tools.get",
  method: "GET",
  path: "/api/{apiVersion}/tools/{tool_slug}",
  auth: ["apiKey", "userApiKey"],
  retry: "safe",
  version: "query",
  query: typed<GetToolQuery>(),
  response: typed<Tool>(),
});

export const listToolSlugs = endpoint({
  name: "tools.enum",
  method: "GET",
  path: "/api/{apiVersion}/tools/enum",
  auth: ["apiKey", "userApiKey"],
  retry: "safe",
  responseType: "array",
  response: typed<ToolSlugs>(),
});

export const executeTool = endpoint({
  name: "tools.execute",
  method: "POST",
  path: "/api/{apiVersion}/tools/execute/{tool_slug}",
  auth: ["apiKey", "userApiKey"],
  retry: "effect",
  version: "required_body",
  schemaEndpoint: getTool,
  deprecated: ["body.entity_id", "body.allow_tracing"],
  body: typed<ExecuteToolBody>(),
  response: typed<ToolResult>(),
});

export const generateToolInput = endpoint({
  name: "tools.input",
  method: "POST",
  path: "/api/{apiVersion}/tools/execute/{tool_slug}/input",
  auth: ["apiKey"],
  // Generates arguments and stores nothing.
  retry: "safe",
  version: "body",
  body: typed<GenerateInputBody>(),
  response: typed<GeneratedInput>(),
});

export const proxyRequest = endpoint({
  name: "tools.proxy",
  method: "POST",
  path: "/api/{apiVersion}/tools/execute/proxy",
  auth: ["apiKey"],
  retry: "effect",
  deprecated: ["body.custom_connection_data"],
  body: typed<ProxyRequestBody>(),
  response: typed<ProxyResponse>(),
});

export const getRequiredScopes = endpoint({
  name: "tools.requiredScopes",
  method: "POST",
  // Exists on v3.1 only, so it keeps its prefix on a v3 client too.
  path: "/api/v3.1/tools/scopes/required",
  auth: ["apiKey"],
  retry: "safe",
  version: "body",
  body: typed<RequiredScopesBody>(),
  response: typed<RequiredScopes>(),
});
