import * as z from "zod/mini";
import { USAGE_BOUNDS } from "../../shared/service-limits.js";
import { DAY_MS } from "../../shared/timers.js";
import { identifier, list, nullish, number, object, openEnum, request, string } from "../schema-kit.js";
import { orderDirection } from "../shared.js";

/** The counted entity. */
export const USAGE_ENTITIES = ["tool_calls", "sessions"] as const;
/** The counted entity. */
export type UsageEntity = (typeof USAGE_ENTITIES)[number];

const LONGEST_RANGE_MS = USAGE_BOUNDS.longestRangeDays * DAY_MS;

const range = {
  /** Start of the range, in milliseconds since 1970. The default range is the last 30 days, the maximum 366 days. */
  from: z.optional(number),
  /** End of the range, in milliseconds since 1970. */
  to: z.optional(number),
};

/** The service rejects a longer range; checking it here names the field. */
function boundedRange({
  value: { from, to },
  issues,
}: z.core.ParsePayload<{ from?: number | undefined; to?: number | undefined }>): void {
  if (from === undefined || to === undefined || to - from <= LONGEST_RANGE_MS) return;
  const maximum = from + LONGEST_RANGE_MS;
  issues.push({ code: "too_big", origin: "number", maximum, inclusive: true, input: to, path: ["to"] });
}

const projectFilters = {
  /** Usage by these users. */
  user_id: nullish(list(string)),
  /** Usage in these sessions (`trs_…`). */
  session_id: nullish(list(identifier("toolRouterSessionId"))),
};

const forProject = {
  ...range,
  /** The usage to count. By default, all usage is counted. */
  filters: z.optional(request(projectFilters)),
};

const forOrganization = {
  ...range,
  /** The usage to count. By default, all usage is counted. */
  filters: z.optional(
    request({
      ...projectFilters,
      /** Usage of these projects (`pr_…`). */
      project_id: nullish(list(identifier("projectId"))),
    }),
  ),
};

const counted = {
  /** Entities to count. The default is all. */
  entity_types: z.optional(list(openEnum(USAGE_ENTITIES))),
};

const grouped = {
  /** The field to group by. */
  group_by: z.optional(string),
  /** Sort order of the groups. */
  order_by: z.optional(z.enum(["key", "total_quantity", "event_count"])),
  /** Sort direction. */
  order_direction: orderDirection,
  /** Maximum number of groups, up to 1000. The default is 100. */
  limit: z.optional(number.check(z.int(), z.minimum(1), z.maximum(1000))),
};

/** Body for an organization's usage summary. */
export const OrganizationUsageSummaryBody = request({ ...forOrganization, ...counted }).check(boundedRange);
export interface OrganizationUsageSummaryBody extends z.infer<typeof OrganizationUsageSummaryBody> {}

/** Body for a project's usage summary. */
export const ProjectUsageSummaryBody = request({ ...forProject, ...counted }).check(boundedRange);
export interface ProjectUsageSummaryBody extends z.infer<typeof ProjectUsageSummaryBody> {}

/** Body for an organization's usage by group. */
export const OrganizationUsageBody = request({ ...forOrganization, ...grouped }).check(boundedRange);
export interface OrganizationUsageBody extends z.infer<typeof OrganizationUsageBody> {}

/** Body for a project's usage by group. */
export const ProjectUsageBody = request({ ...forProject, ...grouped }).check(boundedRange);
export interface ProjectUsageBody extends z.infer<typeof ProjectUsageBody> {}

const amounts = {
  /** The sum, as a string, because it can exceed the largest exact number. */
  total_quantity: string,
  /** Number of counted events. */
  event_count: number,
};

/** Usage by entity. */
export const UsageSummary = object({
  /** Usage by entity: `tool_calls`, `sessions`, and any entity that the service adds. */
  entities: z.record(
    string,
    object({
      /** Unit of the quantity. */
      unit: string,
      ...amounts,
    }),
  ),
});
export interface UsageSummary extends z.infer<typeof UsageSummary> {}

/** Usage of one entity, by group. */
export const UsageBreakdown = object({
  /** The counted entity. */
  entity_type: openEnum(USAGE_ENTITIES),
  /** Unit of the quantity. */
  unit: string,
  ...amounts,
  /** One group per value of the `group_by` field. */
  groups: z.array(
    object({
      /** The value of the `group_by` field. */
      key: string,
      ...amounts,
    }),
  ),
});
export interface UsageBreakdown extends z.infer<typeof UsageBreakdown> {}
