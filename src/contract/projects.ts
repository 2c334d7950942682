import type * as endpoints from "../resources/projects/endpoints.js";
import * as shapes from "../resources/projects/schema.js";
import type { SchemasFor } from "./operation.js";

export const projects = {
  "projects.create": {
    spec: "assumption R9",
    status: 200,
    body: shapes.CreateProjectBody,
    response: shapes.CreatedProject,
  },
  "projects.list": {
    spec: "assumption R9",
    status: 200,
    query: shapes.ListProjectsQuery,
    response: shapes.ProjectPage,
  },
  "projects.get": { spec: "assumption R9", status: 200, response: shapes.ProjectDetail },
  "projects.delete": { spec: "assumption R9", status: 200, response: shapes.DeletedProject },
  "projects.regenerateApiKey": { spec: "assumption R9", status: 200, response: shapes.RegeneratedApiKey },
  "projects.getConfig": { spec: "assumption R9", status: 200, response: shapes.ProjectConfig },
  "projects.updateConfig": {
    spec: "assumption R9",
    status: 200,
    body: shapes.UpdateProjectConfigBody,
    response: shapes.ProjectConfig,
  },
  "projects.listOrganizations": { spec: "assumption R9", status: 200, response: shapes.OrganizationList },
  "projects.listMine": {
    spec: "assumption R9",
    status: 200,
    query: shapes.ListProjectsQuery,
    response: shapes.ProjectPage,
  },
} satisfies SchemasFor<typeof endpoints>;
