import * as endpoints from "../resources/logs/endpoints.js";
import * as shapes from "../resources/logs/schema.js";
import { type OperationsOf, operation } from "./operation.js";

export const logs = {
  "logs.listToolExecutions": operation(endpoints.listToolExecutionLogs, {
    spec: "assumption R10",
    status: 200,
    body: shapes.ListToolExecutionLogsBody,
    response: shapes.ToolExecutionLogPage,
  }),
  "logs.getToolExecution": operation(endpoints.getToolExecutionLog, {
    spec: "assumption R10",
    status: 200,
    response: shapes.ToolExecutionLogDetail,
  }),
} satisfies OperationsOf<typeof endpoints>;
