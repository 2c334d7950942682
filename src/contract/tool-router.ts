import type * as endpoints from "../resources/tool-router/endpoints.js";
import * as shapes from "../resources/tool-router/schema.js";
import { ProxyResponse, ToolPage } from "../resources/tools/schema.js";
import type { SchemasFor } from "./operation.js";

export const toolRouter = {
  "toolRouter.create": {
    spec: "What the service does; assumption R1",
    status: 201,
    body: shapes.CreateToolRouterSessionBody,
    response: shapes.ToolRouterSessionRecord,
  },
  "toolRouter.get": { spec: "assumption R1", status: 200, response: shapes.ToolRouterSessionRecord },
  "toolRouter.update": {
    spec: "assumption R1",
    status: 200,
    body: shapes.UpdateToolRouterSessionBody,
    response: shapes.ToolRouterSessionRecord,
  },
  "toolRouter.delete": { spec: "assumption R1", status: 200, response: shapes.DeletedToolRouterSession },
  "toolRouter.attach": {
    spec: "assumption R3",
    status: 200,
    body: shapes.AttachToolRouterSessionBody,
    response: shapes.ToolRouterSessionRecord,
  },
  "toolRouter.configHistory": {
    spec: "assumption R2",
    status: 200,
    query: shapes.ListConfigVersionsQuery,
    response: shapes.ConfigVersionPage,
  },
  "toolRouter.search": {
    spec: "assumption R1",
    status: 200,
    body: shapes.SearchToolsBody,
    response: shapes.ToolSearch,
  },
  "toolRouter.toolkits": {
    spec: "Resources > Tool-router toolkit list item",
    status: 200,
    query: shapes.ListToolRouterToolkitsQuery,
    response: shapes.ToolRouterToolkitPage,
  },
  "toolRouter.tools": {
    spec: "Resources > Tool; assumption R1",
    status: 200,
    query: shapes.ListToolRouterToolsQuery,
    response: ToolPage,
  },
  "toolRouter.execute": {
    spec: "What the service does; assumption R1",
    status: 200,
    body: shapes.ExecuteSessionToolBody,
    response: shapes.SessionToolResult,
  },
  "toolRouter.executeMeta": {
    spec: "assumption R1",
    status: 200,
    body: shapes.ExecuteMetaToolBody,
    response: shapes.SessionToolResult,
  },
  "toolRouter.proxyExecute": {
    spec: "assumption R1",
    status: 200,
    body: shapes.SessionProxyBody,
    response: ProxyResponse,
  },
  "toolRouter.link": {
    spec: "assumptions R1 and R4",
    status: 201,
    body: shapes.LinkToolkitBody,
    response: shapes.LinkedToolkit,
  },
  "toolRouter.mountItems": {
    spec: "assumption R1",
    status: 200,
    query: shapes.ListMountItemsQuery,
    response: shapes.MountItemPage,
  },
  "toolRouter.mountUploadUrl": {
    spec: "assumption R1",
    status: 201,
    body: shapes.MountUploadBody,
    response: shapes.MountUpload,
  },
  "toolRouter.mountDownloadUrl": {
    spec: "assumption R1",
    status: 201,
    body: shapes.MountPathBody,
    response: shapes.MountDownload,
  },
  "toolRouter.mountDelete": {
    spec: "assumption R1",
    status: 200,
    body: shapes.MountPathBody,
    response: shapes.DeletedMountItem,
  },
} satisfies SchemasFor<typeof endpoints>;
