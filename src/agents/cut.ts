import { isObject, isString } from "../shared/json.js";

/** For so many characters that strings keep, arrays keep an item. */
const PER_ITEM = 64;

/**
 * A result as JSON of limited size in bytes. A larger one is shortened to valid JSON: long arrays and objects
 * lose their last members, long strings their ends, as little as is needed. A note in it says so.
 */
export function resultText(data: unknown, maxBytes: number): string {
  const text = JSON.stringify(data) ?? "null";
  const size = bytesOf(text);
  if (size <= maxBytes) return text;
  const whole: unknown = JSON.parse(text);
  const note = `Shortened from ${size} bytes to fit ${maxBytes}: arrays and objects lost members, strings their ends. Ask for less.`;
  const withNote = (most: number) => JSON.stringify({ shortened: note, result: shortened(whole, most) });
  const isFitting = (most: number) => bytesOf(withNote(most)) <= maxBytes;
  // From below: an attempt costs as much time as it has bytes.
  let step = 1;
  while (step < size * PER_ITEM && isFitting(step * 2)) step *= 2;
  let most = 0;
  for (; step >= 1; step /= 2) if (isFitting(most + step)) most += step;
  return withNote(most);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
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
