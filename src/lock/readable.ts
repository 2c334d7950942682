import { escapeHidden } from "../shared/hidden-text.js";
import { accessOf, type LockableTool, withSortedRequired } from "./hash.js";

/** Longer values are cut, with their length. */
const LONGEST = 500;

/**
 * The words and the schema that a model reads, by place: `description`, `input.properties.to.type`, and the access of a
 * tool. All are JSON.
 */
export type ReadableText = Readonly<Record<string, unknown>>;

/** The name, the description, the tags, the access and every value in the schema of the arguments. */
export function readableText(tool: LockableTool): ReadableText {
  const { name, description, tags = [], input_parameters } = tool;
  return { name, description, tags: [...tags].sort(), ...accessOf(tool), ...placesIn(input_parameters, "input") };
}

/** Every value in a schema that has no members, by its place. The order of `required` means nothing. */
export function placesIn(schema: unknown, place: string): Record<string, unknown> {
  const places: [string, unknown][] = [];
  const read = (value: unknown, path: string) => {
    const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
    const isList = Array.isArray(value) && value.every((item) => typeof item !== "object");
    if (members.length === 0 || isList) places.push([path, value]);
    else for (const [key, member] of members) read(member, `${path}.${key}`);
  };
  read(withSortedRequired(schema), place);
  // Names of the schema, such as `__proto__`, are part of longer ones.
  return Object.fromEntries(places);
}

/** The difference as lines: `- description: "…"` before, `+ description: "…"` now. Hidden characters are escaped. */
export function textDiff(before: ReadableText, after: ReadableText): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((place) => {
    const [old, fresh] = [before, after].map((text) => shown(text, place));
    if (old === fresh) return [];
    return [...(old === undefined ? [] : [`- ${old}`]), ...(fresh === undefined ? [] : [`+ ${fresh}`])];
  });
}

function shown(text: ReadableText, place: string): string | undefined {
  const value = Object.hasOwn(text, place) ? JSON.stringify(text[place]) : undefined;
  return value && escapeHidden(`${place}: ${value}`);
}

/** Lines for a message: of many, the first ones; of long ones, the start. */
export function shortened(lines: readonly string[], most: number): string[] {
  const rest = lines.length - most;
  return [
    ...lines
      .slice(0, most)
      .map((line) => (line.length > LONGEST ? `${line.slice(0, LONGEST)}… (${line.length} characters)` : line)),
    ...(rest > 0 ? [`and ${rest} more lines`] : []),
  ];
}
