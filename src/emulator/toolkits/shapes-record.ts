import type { JsonObject, ToolDefinition } from "../definitions.js";
import { list, objectSchema, text, whole } from "./json-schema.js";

const named: JsonObject = objectSchema({ name: { ...text("Its name."), minLength: 1, maxLength: 80 } });
const dated: JsonObject = objectSchema({ made_at: { ...text("When it was made."), format: "date-time" } }, ["made_at"]);

const input: JsonObject = {
  ...objectSchema(
    {
      subject: { allOf: [named, dated], description: "What the record is about." },
      "content-type": { const: "application/json", description: "A property that is no identifier." },
      "2nd": text("Another one."),
      priority: { enum: ["low", "high", 1, 2, null], description: "A word, a number or nothing." },
      note: { type: ["string", "null"], description: "Null clears it." },
      reminder: { type: "string", nullable: true, description: "The same as older schemas say it." },
      labels: { type: "object", additionalProperties: { type: "string" }, description: "Any name, any text." },
      headers: {
        type: "object",
        patternProperties: { "^x-": { type: "string" }, "^n-": { type: "number" } },
        additionalProperties: false,
        description: "Names that begin with x- hold a text, those with n- a number.",
      },
      range: {
        type: "array",
        prefixItems: [{ type: "integer" }, { type: "integer" }],
        items: { type: "string" },
        description: "From, to, and then any number of remarks.",
      },
      matrix: list({ type: "array", items: { type: "number" } }, "Rows of numbers."),
      target: {
        anyOf: [{ type: "string" }, objectSchema({ id: whole("Its number.") })],
        description: "A name, or an object with a number.",
      },
      settings: { type: "object", description: "Any object." },
      extra: { description: "Anything." },
      closed: { type: "object", additionalProperties: false, description: "An object without properties." },
      old_name: { ...text("Use subject.name."), deprecated: true },
      related: { $ref: "#/$defs/link", description: "The record after this one." },
    },
    [
      ...["2nd", "priority", "note", "reminder", "labels", "headers", "range", "matrix", "target", "settings"],
      ...["extra", "closed", "old_name", "related"],
    ],
  ),
  additionalProperties: false,
  $defs: {
    link: objectSchema({ name: text("Name of the record."), next: { $ref: "#/$defs/link" } }, ["next"]),
  },
};

/** Takes a record with everything in it and says what it holds. */
export const record: ToolDefinition = {
  slug: "SHAPES_DESCRIBE_RECORD",
  name: "Describe record",
  description: "Says which fields a record has, and how far its links go. Its schema has every feature there is.",
  input,
  output: objectSchema({
    name: text("The subject's name."),
    fields: list({ type: "string" }, "Names of the given fields, sorted."),
    links: whole("How many records follow."),
  }),
  tags: ["readOnlyHint"],
  run: ({ arguments: given }) => {
    const { name }: JsonObject = Object(given["subject"]);
    let links = 0;
    for (let link: unknown = given["related"]; typeof link === "object" && link !== null; link = nextOf(link))
      links += 1;
    return { name: String(name), fields: Object.keys(given).sort(), links };
  },
};

function nextOf(link: object): unknown {
  return Reflect.get(link, "next");
}
