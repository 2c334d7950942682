import { typed } from "../../client/endpoint.js";
import { once } from "../../shared/once.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

/** Apart from the other operations, because `execute` refers to it. */
const toolDetails = endpoints("tools", () => ({
  get: define("GET /api/{apiVersion}/tools/{tool_slug}", {
    auth: ["apiKey", "userApiKey"],
    version: "query",
    hasSchemas: true,
    query: typed<shapes.GetToolQuery>(),
    response: typed<shapes.Tool>(),
  }),
}));

const toolOperations = endpoints("tools", () => ({
  list: define("GET /api/{apiVersion}/tools", {
    auth: ["apiKey", "userApiKey"],
    version: "toolkits_query",
    hasSchemas: true,
    deprecated: ["query.search"],
    query: typed<shapes.ListToolsQuery>(),
    response: typed<shapes.ToolPage>(),
  }),
  listSlugs: define("GET /api/{apiVersion}/tools/enum", {
    auth: ["apiKey", "userApiKey"],
    responseType: "array",
    response: typed<shapes.ToolSlugs>(),
  }),
  execute: define("POST /api/{apiVersion}/tools/execute/{tool_slug}", {
    auth: ["apiKey", "userApiKey"],
    version: "required_body",
    schemaEndpoint: toolDetails().get,
    isLogged: true,
    takesEffect: true,
    deprecated: ["body.entity_id", "body.allow_tracing"],
    body: typed<shapes.ExecuteToolBody>(),
    response: typed<shapes.ToolResult>(),
  }),
  generateArguments: define("POST /api/{apiVersion}/tools/execute/{tool_slug}/input", {
    // Generates arguments and stores nothing.
    retry: "safe",
    version: "body",
    body: typed<shapes.GenerateInputBody>(),
    response: typed<shapes.GeneratedInput>(),
  }),
  proxy: define("POST /api/{apiVersion}/tools/execute/proxy", {
    takesEffect: true,
    deprecated: ["body.custom_connection_data"],
    body: typed<shapes.ProxyRequestBody>(),
    response: typed<shapes.ProxyResponse>(),
  }),
  // Exists on v3.1 only, so it keeps its prefix on a v3 client too.
  getRequiredScopes: define("POST /api/v3.1/tools/scopes/required", {
    retry: "safe",
    version: "body",
    body: typed<shapes.RequiredScopesBody>(),
    response: typed<shapes.RequiredScopes>(),
  }),
}));

export const tools = once(() => ({ ...toolDetails(), ...toolOperations() }));
