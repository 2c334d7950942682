import { typed } from "../../client/endpoint.js";
import { once } from "../../shared/once.js";
import { define, endpoints } from "../endpoints.js";
import type { ProxyResponse, ToolPage } from "../tools/schema.js";
import type * as shapes from "./schema.js";

/** Sessions, their toolkits and their tools. */
export const sessions = endpoints("toolRouter", () => ({
  create: define("POST /api/{apiVersion}/tool_router/session", {
    hasSchemas: true,
    requiredFields: ["session_id", "mcp"],
    body: typed<shapes.CreateToolRouterSessionBody>(),
    response: typed<shapes.ToolRouterSessionRecord>(),
  }),
  get: define("GET /api/{apiVersion}/tool_router/session/{session_id}", {
    hasSchemas: true,
    requiredFields: ["session_id", "mcp"],
    response: typed<shapes.ToolRouterSessionRecord>(),
  }),
  // Like delete, attach and the history, it exists on v3.1 only.
  update: define("PATCH /api/v3.1/tool_router/session/{session_id}", {
    hasSchemas: true,
    requiredFields: ["session_id", "mcp"],
    body: typed<shapes.UpdateToolRouterSessionBody>(),
    response: typed<shapes.ToolRouterSessionRecord>(),
  }),
  delete: define("DELETE /api/v3.1/tool_router/session/{session_id}", {
    alreadyApplied: { statuses: [404], data: ({ session_id }) => ({ session_id, deleted: true }) },
    response: typed<shapes.DeletedToolRouterSession>(),
  }),
  attach: define("POST /api/v3.1/tool_router/session/{session_id}/attach", {
    hasSchemas: true,
    requiredFields: ["session_id", "mcp"],
    // What is attached isn't stored, so a retry adds nothing.
    retry: "idempotent",
    body: typed<shapes.AttachToolRouterSessionBody>(),
    response: typed<shapes.ToolRouterSessionRecord>(),
  }),
  configHistory: define("GET /api/v3.1/tool_router/session/{session_id}/config_history", {
    hasSchemas: true,
    query: typed<shapes.ListConfigVersionsQuery>(),
    response: typed<shapes.ConfigVersionPage>(),
  }),
  search: define("POST /api/{apiVersion}/tool_router/session/{session_id}/search", {
    hasSchemas: true,
    // Read-only. The queries are too long for a URL.
    retry: "safe",
    body: typed<shapes.SearchToolsBody>(),
    response: typed<shapes.ToolSearch>(),
  }),
  toolkits: define("GET /api/{apiVersion}/tool_router/session/{session_id}/toolkits", {
    query: typed<shapes.ListToolRouterToolkitsQuery>(),
    response: typed<shapes.ToolRouterToolkitPage>(),
  }),
  tools: define("GET /api/{apiVersion}/tool_router/session/{session_id}/tools", {
    hasSchemas: true,
    query: typed<shapes.ListToolRouterToolsQuery>(),
    response: typed<ToolPage>(),
  }),
}));

/** Calls in a session. */
export const sessionCalls = endpoints("toolRouter", () => ({
  execute: define("POST /api/{apiVersion}/tool_router/session/{session_id}/execute", {
    isLogged: true,
    takesEffect: true,
    body: typed<shapes.ExecuteSessionToolBody>(),
    response: typed<shapes.SessionToolResult>(),
  }),
  executeMeta: define("POST /api/{apiVersion}/tool_router/session/{session_id}/execute_meta", {
    isLogged: true,
    takesEffect: true,
    body: typed<shapes.ExecuteMetaToolBody>(),
    response: typed<shapes.SessionToolResult>(),
  }),
  proxy: define("POST /api/{apiVersion}/tool_router/session/{session_id}/proxy_execute", {
    takesEffect: true,
    auth: ["apiKey", "userApiKey"],
    deprecated: ["body.custom_connection_data"],
    body: typed<shapes.SessionProxyBody>(),
    response: typed<ProxyResponse>(),
  }),
  link: define("POST /api/{apiVersion}/tool_router/session/{session_id}/link", {
    body: typed<shapes.LinkToolkitBody>(),
    response: typed<shapes.LinkedToolkit>(),
  }),
}));

/** Files of a session. */
export const mounts = endpoints("toolRouter", () => ({
  mountItems: define("GET /api/{apiVersion}/tool_router/session/{session_id}/mounts/{mount_id}/items", {
    query: typed<shapes.ListMountItemsQuery>(),
    response: typed<shapes.MountItemPage>(),
  }),
  mountUploadUrl: define("POST /api/{apiVersion}/tool_router/session/{session_id}/mounts/{mount_id}/upload_url", {
    body: typed<shapes.MountUploadBody>(),
    response: typed<shapes.MountUpload>(),
  }),
  mountDownloadUrl: define("POST /api/{apiVersion}/tool_router/session/{session_id}/mounts/{mount_id}/download_url", {
    // Signs a URL and stores nothing.
    retry: "safe",
    body: typed<shapes.MountPathBody>(),
    response: typed<shapes.MountDownload>(),
  }),
  mountDelete: define("POST /api/{apiVersion}/tool_router/session/{session_id}/mounts/{mount_id}/delete", {
    retry: "idempotent",
    alreadyApplied: { statuses: [404], data: () => ({}) },
    body: typed<shapes.MountPathBody>(),
    response: typed<shapes.DeletedMountItem>(),
  }),
}));

export const toolRouter = once(() => ({ ...sessions(), ...sessionCalls(), ...mounts() }));
