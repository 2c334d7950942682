import type { ToolExecutionLog, ToolExecutionLogDetail, ToolExecutionLogFilter } from "../../resources/logs/schema.js";
import type { HandlersOf } from "../engine/engine.js";
import type { StoredExecution } from "../engine/project-records.js";
import { notFound, paginate } from "../engine/responses.js";
import { recordsOf } from "../engine/state.js";

export const logs: HandlersOf<"logs"> = {
  "logs.listToolExecutions": ({ body, project, state }) => {
    const { filters = [], time_range: range } = body;
    const matching = recordsOf(project, state.executions)
      .filter(
        (execution) =>
          (range === undefined || (execution.startedAt >= range.from && execution.startedAt <= range.to)) &&
          filters.every((filter) => matchesFilter(filter, execution)),
      )
      .reverse();
    const { items, next_cursor } = paginate(matching, body);
    return { logs: items.map(shownLog), next_cursor };
  },

  "logs.getToolExecution": ({ params, project, state }) => {
    const execution = state.executions.get(params.id);
    if (!execution || execution.projectId !== project.id) throw notFound("Log", `Log ${params.id}`, 10404);
    const isStored = project.config.log_visibility_setting !== "dont_store_data";
    return detailedLog(execution, isStored);
  },
};

/** Whether an execution matches a filter. A missing value differs from every string. */
function matchesFilter({ field, operator, value }: ToolExecutionLogFilter, execution: StoredExecution): boolean {
  const found = fieldsOf(execution)[field];
  switch (operator) {
    case "==":
      return found === value;
    case "!=":
      return found !== value;
    case "contains":
      return found?.includes(value) === true;
    default:
      return found?.includes(value) !== true;
  }
}

/** Fields for filters, here and in usage counters. Emulated sessions don't have a sandbox. */
export function fieldsOf(execution: StoredExecution): Record<ToolExecutionLogFilter["field"], string | null> {
  return {
    tool_slug: execution.tool,
    toolkit_slug: execution.toolkit,
    connected_account_id: execution.accountId,
    auth_config_id: execution.authConfigId,
    status: statusOf(execution),
    user_id: execution.userId,
    session_id: execution.sessionId,
    sandbox_id: null,
    request_id: execution.requestId,
    log_id: execution.id,
  };
}

function statusOf({ error }: StoredExecution) {
  return error === null ? "success" : "failed";
}

/** An execution in a list. The keys of metadata and metrics are assumptions; Assumption E48. */
function shownLog(execution: StoredExecution): ToolExecutionLog {
  const { id, startedAt, endedAt, version, error, parent } = execution;
  const { status: _, log_id: __, request_id: ___, sandbox_id: ____, ...metadata } = fieldsOf(execution);
  return {
    id,
    timestamp: new Date(startedAt).toISOString(),
    type: "tool_execution",
    status: statusOf(execution),
    level: error === null ? "info" : "error",
    ...(error !== null && { message: error }),
    metadata: { ...metadata, version },
    metrics: { duration_ms: endedAt - startedAt },
    parent: parent && { ...parent },
  };
}

function detailedLog(execution: StoredExecution, isStored: boolean): ToolExecutionLogDetail {
  const { startedAt, endedAt, sessionId, requestId } = execution;
  return {
    ...shownLog(execution),
    timings: { start_time: startedAt, end_time: endedAt },
    context: { ...(sessionId !== null && { session_id: sessionId }), request_id: requestId },
    source: { host: "emulator" },
    data: isStored ? structuredClone({ arguments: execution.arguments, result: execution.result }) : {},
  };
}
