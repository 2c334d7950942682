import { coreOf, Resource } from "../../client/client.js";
import type { ApiPromise } from "../../client/promises.js";
import type { RequestOptions } from "../../client/request-options.js";
import { usage } from "./endpoints.js";
import type * as shapes from "./schema.js";

/** Usage and billing counters. On v3.1 only; every method is read-only. */
export class Usage extends Resource {
  /**
   * Returns the organization's usage. The default range is the last 30 days. Requires the organization key.
   *
   * @throws {BadRequestError} 400: the range has more than 366 days.
   */
  organizationSummary(
    body: shapes.OrganizationUsageSummaryBody = {},
    options?: RequestOptions,
  ): ApiPromise<shapes.UsageSummary> {
    return coreOf(this).call(usage.organizationSummary, { body }, options);
  }

  /**
   * Returns the organization's usage of one entity, by group. Requires the organization key.
   *
   * ```ts
   * const calls = await svc.usage.organization("tool_calls", { group_by: "tool_slug", order_by: "total_quantity" });
   * for (const { key, total_quantity } of calls.groups) console.log(`${key}: ${total_quantity} calls`);
   * ```
   *
   * @throws {BadRequestError} 400: the range has more than 366 days, or it can't be grouped by the field.
   */
  organization(
    entityType: shapes.UsageEntity,
    body: shapes.OrganizationUsageBody = {},
    options?: RequestOptions,
  ): ApiPromise<shapes.UsageBreakdown> {
    return coreOf(this).call(usage.organization, { params: { entity_type: entityType }, body }, options);
  }

  /**
   * Returns the project's usage. The default range is the last 30 days.
   *
   * @throws {BadRequestError} 400: the range has more than 366 days.
   */
  projectSummary(body: shapes.ProjectUsageSummaryBody = {}, options?: RequestOptions): ApiPromise<shapes.UsageSummary> {
    return coreOf(this).call(usage.projectSummary, { body }, options);
  }

  /**
   * Returns the project's usage of one entity, by group.
   *
   * @throws {BadRequestError} 400: the range has more than 366 days, or it can't be grouped by the field.
   */
  project(
    entityType: shapes.UsageEntity,
    body: shapes.ProjectUsageBody = {},
    options?: RequestOptions,
  ): ApiPromise<shapes.UsageBreakdown> {
    return coreOf(this).call(usage.project, { params: { entity_type: entityType }, body }, options);
  }
}
