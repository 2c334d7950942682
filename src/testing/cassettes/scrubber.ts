import { CREDENTIALS } from "../../client/endpoint.js";
import { parseJson } from "../../shared/json.js";
import { secretsIn } from "../../shared/redact.js";
import { scrubBase64 } from "./base64.js";
import { type Exchange, jsonOf, type RecordedBody } from "./cassette.js";
import { type Kind, kindOfName, kindOfParameter, mapLeaves, type Place } from "./fields.js";
import { type Needle, type Pseudonyms, replacing } from "./pseudonyms.js";

const CREDENTIAL_HEADERS: readonly string[] = Object.values(CREDENTIALS).map(({ header }) => header);

/**
 * Request headers that are recorded. A credential is replaced; others may contain anything, so they aren't recorded.
 */
const REQUEST_HEADERS = ["content-type", ...CREDENTIAL_HEADERS];

/**
 * Response headers that are recorded. Not those of the rate limit: the client would wait for a window that is over, and
 * the limit isn't the replayed program's.
 */
const RESPONSE_HEADERS = ["content-type", "retry-after", "x-request-id", "x-should-retry"];

/** The instance of an MCP server in a path: a user has one per server, and may be named instead of its id. */
const INSTANCE = /(\/instances\/)([^/?]+)/;

/** Replaces the credentials and users of one exchange with marks, and adds those that its fields contain to `names`. */
export class Scrubber {
  readonly #names: Pseudonyms;
  readonly #within: (text: string) => string;

  /** @param present values to replace wherever they occur. */
  constructor(names: Pseudonyms, present: readonly Needle[]) {
    this.#names = names;
    this.#within = replacing(present);
  }

  exchange({ request, response }: Exchange): Exchange {
    const [pathname = ""] = request.path.split("?");
    const place: Place = { path: pathname, sent: jsonOf(request) };
    const path = this.#text(request.path).replace(
      INSTANCE,
      (_, start: string, id: string) => start + this.#names.at("user", decoded(id)),
    );
    return {
      request: {
        method: request.method,
        path,
        headers: this.#headers(request.headers, REQUEST_HEADERS),
        ...this.#body(request, place),
      },
      response: {
        status: response.status,
        headers: this.#headers(response.headers, RESPONSE_HEADERS),
        ...this.#body(response, place),
      },
    };
  }

  #headers(headers: Readonly<Record<string, string>>, recorded: readonly string[]): Record<string, string> {
    for (const secret of secretsIn(headers)) {
      // A cookie's or credential's value may be echoed without its name.
      for (const part of [secret, ...secret.split(/[;,]\s*/).map((pair) => pair.slice(pair.indexOf("=") + 1))]) {
        if (part.length >= 6) this.#names.at("secret", part);
      }
    }
    return Object.fromEntries(
      recorded.flatMap((name) => {
        const value = headers[name];
        if (value === undefined) return [];
        return [[name, CREDENTIAL_HEADERS.includes(name) ? this.#names.at("secret", value) : this.#text(value)]];
      }),
    );
  }

  #body(recorded: RecordedBody, place: Place): RecordedBody {
    const { text, base64 } = recorded;
    if (base64 !== undefined) return { base64: scrubBase64(base64, this.#within) };
    const json = jsonOf(recorded);
    if (json === undefined) return text === undefined ? {} : { text: this.#plainBody(text, place) };
    const scrubbed = this.#json(json, place);
    // Whitespace and escapes stay as they were if nothing else in the text could tell more than the parsed value.
    const isSame = JSON.stringify(scrubbed) === JSON.stringify(json);
    return text !== undefined && isSame && compact(text) === JSON.stringify(json) ? { text } : { json: scrubbed };
  }

  /** A body that isn't JSON: a form, or lines with JSON, such as server-sent events. */
  #plainBody(text: string, place: Place): string {
    const lines = text.replace(/^(data: ?)?([[{].*)$/gm, (_, start: string | undefined, line: string) => {
      return (start ?? "") + this.#embedded(line, place);
    });
    return this.#text(/^[^\s=&{}]+=/.test(lines) ? this.#form(lines, kindOfName) : lines);
  }

  #json(value: unknown, place: Place): unknown {
    return mapLeaves(value, place, (leaf, kind) => this.#leaf(leaf, kind, place), this.#within);
  }

  #leaf(value: string | number, kind: Kind | undefined, place: Place): unknown {
    if (value === "") return value;
    const text = String(value);
    if (kind === undefined) return typeof value === "number" ? value : this.#text(this.#embedded(text, place));
    if (kind === "url") return this.#origin(text);
    // URLs of a user's MCP server are named like user ids.
    return kind === "user" && isUrl(text) ? this.#text(text) : this.#names.at(kind, text);
  }

  /** JSON in a string, such as the result of an MCP tool. Stays as it was if it contains nothing to replace. */
  #embedded(text: string, place: Place): string {
    const json = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
    if (typeof json !== "object") return text;
    const scrubbed = JSON.stringify(this.#json(json, place));
    return scrubbed === JSON.stringify(json) ? text : scrubbed;
  }

  /**
   * Free text: known values, and what its URLs contain. Known values are removed before URLs, because parts of them may
   * be credentials.
   */
  #text(text: string): string {
    return this.#within(text)
      .replace(
        /[?#][^\s"'<>\\?#]+=[^\s"'<>\\?#]*/g,
        (query) => query.charAt(0) + this.#form(query.slice(1), kindOfParameter),
      )
      .replace(
        /(https?:\/\/[^/\s:@]*:)([^/\s@]+)@/gi,
        (_, start: string, password: string) => `${start}${this.#names.at("secret", decoded(password))}@`,
      );
  }

  /** Keeps the origin of a URL that works without a key, so that programs can still read it. */
  #origin(text: string): string {
    const url = URL.canParse(text) && isUrl(text) ? new URL(text) : undefined;
    if (!url) return this.#names.at("secret", text);
    const rest = (url.pathname + url.search + url.hash).slice(1);
    return rest === "" ? url.origin : `${url.origin}/${this.#names.at("secret", rest)}`;
  }

  /** Form data, such as a query. Parts without a value stay as they are. */
  #form(text: string, kindOf: (name: string) => Kind | undefined): string {
    return text
      .split("&")
      .map((part) => {
        const mark = part.indexOf("=");
        const [name, value] = [decoded(part.slice(0, mark)), decoded(part.slice(mark + 1))];
        const scrubbed = mark === -1 || value === "" ? value : this.#parameter(kindOf(name), value);
        if (scrubbed === value) return part;
        return `${part.slice(0, mark)}=${encodeURIComponent(scrubbed).replaceAll("%2C", ",")}`;
      })
      .join("&");
  }

  #parameter(kind: Kind | undefined, value: string): string {
    if (kind === "url") return this.#origin(value);
    if (kind === undefined) return this.#text(value);
    // Filters take several ids, separated by commas.
    return (kind === "user" ? value.split(",") : [value]).map((one) => this.#names.at(kind, one)).join(",");
  }
}

function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
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
