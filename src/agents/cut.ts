import { isObject, isString } from "../shared/json.js";

/** For each item that an array keeps, so many characters of a string and members of an object are kept. */
const PER_ITEM = 64;

/**
 * A result as JSON of limited size in bytes. A larger one is shortened to valid JSON: long arrays lose their last
 * items, long strings their ends, as little as is needed. A note in it says so.
 */
export function resultText(data: unknown, maxBytes: number): string {
  const text = JSON.stringify(data) ?? "null";
  const size = bytesOf(text);
  if (size <= maxBytes) return text;
  const whole: unknown = JSON.parse(text);
  const note = `Shortened from ${size} bytes to fit ${maxBytes}: arrays lost items, strings their ends. Ask for less to see the rest.`;
  const withNote = (most: number) => JSON.stringify({ shortened: note, result: shortened(whole, most) });
  const isFitting = (most: number) => bytesOf(withNote(most)) <= maxBytes;
  // From below: an attempt costs as much time as it has bytes.
  let step = 1;
  while (isFitting(step * 2)) step *= 2;
  let most = 0;
  for (; step >= 1; step /= 2) if (isFitting(most + step)) most += step;
  return withNote(most);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A value in which each array has at most so many items, and strings and objects are limited in proportion. */
function shortened(value: unknown, most: number): unknown {
  const longest = most * PER_ITEM;
  if (isString(value) && value.length > longest) {
    // Half of a URL leads somewhere else.
    return /^\w+:\/\/\S*$/.test(value) ? undefined : `${value.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "")}…`;
  }
  if (Array.isArray(value)) return value.slice(0, most).map((item) => shortened(item, most));
  if (!isObject(value)) return value;
  const members = Object.entries(value).slice(0, longest);
  return Object.fromEntries(members.map(([name, member]) => [name, shortened(member, most)]));
}
