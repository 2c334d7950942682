import * as endpoints from "../resources/projects/endpoints.js";
import * as shapes from "../resources/projects/schema.js";
import { type OperationsOf, operation } from "./operation.js";

export const projects = {
  "projects.create": operation(endpoints.createProject, {
    spec: "assumption R9",
    status: 200,
    body: shapes.CreateProjectBody,
    response: shapes.CreatedProject,
  }),
  "projects.list": operation(endpoints.listProjects, {
    spec: "assumption R9",
    status: 200,
    query: shapes.ListProjectsQuery,
    response: shapes.ProjectPage,
  }),
  "projects.get": operation(endpoints.getProject, {
    spec: "assumption R9",
    status: 200,
    response: shapes.ProjectDetail,
  }),
  "projects.delete": operation(endpoints.deleteProject, {
    spec: "assumption R9",
    status: 200,
    query: shapes.DeleteProjectQuery,
    response: shapes.DeletedProject,
  }),
  "projects.regenerateApiKey": operation(endpoints.regenerateProjectApiKey, {
    spec: "assumption R9",
    status: 200,
    response: shapes.RegeneratedApiKey,
  }),
  "projects.getConfig": operation(endpoints.getProjectConfig, {
    spec: "assumption R9",
    status: 200,
    response: shapes.ProjectConfig,
  }),
  "projects.updateConfig": operation(endpoints.updateProjectConfig, {
    spec: "assumption R9",
    status: 200,
    body: shapes.UpdateProjectConfigBody,
    response: shapes.ProjectConfig,
  }),
  "projects.listOrganizations": operation(endpoints.listOrganizations, {
    spec: "assumption R9",
    status: 200,
    query: shapes.ListOrganizationsQuery,
    response: shapes.OrganizationList,
  }),
  "projects.listMine": operation(endpoints.listMyProjects, {
    spec: "assumption R9",
    status: 200,
    query: shapes.ListMyProjectsQuery,
    response: shapes.ProjectPage,
  }),
} satisfies OperationsOf<typeof endpoints>;
