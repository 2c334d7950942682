import type { World } from "../context.js";
import type { StoredProject } from "../projects/stored.js";
import type { StoredExecution } from "./stored.js";

/** Executions that are kept; older ones go. */
const KEPT = 10_000;

/** Writes an execution that just ended into the log. */
export function recordExecution(
  execution: Omit<StoredExecution, "projectId" | "endedAt" | "requestId">,
  project: StoredProject,
  { state, clock, ids }: Pick<World, "state" | "clock" | "ids">,
): void {
  const { arguments: given, result, ...facts } = execution;
  state.executions.set(execution.id, {
    ...facts,
    projectId: project.id,
    endedAt: clock.now(),
    requestId: ids.uuid(),
    // Copied: the caller still holds them.
    arguments: structuredClone(given),
    result: structuredClone(result),
  });
  const [oldest] = state.executions.keys();
  if (state.executions.size > KEPT && oldest !== undefined) state.executions.delete(oldest);
}
