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

const one = "/api/{apiVersion}/tool_router/session/{session_id}";
// Update, delete, attach and history exist on v3.1 only.
const oneOnV31 = "/api/v3.1/tool_router/session/{session_id}";
const mount = "/api/{apiVersion}/tool_router/session/{session_id}/mounts/{mount_id}";

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
  path: one,
  auth: ["apiKey"],
  retry: "safe",
  response: typed<ToolRouterSessionRecord>(),
});

export const updateToolRouterSession = endpoint({
  name: "toolRouter.update",
  requiredFields: ["session_id", "mcp"],
  method: "PATCH",
  path: oneOnV31,
  auth: ["apiKey"],
  // A retry writes the same blocks again; at most, the history gets an equal version.
  retry: "idempotent",
  body: typed<UpdateToolRouterSessionBody>(),
  response: typed<ToolRouterSessionRecord>(),
});

export const deleteToolRouterSession = endpoint({
  name: "toolRouter.delete",
  method: "DELETE",
  path: oneOnV31,
  auth: ["apiKey"],
  retry: "idempotent",
  alreadyApplied: { statuses: [404], data: ({ session_id }) => ({ session_id, deleted: true }) },
  response: typed<DeletedToolRouterSession>(),
});

export const attachToolRouterSession = endpoint({
  name: "toolRouter.attach",
  requiredFields: ["session_id", "mcp"],
  method: "POST",
  path: `${oneOnV31}/attach`,
  auth: ["apiKey"],
  // What is attached isn't stored, so a retry adds nothing.
  retry: "idempotent",
  body: typed<AttachToolRouterSessionBody>(),
  response: typed<ToolRouterSessionRecord>(),
});

export const listConfigVersions = endpoint({
  name: "toolRouter.configHistory",
  method: "GET",
  path: `${oneOnV31}/config_history`,
  auth: ["apiKey"],
  retry: "safe",
  query: typed<ListConfigVersionsQuery>(),
  response: typed<ConfigVersionPage>(),
});

export const searchSessionTools = endpoint({
  name: "toolRouter.search",
  method: "POST",
  path: `${one}/search`,
  auth: ["apiKey"],
  // Read-only. The queries are too long for a URL.
  retry: "safe",
  body: typed<SearchToolsBody>(),
  response: typed<ToolSearch>(),
});

export const listSessionToolkits = endpoint({
  name: "toolRouter.toolkits",
  method: "GET",
  path: `${one}/toolkits`,
  auth: ["apiKey"],
  retry: "safe",
  query: typed<ListToolRouterToolkitsQuery>(),
  response: typed<ToolRouterToolkitPage>(),
});

export const listSessionTools = endpoint({
  name: "toolRouter.tools",
  method: "GET",
  path: `${one}/tools`,
  auth: ["apiKey"],
  retry: "safe",
  query: typed<ListToolRouterToolsQuery>(),
  response: typed<ToolPage>(),
});

export const executeSessionTool = endpoint({
  name: "toolRouter.execute",
  method: "POST",
  path: `${one}/execute`,
  auth: ["apiKey"],
  retry: "effect",
  body: typed<ExecuteSessionToolBody>(),
  response: typed<SessionToolResult>(),
});

export const executeMetaTool = endpoint({
  name: "toolRouter.executeMeta",
  method: "POST",
  path: `${one}/execute_meta`,
  auth: ["apiKey"],
  retry: "effect",
  body: typed<ExecuteMetaToolBody>(),
  response: typed<SessionToolResult>(),
});

export const proxySessionRequest = endpoint({
  name: "toolRouter.proxyExecute",
  method: "POST",
  path: `${one}/proxy_execute`,
  auth: ["apiKey", "userApiKey"],
  retry: "effect",
  deprecated: ["body.custom_connection_data"],
  body: typed<SessionProxyBody>(),
  response: typed<ProxyResponse>(),
});

export const linkToolkit = endpoint({
  name: "toolRouter.link",
  method: "POST",
  path: `${one}/link`,
  auth: ["apiKey"],
  // A retry would start a second connection.
  retry: "effect",
  body: typed<LinkToolkitBody>(),
  response: typed<LinkedToolkit>(),
});

export const listMountItems = endpoint({
  name: "toolRouter.mountItems",
  method: "GET",
  path: `${mount}/items`,
  auth: ["apiKey"],
  retry: "safe",
  query: typed<ListMountItemsQuery>(),
  response: typed<MountItemPage>(),
});

export const createMountUploadUrl = endpoint({
  name: "toolRouter.mountUploadUrl",
  method: "POST",
  path: `${mount}/upload_url`,
  auth: ["apiKey"],
  retry: "effect",
  body: typed<MountUploadBody>(),
  response: typed<MountUpload>(),
});

export const createMountDownloadUrl = endpoint({
  name: "toolRouter.mountDownloadUrl",
  method: "POST",
  path: `${mount}/download_url`,
  auth: ["apiKey"],
  // Signs a URL and stores nothing.
  retry: "safe",
  body: typed<MountPathBody>(),
  response: typed<MountDownload>(),
});

export const deleteMountItem = endpoint({
  name: "toolRouter.mountDelete",
  method: "POST",
  path: `${mount}/delete`,
  auth: ["apiKey"],
  retry: "idempotent",
  alreadyApplied: { statuses: [404], data: () => ({}) },
  body: typed<MountPathBody>(),
  response: typed<DeletedMountItem>(),
});
