import * as endpoints from "../resources/usage/endpoints.js";
import * as shapes from "../resources/usage/schema.js";
import { type OperationsOf, operation } from "./operation.js";

export const usage = {
  "usage.organizationSummary": operation(endpoints.summarizeOrganizationUsage, {
    spec: "assumption R11",
    status: 200,
    body: shapes.OrganizationUsageSummaryBody,
    response: shapes.UsageSummary,
  }),
  "usage.organization": operation(endpoints.getOrganizationUsage, {
    spec: "assumption R11",
    status: 200,
    body: shapes.OrganizationUsageBody,
    response: shapes.UsageBreakdown,
  }),
  "usage.projectSummary": operation(endpoints.summarizeProjectUsage, {
    spec: "assumption R11",
    status: 200,
    body: shapes.ProjectUsageSummaryBody,
    response: shapes.UsageSummary,
  }),
  "usage.project": operation(endpoints.getProjectUsage, {
    spec: "assumption R11",
    status: 200,
    body: shapes.ProjectUsageBody,
    response: shapes.UsageBreakdown,
  }),
} satisfies OperationsOf<typeof endpoints>;
