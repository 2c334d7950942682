import { isObject } from "../../shared/json.js";
import { bytesOf, restoreBase64, SCRUBBED_BASE64, scrubbedBytes } from "./base64.js";
import { type Exchange, jsonOf, type RecordedRequest } from "./cassette.js";
import { PSEUDONYM, plain } from "./pseudonyms.js";

/** Values of the replayed program, by the pseudonym that the cassette has in their places. */
export type Bindings = ReadonlyMap<string, string>;

/** The replacements of values in a cassette: pseudonyms, and base64 with pseudonyms. */
const SCRUBBED = new RegExp(`${SCRUBBED_BASE64}|${PSEUDONYM.source}`, "g");

/** The path of a signed URL, which is recorded without its host and its real path. */
const SIGNED_URL = /^\/scrubbed-secret-\d+_?$/;

/**
 * Compares a request with a recorded one. A pseudonym matches any value, and always the same one.
 *
 * @param ignoresBody whether only method, path, and query have to be equal.
 * @returns The differences, with what was recorded, never with a sent value. If they match, the values that the
 *   pseudonyms of the recorded request stand for.
 */
export function compare(
  recorded: RecordedRequest,
  sent: RecordedRequest,
  bindings: Bindings,
  ignoresBody: boolean,
): { readonly differences: readonly string[]; readonly bindings: Bindings } {
  const matcher = new Matcher(bindings);
  if (recorded.method !== sent.method) matcher.differences.push(`method: recorded ${recorded.method}`);
  const [then, now] = [partsOf(recorded.path), partsOf(sent.path)];
  // The program takes a signed URL from a recorded response, in which it has the same pseudonym.
  if (SIGNED_URL.test(then.pathname)) matcher.same("path", then.pathname, now.pathname);
  else matcher.text("path", then.pathname, now.pathname);
  matcher.value("query", then.query, now.query);
  const body = ignoresBody ? new Matcher(matcher.bindings) : matcher;
  const json = jsonOf(recorded);
  if (json === undefined) body.text("body", contentOf(recorded), contentOf(sent));
  else body.value("body", json, jsonOf(sent));
  // A body that is ignored still tells which users are meant, if it's the recorded one.
  const known = body.differences.length === 0 ? body.bindings : matcher.bindings;
  return { differences: matcher.differences, bindings: known };
}

function contentOf({ text, base64 }: RecordedRequest): string {
  return text ?? base64 ?? "";
}

/** Parts of a path with its query, decoded. The order of different parameters doesn't matter. */
function partsOf(path: string): { readonly pathname: string; readonly query: Readonly<Record<string, string[]>> } {
  const url = new URL(path, "http://cassette.invalid");
  const names = [...new Set(url.searchParams.keys())].sort();
  return {
    pathname: url.pathname,
    query: Object.fromEntries(names.map((name) => [name, url.searchParams.getAll(name)])),
  };
}

class Matcher {
  readonly differences: string[] = [];
  readonly bindings: Map<string, string>;

  constructor(bindings: Bindings) {
    this.bindings = new Map(bindings);
  }

  value(place: string, recorded: unknown, sent: unknown): void {
    if (typeof recorded === "string" && (typeof sent === "string" || typeof sent === "number")) {
      this.text(place, recorded, String(sent));
    } else if (Array.isArray(recorded) && Array.isArray(sent) && recorded.length === sent.length) {
      for (const [index, item] of recorded.entries()) this.value(`${place}[${index}]`, item, sent[index]);
    } else if (isObject(recorded) && isObject(sent)) {
      const filled = Object.fromEntries(
        Object.entries(recorded).map(([key, part]) => [fill(key, this.bindings), part]),
      );
      for (const key of new Set([...Object.keys(filled), ...Object.keys(sent)])) {
        this.value(`${place}.${key}`, filled[key], sent[key]);
      }
    } else if (JSON.stringify(recorded) !== JSON.stringify(sent)) {
      this.#differ(place, recorded);
    }
  }

  same(place: string, recorded: string, sent: string): void {
    if (recorded !== sent) this.#differ(place, recorded);
  }

