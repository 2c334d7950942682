import {
  USAGE_ENTITIES,
  type UsageBreakdown,
  type UsageEntity,
  type UsageSummary,
} from "../../resources/usage/schema.js";
import type { Engine, HandlersOf } from "../engine/engine.js";
import { invalidRequest } from "../engine/responses.js";
import { fieldsOf } from "../logs/handlers.js";

type Grouping = Parameters<HandlersOf<"usage">["usage.organization"]>[0]["body"];

const DEFAULT_GROUPS = 100;

export const usage: HandlersOf<"usage"> = {
  "usage.organizationSummary": (context) => {
    const { body } = context;
    return summary(body.entity_types, (entity) => countedEvents(entity, { ...body, ...body.filters }, context));
  },

  "usage.organization": (context) => {
    const { body, params } = context;
    const entity = entityOf(params.entity_type);
    return breakdown(entity, countedEvents(entity, { ...body, ...body.filters }, context), body);
  },

  "usage.projectSummary": (context) => {
    const { body } = context;
    const filters = ownFilters(context);
    return summary(body.entity_types, (entity) => countedEvents(entity, filters, context));
  },

  "usage.project": (context) => {
    const { body, params } = context;
    const entity = entityOf(params.entity_type);
    return breakdown(entity, countedEvents(entity, ownFilters(context), context), body);
  },
};

type ProjectContext = Parameters<HandlersOf<"usage">["usage.project" | "usage.projectSummary"]>[0];

/** A project key sees only its project. */
function ownFilters({ body: { from, to, filters }, project }: ProjectContext): UsageFilters {
  return { from, to, ...filters, project_id: [project.id] };
}

function entityOf(name: string): UsageEntity {
  const known = USAGE_ENTITIES.find((entity) => entity === name);
  if (known) return known;
  throw invalidRequest([`params.entity_type: expected ${USAGE_ENTITIES.join(" or ")}`]);
}

function summary(
  wanted: readonly string[] = USAGE_ENTITIES,
  eventsOf: (entity: UsageEntity) => readonly UsageEvent[],
): UsageSummary {
  return {
    entities: Object.fromEntries(
      USAGE_ENTITIES.filter((entity) => wanted.includes(entity)).map((entity) => [
        entity,
        { unit: UNIT[entity], ...sum(eventsOf(entity)) },
      ]),
    ),
  };
}

const UNIT: Readonly<Record<UsageEntity, string>> = { tool_calls: "calls", sessions: "sessions" };

/** Each event counts as one. Assumption E51. */
function sum(events: readonly UsageEvent[]) {
  return { total_quantity: String(events.length), event_count: events.length };
}

function breakdown(entity: UsageEntity, events: readonly UsageEvent[], grouping: Grouping): UsageBreakdown {
  const { group_by, order_by = "total_quantity", order_direction = "desc", limit = DEFAULT_GROUPS } = grouping;
  const groups = new Map<string, UsageEvent[]>();
  const field = group_by === undefined ? undefined : groupField(entity, group_by);
  for (const event of events) {
    const key = field === undefined ? null : event.fields[field];
    if (key != null) groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  const direction = order_direction === "asc" ? 1 : -1;
  const ordered = [...groups]
    .map(([key, members]) => ({ key, ...sum(members) }))
    .sort((one, other) => {
      const byKey = one.key < other.key ? -1 : 1;
      // Equal sums are sorted by key, in both directions.
      return order_by === "key" ? direction * byKey : direction * (one.event_count - other.event_count) || byKey;
    });
  return { entity_type: entity, unit: UNIT[entity], ...sum(events), groups: ordered.slice(0, limit) };
}

/** One counted event, with the fields it can be grouped by. */
interface UsageEvent {
  readonly at: number;
  readonly fields: Readonly<Record<string, string | null>>;
}

/** Filters for events. */
type UsageFilters = Pick<Grouping, "from" | "to"> & NonNullable<Grouping["filters"]>;

const DAY_MS = 24 * 60 * 60 * 1_000;
const DEFAULT_RANGE_MS = 30 * DAY_MS;
const LONGEST_RANGE_MS = 366 * DAY_MS;

/** Events of an entity in a time range, by default the last 30 days. */
function countedEvents(
  entity: UsageEntity,
  { from, to, user_id, session_id, project_id }: UsageFilters,
  { state, clock }: Pick<Engine, "state" | "clock">,
): UsageEvent[] {
  const end = to ?? clock.now();
  const start = from ?? end - DEFAULT_RANGE_MS;
  if (start > end) throw invalidRequest(["body.from: expected a time before to"]);
  // The schema checks only a range with both ends.
  if (end - start > LONGEST_RANGE_MS) throw invalidRequest(["body.from: expected a time at most 366 days before to"]);
  const wanted = Object.entries({ user_id, session_id, project_id });
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

/** @throws {ApiFailure} 400 for a field the entity can't be grouped by. */
function groupField(entity: UsageEntity, field: string): string {
  if (GROUPS[entity].includes(field)) return field;
  throw invalidRequest([`body.group_by: expected ${GROUPS[entity].join(" or ")}`]);
}

/** Executions of tools. Meta tools don't count, but the tools they run do. */
function toolCallEvents({ executions }: Engine["state"]): UsageEvent[] {
  return [...executions.values()]
    .filter(({ toolkit }) => toolkit !== "svc")
    .map((execution) => ({
      at: execution.startedAt,
      fields: { ...fieldsOf(execution), project_id: execution.projectId },
    }));
}

function sessionEvents(state: Engine["state"]): UsageEvent[] {
  return [...state.endedSessions.items, ...state.sessions.values()].map(({ id, userId, projectId, createdAt }) => ({
    at: Date.parse(createdAt),
    fields: { user_id: userId, session_id: id, project_id: projectId },
  }));
}
