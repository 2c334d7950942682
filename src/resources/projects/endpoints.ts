import { endpoint, typed } from "../../core/endpoint.js";
import type {
  CreatedProject,
  CreateProjectBody,
  DeletedProject,
  DeleteProjectQuery,
  ListMyProjectsQuery,
  ListOrganizationsQuery,
  ListProjectsQuery,
  OrganizationList,
  ProjectConfig,
  ProjectDetail,
  ProjectPage,
  RegeneratedApiKey,
  UpdateProjectConfigBody,
} from "./schema.js";

export const createProject = endpoint({
  name: "projects.create",
  method: "POST",
  path: "/api/{apiVersion}/org/owner/project/new",
  auth: ["orgApiKey"],
  retry: "effect",
  body: typed<CreateProjectBody>(),
  response: typed<CreatedProject>(),
});

export const listProjects = endpoint({
  name: "projects.list",
  method: "GET",
  path: "/api/{apiVersion}/org/owner/project/list",
  auth: ["orgApiKey"],
  retry: "safe",
  items: "data",
  query: typed<ListProjectsQuery>(),
  response: typed<ProjectPage>(),
});

export const getProject = endpoint({
  name: "projects.get",
  method: "GET",
  path: "/api/{apiVersion}/org/owner/project/{nano_id}",
  auth: ["orgApiKey"],
  retry: "safe",
  response: typed<ProjectDetail>(),
});

export const deleteProject = endpoint({
  name: "projects.delete",
  method: "DELETE",
  path: "/api/{apiVersion}/org/owner/project/{nano_id}",
  auth: ["orgApiKey"],
  retry: "idempotent",
  alreadyApplied: { statuses: [404], data: () => ({ status: "success" }) },
  query: typed<DeleteProjectQuery>(),
  response: typed<DeletedProject>(),
});

export const regenerateProjectApiKey = endpoint({
  name: "projects.regenerateApiKey",
  method: "POST",
  path: "/api/{apiVersion}/org/owner/project/{nano_id}/regenerate_api_key",
  auth: ["orgApiKey"],
  // A retry would create another key and invalidate the previous one.
  retry: "effect",
  response: typed<RegeneratedApiKey>(),
});

export const getProjectConfig = endpoint({
  name: "projects.getConfig",
  method: "GET",
  path: "/api/{apiVersion}/org/project/config",
  auth: ["apiKey", "userApiKey"],
  retry: "safe",
  response: typed<ProjectConfig>(),
});

export const updateProjectConfig = endpoint({
  name: "projects.updateConfig",
  method: "PATCH",
  path: "/api/{apiVersion}/org/project/config",
  auth: ["apiKey", "userApiKey"],
  // Only the given fields change, and to the given values: a retry changes nothing more.
  retry: "idempotent",
  body: typed<UpdateProjectConfigBody>(),
  response: typed<ProjectConfig>(),
});

export const listOrganizations = endpoint({
  name: "projects.listOrganizations",
  method: "GET",
  path: "/api/v3.1/org/list",
  auth: ["userApiKey"],
  retry: "safe",
  query: typed<ListOrganizationsQuery>(),
  response: typed<OrganizationList>(),
});

export const listMyProjects = endpoint({
  name: "projects.listMine",
  method: "GET",
  path: "/api/v3.1/org/project/list",
  auth: ["userApiKey"],
  retry: "safe",
  items: "data",
  query: typed<ListMyProjectsQuery>(),
  response: typed<ProjectPage>(),
});
