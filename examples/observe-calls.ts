// Logs calls, measures them, and reports drift and deprecations. Run it with: node examples/observe-calls.ts
// #region logger
import { type Logger, logCalls, observe, Svc } from "svc-sdk";
import { checkContract } from "svc-sdk/contract";

const lines: string[] = [];
const logger: Logger = {
  debug: (message) => lines.push(message),
  info: (message) => lines.push(message),
  warn: (message) => lines.push(message),
};
const logs = logCalls({ logger, level: "debug" });
// #endregion

// #region events
const durations = new Map<string, number[]>();
const metrics = observe((event) => {
  if (event.type === "deprecation") console.log(`${event.operation}: ${event.subject} is deprecated`);
  if (event.type !== "result") return;
  durations.set(event.operation, [...(durations.get(event.operation) ?? []), event.durationMs]);
});
// #endregion

// #region client
const svc = new Svc({ use: [logs, metrics, checkContract()] }); // Listeners are outermost.
// #endregion

// #region response
const { data, meta } = await svc.toolkits.list({ limit: 2 }).withResponse();
console.log(`${data.items.length} of ${data.total_items}, ${meta.attempts} attempt, status ${meta.status}`);
// 2 of 6, 1 attempt, status 200
// #endregion
await svc.tools.list({ search: "issue" });
console.log(`${[...durations.keys()].join(" and ")}: ${lines.length} lines`);
