import { endpoint, typed } from "../../core/endpoint.js";
import type { ListToolExecutionLogsBody, ToolExecutionLogDetail, ToolExecutionLogPage } from "./schema.js";

export const listToolExecutionLogs = endpoint({
  name: "logs.listToolExecutions",
  method: "POST",
  path: "/api/v3.1/logs/tool_execution",
  auth: ["apiKey"],
  // Read-only. The filters don't fit into a URL.
  retry: "safe",
  items: "logs",
  body: typed<ListToolExecutionLogsBody>(),
  response: typed<ToolExecutionLogPage>(),
});

export const getToolExecutionLog = endpoint({
  name: "logs.getToolExecution",
  method: "GET",
  path: "/api/v3.1/logs/tool_execution/{id}",
  auth: ["apiKey"],
  retry: "safe",
  response: typed<ToolExecutionLogDetail>(),
});
