import { CREDENTIALS } from "../../core/endpoint.js";
import { patternOf, secretsIn } from "../../core/redact.js";
import { type Exchange, jsonOf, type RecordedBody } from "./cassette.js";
import { type Kind, kindOfName, mapLeaves, type Place } from "./fields.js";

/** What replaces a value, numbered in order of appearance: `scrubbed-user-1`, `scrubbed-secret-2`. */
export const PSEUDONYM = /scrubbed-(?:user|secret)-\d+/g;

/** Request headers that are recorded. A credential is replaced; others may contain anything, so they aren't recorded. */
const REQUEST_HEADERS = ["content-type", ...Object.values(CREDENTIALS).map(({ header }) => header)];

/**
 * Response headers that are recorded. Not those of the rate limit: the client would wait for a window that is over, and the
 * limit isn't the replayed program's.
 */
const RESPONSE_HEADERS = ["content-type", "location", "retry-after", "x-request-id", "x-should-retry"];

/** The instance of an MCP server in a path: a user has one per server, and may be named instead of its id. */
const INSTANCE = /(\/instances\/)([^/?]+)/;

/** Removes every credential and user id from exchanges, the same value in the same way everywhere. */
export function scrub(exchanges: readonly Exchange[]): Exchange[] {
  const names = new Pseudonyms();
  for (const exchange of exchanges) visit(exchange, names, false);
  return exchanges.map((exchange) => visit(exchange, names, true));
}

/** The values found so far, with their pseudonyms. */
class Pseudonyms {
  readonly #byValue = new Map<string, string>();
  readonly #anywhere = new Map<string, string>();
  readonly #counts = { user: 0, secret: 0 };
  #pattern: RegExp | undefined;
  #order: string[] = [];

  /** The pseudonym of a value at a place that marks it. */
  at(kind: "user" | "secret", value: string): string {
    // Masked by the service, or replaced before.
    if (MASKED.test(value) || value.replace(PSEUDONYM, "") === "") return value;
    const key = `${kind} ${value}`;
    const known = this.#byValue.get(key);
    if (known !== undefined) return known;
    this.#counts[kind] += 1;
    const name = `scrubbed-${kind}-${this.#counts[kind]}`;
    this.#byValue.set(key, name);
    if (isTelling(kind, value) && !this.#anywhere.has(value)) {
      this.#anywhere.set(value, name);
      this.#pattern = undefined;
    }
    return name;
  }

  /** Replaces the values in a string, however they are encoded there. */
  within(text: string): string {
    if (this.#anywhere.size === 0) return text;
    // The longest first: one value may be the beginning of another.
    this.#order = this.#pattern ? this.#order : [...this.#anywhere.keys()].sort((a, b) => b.length - a.length);
    this.#pattern ??= new RegExp(this.#order.map((value) => `(${formsOf(value)})`).join("|"), "gi");
    return text.replace(this.#pattern, (...match: unknown[]) => {
      const found = match.slice(1).findIndex((group) => group !== undefined);
      return this.#anywhere.get(this.#order[found] ?? "") ?? "scrubbed-secret-0";
    });
  }
}

/** How the service shows credentials in responses. */
const MASKED = /^(.{4}\.\.\.|REDACTED)$/s;

/** Whether a value is replaced wherever it occurs. Short values and plain words would blank out others. */
function isTelling(kind: "user" | "secret", value: string): boolean {
  if (kind === "user") return value.length >= 4 && !/^[a-z]+$/i.test(value);
  return value.length >= 6 && !/^https?:\/\/[^/]*\/?$/.test(value);
}

/** The source of a pattern that finds a value in its usual encodings. */
function formsOf(value: string): string {
  // Every ASCII character, and none other.
  if (/^[\0-\x7f]*$/.test(value)) return patternOf(value);
  const escaped = value.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const utf8 = Buffer.from(value);
  const forms = [value, escaped, JSON.stringify(value).slice(1, -1), encodeURIComponent(toWellFormed(value))];
  return [...forms, utf8.toString("base64").replace(/=+$/, ""), utf8.toString("latin1")]
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"))
    .join("|");
}

