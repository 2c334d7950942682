import { typed } from "../../core/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

export const toolkits = endpoints("toolkits", {
  list: define({
    method: "GET",
    path: "/api/{apiVersion}/toolkits",
    auth: ["apiKey", "userApiKey"],
    query: typed<shapes.ListToolkitsQuery>(),
    response: typed<shapes.ToolkitPage>(),
  }),
  get: define({
    method: "GET",
    path: "/api/{apiVersion}/toolkits/{slug}",
    auth: ["apiKey", "userApiKey"],
    query: typed<shapes.GetToolkitQuery>(),
    response: typed<shapes.ToolkitDetail>(),
  }),
  categories: define({
    method: "GET",
    path: "/api/{apiVersion}/toolkits/categories",
    response: typed<shapes.ToolkitCategoryPage>(),
  }),
  changelog: define({
    method: "GET",
    path: "/api/{apiVersion}/toolkits/changelog",
    response: typed<shapes.ToolkitChangelog>(),
  }),
  multi: define({
    method: "POST",
    path: "/api/{apiVersion}/toolkits/multi",
    // Read-only. The list of names is too long for a query.
    retry: "safe",
    body: typed<shapes.ListNamedToolkitsBody>(),
    response: typed<shapes.ToolkitPage>(),
  }),
});
