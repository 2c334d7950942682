import * as endpoints from "../resources/tool-router/endpoints.js";
import * as shapes from "../resources/tool-router/schema.js";
import { ProxyResponse, ToolPage } from "../resources/tools/schema.js";
import { type OperationsOf, operation } from "./operation.js";

export const toolRouter = {
  "toolRouter.create": operation(endpoints.createToolRouterSession, {
    spec: "What the service does; assumption R1",
    status: 201,
    body: shapes.CreateToolRouterSessionBody,
    response: shapes.ToolRouterSessionRecord,
  }),
  "toolRouter.get": operation(endpoints.getToolRouterSession, {
    spec: "assumption R1",
    status: 200,
    response: shapes.ToolRouterSessionRecord,
  }),
  "toolRouter.update": operation(endpoints.updateToolRouterSession, {
    spec: "assumption R1",
    status: 200,
    body: shapes.UpdateToolRouterSessionBody,
    response: shapes.ToolRouterSessionRecord,
  }),
  "toolRouter.delete": operation(endpoints.deleteToolRouterSession, {
    spec: "assumption R1",
    status: 200,
    response: shapes.DeletedToolRouterSession,
  }),
  "toolRouter.attach": operation(endpoints.attachToolRouterSession, {
    spec: "assumption R3",
    status: 200,
    body: shapes.AttachToolRouterSessionBody,
    response: shapes.ToolRouterSessionRecord,
  }),
  "toolRouter.configHistory": operation(endpoints.listConfigVersions, {
    spec: "assumption R2",
    status: 200,
    query: shapes.ListConfigVersionsQuery,
    response: shapes.ConfigVersionPage,
  }),
  "toolRouter.search": operation(endpoints.searchSessionTools, {
    spec: "assumption R1",
    status: 200,
    body: shapes.SearchToolsBody,
    response: shapes.ToolSearch,
  }),
  "toolRouter.toolkits": operation(endpoints.listSessionToolkits, {
    spec: "Resources > Tool-router toolkit list item",
    status: 200,
    query: shapes.ListToolRouterToolkitsQuery,
    response: shapes.ToolRouterToolkitPage,
  }),
  "toolRouter.tools": operation(endpoints.listSessionTools, {
    spec: "Resources > Tool; assumption R1",
    status: 200,
    query: shapes.ListToolRouterToolsQuery,
    response: ToolPage,
  }),
  "toolRouter.execute": operation(endpoints.executeSessionTool, {
    spec: "What the service does; assumption R1",
    status: 200,
    body: shapes.ExecuteSessionToolBody,
    response: shapes.SessionToolResult,
  }),
  "toolRouter.executeMeta": operation(endpoints.executeMetaTool, {
    spec: "assumption R1",
    status: 200,
    body: shapes.ExecuteMetaToolBody,
    response: shapes.SessionToolResult,
  }),
  "toolRouter.proxyExecute": operation(endpoints.proxySessionRequest, {
    spec: "assumption R1",
    status: 200,
    body: shapes.SessionProxyBody,
    response: ProxyResponse,
  }),
  "toolRouter.link": operation(endpoints.linkToolkit, {
    spec: "assumptions R1 and R4",
    status: 201,
    body: shapes.LinkToolkitBody,
    response: shapes.LinkedToolkit,
  }),
  "toolRouter.mountItems": operation(endpoints.listMountItems, {
    spec: "assumption R1",
    status: 200,
    query: shapes.ListMountItemsQuery,
    response: shapes.MountItemPage,
  }),
  "toolRouter.mountUploadUrl": operation(endpoints.createMountUploadUrl, {
    spec: "assumption R1",
    status: 201,
    body: shapes.MountUploadBody,
    response: shapes.MountUpload,
  }),
  "toolRouter.mountDownloadUrl": operation(endpoints.createMountDownloadUrl, {
    spec: "assumption R1",
    status: 201,
    body: shapes.MountPathBody,
    response: shapes.MountDownload,
  }),
  "toolRouter.mountDelete": operation(endpoints.deleteMountItem, {
    spec: "assumption R1",
    status: 200,
    body: shapes.MountPathBody,
    response: shapes.DeletedMountItem,
  }),
} satisfies OperationsOf<typeof endpoints>;
