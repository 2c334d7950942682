import { byName, type OperationsOf, operation } from "../operation.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

export const projects = byName(
  operation(endpoints.createProject, {
    spec: "assumption R9",
    status: 200,
    body: shapes.CreateProjectBody,
    response: shapes.CreatedProject,
  }),
  operation(endpoints.listProjects, {
    spec: "assumption R9",
    status: 200,
    query: shapes.ListProjectsQuery,
    response: shapes.ProjectPage,
  }),
  operation(endpoints.getProject, {
    spec: "assumption R9",
    status: 200,
    response: shapes.ProjectDetail,
  }),
  operation(endpoints.deleteProject, {
    spec: "assumption R9",
    status: 200,
    query: shapes.DeleteProjectQuery,
    response: shapes.DeletedProject,
  }),
  operation(endpoints.regenerateProjectApiKey, {
    spec: "assumption R9",
    status: 200,
    response: shapes.RegeneratedApiKey,
  }),
  operation(endpoints.getProjectConfig, {
    spec: "assumption R9",
    status: 200,
    response: shapes.ProjectConfig,
  }),
  operation(endpoints.updateProjectConfig, {
    spec: "assumption R9",
    status: 200,
    body: shapes.UpdateProjectConfigBody,
    response: shapes.ProjectConfig,
  }),
  operation(endpoints.listOrganizations, {
    spec: "assumption R9",
    status: 200,
    query: shapes.ListOrganizationsQuery,
    response: shapes.OrganizationList,
  }),
  operation(endpoints.listMyProjects, {
    spec: "assumption R9",
    status: 200,
    query: shapes.ListMyProjectsQuery,
    response: shapes.ProjectPage,
  }),
) satisfies OperationsOf<typeof endpoints>;
