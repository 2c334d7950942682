import { typed } from "../../client/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

export const toolkits = endpoints("toolkits", () => ({
  list: define("GET /api/{apiVersion}/toolkits", {
    auth: ["apiKey", "userApiKey"],
    query: typed<shapes.ListToolkitsQuery>(),
    response: typed<shapes.ToolkitPage>(),
  }),
  get: define("GET /api/{apiVersion}/toolkits/{slug}", {
    auth: ["apiKey", "userApiKey"],
    query: typed<shapes.GetToolkitQuery>(),
    response: typed<shapes.ToolkitDetail>(),
  }),
  listCategories: define("GET /api/{apiVersion}/toolkits/categories", {
    response: typed<shapes.ToolkitCategoryPage>(),
  }),
  getChangelog: define("GET /api/{apiVersion}/toolkits/changelog", { response: typed<shapes.ToolkitChangelog>() }),
  listBySlugs: define("POST /api/{apiVersion}/toolkits/multi", {
    // Read-only. The list of names is too long for a query.
    retry: "safe",
    body: typed<shapes.ListNamedToolkitsBody>(),
    response: typed<shapes.ToolkitPage>(),
  }),
}));
