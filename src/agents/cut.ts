import { isObject, isString } from "../shared/json.js";

/** Room for the note that a result was cut. */
const NOTE_BYTES = 200;

/**
 * A result as JSON of limited size in bytes. A larger one is shortened to valid JSON: long arrays lose their last
 * items, long strings their ends. A note in it says so.
 */
export function resultText(data: unknown, maxBytes: number): string {
  const text = JSON.stringify(data) ?? "null";
  const size = bytesOf(text);
  if (size <= maxBytes) return text;
  const note = `Shortened from ${size} bytes to fit ${maxBytes}: arrays lost items, strings their ends. Ask for less to see the rest.`;
  return JSON.stringify({ shortened: note, result: fitted(JSON.parse(text), maxBytes - NOTE_BYTES) });
}

const encoder = new TextEncoder();

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

function sizeOf(value: unknown): number {
  return bytesOf(JSON.stringify(value));
}

/** The value, or as much of it as fits; `undefined` if nothing of it fits. */
function fitted(value: unknown, room: number): unknown {
  if (sizeOf(value) <= room) return value;
  if (isString(value)) return fittedString(value, room);
  if (Array.isArray(value)) return fittedArray(value, room);
  return isObject(value) ? fittedObject(value, room) : undefined;
}

function fittedString(value: string, room: number): string | undefined {
  // Half of a URL leads somewhere else.
  if (/^\w+:\/\/\S*$/.test(value)) return undefined;
  let [fits, tooLong] = [0, value.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (sizeOf(`${value.slice(0, middle)}…`) <= room) fits = middle;
    else tooLong = middle;
  }
  const kept = value.slice(0, fits).replace(/[\uD800-\uDBFF]$/, "");
  return kept === "" ? undefined : `${kept}…`;
}

function fittedArray(items: readonly unknown[], room: number): unknown[] {
  const kept: unknown[] = [];
  let left = room - 2;
  for (const item of items) {
    const size = sizeOf(item) + 1;
    if (size > left) {
      const part = kept.length === 0 ? fitted(item, left - 1) : undefined;
      return part === undefined ? kept : [part];
    }
    kept.push(item);
    left -= size;
  }
  return kept;
}

/** Small members first and whole, so that a long array doesn't push the cursor next to it out. */
function fittedObject(value: object, room: number): object {
  const members = Object.entries(value).map(([name, member]) => ({ name, member, size: sizeOf(member) }));
  const bySize = members.toSorted((one, other) => one.size - other.size);
  const kept = new Map<string, unknown>();
  let left = room - 2;
  bySize.forEach(({ name, member }, index) => {
    const overhead = sizeOf(name) + 2;
    const share = Math.floor(left / (bySize.length - index)) - overhead;
    const part = share > 0 ? fitted(member, share) : undefined;
    if (part === undefined) return;
    kept.set(name, part);
    left -= overhead + sizeOf(part);
  });
  const inOrder = members.filter(({ name }) => kept.has(name)).map(({ name }) => [name, kept.get(name)] as const);
  return Object.fromEntries(inOrder);
}
