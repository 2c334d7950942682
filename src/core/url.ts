import { ValidationError } from "../errors/local.js";
import type { AnyInput } from "./endpoint.js";

/**
 * The address of a call under the base URL. Each path parameter becomes exactly one segment, whatever it holds.
 *
 * @param path - The endpoint's, with its parameters still to be filled in.
 * @throws {ValidationError} for a value that cannot be one segment or one query value. Nothing was sent.
 */
export function addressOf(operation: string, path: string, { params, query }: AnyInput): string {
  if (!path.startsWith("/")) {
    throw new ValidationError(operation, "the endpoint's path must begin with /: it would reach another host.");
  }
  // By hand: every call comes through here, and a pattern with a callback costs four times as much.
  let address = "";
  let end = 0;
  for (let open = path.indexOf("{"); open !== -1; open = path.indexOf("{", end)) {
    const close = path.indexOf("}", open);
    if (close === -1) break;
    const name = path.slice(open + 1, close);
    address += path.slice(end, open) + segment(operation, name, params?.[name]);
    end = close + 1;
  }
  address += path.slice(end);
  const pairs = query && queryString(operation, query);
  return pairs ? `${address}?${pairs}` : address;
}

function segment(operation: string, name: string, value: unknown): string {
  const refuse = (problem: string) => new ValidationError(operation, `the path parameter ${name} ${problem}.`);
  if (typeof value !== "string") throw refuse(`must be a text, not ${value === null ? "null" : typeof value}`);
  if (value === "") throw refuse("is empty: the request would reach another address");
  // URL parsers resolve these even where they are percent-encoded.
  if (value === "." || value === "..") throw refuse('must not be "." or ".."');
  return encode(value, refuse);
}

function encode(value: string, refuse: (problem: string) => ValidationError): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw refuse("holds half of a surrogate pair, which is no character");
  }
}

/**
 * Query rules of the service: arrays joined by commas, objects as `name[key]`, null as an empty text, undefined left out.
 * See assumption A1.
 */
function queryString(operation: string, query: object): string {
  const pairs: string[] = [];
  const add = (name: string, value: unknown) => {
    const refuse = (problem: string) => new ValidationError(operation, `the query parameter ${name} ${problem}.`);
    pairs.push(`${encode(name, refuse)}=${encode(queryText(value, refuse), refuse)}`);
  };
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) {
      const refuse = (problem: string) => new ValidationError(operation, `the query parameter ${name} ${problem}.`);
      if (value.length === 0) throw refuse("is an empty list, which would not filter at all: leave it out instead");
      const texts = value.map((item) => queryText(item, refuse));
      // A comma inside an item would split it; several parameters say the same without the doubt.
      if (texts.some((text) => text.includes(","))) for (const text of texts) add(name, text);
      else add(name, texts.join(","));
    } else if (isPlainObject(value)) {
      for (const [key, item] of Object.entries(value)) if (item !== undefined) add(`${name}[${key}]`, item);
    } else {
      add(name, value);
    }
  }
  return pairs.join("&");
}

/** A `Date` or a `Map` has no fields of its own: taken for an object of parameters, it would vanish. */
function isPlainObject(value: unknown): value is object {
  return Object.prototype.toString.call(value) === "[object Object]";
}

function queryText(value: unknown, refuse: (problem: string) => ValidationError): string {
  if (value === null) return "";
  if (typeof value === "string" || typeof value === "boolean") return String(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  throw refuse(`cannot be sent: it must be a text, a finite number or a boolean, not ${String(typeof value)}`);
}
