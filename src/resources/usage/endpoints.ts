import { endpoint, type } from "../../core/endpoint.js";
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
  repeat: "safe",
  body: type<OrganizationUsageSummaryBody>(),
  response: type<UsageSummary>(),
});

export const getOrganizationUsage = endpoint({
  name: "usage.organization",
  method: "POST",
  path: "/api/v3.1/org/usage/{entity_type}",
  auth: ["orgApiKey"],
  repeat: "safe",
  body: type<OrganizationUsageBody>(),
  response: type<UsageBreakdown>(),
});

export const summarizeProjectUsage = endpoint({
  name: "usage.projectSummary",
  method: "POST",
  path: "/api/v3.1/project/usage/summary",
  auth: ["apiKey"],
  repeat: "safe",
  body: type<ProjectUsageSummaryBody>(),
  response: type<UsageSummary>(),
});

export const getProjectUsage = endpoint({
  name: "usage.project",
  method: "POST",
  path: "/api/v3.1/project/usage/{entity_type}",
  auth: ["apiKey"],
  repeat: "safe",
  body: type<ProjectUsageBody>(),
  response: type<UsageBreakdown>(),
});
