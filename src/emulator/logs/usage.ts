import {
  type OrganizationUsageBody,
  type OrganizationUsageSummaryBody,
  type ProjectUsageBody,
  type ProjectUsageSummaryBody,
  USAGE_ENTITIES,
  type UsageBreakdown,
  type UsageEntity,
  type UsageSummary,
} from "../../resources/usage/schema.js";
import { USAGE_BOUNDS } from "../../shared/service-limits.js";
import { DAY_MS } from "../../shared/timers.js";
import type { Engine, HandlersOf } from "../engine/engine.js";
import type { StoredProject } from "../engine/project-records.js";
import { invalidRequest } from "../engine/responses.js";
import { filteredFields } from "./handlers.js";

/** Counters of executions and sessions. */
export const usage: HandlersOf<"usage"> = {
  "usage.getOrganizationSummary": ({ body, ...engine }) => summary(body, engine),

  "usage.getOrganization": ({ body, params, ...engine }) => breakdown(params.entity_type, body, engine),

  "usage.getProjectSummary": ({ body, project, ...engine }) => summary(ofProject(project, body), engine),

  "usage.getProject": ({ body, params, project, ...engine }) =>
    breakdown(params.entity_type, ofProject(project, body), engine),
};

/** A project key sees only its project. */
function ofProject<Body extends ProjectUsageBody | ProjectUsageSummaryBody>({ id }: StoredProject, body: Body) {
  return { ...body, filters: { ...body.filters, project_id: [id] } };
}

function summary(body: OrganizationUsageSummaryBody, engine: Engine): UsageSummary {
  const { entity_types: wanted = USAGE_ENTITIES } = body;
  const entities = USAGE_ENTITIES.filter((entity) => wanted.includes(entity)).map((entity) => [
    entity,
    { unit: UNIT[entity], ...sumOfEvents(countedEvents(entity, body, engine)) },
  ]);
  return { entities: Object.fromEntries(entities) };
}

const UNIT: Readonly<Record<UsageEntity, string>> = { tool_calls: "calls", sessions: "sessions" };

/** Each event counts as one. Assumption E51. */
function sumOfEvents(events: readonly UsageEvent[]) {
  return { total_quantity: String(events.length), event_count: events.length };
}

function breakdown(name: string, body: OrganizationUsageBody, engine: Engine): UsageBreakdown {
  const entity = USAGE_ENTITIES.find((known) => known === name);
  if (!entity) throw invalidRequest([`params.entity_type: expected ${USAGE_ENTITIES.join(" or ")}`]);
  const {
    group_by: field,
    order_by = "total_quantity",
    order_direction = "desc",
    limit = USAGE_BOUNDS.defaultGroups,
  } = body;
  const events = countedEvents(entity, body, engine);
  if (field !== undefined && !GROUPS[entity].includes(field)) {
    throw invalidRequest([`body.group_by: expected ${GROUPS[entity].join(" or ")}`]);
  }
  const groups = new Map<string, UsageEvent[]>();
  for (const event of events) {
    const key = field === undefined ? null : event.fields[field];
    if (key != null) groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  const direction = order_direction === "asc" ? 1 : -1;
  const ordered = [...groups]
    .map(([key, members]) => ({ key, ...sumOfEvents(members) }))
    .sort((left, right) => {
      const byKey = left.key < right.key ? -1 : 1;
      // Equal sums are sorted by key, in both directions.
      return order_by === "key" ? direction * byKey : direction * (left.event_count - right.event_count) || byKey;
    });
  return { entity_type: entity, unit: UNIT[entity], ...sumOfEvents(events), groups: ordered.slice(0, limit) };
}

/** One counted event, with the fields it can be grouped by. */
interface UsageEvent {
  readonly at: number;
  readonly fields: Readonly<Record<string, string | null>>;
}

/** Events of an entity in a time range. */
function countedEvents(
  entity: UsageEntity,
  { from, to, filters }: Pick<OrganizationUsageBody, "from" | "to" | "filters">,
  { state, clock }: Engine,
): UsageEvent[] {
  const end = to ?? clock.now();
  const start = from ?? end - USAGE_BOUNDS.defaultRangeDays * DAY_MS;
  if (start > end) throw invalidRequest(["body.from: expected a time before to"]);
  // The schema checks only a range with both ends.
  const days = USAGE_BOUNDS.longestRangeDays;
  if (end - start > days * DAY_MS) throw invalidRequest([`body.from: expected a time at most ${days} days before to`]);
  const wanted = Object.entries(filters ?? {});
  const events = entity === "tool_calls" ? toolCallEvents(state) : sessionEvents(state);
  return events.filter(
    ({ at, fields }) =>
      at >= start && at <= end && wanted.every(([name, ids]) => ids?.includes(fields[name] ?? "") ?? true),
  );
}

/** Fields for grouping, by entity. Assumption E51. */
const GROUPS: Readonly<Record<UsageEntity, readonly string[]>> = {
  tool_calls: [
    ...["tool_slug", "toolkit_slug", "user_id", "session_id", "project_id"],
    ...["connected_account_id", "auth_config_id", "status"],
  ],
  sessions: ["user_id", "session_id", "project_id"],
};

/** Executions of tools. Meta tools don't count, but the tools they run do. */
function toolCallEvents({ executions }: Engine["state"]): UsageEvent[] {
  return [...executions.values()]
    .filter(({ toolkit }) => toolkit !== "svc")
    .map((execution) => ({
      at: execution.startedAt,
      fields: { ...filteredFields(execution), project_id: execution.projectId },
    }));
}

function sessionEvents(state: Engine["state"]): UsageEvent[] {
  return [...state.endedSessions.items, ...state.sessions.values()].map(({ id, userId, projectId, createdAt }) => ({
    at: Date.parse(createdAt),
    fields: { user_id: userId, session_id: id, project_id: projectId },
  }));
}
