import { byName, type OperationsOf, operation } from "../operation.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

export const toolkits = byName(
  operation(endpoints.listToolkits, {
    spec: "Resources > Pagination envelope; assumption A6",
    status: 200,
    query: shapes.ListToolkitsQuery,
    response: shapes.ToolkitPage,
  }),
  operation(endpoints.getToolkit, {
    spec: "What the service does; assumption A6",
    status: 200,
    query: shapes.GetToolkitQuery,
    response: shapes.ToolkitDetail,
  }),
  operation(endpoints.listToolkitCategories, {
    spec: "assumption A6",
    status: 200,
    response: shapes.ToolkitCategoryPage,
  }),
  operation(endpoints.getToolkitChangelog, {
    spec: "assumption A6",
    status: 200,
    response: shapes.ToolkitChangelog,
  }),
  operation(endpoints.listNamedToolkits, {
    spec: "assumption A6",
    status: 200,
    body: shapes.ListNamedToolkitsBody,
    response: shapes.ToolkitPage,
  }),
) satisfies OperationsOf<typeof endpoints>;
