import { endpoint, type } from "../../core/endpoint.js";
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
  repeat: "safe",
  version: "toolkits_query",
  deprecated: ["query.search"],
  query: type<ListToolsQuery>(),
  response: type<ToolPage>(),
});

export const getTool = endpoint({
  name: "tools.get",
  method: "GET",
  path: "/api/{apiVersion}/tools/{tool_slug}",
  auth: ["apiKey", "userApiKey"],
  repeat: "safe",
  version: "query",
  query: type<GetToolQuery>(),
  response: type<Tool>(),
});

export const listToolSlugs = endpoint({
  name: "tools.enum",
  method: "GET",
  path: "/api/{apiVersion}/tools/enum",
  auth: ["apiKey", "userApiKey"],
  repeat: "safe",
  answer: "array",
  response: type<ToolSlugs>(),
});

export const executeTool = endpoint({
  name: "tools.execute",
  method: "POST",
  path: "/api/{apiVersion}/tools/execute/{tool_slug}",
  auth: ["apiKey", "userApiKey"],
  repeat: "effect",
  version: "required_body",
  describedBy: getTool,
  deprecated: ["body.entity_id", "body.allow_tracing"],
  body: type<ExecuteToolBody>(),
  response: type<ToolResult>(),
});

export const generateToolInput = endpoint({
  name: "tools.input",
  method: "POST",
  path: "/api/{apiVersion}/tools/execute/{tool_slug}/input",
  auth: ["apiKey"],
  // Generates arguments and stores nothing.
  repeat: "safe",
  version: "body",
  body: type<GenerateInputBody>(),
  response: type<GeneratedInput>(),
});

export const proxyRequest = endpoint({
  name: "tools.proxy",
  method: "POST",
  path: "/api/{apiVersion}/tools/execute/proxy",
  auth: ["apiKey"],
  repeat: "effect",
  deprecated: ["body.custom_connection_data"],
  body: type<ProxyRequestBody>(),
  response: type<ProxyResponse>(),
});

export const getRequiredScopes = endpoint({
  name: "tools.requiredScopes",
  method: "POST",
  // Exists on v3.1 only, so it keeps its prefix on a v3 client too.
  path: "/api/v3.1/tools/scopes/required",
  auth: ["apiKey"],
  repeat: "safe",
  version: "body",
  body: type<RequiredScopesBody>(),
  response: type<RequiredScopes>(),
});
