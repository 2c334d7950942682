import type * as endpoints from "../resources/toolkits/endpoints.js";
import * as shapes from "../resources/toolkits/schema.js";
import type { SchemasFor } from "./operation.js";

export const toolkits = {
  "toolkits.list": {
    spec: "Resources > Pagination envelope; assumption A6",
    status: 200,
    query: shapes.ListToolkitsQuery,
    response: shapes.ToolkitPage,
  },
  "toolkits.get": {
    spec: "What the service does; assumption A6",
    status: 200,
    query: shapes.GetToolkitQuery,
    response: shapes.ToolkitDetail,
  },
  "toolkits.categories": { spec: "assumption A6", status: 200, response: shapes.ToolkitCategoryPage },
  "toolkits.changelog": { spec: "assumption A6", status: 200, response: shapes.ToolkitChangelog },
  "toolkits.multi": {
    spec: "assumption A6",
    status: 200,
    body: shapes.ListNamedToolkitsBody,
    response: shapes.ToolkitPage,
  },
} satisfies SchemasFor<typeof endpoints>;
