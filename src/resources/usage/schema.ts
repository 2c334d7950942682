import * as z from "zod/mini";
import { nullish, object, openEnum, request } from "../../schema-kit.js";

/** What is counted. */
export const USAGE_ENTITIES = ["tool_calls", "sessions"] as const;
/** What is counted. */
export type UsageEntity = (typeof USAGE_ENTITIES)[number];

const LONGEST_RANGE_MS = 366 * 24 * 60 * 60 * 1_000;

const range = {
  /** Begin, in milliseconds since 1970. Without a range, the last 30 days; a range has at most 366 days. */
  from: z.optional(z.number()),
  /** End, in milliseconds since 1970. */
  to: z.optional(z.number()),
};

/** The service refuses a longer range; the same bound here names the field. */
function boundedRange({
  value: { from, to },
  issues,
}: z.core.ParsePayload<{ from?: number | undefined; to?: number | undefined }>): void {
  if (from === undefined || to === undefined || to - from <= LONGEST_RANGE_MS) return;
  const maximum = from + LONGEST_RANGE_MS;
  issues.push({ code: "too_big", origin: "number", maximum, inclusive: true, input: to, path: ["to"] });
}

const projectFilters = {
  /** Ids of users. */
  user_id: nullish(z.array(z.string())),
  /** Ids of sessions. Each starts with `trs_`. */
  session_id: nullish(z.array(z.string())),
};

const forProject = {
  ...range,
  /** What to count. */
  filters: z.optional(request(projectFilters)),
};

const forOrganization = {
  ...range,
  /** What to count. */
  filters: z.optional(
    request({
      ...projectFilters,
      /** Ids of projects. Each starts with `pr_`. */
      project_id: nullish(z.array(z.string())),
    }),
  ),
};

const counted = {
  /** What to count. Everything when left out. */
  entity_types: z.optional(z.array(openEnum(USAGE_ENTITIES))),
};

const grouped = {
  /** The field whose values make the groups. See assumption R11. */
  group_by: z.optional(z.string()),
  /** What the groups are sorted by. */
  order_by: z.optional(z.enum(["key", "total_quantity", "event_count"])),
  /** Which end comes first. */
  order_direction: z.optional(z.enum(["asc", "desc"])),
  /** Groups to give, at most 1000. The default is 100. */
  limit: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(1000))),
};

/** Body of an organization's usage summary. See assumption R11. */
export const OrganizationUsageSummaryBody = request({ ...forOrganization, ...counted }).check(boundedRange);
/** Body of an organization's usage summary. See assumption R11. */
export interface OrganizationUsageSummaryBody extends z.infer<typeof OrganizationUsageSummaryBody> {}

/** Body of a project's usage summary. See assumption R11. */
export const ProjectUsageSummaryBody = request({ ...forProject, ...counted }).check(boundedRange);
/** Body of a project's usage summary. See assumption R11. */
export interface ProjectUsageSummaryBody extends z.infer<typeof ProjectUsageSummaryBody> {}

/** Body of an organization's usage by group. See assumption R11. */
export const OrganizationUsageBody = request({ ...forOrganization, ...grouped }).check(boundedRange);
/** Body of an organization's usage by group. See assumption R11. */
export interface OrganizationUsageBody extends z.infer<typeof OrganizationUsageBody> {}

/** Body of a project's usage by group. See assumption R11. */
export const ProjectUsageBody = request({ ...forProject, ...grouped }).check(boundedRange);
/** Body of a project's usage by group. See assumption R11. */
export interface ProjectUsageBody extends z.infer<typeof ProjectUsageBody> {}

const amounts = {
  /** The sum, as a text, because it may be larger than a number holds exactly. */
  total_quantity: z.string(),
  /** How many events make it up. */
  event_count: z.number(),
};

/** How much was used, by what is counted. */
export const UsageSummary = object({
  /** By entity: `tool_calls`, `sessions`, and what the service counts later. */
  entities: z.record(
    z.string(),
    object({
      /** What the quantity counts. */
      unit: z.string(),
      ...amounts,
    }),
  ),
});
/** How much was used, by what is counted. */
export interface UsageSummary extends z.infer<typeof UsageSummary> {}

/** How much was used of one thing, by group. */
export const UsageBreakdown = object({
  /** What is counted. */
  entity_type: openEnum(USAGE_ENTITIES),
  /** What the quantity counts. */
  unit: z.string(),
  ...amounts,
  /** One per value of `group_by`. */
  groups: z.array(
    object({
      /** The group's value of the `group_by` field. */
      key: z.string(),
      ...amounts,
    }),
  ),
});
/** How much was used of one thing, by group. */
export interface UsageBreakdown extends z.infer<typeof UsageBreakdown> {}
