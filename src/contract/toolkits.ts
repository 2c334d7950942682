import * as endpoints from "../resources/toolkits/endpoints.js";
import * as shapes from "../resources/toolkits/schema.js";
import { type OperationsOf, operation } from "./operation.js";

export const toolkits = {
  "toolkits.list": operation(endpoints.listToolkits, {
    spec: "Resources > Pagination envelope; assumption A6",
    status: 200,
    query: shapes.ListToolkitsQuery,
    response: shapes.ToolkitPage,
  }),
  "toolkits.get": operation(endpoints.getToolkit, {
    spec: "What the service does; assumption A6",
    status: 200,
    query: shapes.GetToolkitQuery,
    response: shapes.ToolkitDetail,
  }),
  "toolkits.categories": operation(endpoints.listToolkitCategories, {
    spec: "assumption A6",
    status: 200,
    response: shapes.ToolkitCategoryPage,
  }),
  "toolkits.changelog": operation(endpoints.getToolkitChangelog, {
    spec: "assumption A6",
    status: 200,
    response: shapes.ToolkitChangelog,
  }),
  "toolkits.multi": operation(endpoints.listNamedToolkits, {
    spec: "assumption A6",
    status: 200,
    body: shapes.ListNamedToolkitsBody,
    response: shapes.ToolkitPage,
  }),
} satisfies OperationsOf<typeof endpoints>;
