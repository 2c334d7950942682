import { SchemaObject } from "../../json-schema/schema-object.js";
import { removeHidden } from "../../shared/hidden-text.js";
import { isObject } from "../../shared/json.js";

/** Maximum length of a tag, in characters. Longer ones are omitted. */
const LONGEST = 200;

/** The doc of a schema: its description, its bounds, and whether it is deprecated. */
function schemaDoc(schema: unknown): string {
  if (!isObject(schema)) return "";
  const { description, facts, isDeprecated } = new SchemaObject(schema);
  const bounds = facts
    .map(([keyword, value]) => `${keyword} ${keyword === "default" ? JSON.stringify(value) : value}`)
    .map((bound) => `@${proseText(bound)}`)
    .filter((line) => line.length <= LONGEST && !line.endsWith("[object Object]"));
  // Put last, because a tag takes the text after it as its reason.
  const tags = isDeprecated ? [...bounds, "@deprecated"] : bounds;
  return [proseText(description ?? ""), tags.join("\n")].filter((part) => part !== "").join("\n\n");
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

const WIDTH = 120;

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

/** A TypeScript type: the members of a union, each the members of an intersection. */
export type Type = readonly (readonly string[])[];

/** The type that every value has. */
export const ANYTHING: Type = [["unknown"]];

export function isAnything(type: Type): boolean {
  return type.some(([first]) => first === "unknown");
}

/** Either of these types. */
export function union(types: readonly Type[]): Type {
  const members = new Map(types.flat().map((member) => [member.join(" & "), member]));
  return members.has("unknown") ? ANYTHING : [...members.values()];
}

/** All of these types at once. */
export function intersection(types: readonly Type[], level: number): Type {
  if (types.some((type) => type.length === 0)) return [];
  const limits = new Map(types.filter((type) => !isAnything(type)).map((type) => [writtenType(type, level), type]));
  const [first = ANYTHING, ...others] = limits.values();
  if (others.length === 0) return first;
  return [[...limits.values()].flatMap((type) => (type.length === 1 ? type.flat() : [groupedType(type, level)]))];
}

/** A type as part of another, in parentheses if it needs them. */
export function groupedType(type: Type, level: number): string {
  return type.flat().length > 1 ? `(${writtenType(type, level)})` : writtenType(type, level);
}

/** Writes one member of a union per line if one line would be too long. */
export function writtenType(type: Type, level: number): string {
  const members = type.map((member) => member.join(" & "));
  const line = members.join(" | ") || "never";
  if (members.length < 2 || line.includes("\n") || line.length + 2 * level < WIDTH - 20) return line;
  return members.map((member) => `\n${"  ".repeat(level + 1)}| ${member}`).join("");
}

/** A type or field with its doc. A union with one member per line starts with a line break. */
export function declaration(head: string, schema: unknown, type: Type, level: number): string {
  const text = writtenType(type, level);
  const space = text.startsWith("\n") ? "" : " ";
  return `${docComment(schemaDoc(schema), level)}${"  ".repeat(level)}${head}${space}${text};`;
}