/** Without halves of surrogate pairs, which can't be encoded. */
function toWellFormed(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

/** An exchange without what `names` knows. In the first pass, `replaces` is false: it only finds values. */
function visit({ request, response }: Exchange, names: Pseudonyms, replaces: boolean): Exchange {
  const [pathname = ""] = request.path.split("?");
  const place: Place = { path: pathname, sent: jsonOf(request) };
  const within = (text: string) => (replaces ? names.within(text) : text);
  // Values that are known as a whole come first: parts of them may be credentials, too.
  const cleanUrls = (text: string) => withoutSecretsInUrls(within(text), names);
  const body = (recorded: RecordedBody) => scrubBody(recorded, place, names, cleanUrls, within);
  return {
    request: {
      method: request.method,
      path: scrubQuery(within(request.path), names).replace(
        INSTANCE,
        (_, start: string, id: string) => start + names.at("user", decoded(id)),
      ),
      headers: headersOf(request.headers, REQUEST_HEADERS, names, cleanUrls),
      ...body(request),
    },
    response: {
      status: response.status,
      headers: headersOf(response.headers, RESPONSE_HEADERS, names, cleanUrls),
      ...body(response),
    },
  };
}

function headersOf(
  headers: Readonly<Record<string, string>>,
  recorded: readonly string[],
  names: Pseudonyms,
  clean: (text: string) => string,
): Record<string, string> {
  for (const secret of secretsIn(headers)) {
    // A cookie's or credential's value may be echoed without its name.
    for (const part of [secret, ...secret.split(/[;,]\s*/).map((pair) => pair.slice(pair.indexOf("=") + 1))]) {
      if (part.length >= 6) names.at("secret", part);
    }
  }
  const credentials: readonly string[] = Object.values(CREDENTIALS).map(({ header }) => header);
  return Object.fromEntries(
    recorded.flatMap((name) => {
      const value = headers[name];
      if (value === undefined) return [];
      return [[name, credentials.includes(name) ? names.at("secret", value) : clean(value)]];
    }),
  );
}

function scrubBody(
  recorded: RecordedBody,
  place: Place,
  names: Pseudonyms,
  clean: (text: string) => string,
  within: (text: string) => string,
): RecordedBody {
  const { text, base64 } = recorded;
  if (base64 !== undefined) {
    const bytes = Buffer.from(base64, "base64").toString("latin1");
    return { base64: Buffer.from(within(bytes), "latin1").toString("base64") };
  }
  const json = jsonOf(recorded);
  if (json === undefined) return text === undefined ? {} : { text: clean(scrubForm(text, names)) };
  const leaf = (value: string | number, kind: Kind | undefined) => scrubLeaf(value, kind, names, clean);
  const scrubbed = mapLeaves(json, place, leaf, within);
  // Whitespace and escapes stay as they were if nothing else in the text could tell more than the parsed value.
  const isSame = JSON.stringify(scrubbed) === JSON.stringify(json);
  return text !== undefined && isSame && compact(text) === JSON.stringify(json) ? { text } : { json: scrubbed };
}

function scrubLeaf(
  value: string | number,
  kind: Kind | undefined,
  names: Pseudonyms,
  clean: (text: string) => string,
): unknown {
  if (value === "" || kind === undefined) return typeof value === "string" ? clean(value) : value;
  const text = String(value);
  if (kind !== "url") return isUrl(text) && kind === "user" ? clean(text) : names.at(kind, text);
  return withoutPath(text, names);
}

function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Keeps the origin of a URL that works without a key, so that programs can still read it. */
function withoutPath(text: string, names: Pseudonyms): string {
  const url = URL.canParse(text) && isUrl(text) ? new URL(text) : undefined;
  if (!url) return names.at("secret", text);
  const rest = (url.pathname + url.search).slice(1);
  return rest === "" ? text : `${url.origin}/${names.at("secret", rest)}`;
}

/** Replaces credentials and user ids in the queries of all URLs in a string, and passwords before their hosts. */
function withoutSecretsInUrls(text: string, names: Pseudonyms): string {
  return text.replace(/https?:\/\/[^\s"'<>\\]+/gi, (url) =>
    scrubQuery(url, names).replace(
      /^(https?:\/\/[^/\s:@]*:)([^/\s@]+)@/i,
      (_, start: string, password: string) => `${start}${names.at("secret", decoded(password))}@`,
    ),
  );
}

/** A path or URL with the values of its query replaced that authorize or name someone. */
function scrubQuery(url: string, names: Pseudonyms): string {
  const mark = url.indexOf("?");
  return mark === -1 ? url : url.slice(0, mark + 1) + scrubForm(url.slice(mark + 1), names);
}

/** Form data, such as a query. Parts without a value stay as they are. */
function scrubForm(text: string, names: Pseudonyms): string {
  return text
    .split("&")
    .map((part) => {
      const mark = part.indexOf("=");
      const [name, value] = [decoded(part.slice(0, mark)), decoded(part.slice(mark + 1))];
      const scrubbed = mark === -1 || value === "" ? value : scrubParameter(kindOfName(name), value, names);
      return scrubbed === value
        ? part
        : `${part.slice(0, mark)}=${encodeURIComponent(scrubbed).replaceAll("%2C", ",")}`;
    })
    .join("&");
}

function scrubParameter(kind: Kind | undefined, value: string, names: Pseudonyms): string {
  if (kind === "url") return withoutPath(value, names);
  if (kind === undefined) return withoutSecretsInUrls(value, names);
  // Filters take several ids, separated by commas.
  return (kind === "user" ? value.split(",") : [value]).map((one) => names.at(kind, one)).join(",");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** JSON with each string and number in its usual form and without whitespace. Fields that occur twice stay. */
function compact(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|\s+/g,
    (_, string: string | undefined, number: string | undefined) =>
      JSON.stringify(string === undefined ? (number === undefined ? undefined : Number(number)) : JSON.parse(string)) ??
      "",
  );
}
