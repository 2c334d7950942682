import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";

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

  /** Cancels the source. */
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
