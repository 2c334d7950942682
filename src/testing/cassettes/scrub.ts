import { CREDENTIALS } from "../../core/endpoint.js";
import { secretsIn } from "../../core/redact.js";
import { type Cassette, type Exchange, jsonOf, type RecordedBody } from "./cassette.js";
import { type Kind, kindOfName, mapLeaves, type Place } from "./fields.js";
import { Haystack, Pseudonyms, replacing } from "./pseudonyms.js";

/** Request headers that are recorded. A credential is replaced; others may contain anything, so they aren't recorded. */
const REQUEST_HEADERS = ["content-type", ...Object.values(CREDENTIALS).map(({ header }) => header)];

/**
 * Response headers that are recorded. Not those of the rate limit: the client would wait for a window that is over, and the
 * limit isn't the replayed program's.
 */
const RESPONSE_HEADERS = ["content-type", "location", "retry-after", "x-request-id", "x-should-retry"];

/** The instance of an MCP server in a path: a user has one per server, and may be named instead of its id. */
const INSTANCE = /(\/instances\/)([^/?]+)/;

interface Recorded {
  readonly raw: Exchange;
  readonly haystack: Haystack;
  scrubbed: Exchange;
}

/** Exchanges without their credentials and user ids. The same value is replaced in the same way in all of them. */
export class ScrubbedExchanges {
  readonly #names = new Pseudonyms();
  readonly #recorded = new Map<number, Recorded>();

  /** Adds an exchange. What it reveals is also replaced in the others. */
  add(index: number, raw: Exchange): void {
    const known = this.#names.needles.length;
    visit(raw, this.#names, (text) => text);
    const revealed = this.#names.needles.slice(known);
    for (const [place, { raw: other, haystack }] of this.#recorded) {
      if (revealed.some((needle) => haystack.mayContain(needle))) this.#scrub(place, other, haystack);
    }
    this.#scrub(index, raw, new Haystack(textOf(raw)));
  }

  /** The content of the file. */
  toString(): string {
    const exchanges = [...this.#recorded].sort(([one], [other]) => one - other).map(([, { scrubbed }]) => scrubbed);
    return this.#names.numbered(`${JSON.stringify({ cassette: 1, exchanges } satisfies Cassette, null, 2)}\n`);
  }

  #scrub(index: number, raw: Exchange, haystack: Haystack): void {
    const present = this.#names.needles.filter((needle) => haystack.mayContain(needle));
    const scrubbed = visit(raw, this.#names, replacing(present));
    this.#recorded.set(index, { raw, haystack, scrubbed });
  }
}

/** Everything in an exchange that can contain a value. */
function textOf({ request, response }: Exchange): string {
  const texts = [request.path, ...Object.values(request.headers), ...Object.values(response.headers)];
  for (const recorded of [request, response]) {
    const add = (text: string | number) => texts.push(String(text));
    if (recorded.text !== undefined) add(recorded.text);
    if (recorded.base64 !== undefined) add(Buffer.from(recorded.base64, "base64").toString("latin1"));
    mapLeaves(jsonOf(recorded), { path: "", sent: undefined }, add, (name) => {
      add(name);
      return name;
    });
  }
  return texts.join("\n");
}

/**
 * An exchange with the marks of values in the places that say what they are. They're added to `names`.
 *
 * @param within replaces values in other places.
 */
function visit({ request, response }: Exchange, names: Pseudonyms, within: (text: string) => string): Exchange {
  const [pathname = ""] = request.path.split("?");
  const place: Place = { path: pathname, sent: jsonOf(request) };
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
