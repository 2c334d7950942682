import { isLongInteger, isString } from "../../shared/json.js";

// Types as bits. A set of types is a number, so a value is compared with all of them at once.
const STRING = 1;
const NUMBER = 2;
const INTEGER = 4;
const BOOLEAN = 8;
const NULL = 16;
const ARRAY = 32;
export const OBJECT = 64;
/** A string with the digits of an integer that no number can hold. */
const LONG_INTEGER = 128;
/** The type of values that aren't JSON. */
const OTHER = 256;
export const ANY_TYPE = 511;

const BITS: ReadonlyMap<unknown, number> = new Map([
  ["string", STRING],
  ["number", NUMBER],
  ["integer", INTEGER],
  ["boolean", BOOLEAN],
  ["null", NULL],
  ["array", ARRAY],
  ["object", OBJECT],
]);

/** The types of a schema's `type`; `undefined` without one, and if one of them is unknown. */
export function typeBits(type: unknown, takesLongIntegers: boolean): number | undefined {
  let bits = 0;
  for (const name of [type ?? []].flat()) {
    const bit = BITS.get(name);
    if (bit === undefined) return undefined;
    bits |= bit;
  }
  if (takesLongIntegers && bits & (INTEGER | NUMBER)) bits |= LONG_INTEGER;
  return bits || undefined;
}

/** Whether a value has one of some types: an integer is a number too. */
export function hasType(bits: number, value: unknown): boolean {
  if (isString(value)) return (bits & STRING) !== 0 || ((bits & LONG_INTEGER) !== 0 && isLongInteger(value));
  if (typeof value === "number") return (bits & (Number.isInteger(value) ? INTEGER | NUMBER : NUMBER)) !== 0;
  if (typeof value === "boolean") return (bits & BOOLEAN) !== 0;
  if (value === null) return (bits & NULL) !== 0;
  if (typeof value !== "object") return (bits & OTHER) !== 0;
  return (bits & (Array.isArray(value) ? ARRAY : OBJECT)) !== 0;
}

const FREQUENT = [STRING, NUMBER, INTEGER, BOOLEAN, ARRAY, OBJECT];

/** A frequent type among some; 0 without one. */
export const plainType = (bits: number) => FREQUENT.find((type) => bits & type) ?? 0;

/** Whether a value has a frequent type. That is faster than to compare it with several types. */
export function isOfType(frequent: number, value: unknown): boolean {
  switch (frequent) {
    case STRING:
      return typeof value === "string";
    case NUMBER:
      return typeof value === "number";
    case INTEGER:
      return Number.isInteger(value);
    case BOOLEAN:
      return typeof value === "boolean";
    case ARRAY:
      return Array.isArray(value);
    case OBJECT:
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return false;
  }
}

/** Whether all items have one of some types. */
export function haveType(bits: number, items: readonly unknown[]): boolean {
  let index = 0;
  if (bits === ANY_TYPE) return true;
  // An engine makes a loop fast for the lists that it meets. Therefore each frequent kind of list has its own loop.
  if (bits & STRING) while (index < items.length && isString(items[index])) index += 1;
  else if (bits & NUMBER) while (index < items.length && typeof items[index] === "number") index += 1;
  else if (bits & INTEGER) while (index < items.length && Number.isInteger(items[index])) index += 1;
  while (index < items.length && hasType(bits, items[index])) index += 1;
  return index === items.length;
}
