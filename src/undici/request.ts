import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";

export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
  readonly signal: AbortSignal | null | undefined;
  /** The arguments: the signal of a `Request` follows the one that it was made with only while the `Request` lives. */
  readonly given?: readonly unknown[];
}

/** Options that need no conversion. */
interface PlainInit extends RequestInit {
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | null;
}

const ENCODINGS = "gzip, deflate, br";

/**
 * Reads the arguments of a `fetch`.
 *
 * @throws {TypeError} as `new Request` does.
 */
export function readRequest(input: Request | string | URL, init?: RequestInit): SentRequest {
  if (!(input instanceof Request)) {
    const url = new URL(input);
    if (isPlain(url, init)) {
      const { method = "GET", headers = {}, body = null, signal } = init ?? {};
      return { method, url, headers: listOf(Object.entries(headers), typeof body === "string"), body, signal };
    }
  }
  // Anything else is read as the standard says.
  const request = input instanceof Request && init === undefined ? input : new Request(input, init);
  if (request.bodyUsed) throw new TypeError("The body of the request was already read.");
  const { method, body } = request;
  const headers = listOf([...request.headers], false);
  // Not the new request's, for the same reason.
  const signal = init?.signal === undefined && input instanceof Request ? input.signal : init?.signal;
  return { method, url: new URL(request.url), headers, body, signal, given: [input, init] };
}

/** Whether the arguments mean the same without a `Request`, which costs as much as the rest of sending. */
function isPlain({ username, password }: URL, init?: RequestInit): init is PlainInit | undefined {
  const { method = "GET", headers = {}, body = null } = init ?? {};
  if (username !== "" || password !== "" || Object.getPrototypeOf(headers) !== Object.prototype) return false;
  if (!Object.entries(headers).every(isNormal)) return false;
  if (body === null) return /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method);
  return /^(POST|PUT|PATCH|DELETE)$/.test(method) && (typeof body === "string" || body instanceof Uint8Array);
}

/** Whether `Headers` would keep a header as it is. It joins names that differ in case, and trims values. */
function isNormal([name, value]: readonly [name: string, value: unknown]): boolean {
  return typeof value === "string" && !/^[\t\n\r ]|[\t\n\r ]$/.test(value) && name === name.toLowerCase();
}

function listOf(entries: readonly (readonly [name: string, value: string])[], isText: boolean): string[] {
  const list: string[] = [];
  let needsType = isText;
  let needsEncoding = true;
  // The names are in lower case. See isNormal.
  for (const [name, value] of entries) {
    if (name === "content-type") needsType = false;
    if (name === "accept-encoding") needsEncoding = false;
    // As in the built-in fetch, the URL names the host.
    if (name !== "host") list.push(name, value);
  }
  if (needsType) list.push("content-type", "text/plain;charset=UTF-8");
  if (needsEncoding) list.push("accept-encoding", ENCODINGS);
  return list;
}

/** A request body as undici takes it. */
export type SentBody = string | Uint8Array | Readable;

/** The largest body that is collected to find out its length, in bytes. */
const MAX_COLLECTED_BYTES = 1024 * 1024;

/** The body of a `Request`, whose length isn't known. */
export class RequestStream {
  readonly #reader: ReadableStreamDefaultReader<unknown>;

  constructor(stream: ReadableStream) {
    this.#reader = stream.getReader();
  }

  /**
   * Collects a body that is already complete, so that its length is sent. One that is still being produced stays a
   * stream.
   */
  async open(): Promise<SentBody> {
    const pieces: Uint8Array[] = [];
    for (let length = 0; length <= MAX_COLLECTED_BYTES; ) {
      const next = this.#read();
      const piece = await Promise.race([next, setImmediate("late" as const)]);
      if (piece === "late") return Readable.from(this.#rest(pieces, next), { objectMode: false });
      if (piece === undefined) return Buffer.concat(pieces);
      pieces.push(piece);
      length += piece.byteLength;
    }
    return Readable.from(this.#rest(pieces, this.#read()), { objectMode: false });
  }

  cancel(): void {
    // The source may fail here, but it is no longer needed.
    this.#reader.cancel().catch(() => undefined);
  }

  async *#rest(pieces: readonly Uint8Array[], next: Promise<Uint8Array | undefined>): AsyncGenerator<Uint8Array> {
    yield* pieces;
    for (let piece = await next; piece !== undefined; piece = await this.#read()) yield piece;
  }

  async #read(): Promise<Uint8Array | undefined> {
    const { value, done } = await this.#reader.read();
    if (done) return undefined;
    if (value instanceof Uint8Array) return value;
    throw new TypeError("The request body has a piece that isn't a Uint8Array.");
  }
}
