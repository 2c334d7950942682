import { typed } from "../../client/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

// All of them are read-only; the filters are in the body. They exist on v3.1 only.

export const usage = endpoints("usage", () => ({
  getOrganizationSummary: define("POST /api/v3.1/org/usage/summary", {
    auth: ["orgApiKey"],
    retry: "safe",
    body: typed<shapes.OrganizationUsageSummaryBody>(),
    response: typed<shapes.UsageSummary>(),
  }),
  getOrganization: define("POST /api/v3.1/org/usage/{entity_type}", {
    auth: ["orgApiKey"],
    retry: "safe",
    body: typed<shapes.OrganizationUsageBody>(),
    response: typed<shapes.UsageBreakdown>(),
  }),
  getProjectSummary: define("POST /api/v3.1/project/usage/summary", {
    retry: "safe",
    body: typed<shapes.ProjectUsageSummaryBody>(),
    response: typed<shapes.UsageSummary>(),
  }),
  getProject: define("POST /api/v3.1/project/usage/{entity_type}", {
    retry: "safe",
    body: typed<shapes.ProjectUsageBody>(),
    response: typed<shapes.UsageBreakdown>(),
  }),
}));
