import { endpoint, typed } from "../../core/endpoint.js";
import type { ProxyResponse, ToolPage } from "../tools/schema.js";
import type {
  AttachToolRouterSessionBody,
  ConfigVersionPage,
  CreateToolRouterSessionBody,
  DeletedMountItem,
  DeletedToolRouterSession,
  ExecuteMetaToolBody,
  ExecuteSessionToolBody,
  LinkedToolkit,
  LinkToolkitBody,
  ListConfigVersionsQuery,
  ListMountItemsQuery,
  ListToolRouterToolkitsQuery,
  ListToolRouterToolsQuery,
  MountDownload,
  MountItemPage,
  MountPathBody,
  MountUpload,
  MountUploadBody,
  SearchToolsBody,
  SessionProxyBody,
  SessionToolResult,
  ToolRouterSessionRecord,
  ToolRouterToolkitPage,
  ToolSearch,
  UpdateToolRouterSessionBody,
} from "./schema.js";

export const createToolRouterSession = endpoint({
  name: "toolRouter.create",
  requiredFields: ["session_id", "mcp"],
  method: "POST",
  path: "/api/{apiVersion}/tool_router/session",
  auth: ["apiKey"],
  // Each call creates another session.
  retry: "effect",
  body: typed<CreateToolRouterSessionBody>(),
  response: typed<ToolRouterSessionRecord>(),
});

export const getToolRouterSession = endpoint({
  name: "toolRouter.get",
  requiredFields: ["session_id", "mcp"],
  method: "GET",
  path: "/api/{apiVersion}/tool_router/session/{session_id}",
  auth: ["apiKey"],
  retry: "safe",
  response: typed<ToolRouterSessionRecord>(),
});

export const updateToolRouterSession = endpoint({
  name: "toolRouter.update",
  requiredFields: ["session_id", "mcp"],
  method: "PATCH",
  // Like delete, attach and the history, it exists on v3.1 only.
  path: "/api/v3.1/tool_router/session/{session_id}",
  auth: ["apiKey"],
  // A retry writes the same blocks again; at most, the history gets an equal version.
  retry: "idempotent",
  body: typed<UpdateToolRouterSessionBody>(),
  response: typed<ToolRouterSessionRecord>(),
});

export const deleteToolRouterSession = endpoint({
  name: "toolRouter.delete",
  method: "DELETE",
  path: "/api/v3.1/tool_router/session/{session_id}",
  auth: ["apiKey"],
  retry: "idempotent",
  alreadyApplied: { statuses: [404], data: ({ session_id }) => ({ session_id, deleted: true }) },
  response: typed<DeletedToolRouterSession>(),
});

export const attachToolRouterSession = endpoint({
  name: "toolRouter.attach",
  requiredFields: ["session_id", "mcp"],
  method: "POST",
  path: "/api/v3.1/tool_router/session/{session_id}/attach",
  auth: ["apiKey"],
  // What is attached isn't stored, so a retry adds nothing.
  retry: "idempotent",
  body: typed<AttachToolRouterSessionBody>(),
  response: typed<ToolRouterSessionRecord>(),
});

export const listConfigVersions = endpoint({
  name: "toolRouter.configHistory",
  method: "GET",
  path: "/api/v3.1/tool_router/session/{session_id}/config_history",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<ListConfigVersionsQuery>(),
  response: typed<ConfigVersionPage>(),
});

export const searchSessionTools = endpoint({
  name: "toolRouter.search",
  method: "POST",
  path: "/api/{apiVersion}/tool_router/session/{session_id}/search",
  auth: ["apiKey"],
  // Read-only. The queries are too long for a URL.
  retry: "safe",
  body: typed<SearchToolsBody>(),
  response: typed<ToolSearch>(),
});

export const listSessionToolkits = endpoint({
  name: "toolRouter.toolkits",
  method: "GET",
  path: "/api/{apiVersion}/tool_router/session/{session_id}/toolkits",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<ListToolRouterToolkitsQuery>(),
  response: typed<ToolRouterToolkitPage>(),
});

export const listSessionTools = endpoint({
  name: "toolRouter.tools",
  method: "GET",
  path: "/api/{apiVersion}/tool_router/session/{session_id}/tools",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<ListToolRouterToolsQuery>(),
  response: typed<ToolPage>(),
});

export const executeSessionTool = endpoint({
  name: "toolRouter.execute",
  method: "POST",
  path: "/api/{apiVersion}/tool_router/session/{session_id}/execute",
  auth: ["apiKey"],
  retry: "effect",
  body: typed<ExecuteSessionToolBody>(),
  response: typed<SessionToolResult>(),
});

export const executeMetaTool = endpoint({
  name: "toolRouter.executeMeta",
  method: "POST",
  path: "/api/{apiVersion}/tool_router/session/{session_id}/execute_meta",
  auth: ["apiKey"],
  retry: "effect",
  body: typed<ExecuteMetaToolBody>(),
  response: typed<SessionToolResult>(),
});

export const proxySessionRequest = endpoint({
  name: "toolRouter.proxyExecute",
  method: "POST",
  path: "/api/{apiVersion}/tool_router/session/{session_id}/proxy_execute",
  auth: ["apiKey", "userApiKey"],
  retry: "effect",
  deprecated: ["body.custom_connection_data"],
  body: typed<SessionProxyBody>(),
  response: typed<ProxyResponse>(),
});

export const linkToolkit = endpoint({
  name: "toolRouter.link",
  method: "POST",
  path: "/api/{apiVersion}/tool_router/session/{session_id}/link",
  auth: ["apiKey"],
  // A retry would start a second connection.
  retry: "effect",
  body: typed<LinkToolkitBody>(),
  response: typed<LinkedToolkit>(),
});

export const listMountItems = endpoint({
  name: "toolRouter.mountItems",
  method: "GET",
  path: "/api/{apiVersion}/tool_router/session/{session_id}/mounts/{mount_id}/items",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<ListMountItemsQuery>(),
  response: typed<MountItemPage>(),
});

export const createMountUploadUrl = endpoint({
  name: "toolRouter.mountUploadUrl",
  method: "POST",
  path: "/api/{apiVersion}/tool_router/session/{session_id}/mounts/{mount_id}/upload_url",
  auth: ["apiKey"],
  retry: "effect",
  body: typed<MountUploadBody>(),
  response: typed<MountUpload>(),
});

export const createMountDownloadUrl = endpoint({
  name: "toolRouter.mountDownloadUrl",
  method: "POST",
  path: "/api/{apiVersion}/tool_router/session/{session_id}/mounts/{mount_id}/download_url",
  auth: ["apiKey"],
  // Signs a URL and stores nothing.
  retry: "safe",
  body: typed<MountPathBody>(),
  response: typed<MountDownload>(),
});

export const deleteMountItem = endpoint({
  name: "toolRouter.mountDelete",
  method: "POST",
  path: "/api/{apiVersion}/tool_router/session/{session_id}/mounts/{mount_id}/delete",
  auth: ["apiKey"],
  retry: "idempotent",
  alreadyApplied: { statuses: [404], data: () => ({}) },
  body: typed<MountPathBody>(),
  response: typed<DeletedMountItem>(),
});
