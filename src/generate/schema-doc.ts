import { removeHidden } from "../shared/hidden-text.js";
import type { Json } from "../shared/json.js";

/** What a type cannot say about a value, by JSON Schema's own words. */
const BOUNDS = [
  ...["default", "format", "pattern", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "minItems", "maxItems", "uniqueItems"],
];

/** Longer values say less than they take. */
const LONGEST = 200;

/** The doc of a schema: its description, then the bounds it sets, and whether it is deprecated. */
export function docOf(schema: Json): { description?: string } {
  const { description } = schema;
  const words = typeof description === "string" ? proseText(description) : "";
  const bounds = BOUNDS.filter((keyword) => keyword in schema)
    .map((keyword) => `${keyword} ${keyword === "default" ? JSON.stringify(schema[keyword]) : schema[keyword]}`)
    .map((bound) => `@${proseText(bound)}`)
    .filter((line) => line.length <= LONGEST && !line.endsWith("[object Object]"));
  // Put first, it would take the description for its reason.
  const tags = schema["deprecated"] === true ? [...bounds, "@deprecated"] : bounds;
  const parts = [words, tags.join("\n")].filter((part) => part !== "");
  return parts.length > 0 ? { description: parts.join("\n\n") } : {};
}

/** Text that may stand in a comment: no end of one, one kind of line end, nothing invisible. */
export function plainText(text: string): string {
  return removeHidden(text.replace(/\r\n?|[\u2028\u2029]/g, "\n"))
    .replaceAll("*/", "* /")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

/** Plain text of which no word becomes a tag, as `@deprecated` would. */
export function proseText(text: string): string {
  return plainText(text).replace(/(?<!\S)@/g, "\\@");
}
