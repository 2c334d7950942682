import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import type { RequestOptions } from "../../client/request-options.js";
import { usage } from "./endpoints.js";
import type * as shapes from "./schema.js";

/** Usage and billing counters. On v3.1 only. Every method is read-only. */
export class Usage extends Resource {
  /**
   * Returns the organization's usage of each entity. The default range is the last 30 days. Requires the organization
   * key.
   *
   * @throws {BadRequestError} 400: the range has more than 366 days.
   */
  getOrganizationSummary(
    body: shapes.OrganizationUsageSummaryBody = {},
    options?: RequestOptions,
  ): ApiPromise<shapes.UsageSummary> {
    return coreOf(this).call(usage().getOrganizationSummary, { body }, options);
  }

  /**
   * Returns the organization's usage of one entity, by group. Requires the organization key.
   *
   * ```ts
   * const calls = await svc.usage.getOrganization("tool_calls", { group_by: "tool_slug", order_by: "total_quantity" });
   * for (const { key, total_quantity } of calls.groups) console.log(`${key}: ${total_quantity} calls`);
   * ```
   *
   * @throws {BadRequestError} 400: the range has more than 366 days, or usage can't be grouped by the field.
   */
  getOrganization(
    entityType: shapes.UsageEntity,
    body: shapes.OrganizationUsageBody = {},
    options?: RequestOptions,
  ): ApiPromise<shapes.UsageBreakdown> {
    return coreOf(this).call(usage().getOrganization, { params: { entity_type: entityType }, body }, options);
  }

  /**
   * Returns the project's usage of each entity. The default range is the last 30 days.
   *
   * @throws {BadRequestError} 400: the range has more than 366 days.
   */
  getProjectSummary(
    body: shapes.ProjectUsageSummaryBody = {},
    options?: RequestOptions,
  ): ApiPromise<shapes.UsageSummary> {
    return coreOf(this).call(usage().getProjectSummary, { body }, options);
  }

  /**
   * Returns the project's usage of one entity, by group.
   *
   * @throws {BadRequestError} 400: the range has more than 366 days, or usage can't be grouped by the field.
   */
  getProject(
    entityType: shapes.UsageEntity,
    body: shapes.ProjectUsageBody = {},
    options?: RequestOptions,
  ): ApiPromise<shapes.UsageBreakdown> {
    return coreOf(this).call(usage().getProject, { params: { entity_type: entityType }, body }, options);
  }
}
