import type * as endpoints from "../resources/usage/endpoints.js";
import * as shapes from "../resources/usage/schema.js";
import type { SchemasFor } from "./operation.js";

export const usage = {
  "usage.organizationSummary": {
    spec: "assumption R11",
    status: 200,
    body: shapes.OrganizationUsageSummaryBody,
    response: shapes.UsageSummary,
  },
  "usage.organization": {
    spec: "assumption R11",
    status: 200,
    body: shapes.OrganizationUsageBody,
    response: shapes.UsageBreakdown,
  },
  "usage.projectSummary": {
    spec: "assumption R11",
    status: 200,
    body: shapes.ProjectUsageSummaryBody,
    response: shapes.UsageSummary,
  },
  "usage.project": {
    spec: "assumption R11",
    status: 200,
    body: shapes.ProjectUsageBody,
    response: shapes.UsageBreakdown,
  },
} satisfies SchemasFor<typeof endpoints>;
