import { CONTROL_PREFIX, INSPECTOR_TOKEN } from "../../shared/control-plane.js";
import type { InspectorCatalog, InspectorState } from "../control-plane/inspector-endpoints.js";
import type { Activity } from "../engine/activity.js";

export type { Activity } from "../engine/activity.js";
export type {
  DeliveryAttempt,
  DeliveryFaults as ActiveDeliveryFaults,
  DeliveryRecord,
} from "../engine/event-schema.js";
export type { FaultRule } from "../engine/fault-schema.js";
export type { RequestRecord } from "../engine/request-schema.js";
export type { InspectorCatalog, InspectorState };

/** The faults of the execution log. */
export type ActiveLogFaults = InspectorState["logFaults"];

/** A call that a toolset reported. */
export type ShownRun = Extract<Activity, { type: "run" }>["call"];

/** A step of such a call. */
export type ShownStep = ShownRun["steps"][number];

/** A budget that counts such a call. */
export type ShownBudget = ShownRun["budgets"][number];

/** A connected account. */
export type AccountView = InspectorState["accounts"][number];

/** A toolkit with its tools and trigger types. */
export type ToolkitView = InspectorCatalog["items"][number];

/** An operation of the service. */
export type OperationView = InspectorCatalog["operations"][number];

const token = document.querySelector<HTMLMetaElement>('meta[name="emulator-token"]')?.content ?? "";

/**
 * Calls the control plane. The page comes from the same build, so callers know what an endpoint returns.
 *
 * @throws {Error} with the emulator's reason.
 */
export async function call<Result>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown) {
  const response = await fetch(CONTROL_PREFIX + path, {
    method,
    headers: { [INSPECTOR_TOKEN]: token },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error("The emulator isn't reachable. Is it still running?");
  });
  const value: unknown = await response.json();
  if (response.ok) return value as Result; // See above.
  const { message }: { message?: unknown } = Object(value);
  throw new Error(
    typeof message === "string" ? withoutCodeName(message) : `The emulator responded with ${response.status}.`,
  );
}

/** A message without the method that rejected a value, such as `clock.advance`: a person didn't call it. */
function withoutCodeName(message: string): string {
  const [, words] = /^[a-z]\w*\.\w+: (.+)$/s.exec(message) ?? [];
  return words === undefined ? message : words.charAt(0).toUpperCase() + words.slice(1);
}
