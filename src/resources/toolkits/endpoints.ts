import { endpoint, typed } from "../../core/endpoint.js";
import type {
  GetToolkitQuery,
  ListNamedToolkitsBody,
  ListToolkitsQuery,
  ToolkitCategoryPage,
  ToolkitChangelog,
  ToolkitDetail,
  ToolkitPage,
} from "./schema.js";

export const listToolkits = endpoint({
  name: "toolkits.list",
  method: "GET",
  path: "/api/{apiVersion}/toolkits",
  auth: ["apiKey", "userApiKey"],
  retry: "safe",
  query: typed<ListToolkitsQuery>(),
  response: typed<ToolkitPage>(),
});

export const getToolkit = endpoint({
  name: "toolkits.get",
  method: "GET",
  path: "/api/{apiVersion}/toolkits/{slug}",
  auth: ["apiKey", "userApiKey"],
  retry: "safe",
  query: typed<GetToolkitQuery>(),
  response: typed<ToolkitDetail>(),
});

export const listToolkitCategories = endpoint({
  name: "toolkits.categories",
  method: "GET",
  path: "/api/{apiVersion}/toolkits/categories",
  auth: ["apiKey"],
  retry: "safe",
  response: typed<ToolkitCategoryPage>(),
});

export const getToolkitChangelog = endpoint({
  name: "toolkits.changelog",
  method: "GET",
  path: "/api/{apiVersion}/toolkits/changelog",
  auth: ["apiKey"],
  retry: "safe",
  response: typed<ToolkitChangelog>(),
});

export const listNamedToolkits = endpoint({
  name: "toolkits.multi",
  method: "POST",
  path: "/api/{apiVersion}/toolkits/multi",
  auth: ["apiKey"],
  // Read-only. The list of names is too long for a query.
  retry: "safe",
  body: typed<ListNamedToolkitsBody>(),
  response: typed<ToolkitPage>(),
});
