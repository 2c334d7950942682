import { typed } from "../../client/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

export const logs = endpoints("logs", () => ({
  listToolExecutions: define("POST /api/v3.1/logs/tool_execution", {
    // Read-only. The filters don't fit into a URL.
    retry: "safe",
    items: "logs",
    body: typed<shapes.ListToolExecutionLogsBody>(),
    response: typed<shapes.ToolExecutionLogPage>(),
  }),
  getToolExecution: define("GET /api/v3.1/logs/tool_execution/{id}", {
    response: typed<shapes.ToolExecutionLogDetail>(),
  }),
}));
