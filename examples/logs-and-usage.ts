// Looks up what tools did, and how much was used. Run it with: node examples/logs-and-usage.ts
import { Svc } from "svc-sdk";

const svc = new Svc();
const forecast = { user_id: "user-4711", version: "20250801_00", arguments: { city: "Atlantis", days: 1 } };

// #region log
const { log_id = "" } = await svc.tools.execute("WEATHERMAP_FORECAST", forecast);
const { status, message } = await svc.logs.getToolExecution(log_id);
console.log(`${status}: ${message}`);
// #endregion

// #region logs
const failed = { field: "status", operator: "==", value: "failed" } as const;
for await (const log of svc.logs.listToolExecutions({ filters: [failed] })) console.log(log.id, log.message);
// #endregion

// #region usage
const calls = await svc.usage.getOrganization("tool_calls", { group_by: "tool_slug", order_by: "total_quantity" });
for (const { key, total_quantity } of calls.groups) console.log(`${key}: ${total_quantity} calls`);
// #endregion
