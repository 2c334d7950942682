import { removeHidden } from "../shared/hidden-text.js";
import { isObject } from "../shared/json.js";

/** Keywords that a type can't express. */
const BOUNDS = [
  ...["default", "format", "pattern", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "minItems", "maxItems", "uniqueItems"],
];

/** Maximum length of a tag, in characters. Longer ones are omitted. */
const LONGEST = 200;

/** The doc of a schema: its description, its bounds, and whether it is deprecated. */
export function schemaDoc(schema: unknown): string {
  if (!isObject(schema)) return "";
  const { description } = schema;
  const words = typeof description === "string" ? proseText(description) : "";
  const bounds = BOUNDS.filter((keyword) => keyword in schema)
    .map((keyword) => `${keyword} ${keyword === "default" ? JSON.stringify(schema[keyword]) : schema[keyword]}`)
    .map((bound) => `@${proseText(bound)}`)
    .filter((line) => line.length <= LONGEST && !line.endsWith("[object Object]"));
  // Put last, because a tag takes the text after it as its reason.
  const tags = schema["deprecated"] === true ? [...bounds, "@deprecated"] : bounds;
  return [words, tags.join("\n")].filter((part) => part !== "").join("\n\n");
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
  const lines = text.split("\n");
  const comment =
    lines.length === 1 && text.length < WIDTH - 20
      ? [`/** ${text} */`]
      : ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"];
  return comment.map((line) => `${"  ".repeat(level)}${line}\n`).join("");
}
