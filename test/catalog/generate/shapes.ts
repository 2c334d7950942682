import {
  list,
  objectSchema,
  type ToolDefinition,
  type ToolkitDefinition,
  text,
  whole,
} from "../../../src/emulator/catalog/definitions.js";
import type { JsonObject } from "../../../src/resources/schema-kit.js";

const named: JsonObject = objectSchema({ name: { ...text("Its name."), minLength: 1, maxLength: 80 } });

const dated: JsonObject = objectSchema({ "made_at?": { ...text("When it was made."), format: "date-time" } });

const input: JsonObject = {
  ...objectSchema({
    subject: { allOf: [named, dated], description: "What the record is about." },
    "content-type": { const: "application/json", description: "A property that isn't an identifier." },
    "2nd?": text("Another one."),
    "priority?": { enum: ["low", "high", 1, 2, null], description: "A word, a number or nothing." },
    "note?": { type: ["string", "null"], description: "Null clears it." },
    "reminder?": { type: "string", nullable: true, description: "The same as older schemas say it." },
    "labels?": { type: "object", additionalProperties: { type: "string" }, description: "Any name, any string." },
    "headers?": {
      type: "object",
      patternProperties: { "^x-": { type: "string" }, "^n-": { type: "number" } },
      additionalProperties: false,
      description: "Names starting with x- contain a string, those with n- a number.",
    },
    "range?": {
      type: "array",
      prefixItems: [{ type: "integer" }, { type: "integer" }],
      items: { type: "string" },
      description: "From, to, and then any number of remarks.",
    },
    "matrix?": list({ type: "array", items: { type: "number" } }, "Rows of numbers."),
    "target?": {
      anyOf: [{ type: "string" }, objectSchema({ id: whole("Its number.") })],
      description: "A name, or an object with a number.",
    },
    "settings?": { type: "object", description: "Any object." },
    "extra?": { description: "Anything." },
    "closed?": { type: "object", additionalProperties: false, description: "An object without properties." },
    "old_name?": { ...text("Use subject.name."), deprecated: true },
    "related?": { $ref: "#/$defs/link", description: "The record after this one." },
  }),
  additionalProperties: false,
  $defs: {
    link: objectSchema({ name: text("Name of the record."), "next?": { $ref: "#/$defs/link" } }),
  },
};

/** A tool whose input uses every supported JSON Schema feature. */
const record: ToolDefinition = {
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

const number = (description: string): JsonObject => ({ type: "number", minimum: 0, description });

const point: JsonObject = {
  type: "array",
  prefixItems: [
    { type: "number", description: "x" },
    { type: "number", description: "y" },
  ],
  items: false,
  minItems: 2,
  description: "A point: x, then y.",
};

const circle = objectSchema({ kind: { const: "circle" }, radius: number("Its radius.") });

const rectangle = objectSchema({ kind: { const: "rectangle" }, width: number("To the right."), height: number("Up.") });

const polygon = objectSchema({
  kind: { const: "polygon" },
  points: { type: "array", items: point, minItems: 3, description: "Its corners, in order." },
});

const tree: JsonObject = {
  ...objectSchema({ root: { $ref: "#/$defs/node" } }),
  $defs: {
    node: {
      ...objectSchema({ label: text("Its name."), "children?": { type: "array", items: { $ref: "#/$defs/node" } } }),
      description: "A node, and the nodes below it.",
    },
  },
};

/** A user's toolkit whose schemas have every feature that tools may use. */
export const shapes: ToolkitDefinition = {
  slug: "shapes",
  name: "Shapes",
  description: "Measures shapes and trees. Needs no account.",
  categories: [{ id: "developer-tools", name: "Developer Tools" }],
  auth: [],
  versions: { "20250820_00": "Adds polygons.", "20251112_00": "Adds records." },
  tools: [
    {
      slug: "SHAPES_AREA",
      name: "Area",
      description: "The area of a shape.",
      input: objectSchema({ shape: { oneOf: [circle, rectangle], description: "A circle or a rectangle." } }),
      output: objectSchema({ area: number("In square units.") }),
      tags: ["readOnlyHint", "important"],
      changes: {
        "20250820_00": {
          input: objectSchema({ shape: { oneOf: [circle, rectangle, polygon], description: "Any shape." } }),
          output: objectSchema({ area: number("In square units."), corners: { type: ["integer", "null"] } }),
        },
      },
      run: ({ arguments: { shape }, version }) => {
        const measured = measure(shape);
        return version < "20250820_00" ? { area: measured.area } : measured;
      },
    },
    {
      slug: "SHAPES_TREE_DEPTH",
      name: "Tree depth",
      description: "Counts the levels and the nodes of a tree.",
      input: tree,
      output: objectSchema({ depth: whole("Levels."), labels: list({ type: "string" }, "Names, from the top down.") }),
      tags: ["readOnlyHint"],
      run: ({ arguments: { root } }) => {
        const levels = levelsOf(root);
        return { depth: levels.length, labels: levels.flat() };
      },
    },
    { ...record, since: "20251112_00" },
  ],
};

function measure(shape: unknown): { area: number; corners: number | null } {
  const { kind, radius, width, height, points }: JsonObject = Object(shape);
  if (kind === "circle") return { area: Math.PI * Number(radius) ** 2, corners: null };
  if (kind === "rectangle") return { area: Number(width) * Number(height), corners: 4 };
  const corners = Array.isArray(points) ? points.map(([x, y]) => ({ x: Number(x), y: Number(y) })) : [];
  // Gauss's formula: half the sum of the cross products of neighbors.
  const doubled = corners.reduce((sum, { x, y }, index) => {
    const next = corners[(index + 1) % corners.length] ?? { x, y };
    return sum + x * next.y - next.x * y;
  }, 0);
  return { area: Math.abs(doubled) / 2, corners: corners.length };
}

/** The names of a tree's nodes, level by level. */
function levelsOf(node: unknown): string[][] {
  const { label, children }: JsonObject = Object(node);
  const below = Array.isArray(children) ? children.map(levelsOf) : [];
  const deepest = Math.max(0, ...below.map((levels) => levels.length));
  const merged = Array.from({ length: deepest }, (_, level) => below.flatMap((levels) => levels[level] ?? []));
  return [[String(label)], ...merged];
}
