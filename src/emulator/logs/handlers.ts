// The room of the execution log and of the usage that it adds up to, both of which the service shows. The emulator's
// log of requests is in `engine/request-log.ts`. It imports `engine`, `src/contract` and `src/resources`. Start here.

import type { ToolExecutionLog, ToolExecutionLogDetail, ToolExecutionLogFilter } from "../../resources/logs/schema.js";
import type { HandlersOf } from "../engine/engine.js";
import { paginate } from "../engine/pages.js";
import type { StoredExecution, StoredProject } from "../engine/project-records.js";
import { notFound } from "../engine/responses.js";
import { recordsOf, type State } from "../engine/state.js";

export const logs: HandlersOf<"logs"> = {
  "logs.listToolExecutions": ({ body, project, state, clock }) => {
    const { filters = [], time_range: range } = body;
    const { faults } = state.executionLog;
    const matching = loggedExecutions(project, state, clock.now())
      .filter(
        (execution) =>
          (range === undefined || (execution.startedAt >= range.from && execution.startedAt <= range.to)) &&
          filters.every((filter) => matchesFilter(filter, execution, faults)),
      )
      .reverse();
    const { items, next_cursor } = paginate(matching, body);
    return { logs: items.map(shownLog), next_cursor };
  },

  "logs.getToolExecution": ({ params, project, state, clock }) => {
    const execution = loggedExecutions(project, state, clock.now()).find(({ id }) => id === params.id);
    if (!execution) throw notFound("Log", `Log ${params.id}`, 10404);
    const isStored = project.config.log_visibility_setting !== "dont_store_data";
    const { faults } = state.executionLog;
    return detailedLog(execution, { ...faults, dropPayloads: faults.dropPayloads || !isStored });
  },
};

/** The executions that the log shows by now. */
function loggedExecutions(project: StoredProject, { executions, executionLog }: State, now: number): StoredExecution[] {
  return recordsOf(project, executions).filter(({ endedAt }) => endedAt + executionLog.faults.delayMs <= now);
}

type LogFaults = State["executionLog"]["faults"];

/** Whether an execution matches a filter. A missing value differs from every string. */
function matchesFilter(
  { field, operator, value }: ToolExecutionLogFilter,
  execution: StoredExecution,
  { dropRequestIds }: LogFaults,
): boolean {
  const found = dropRequestIds && field === "request_id" ? null : filteredFields(execution)[field];
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

/** Fields for filters of logs and usage counters. Emulated sessions don't have a sandbox. */
export function filteredFields(execution: StoredExecution): Record<ToolExecutionLogFilter["field"], string | null> {
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
  const { status: _, log_id: __, request_id: ___, sandbox_id: ____, ...metadata } = filteredFields(execution);
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

function detailedLog(execution: StoredExecution, { dropPayloads, dropRequestIds }: LogFaults): ToolExecutionLogDetail {
  const { startedAt, endedAt, sessionId, requestId } = execution;
  return {
    ...shownLog(execution),
    timings: { start_time: startedAt, end_time: endedAt },
    context: {
      ...(sessionId !== null && { session_id: sessionId }),
      ...(!dropRequestIds && { request_id: requestId }),
    },
    source: { host: "emulator" },
    data: dropPayloads ? {} : structuredClone({ arguments: execution.arguments, result: execution.result }),
  };
}
