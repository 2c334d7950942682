import type * as endpoints from "../resources/logs/endpoints.js";
import * as shapes from "../resources/logs/schema.js";
import type { SchemasFor } from "./operation.js";

export const logs = {
  "logs.listToolExecutions": {
    spec: "assumption R10",
    status: 200,
    body: shapes.ListToolExecutionLogsBody,
    response: shapes.ToolExecutionLogPage,
  },
  "logs.getToolExecution": { spec: "assumption R10", status: 200, response: shapes.ToolExecutionLogDetail },
} satisfies SchemasFor<typeof endpoints>;
