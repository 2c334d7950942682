import type { UsageEntity } from "../../resources/usage/schema.js";
import type { World } from "../context.js";
import { invalidRequest } from "../refusal.js";

/** What is counted. */
export const ENTITIES: readonly UsageEntity[] = ["tool_calls", "sessions"];

/** One thing that counts, with the fields it can be grouped by; null where it has none. */
export interface UsageEvent {
  readonly at: number;
  readonly fields: Readonly<Record<string, string | null>>;
}

/** Which events count. */
export interface UsageFilters {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly user_id?: string | undefined;
  readonly session_id?: string | undefined;
  readonly project_id?: string | undefined;
}

const DEFAULT_RANGE_MS = 30 * 24 * 60 * 60 * 1_000;

/** The events of an entity in a range; without one, of the last 30 days. */
export function countedEvents(
  entity: UsageEntity,
  { from, to, user_id, session_id, project_id }: UsageFilters,
  { state, clock }: Pick<World, "state" | "clock">,
): UsageEvent[] {
  const end = to ?? clock.now();
  const start = from ?? end - DEFAULT_RANGE_MS;
  if (start > end) throw invalidRequest(["body.from: expected a time before to"]);
  const wanted = Object.entries({ user_id, session_id, project_id }).filter(([, value]) => value !== undefined);
  const events = entity === "tool_calls" ? toolCalls(state) : sessions(state);
  return events.filter(
    ({ at, fields }) => at >= start && at <= end && wanted.every(([name, value]) => fields[name] === value),
  );
}

/** The fields by which an entity can be grouped. See assumption E51. */
const GROUPS: Readonly<Record<UsageEntity, readonly string[]>> = {
  tool_calls: [
    ...["tool_slug", "toolkit_slug", "user_id", "session_id", "project_id"],
    ...["connected_account_id", "auth_config_id", "status"],
  ],
  sessions: ["user_id", "session_id", "project_id"],
};

/** @throws {Refusal} 400 for a field by which an entity cannot be grouped. */
export function groupField(entity: UsageEntity, field: string): string {
  if (GROUPS[entity].includes(field)) return field;
  throw invalidRequest([`body.group_by: expected ${GROUPS[entity].join(" or ")}`]);
}

/** Executions of tools. Meta tools are not counted: what they execute is. */
function toolCalls({ executions }: World["state"]): UsageEvent[] {
  return [...executions.values()]
    .filter(({ toolkit }) => toolkit !== "svc")
    .map(({ startedAt, tool, toolkit, userId, sessionId, projectId, accountId, authConfigId, error }) => ({
      at: startedAt,
      fields: {
        tool_slug: tool,
        toolkit_slug: toolkit,
        user_id: userId,
        session_id: sessionId,
        project_id: projectId,
        connected_account_id: accountId,
        auth_config_id: authConfigId,
        status: error === null ? "success" : "failed",
      },
    }));
}

function sessions(state: World["state"]): UsageEvent[] {
  return [...state.endedSessions.items, ...state.sessions.values()].map(({ id, userId, projectId, createdAt }) => ({
    at: Date.parse(createdAt),
    fields: { user_id: userId, session_id: id, project_id: projectId },
  }));
}
