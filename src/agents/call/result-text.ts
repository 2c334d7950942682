import { isObject, isString, type Json, parseJson } from "../../shared/json.js";
import { bytesOf } from "../../shared/text-size.js";

/** For so many characters that strings keep, arrays keep an item. */
const PER_ITEM = 64;

const noteOf = (size: number | string, most: number | string) =>
  `Shortened from ${size} bytes to fit ${most}: arrays and objects lost members, strings their ends. Ask for less.`;
const NOTE = new RegExp(`^${noteOf("(\\d+)", "\\d+").replaceAll(".", "\\.")}$`);

/**
 * A result as JSON of limited size in bytes. A larger one is shortened to valid JSON: long arrays and objects
 * lose their last members, long strings their ends, as little as is needed. A note in it says so.
 *
 * @param original - The size in bytes of what this is already a part of.
 */
export function resultText(data: unknown, maxBytes: number, original?: number): string {
  const text = JSON.stringify(data) ?? "null";
  // A character has up to three bytes.
  if (original === undefined && text.length * 3 <= maxBytes) return text;
  const size = original ?? bytesOf(text);
  if (size <= maxBytes) return text;
  const whole: unknown = JSON.parse(text);
  const note = noteOf(size, maxBytes);
  const withNote = (most: number) => JSON.stringify({ shortened: note, result: shortened(whole, most) });
  const isFitting = (most: number) => bytesOf(withNote(most)) <= maxBytes;
  // From below: an attempt costs as much time as it has bytes.
  let step = 1;
  while (step < size * PER_ITEM && isFitting(step * 2)) step *= 2;
  let most = 0;
  for (; step >= 1; step /= 2) if (isFitting(most + step)) most += step;
  return withNote(most);
}

/**
 * A text for a model within a size in bytes. A longer one that is JSON is shortened like a result. Others lose their
 * middle: the end says whether the call ran and what to do next.
 */
export function boundedText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || bytesOf(text) <= maxBytes) return text;
  const data = parseJson(text);
  if (data !== undefined) return resultText(data, maxBytes);
  const encoded = new TextEncoder().encode(text);
  const note = ` … (shortened from ${encoded.length} bytes) … `;
  const most = maxBytes - bytesOf(note);
  const end = Math.min(256, Math.floor(most / 2));
  const decoder = new TextDecoder();
  // A cut can go through a character.
  const kept = decoder.decode(encoded.subarray(0, most - end)).replace(/\uFFFD$/, "");
  return `${kept}${note}${decoder.decode(encoded.subarray(-end)).replace(/^\uFFFD{1,3}/, "")}`;
}

/** Results of results that don't fit, from the one that says most. */
export const INSTEAD_OF_RESULT = ["This turn had too many results. Ask for less.", "Ask for less."] as const;

/** Whether a result is a part of one, or replaces one. */
export function isShortened(data: Json): boolean {
  const isInstead = Object.keys(data).length === 1 && INSTEAD_OF_RESULT.some((words) => words === data["shortened"]);
  return isInstead || originalBytes(data) !== undefined;
}

/**
 * The size in bytes of the result that this is a part of, from the note that says so; `undefined` for a whole result. A
 * tool's own result may have such names.
 */
export function originalBytes({ shortened: note, ...rest }: Json): number | undefined {
  // Without a result, it was a long URL.
  const isPart = isString(note) && Object.keys(rest).every((name) => name === "result");
  const [, size] = (isPart && NOTE.exec(note)) || [];
  return size === undefined ? undefined : Number(size);
}

/** A value whose strings have at most so many characters, objects so many members, and arrays items in proportion. */
function shortened(value: unknown, most: number): unknown {
  if (isString(value) && value.length > most) {
    // Half of a URL leads somewhere else.
    return /^\w+:\/\/\S*$/.test(value) ? undefined : `${value.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
  }
  if (Array.isArray(value)) return value.slice(0, Math.ceil(most / PER_ITEM)).map((item) => shortened(item, most));
  if (!isObject(value)) return value;
  const names = Object.keys(value).slice(0, most);
  return Object.fromEntries(names.map((name) => [name, shortened(value[name], most)]));
}
