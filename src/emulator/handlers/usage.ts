import type { UsageBreakdown, UsageEntity, UsageSummary } from "../../resources/usage/schema.js";
import type { HandlersOf } from "../context.js";
import { countedEvents, ENTITIES, groupField, type UsageEvent, type UsageFilters } from "../logs/usage.js";
import { projectOf } from "../projects/lookup.js";
import { invalidRequest } from "../refusal.js";

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

/** A project's key sees that project only. */
function ownFilters({ body: { from, to, filters }, key, state }: ProjectContext): UsageFilters {
  return { from, to, ...filters, project_id: projectOf(key, state).id };
}

function entityOf(name: string): UsageEntity {
  const known = ENTITIES.find((entity) => entity === name);
  if (known) return known;
  throw invalidRequest([`params.entity_type: expected ${ENTITIES.join(" or ")}`]);
}

function summary(
  wanted: readonly UsageEntity[] = ENTITIES,
  eventsOf: (entity: UsageEntity) => readonly UsageEvent[],
): UsageSummary {
  return {
    entities: Object.fromEntries(wanted.map((entity) => [entity, { unit: UNIT[entity], ...sum(eventsOf(entity)) }])),
  };
}

const UNIT: Readonly<Record<UsageEntity, string>> = { tool_calls: "calls", sessions: "sessions" };

/** Every event counts one. See assumption E51. */
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
      // Equal sums stay in the order of their keys, in either direction.
      return order_by === "key" ? direction * byKey : direction * (one.event_count - other.event_count) || byKey;
    });
  return { entity_type: entity, unit: UNIT[entity], ...sum(events), groups: ordered.slice(0, limit) };
}
