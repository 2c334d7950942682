import { endpoint, type } from "../../core/endpoint.js";
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
  repeat: "safe",
  query: type<ListToolkitsQuery>(),
  response: type<ToolkitPage>(),
});

export const getToolkit = endpoint({
  name: "toolkits.get",
  method: "GET",
  path: "/api/{apiVersion}/toolkits/{slug}",
  auth: ["apiKey", "userApiKey"],
  repeat: "safe",
  query: type<GetToolkitQuery>(),
  response: type<ToolkitDetail>(),
});

export const listToolkitCategories = endpoint({
  name: "toolkits.categories",
  method: "GET",
  path: "/api/{apiVersion}/toolkits/categories",
  auth: ["apiKey"],
  repeat: "safe",
  response: type<ToolkitCategoryPage>(),
});

export const getToolkitChangelog = endpoint({
  name: "toolkits.changelog",
  method: "GET",
  path: "/api/{apiVersion}/toolkits/changelog",
  auth: ["apiKey"],
  repeat: "safe",
  response: type<ToolkitChangelog>(),
});

export const listNamedToolkits = endpoint({
  name: "toolkits.multi",
  method: "POST",
  path: "/api/{apiVersion}/toolkits/multi",
  auth: ["apiKey"],
  // Read-only. The list of names is too long for a query.
  repeat: "safe",
  body: type<ListNamedToolkitsBody>(),
  response: type<ToolkitPage>(),
});
