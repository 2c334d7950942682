import type { Transform } from "node:stream";

/** The source of the bytes. It can be paused. */
interface Source {
  pause(): unknown;
  resume(): unknown;
}

/** Callbacks of a body. Only one of them is called, once. */
interface Reports {
  readonly onEnd: () => void;
  readonly onCancel: () => void;
  readonly onError: (error: unknown) => void;
}

/** How many bytes are buffered before the connection is paused. */
const HIGH_WATER_MARK = 64 * 1024;

/** The body of a response as a stream, decompressed. It never buffers much more than {@link HIGH_WATER_MARK}. */
export class ResponseBody {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly #connection: Source;
  readonly #decoders: readonly Transform[];
  readonly #source: Source;
  readonly #reports: Reports;
  #output: ReadableByteStreamController | undefined;
  #hasBytes = false;

  constructor(connection: Source, decoders: readonly Transform[], reports: Reports) {
    this.#connection = connection;
    this.#decoders = decoders;
    this.#source = decoders.at(-1) ?? connection;
    this.#reports = reports;
    this.stream = new ReadableStream(
      {
        type: "bytes",
        start: (controller) => {
          this.#output = controller;
        },
        pull: () => void this.#source.resume(),
        cancel: () => {
          this.#destroy();
          reports.onCancel();
        },
      },
      { highWaterMark: HIGH_WATER_MARK },
    );
    if (decoders.length > 0) this.#connect();
  }

  /** Takes bytes from the connection. */
  write(chunk: Uint8Array): void {
    this.#hasBytes = true;
    const [first] = this.#decoders;
    if (!first) this.#put(chunk);
    else if (!first.write(chunk)) this.#connection.pause();
  }

  /** Takes the end of the bytes. */
  finish(): void {
    const [first] = this.#decoders;
    // Decoders take no bytes at all for a broken beginning.
    if (first && this.#hasBytes) first.end();
    else this.#close();
  }

  /** Breaks the stream off. */
  fail(reason: unknown): void {
    this.#destroy();
    this.#output?.error(reason);
    this.#output = undefined;
  }

  #connect(): void {
    for (const [index, decoder] of this.#decoders.entries()) {
      decoder.on("error", (error) => this.#reports.onError(error));
      this.#decoders[index - 1]?.pipe(decoder);
    }
    this.#decoders[0]?.on("drain", () => this.#connection.resume());
    this.#decoders.at(-1)?.on("data", (piece: Buffer) => this.#put(piece));
    this.#decoders.at(-1)?.on("end", () => this.#close());
  }

  #put(piece: Uint8Array): void {
    if (!this.#output || piece.byteLength === 0) return;
    // Copy it: a byte stream takes over the memory, but several pieces share one read from the socket.
    this.#output.enqueue(new Uint8Array(piece));
    if ((this.#output.desiredSize ?? 0) <= 0) this.#source.pause();
  }

  #close(): void {
    const output = this.#output;
    this.#output = undefined;
    output?.close();
    // A reader with its own buffer gets the end only through this.
    output?.byobRequest?.respond(0);
    this.#destroy();
    this.#reports.onEnd();
  }

  #destroy(): void {
    for (const decoder of this.#decoders) decoder.destroy();
  }
}

interface ReceivedParts {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
}

/** A `Response` as `fetch` returns it. The constructor takes no URL, no odd status and no odd reason phrase. */
export class ReceivedResponse extends Response {
  override readonly type = "basic";
  override readonly url: string;
  override readonly status: number;
  override readonly statusText: string;

  constructor({ url, status, statusText, headers, body }: ReceivedParts) {
    super(body, { status: Math.min(status, 599), headers });
    this.url = url;
    this.status = status;
    this.statusText = statusText;
  }

  override clone(): Response {
    const { body, headers } = super.clone();
    const { url, status, statusText } = this;
    return new ReceivedResponse({ url, status, statusText, headers, body });
  }
}