  text(place: string, recorded: string, sent: string): void {
    if (!this.#matches(recorded, sent, (value) => value)) this.#differ(place, recorded);
  }

  /** @param read makes a value of what is in the place of a pseudonym. */
  #matches(recorded: string, sent: string, read: (found: string) => string): boolean {
    if (recorded === sent) return true;
    const pieces = recorded.match(SCRUBBED) ?? [];
    const between = recorded.split(SCRUBBED).map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
    const found = pieces.length > 0 ? new RegExp(`^${between.join("(.+?)")}$`, "s").exec(sent) : null;
    if (found === null) return false;
    return pieces.every((piece, index) => {
      const [bytes, value = ""] = [scrubbedBytes(piece), found[index + 1]];
      return bytes === undefined
        ? this.#bind(nameOf(piece), read(value))
        : this.#matches(bytes, bytesOf(value), textOf);
    });
  }

  /**
   * Returns false if the value would make two users one, or one user two. A credential may differ from the recorded
   * one.
   */
  #bind(name: string, value: string): boolean {
    const known = this.bindings.get(name);
    if (name.startsWith("scrubbed-secret")) {
      if (known === undefined) this.bindings.set(name, value);
      return true;
    }
    if (known !== undefined) {
      // The recorder gives a value one name, however it is encoded. The shortest form isn't.
      if (!isSame(known, value)) return false;
      if (value.length < known.length) this.bindings.set(name, value);
      return true;
    }
    const isTaken = [...this.bindings].some(([other, one]) => other.startsWith("scrubbed-user") && isSame(one, value));
    if (!isTaken) this.bindings.set(name, value);
    return !isTaken;
  }

  #differ(place: string, recorded: unknown): void {
    const shown = JSON.stringify(recorded)?.slice(0, 80);
    this.differences.push(`${place}: ${shown === undefined ? "not recorded" : `recorded ${shown}`}`);
  }
}

/** Whether two strings are one value, in whichever encoding. Forms write a space as a plus sign. */
function isSame(one: string, other: string): boolean {
  return one === other || plain(one).replaceAll("+", " ") === plain(other).replaceAll("+", " ");
}

/** The text of UTF-8 bytes. */
function textOf(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}

/** Replaces pseudonyms with the values they stand for, as far as they are known. */
export function fill(text: string, bindings: Bindings): string {
  return text.replace(SCRUBBED, (piece) => bindings.get(nameOf(piece)) ?? fillBase64(piece, bindings));
}

/** A pseudonym without the underscore that separates it from the text after it. */
function nameOf(pseudonym: string): string {
  return pseudonym.replace(/_$/, "");
}

function fillBase64(piece: string, bindings: Bindings): string {
  const bytes = scrubbedBytes(piece);
  if (bytes === undefined) return piece;
  const filled = bytes.replace(SCRUBBED, (inner) => {
    const value = bindings.get(nameOf(inner));
    return value === undefined ? fillBase64(inner, bindings) : Buffer.from(value).toString("latin1");
  });
  return restoreBase64(piece, filled);
}

/** As {@link fill}, in each string of a JSON value. */
export function fillValue(value: unknown, bindings: Bindings): unknown {
  if (typeof value === "string") return fill(value, bindings);
  if (Array.isArray(value)) return value.map((item) => fillValue(item, bindings));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [fill(key, bindings), fillValue(part, bindings)]),
  );
}

/** The recorded request that is most like another, with the differences. */
export function nearest(
  exchanges: readonly Exchange[],
  sent: RecordedRequest,
  bindings: Bindings,
  ignoresBody: boolean,
): { readonly number: number; readonly request: RecordedRequest; readonly differences: readonly string[] } | undefined {
  const ranked = exchanges.map(({ request }, index) => {
    const { differences } = compare(request, sent, bindings, ignoresBody);
    return { number: index + 1, request, differences, distance: distanceOf(request, sent, differences.length) };
  });
  return ranked.sort((one, other) => one.distance - other.distance)[0];
}

/** Another path is further away than any body, and the more so, the fewer segments are the same. */
function distanceOf(recorded: RecordedRequest, sent: RecordedRequest, differences: number): number {
  const [then, now] = [recorded.path, sent.path].map((path) => path.split("?")[0]?.split("/") ?? []);
  const others = now?.filter((segment, index) => segment !== then?.[index]).length ?? 0;
  const length = Math.abs((then?.length ?? 0) - (now?.length ?? 0));
  return (others + length) * 1_000 + (recorded.method === sent.method ? 0 : 500) + Math.min(differences, 400);
}
