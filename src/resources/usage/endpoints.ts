import { endpoint, typed } from "../../core/endpoint.js";
import type {
  OrganizationUsageBody,
  OrganizationUsageSummaryBody,
  ProjectUsageBody,
  ProjectUsageSummaryBody,
  UsageBreakdown,
  UsageSummary,
} from "./schema.js";

// All of them are read-only; the filters are in the body. They exist on v3.1 only.

export const summarizeOrganizationUsage = endpoint({
  name: "usage.organizationSummary",
  method: "POST",
  path: "/api/v3.1/org/usage/summary",
  auth: ["orgApiKey"],
  retry: "safe",
  body: typed<OrganizationUsageSummaryBody>(),
  response: typed<UsageSummary>(),
});

export const getOrganizationUsage = endpoint({
  name: "usage.organization",
  method: "POST",
  path: "/api/v3.1/org/usage/{entity_type}",
  auth: ["orgApiKey"],
  retry: "safe",
  body: typed<OrganizationUsageBody>(),
  response: typed<UsageBreakdown>(),
});

export const summarizeProjectUsage = endpoint({
  name: "usage.projectSummary",
  method: "POST",
  path: "/api/v3.1/project/usage/summary",
  auth: ["apiKey"],
  retry: "safe",
  body: typed<ProjectUsageSummaryBody>(),
  response: typed<UsageSummary>(),
});

export const getProjectUsage = endpoint({
  name: "usage.project",
  method: "POST",
  path: "/api/v3.1/project/usage/{entity_type}",
  auth: ["apiKey"],
  retry: "safe",
  body: typed<ProjectUsageBody>(),
  response: typed<UsageBreakdown>(),
});
