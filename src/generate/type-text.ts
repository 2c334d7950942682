import { docComment, schemaDoc, WIDTH } from "./docs.js";

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
  const limits = new Map(types.filter((type) => !isAnything(type)).map((type) => [written(type, level), type]));
  const [first = ANYTHING, ...others] = limits.values();
  if (others.length === 0) return first;
  return [[...limits.values()].flatMap((type) => (type.length === 1 ? type.flat() : [grouped(type, level)]))];
}

/** A type as part of another, in parentheses if it needs them. */
export function grouped(type: Type, level: number): string {
  return type.flat().length > 1 ? `(${written(type, level)})` : written(type, level);
}

/** Writes one member of a union per line if one line would be too long. */
export function written(type: Type, level: number): string {
  const members = type.map((member) => member.join(" & "));
  const line = members.join(" | ") || "never";
  if (members.length < 2 || line.includes("\n") || line.length + 2 * level < WIDTH - 20) return line;
  return members.map((member) => `\n${"  ".repeat(level + 1)}| ${member}`).join("");
}

/** A type or field with its doc. A union with one member per line starts with a line break. */
export function declaration(head: string, schema: unknown, type: Type, level: number): string {
  const text = written(type, level);
  const space = text.startsWith("\n") ? "" : " ";
  return `${docComment(schemaDoc(schema), level)}${"  ".repeat(level)}${head}${space}${text};`;
}
