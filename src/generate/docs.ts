import { removeHidden } from "../shared/hidden-text.js";
import type { Json } from "../shared/json.js";

/** Keywords that a type can't express. */
const BOUNDS = [
  ...["default", "format", "pattern", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "minItems", "maxItems", "uniqueItems"],
];

/** Maximum length of a tag, in characters. Longer ones are omitted. */
const LONGEST = 200;

/** The doc of a schema: its description, its bounds, and whether it is deprecated. */
export function docOf(schema: Json): { description?: string } {
  const { description } = schema;
  const words = typeof description === "string" ? proseText(description) : "";
  const bounds = BOUNDS.filter((keyword) => keyword in schema)
    .map((keyword) => `${keyword} ${keyword === "default" ? JSON.stringify(schema[keyword]) : schema[keyword]}`)
    .map((bound) => `@${proseText(bound)}`)
    .filter((line) => line.length <= LONGEST && !line.endsWith("[object Object]"));
  // Put last, because a tag takes the text after it as its reason.
  const tags = schema["deprecated"] === true ? [...bounds, "@deprecated"] : bounds;
  const parts = [words, tags.join("\n")].filter((part) => part !== "");
  return parts.length > 0 ? { description: parts.join("\n\n") } : {};
}

/** Makes text safe for a comment: no end of comment, one kind of line break, nothing invisible. */
export function plainText(text: string): string {
  return removeHidden(text.replace(/\r\n?|[\u2028\u2029]/g, "\n"))
    .replaceAll("*/", "* /")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

/** Plain text without tags such as `@deprecated`. */
export function proseText(text: string): string {
  return plainText(text).replace(/(?<!\S)@/g, "\\@");
}

/** Maximum line length. */
export const WIDTH = 120;

/** A doc comment at a level of indentation, with its line break. Empty if the text is. */
export function docComment(text: string, level: number): string {
  if (text === "") return "";
  return commentLines(text)
    .map((line) => `${indented(line, level)}\n`)
    .join("");
}

function commentLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/^ \* ?/, "").trimEnd());
  while (lines[0] === "") lines.shift();
  while (lines.at(-1)?.trim() === "") lines.pop();
  const [only] = lines;
  if (lines.length === 1 && only !== undefined && only.length < WIDTH - 20) return [`/** ${only} */`];
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"];
}

function indented(line: string, level: number): string {
  return "  ".repeat(level) + line;
}
