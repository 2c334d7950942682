import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import type { PagePromise } from "../../client/pages.js";
import type { RequestOptions } from "../../client/request-options.js";
import { logs } from "./endpoints.js";
import type * as shapes from "./schema.js";

/** The log of tool executions. On v3.1 only. */
export class Logs extends Resource {
  /**
   * Lists tool executions. Await it for one page, whose executions are in `logs`, or iterate over all. Read-only,
   * although it's a POST.
   *
   * ```ts
   * const failed = { field: "status", operator: "==", value: "failed" } as const;
   * for await (const log of svc.logs.listToolExecutions({ filters: [failed] })) console.log(log.id, log.message);
   * ```
   *
   * @throws {BadRequestError} 400: a filter or the time range is invalid.
   */
  listToolExecutions(
    body: shapes.ListToolExecutionLogsBody = {},
    options?: RequestOptions,
  ): PagePromise<shapes.ToolExecutionLogPage> {
    return coreOf(this).list(logs().listToolExecutions, { body }, options);
  }

  /**
   * Returns an execution with the tool's input and output. The response to every execution has its `log_id`.
   *
   * @throws {NotFoundError} 404: no such entry.
   */
  getToolExecution(id: string, options?: RequestOptions): ApiPromise<shapes.ToolExecutionLogDetail> {
    return coreOf(this).call(logs().getToolExecution, { params: { id } }, options);
  }
}
