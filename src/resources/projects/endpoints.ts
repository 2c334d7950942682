import { typed } from "../../core/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

export const projects = endpoints("projects", {
  create: define({
    method: "POST",
    path: "/api/{apiVersion}/org/owner/project/new",
    auth: ["orgApiKey"],
    body: typed<shapes.CreateProjectBody>(),
    response: typed<shapes.CreatedProject>(),
  }),
  list: define({
    method: "GET",
    path: "/api/{apiVersion}/org/owner/project/list",
    auth: ["orgApiKey"],
    items: "data",
    query: typed<shapes.ListProjectsQuery>(),
    response: typed<shapes.ProjectPage>(),
  }),
  get: define({
    method: "GET",
    path: "/api/{apiVersion}/org/owner/project/{nano_id}",
    auth: ["orgApiKey"],
    response: typed<shapes.ProjectDetail>(),
  }),
  delete: define({
    method: "DELETE",
    path: "/api/{apiVersion}/org/owner/project/{nano_id}",
    auth: ["orgApiKey"],
    alreadyApplied: { statuses: [404], data: () => ({ status: "success" }) },
    query: typed<shapes.DeleteProjectQuery>(),
    response: typed<shapes.DeletedProject>(),
  }),
  regenerateApiKey: define({
    method: "POST",
    path: "/api/{apiVersion}/org/owner/project/{nano_id}/regenerate_api_key",
    auth: ["orgApiKey"],
    response: typed<shapes.RegeneratedApiKey>(),
  }),
  getConfig: define({
    method: "GET",
    path: "/api/{apiVersion}/org/project/config",
    auth: ["apiKey", "userApiKey"],
    response: typed<shapes.ProjectConfig>(),
  }),
  updateConfig: define({
    method: "PATCH",
    path: "/api/{apiVersion}/org/project/config",
    auth: ["apiKey", "userApiKey"],
    body: typed<shapes.UpdateProjectConfigBody>(),
    response: typed<shapes.ProjectConfig>(),
  }),
  listOrganizations: define({
    method: "GET",
    path: "/api/v3.1/org/list",
    auth: ["userApiKey"],
    query: typed<shapes.ListOrganizationsQuery>(),
    response: typed<shapes.OrganizationList>(),
  }),
  listMine: define({
    method: "GET",
    path: "/api/v3.1/org/project/list",
    auth: ["userApiKey"],
    items: "data",
    query: typed<shapes.ListMyProjectsQuery>(),
    response: typed<shapes.ProjectPage>(),
  }),
});
