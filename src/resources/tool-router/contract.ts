import { byName, type OperationsOf, operation } from "../operation.js";
import { ProxyResponse, ToolPage } from "../tools/schema.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

export const toolRouter = byName(
  operation(endpoints.createToolRouterSession, {
    spec: "What the service does; assumption R1",
    status: 201,
    body: shapes.CreateToolRouterSessionBody,
    response: shapes.ToolRouterSessionRecord,
  }),
  operation(endpoints.getToolRouterSession, {
    spec: "assumption R1",
    status: 200,
    response: shapes.ToolRouterSessionRecord,
  }),
  operation(endpoints.updateToolRouterSession, {
    spec: "assumption R1",
    status: 200,
    body: shapes.UpdateToolRouterSessionBody,
    response: shapes.ToolRouterSessionRecord,
  }),
  operation(endpoints.deleteToolRouterSession, {
    spec: "assumption R1",
    status: 200,
    response: shapes.DeletedToolRouterSession,
  }),
  operation(endpoints.attachToolRouterSession, {
    spec: "assumption R3",
    status: 200,
    body: shapes.AttachToolRouterSessionBody,
    response: shapes.ToolRouterSessionRecord,
  }),
  operation(endpoints.listConfigVersions, {
    spec: "assumption R2",
    status: 200,
    query: shapes.ListConfigVersionsQuery,
    response: shapes.ConfigVersionPage,
  }),
  operation(endpoints.searchSessionTools, {
    spec: "assumption R1",
    status: 200,
    body: shapes.SearchToolsBody,
    response: shapes.ToolSearch,
  }),
  operation(endpoints.listSessionToolkits, {
    spec: "Resources > Tool-router toolkit list item",
    status: 200,
    query: shapes.ListToolRouterToolkitsQuery,
    response: shapes.ToolRouterToolkitPage,
  }),
  operation(endpoints.listSessionTools, {
    spec: "Resources > Tool; assumption R1",
    status: 200,
    query: shapes.ListToolRouterToolsQuery,
    response: ToolPage,
  }),
  operation(endpoints.executeSessionTool, {
    spec: "What the service does; assumption R1",
    status: 200,
    body: shapes.ExecuteSessionToolBody,
    response: shapes.SessionToolResult,
  }),
  operation(endpoints.executeMetaTool, {
    spec: "assumption R1",
    status: 200,
    body: shapes.ExecuteMetaToolBody,
    response: shapes.SessionToolResult,
  }),
  operation(endpoints.proxySessionRequest, {
    spec: "assumption R1",
    status: 200,
    body: shapes.SessionProxyBody,
    response: ProxyResponse,
  }),
  operation(endpoints.linkToolkit, {
    spec: "assumptions R1 and R4",
    status: 201,
    body: shapes.LinkToolkitBody,
    response: shapes.LinkedToolkit,
  }),
  operation(endpoints.listMountItems, {
    spec: "assumption R1",
    status: 200,
    query: shapes.ListMountItemsQuery,
    response: shapes.MountItemPage,
  }),
  operation(endpoints.createMountUploadUrl, {
    spec: "assumption R1",
    status: 201,
    body: shapes.MountUploadBody,
    response: shapes.MountUpload,
  }),
  operation(endpoints.createMountDownloadUrl, {
    spec: "assumption R1",
    status: 201,
    body: shapes.MountPathBody,
    response: shapes.MountDownload,
  }),
  operation(endpoints.deleteMountItem, {
    spec: "assumption R1",
    status: 200,
    body: shapes.MountPathBody,
    response: shapes.DeletedMountItem,
  }),
) satisfies OperationsOf<typeof endpoints>;
