import { list, listIn, objectSchema, ProviderError, type ToolkitDefinition, text, whole } from "../definitions.js";

interface CalendarEvent {
  id: string;
  title: string;
  starts_at: string;
  visibility: string;
  attendees: string[];
}

const id = text("Id of the event.");
const title = text("What it is about.");
const startsAt = { ...text("When it begins."), format: "date-time" };
const visibility = { ...text("Who sees it."), enum: ["public", "private"], default: "public" };
const attendees = list({ type: "string", format: "email" }, "Who is invited.");

/** Appointments. Doesn't need an account. */
export const calendar: ToolkitDefinition = {
  slug: "calendar",
  name: "Calendar",
  description: "Keeps appointments. Needs no account.",
  categories: [{ id: "scheduling", name: "Scheduling" }],
  auth: [],
  versions: { "20251030_00": "Visibility is public or private." },
  data: { events: [] satisfies CalendarEvent[] },
  tools: [
    {
      slug: "CALENDAR_CREATE_EVENT",
      name: "Create event",
      description: "Adds an appointment and invites people to it.",
      input: objectSchema({ title, starts_at: startsAt, "visibility?": visibility, "attendees?": attendees }),
      output: objectSchema({ id, title, visibility }),
      tags: ["important"],
      run: ({ arguments: given, data }) => {
        const starts = new Date(String(given["starts_at"]));
        if (Number.isNaN(starts.getTime())) throw new ProviderError(422, "starts_at isn't a valid time");
        const events = listIn<CalendarEvent>(data, "events");
        const numbers = events.map((event) => Number(event.id.slice("event-".length)));
        const highest = numbers.reduce((left, right) => Math.max(left, right), 0);
        const { visibility = "public", attendees } = given;
        const added = {
          id: `event-${highest + 1}`,
          title: String(given["title"]),
          starts_at: starts.toISOString(),
          visibility: String(visibility),
          attendees: Array.isArray(attendees) ? attendees.map(String) : [],
        };
        events.push(added);
        return { id: added.id, title: added.title, visibility: added.visibility };
      },
    },
    {
      slug: "CALENDAR_LIST_EVENTS",
      name: "List events",
      description: "Lists appointments in the order in which they begin.",
      input: objectSchema({ "limit?": { ...whole("At most this many."), minimum: 1, maximum: 100, default: 20 } }),
      output: objectSchema({
        events: list(objectSchema({ id, title, starts_at: startsAt, attendees }), "The appointments."),
      }),
      tags: ["readOnlyHint"],
      run: ({ arguments: { limit = 20 }, data }) => ({
        events: listIn<CalendarEvent>(data, "events")
          .toSorted((left, right) => (left.starts_at < right.starts_at ? -1 : 1))
          .slice(0, Number(limit))
          .map(({ id, title, starts_at, attendees }) => ({ id, title, starts_at, attendees })),
      }),
    },
    {
      slug: "CALENDAR_DELETE_EVENT",
      name: "Delete event",
      description: "Takes an appointment out of the calendar.",
      input: objectSchema({ id }),
      output: objectSchema({ deleted: { const: true } }),
      tags: ["destructiveHint"],
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
