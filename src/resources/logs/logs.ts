import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import type { ApiPromise, PagePromise } from "../../core/promises.js";
import { getToolExecutionLog, listToolExecutionLogs } from "./endpoints.js";
import type {
  ListToolExecutionLogsBody,
  ToolExecutionLog,
  ToolExecutionLogDetail,
  ToolExecutionLogPage,
} from "./schema.js";

/** What ran. On v3.1 only. Spec: Endpoints of the remaining API groups; see assumption R10. */
export class Logs {
  readonly #core: Core;

  /** @internal */
  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * Lists tool executions. Awaited, one page, whose entries are in `logs`; iterated, all of them. Only reads, although it
   * is a POST.
   *
   * ```ts
   * const failed = { field: "status", operator: "==", value: "failed" } as const;
   * for await (const log of svc.logs.listToolExecutions({ filters: [failed] })) console.log(log.id, log.message);
   * ```
   *
   * @throws {BadRequestError} 400: a filter or the time range does not fit.
   */
  listToolExecutions(
    body: ListToolExecutionLogsBody = {},
    options?: RequestOptions,
  ): PagePromise<ToolExecutionLogPage, ToolExecutionLog> {
    return this.#core.list(listToolExecutionLogs, { body }, options);
  }

  /**
   * One execution with what the tool took and gave. Every execution's answer names its `log_id`.
   *
   * @throws {NotFoundError} 404: no such entry.
   */
  getToolExecution(id: string, options?: RequestOptions): ApiPromise<ToolExecutionLogDetail> {
    return this.#core.call(getToolExecutionLog, { params: { id } }, options);
  }
}
