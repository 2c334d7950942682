import { typed } from "../../client/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

export const projects = endpoints("projects", () => ({
  create: define("POST /api/{apiVersion}/org/owner/project/new", {
    auth: ["orgApiKey"],
    body: typed<shapes.CreateProjectBody>(),
    response: typed<shapes.CreatedProject>(),
  }),
  list: define("GET /api/{apiVersion}/org/owner/project/list", {
    auth: ["orgApiKey"],
    items: "data",
    query: typed<shapes.ListProjectsQuery>(),
    response: typed<shapes.ProjectPage>(),
  }),
  get: define("GET /api/{apiVersion}/org/owner/project/{nano_id}", {
    auth: ["orgApiKey"],
    response: typed<shapes.ProjectDetail>(),
  }),
  delete: define("DELETE /api/{apiVersion}/org/owner/project/{nano_id}", {
    auth: ["orgApiKey"],
    alreadyApplied: { statuses: [404], data: () => ({ status: "success" }) },
    query: typed<shapes.DeleteProjectQuery>(),
    response: typed<shapes.DeletedProject>(),
  }),
  regenerateApiKey: define("POST /api/{apiVersion}/org/owner/project/{nano_id}/regenerate_api_key", {
    auth: ["orgApiKey"],
    response: typed<shapes.RegeneratedApiKey>(),
  }),
  getConfig: define("GET /api/{apiVersion}/org/project/config", {
    auth: ["apiKey", "userApiKey"],
    response: typed<shapes.ProjectConfig>(),
  }),
  updateConfig: define("PATCH /api/{apiVersion}/org/project/config", {
    auth: ["apiKey", "userApiKey"],
    body: typed<shapes.UpdateProjectConfigBody>(),
    response: typed<shapes.ProjectConfig>(),
  }),
  listOrganizations: define("GET /api/v3.1/org/list", {
    auth: ["userApiKey"],
    query: typed<shapes.ListOrganizationsQuery>(),
    response: typed<shapes.OrganizationList>(),
  }),
  listMine: define("GET /api/v3.1/org/project/list", {
    auth: ["userApiKey"],
    items: "data",
    query: typed<shapes.ListMyProjectsQuery>(),
    response: typed<shapes.ProjectPage>(),
  }),
}));
