import { amount } from "../../errors/mismatch-words.js";
import { isLongInteger, isString, type Json } from "../../shared/json.js";
import { boundsAt, numberAt } from "../bounds.js";
import { expressionOf } from "../properties.js";
import { spend } from "../step-limit.js";
import type { Compared, Issue } from "./checking.js";

/** A condition for the values of one kind. */
export interface Limit<Value> {
  readonly expected: string;
  readonly isBroken: (value: Value) => boolean;
}

/** The issues of a value that breaks limits. */
export function limitIssues<Value>(limits: readonly Limit<Value>[], { value, place }: Compared<Value>): Issue[] {
  return limits
    .filter(({ isBroken }) => isBroken(value))
    .map(({ expected }) => ({ place, expected, isOfWhole: false }));
}

/** The limits of numbers. */
export function numberLimits(schema: Json): Limit<number>[] {
  const limits: Limit<number>[] = [];
  const add = (expected: string, isBroken: (value: number) => boolean) => limits.push({ expected, isBroken });
  const { included: least, excluded: above } = boundsAt(schema, "minimum");
  const { included: most, excluded: below } = boundsAt(schema, "maximum");
  if (least !== undefined && least !== above) add(`at least ${least}`, (value) => value < least);
  if (most !== undefined && most !== below) add(`at most ${most}`, (value) => value > most);
  if (above !== undefined) add(`more than ${above}`, (value) => value <= above);
  if (below !== undefined) add(`less than ${below}`, (value) => value >= below);
  const step = numberAt(schema, "multipleOf");
  if (step !== undefined && step > 0) add(`a multiple of ${step}`, (value) => !isMultiple(value, step));
  return limits;
}

/** The number that limits apply to. If a schema takes numbers and no strings, digits are a long integer. */
export function limitedNumber({ type }: Json, value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (!isLongInteger(value)) return undefined;
  const types: unknown[] = [type].flat();
  const takesNumbers = types.includes("integer") || types.includes("number");
  return takesNumbers && !types.includes("string") ? Number(value) : undefined;
}

/** Tolerates rounding: 0.3 is a multiple of 0.1, although its double isn't. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  if (!Number.isFinite(times)) return true;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

/**
 * The limits of strings: bounds, pattern and format.
 *
 * @param matches - Returns `undefined` for a pattern that is skipped.
 */
export function stringLimits(
  schema: Json,
  matches: (pattern: string, text: string) => boolean | undefined,
): Limit<string>[] {
  const limits: Limit<string>[] = [];
  const add = (expected: string, isBroken: (value: string) => boolean) => limits.push({ expected, isBroken });
  const least = numberAt(schema, "minLength");
  const most = numberAt(schema, "maxLength");
  if (most !== undefined) add(`at most ${amount(most, "string")}`, (value) => isLonger(value, most));
  if (least !== undefined) add(`at least ${amount(least, "string")}`, (value) => isShorter(value, least));
  const { pattern, format } = schema;
  if (isString(pattern)) add(`a string that matches ${pattern}`, (value) => matches(pattern, value) === false);
  const hasFormat = isString(format) ? FORMATS.get(format) : undefined;
  if (hasFormat) {
    add(`a valid ${format}`, (value) => {
      spend(value.length >> 4);
      return !hasFormat(value);
    });
  }
  return limits;
}

/** A character has one or two code units, so mostly nothing has to be counted. */
function isLonger(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || lengthOf(text) > most);
}

function isShorter(text: string, least: number): boolean {
  return text.length < 2 * least && (text.length < least || lengthOf(text) < least);
}

/** In characters, as JSON Schema counts: a surrogate pair is one. */
function lengthOf(text: string): number {
  spend(text.length >> 4);
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const DURATION = /^P(?!$)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/;
const IP_V4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/**
 * Whether a string has a format of JSON Schema. Each check takes linear time. If readings of a format differ, the
 * lenient one applies, because the service decides in the end. Unknown formats are valid.
 */
const FORMATS = new Map<string, (text: string) => boolean>(
  Object.entries({
    date: isDate,
    time: (text) => TIME.test(text),
    "date-time": (text) => isDate(text.slice(0, 10)) && /^[t ]$/i.test(text.charAt(10)) && TIME.test(text.slice(11)),
    duration: (text) => DURATION.test(text),
    email: isEmail,
    hostname: isHostname,
    ipv4: (text) => IP_V4.test(text),
    ipv6: isIpV6,
    uri: isAbsolute,
    url: isAbsolute,
    "uri-reference": (text) => !/[\s<>"{}|\\^`]/.test(text),
    uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
    "json-pointer": (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text),
    regex: (text) => expressionOf(text) !== undefined,
  }),
);

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [name, host] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (name === "" || host.length > 253 || !(isHostname(host) || /^\[[^\s[\]]+\]$/.test(host))) return false;
  if (name.length > 1 && name.startsWith('"') && name.endsWith('"')) return true;
  return !/[\s"(),:;<>@[\\\]]/.test(name) && !name.startsWith(".") && !name.endsWith(".") && !name.includes("..");
}

function isHostname(text: string): boolean {
  // Host names may have letters beyond ASCII.
  return text.length <= 253 && text.split(".").every((label) => LABEL.test(label.replace(/[^\0-\x7f]/g, "a")));
}

function isIpV6(text: string): boolean {
  return text.length <= 45 && /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`);
}

function isAbsolute(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i.test(text) && URL.canParse(text);
}
