import { byName, type OperationsOf, operation } from "../operation.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

export const logs = byName(
  operation(endpoints.listToolExecutionLogs, {
    spec: "assumption R10",
    status: 200,
    body: shapes.ListToolExecutionLogsBody,
    response: shapes.ToolExecutionLogPage,
  }),
  operation(endpoints.getToolExecutionLog, {
    spec: "assumption R10",
    status: 200,
    response: shapes.ToolExecutionLogDetail,
  }),
) satisfies OperationsOf<typeof endpoints>;
