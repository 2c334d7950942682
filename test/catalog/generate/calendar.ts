import {
  list,
  listIn,
  objectSchema,
  ProviderError,
  type ToolkitDefinition,
  type ToolRunContext,
  text,
  whole,
} from "../../../src/emulator/catalog/definitions.js";
import type { JsonObject } from "../../../src/resources/schema-kit.js";

interface CalendarEvent {
  id: string;
  title: string;
  starts_at: string;
  visibility: string;
  attendees: string[];
  repeats: JsonObject | null;
}

const title = text("What it is about.");

const startsAt = { ...text("When it begins."), format: "date-time" };

const id = text("Id of the event.");

const visibility = (...values: string[]): JsonObject => ({
  type: "string",
  enum: values,
  default: values[0],
  description: "Who sees it.",
});

const oldVisibility = visibility("default", "public", "private", "confidential");

const newVisibility = visibility("public", "private");

const attendees = list({ type: "string", format: "email" }, "Who is invited.");

const repeats: JsonObject = {
  description: "How it repeats.",
  oneOf: [
    objectSchema({ every: { const: "day" }, "until?": { type: "string", format: "date" } }),
    objectSchema({
      every: { const: "week" },
      on: { type: "array", items: { enum: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] }, minItems: 1 },
    }),
  ],
};

const listed = { id, title, starts_at: startsAt };

/** Appointments. Its versions add, deprecate, and remove tools, and add and narrow arguments. */
export const calendar: ToolkitDefinition = {
  slug: "calendar",
  name: "Calendar",
  description: "Keeps appointments. Needs no account.",
  categories: [{ id: "scheduling", name: "Scheduling" }],
  auth: [],
  versions: {
    "20250610_00": "Events can be deleted.",
    "20250918_00": "Events can have attendees. Quick add is deprecated.",
    "20251030_00": "Events can repeat. Visibility is public or private. Quick add is gone.",
  },
  data: { events: [] satisfies CalendarEvent[] },
  tools: [
    {
      slug: "CALENDAR_CREATE_EVENT",
      name: "Create event",
      description: "Adds an appointment.",
      input: objectSchema({ title, starts_at: startsAt, "visibility?": oldVisibility }),
      output: objectSchema({ id }),
      tags: ["important"],
      changes: {
        "20250918_00": {
          description: "Adds an appointment and invites people to it.",
          input: objectSchema({ title, starts_at: startsAt, "visibility?": oldVisibility, "attendees?": attendees }),
        },
        "20251030_00": {
          input: objectSchema({
            ...{ title, starts_at: startsAt },
            ...{ "visibility?": newVisibility, "attendees?": attendees, "repeats?": repeats },
          }),
          output: objectSchema({ id, title, visibility: newVisibility }),
        },
      },
      run: (call) => {
        const added = add(call, String(call.arguments["title"]), String(call.arguments["starts_at"]));
        if (call.version < "20251030_00") return { id: added.id };
        return { id: added.id, title: added.title, visibility: added.visibility };
      },
    },
    {
      slug: "CALENDAR_QUICK_ADD",
      name: "Quick add",
      description: "Adds an appointment that begins now.",
      input: objectSchema({ text: text("What it is about.") }),
      output: objectSchema({ id }),
      until: "20251030_00",
      changes: { "20250918_00": { isDeprecated: true, description: "Use CALENDAR_CREATE_EVENT." } },
      run: (call) => ({ id: add(call, String(call.arguments["text"]), call.now).id }),
    },
    {
      slug: "CALENDAR_LIST_EVENTS",
      name: "List events",
      description: "Lists appointments in the order in which they begin.",
      input: objectSchema({ "limit?": { ...whole("At most this many."), minimum: 1, maximum: 100, default: 20 } }),
      output: objectSchema({ events: list(objectSchema(listed), "The appointments.") }),
      tags: ["readOnlyHint"],
      changes: {
        "20250918_00": {
          output: objectSchema({ events: list(objectSchema({ ...listed, attendees }), "The appointments.") }),
        },
      },
      run: ({ arguments: { limit = 20 }, data, version }) => ({
        events: listIn<CalendarEvent>(data, "events")
          .toSorted((one, other) => (one.starts_at < other.starts_at ? -1 : 1))
          .slice(0, Number(limit))
          .map(({ id, title, starts_at, attendees }) =>
            version < "20250918_00" ? { id, title, starts_at } : { id, title, starts_at, attendees },
          ),
      }),
    },
    {
      slug: "CALENDAR_DELETE_EVENT",
      name: "Delete event",
      description: "Takes an appointment out of the calendar.",
      input: objectSchema({ id }),
      output: objectSchema({ deleted: { const: true } }),
      tags: ["destructiveHint"],
      since: "20250610_00",
      run: ({ arguments: given, data }) => {
        const events = listIn<CalendarEvent>(data, "events");
        const index = events.findIndex((event) => event.id === given["id"]);
        if (index === -1) throw new ProviderError(404, "No such event");
        events.splice(index, 1);
        return { deleted: true };
      },
    },
  ],
};

function add({ arguments: given, data }: ToolRunContext, title: string, startsAt: string): CalendarEvent {
  if (Number.isNaN(Date.parse(startsAt))) throw new ProviderError(422, "starts_at isn't a valid time");
  const events = listIn<CalendarEvent>(data, "events");
  const numbers = events.map((event) => Number(event.id.slice("event-".length)));
  const { visibility = "public", attendees, repeats } = given;
  const added: CalendarEvent = {
    id: `event-${Math.max(0, ...numbers) + 1}`,
    title,
    starts_at: new Date(startsAt).toISOString(),
    visibility: String(visibility),
    attendees: Array.isArray(attendees) ? attendees.map(String) : [],
    repeats: typeof repeats === "object" && repeats !== null ? { ...repeats } : null,
  };
  events.push(added);
  return added;
}
