import { byName, type OperationsOf, operation } from "../operation.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

export const usage = byName(
  operation(endpoints.summarizeOrganizationUsage, {
    spec: "assumption R11",
    status: 200,
    body: shapes.OrganizationUsageSummaryBody,
    response: shapes.UsageSummary,
  }),
  operation(endpoints.getOrganizationUsage, {
    spec: "assumption R11",
    status: 200,
    body: shapes.OrganizationUsageBody,
    response: shapes.UsageBreakdown,
  }),
  operation(endpoints.summarizeProjectUsage, {
    spec: "assumption R11",
    status: 200,
    body: shapes.ProjectUsageSummaryBody,
    response: shapes.UsageSummary,
  }),
  operation(endpoints.getProjectUsage, {
    spec: "assumption R11",
    status: 200,
    body: shapes.ProjectUsageBody,
    response: shapes.UsageBreakdown,
  }),
) satisfies OperationsOf<typeof endpoints>;
