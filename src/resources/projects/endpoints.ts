import { endpoint, type } from "../../core/endpoint.js";
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

const owned = "/api/{apiVersion}/org/owner/project";
const one = "/api/{apiVersion}/org/owner/project/{nano_id}";
const config = "/api/{apiVersion}/org/project/config";

export const createProject = endpoint({
  name: "projects.create",
  method: "POST",
  path: `${owned}/new`,
  auth: ["orgApiKey"],
  repeat: "effect",
  body: type<CreateProjectBody>(),
  response: type<CreatedProject>(),
});

export const listProjects = endpoint({
  name: "projects.list",
  method: "GET",
  path: `${owned}/list`,
  auth: ["orgApiKey"],
  repeat: "safe",
  items: "data",
  query: type<ListProjectsQuery>(),
  response: type<ProjectPage>(),
});

export const getProject = endpoint({
  name: "projects.get",
  method: "GET",
  path: one,
  auth: ["orgApiKey"],
  repeat: "safe",
  response: type<ProjectDetail>(),
});

export const deleteProject = endpoint({
  name: "projects.delete",
  method: "DELETE",
  path: one,
  auth: ["orgApiKey"],
  repeat: "idempotent",
  alreadyDone: { statuses: [404], data: () => ({ status: "success" }) },
  query: type<DeleteProjectQuery>(),
  response: type<DeletedProject>(),
});

export const regenerateProjectApiKey = endpoint({
  name: "projects.regenerateApiKey",
  method: "POST",
  path: `${one}/regenerate_api_key`,
  auth: ["orgApiKey"],
  // A retry would create another key and invalidate the previous one.
  repeat: "effect",
  response: type<RegeneratedApiKey>(),
});

export const getProjectConfig = endpoint({
  name: "projects.getConfig",
  method: "GET",
  path: config,
  auth: ["apiKey", "userApiKey"],
  repeat: "safe",
  response: type<ProjectConfig>(),
});

export const updateProjectConfig = endpoint({
  name: "projects.updateConfig",
  method: "PATCH",
  path: config,
  auth: ["apiKey", "userApiKey"],
  // Only the given fields change, and to the given values: a retry changes nothing more.
  repeat: "idempotent",
  body: type<UpdateProjectConfigBody>(),
  response: type<ProjectConfig>(),
});

export const listOrganizations = endpoint({
  name: "projects.listOrganizations",
  method: "GET",
  path: "/api/v3.1/org/list",
  auth: ["userApiKey"],
  repeat: "safe",
  query: type<ListOrganizationsQuery>(),
  response: type<OrganizationList>(),
});

export const listMyProjects = endpoint({
  name: "projects.listMine",
  method: "GET",
  path: "/api/v3.1/org/project/list",
  auth: ["userApiKey"],
  repeat: "safe",
  items: "data",
  query: type<ListMyProjectsQuery>(),
  response: type<ProjectPage>(),
});
