import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";

/** A request body as undici takes it. */
export type SentBody = string | Uint8Array | Readable;

/** The largest body that is collected to find out its length, in bytes. */
const MAX_COLLECTED_BYTES = 1024 * 1024;

/** The body of a `Request`, which does not say how long it is. */
export class RequestStream {
  readonly #reader: ReadableStreamDefaultReader<unknown>;

  constructor(stream: ReadableStream) {
    this.#reader = stream.getReader();
  }

  /** Collects a body that is there already, so that its length is sent. A body that is still being made stays a stream. */
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

  /** Tells the source that no more is wanted. */
  cancel(): void {
    // The source may fail at that, and has been given up already.
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
    throw new TypeError("The request body has a piece that is not a Uint8Array.");
  }
}
