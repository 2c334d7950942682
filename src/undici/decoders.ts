import { Transform, type TransformCallback } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type Inflate,
  type InflateRaw,
} from "node:zlib";

/** As many as undici's own `fetch` accepts: a longer chain is an attack. */
const MAX_ENCODINGS = 5;

// Truncated ends are accepted, as in browsers and curl.
const LENIENT = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const LENIENT_BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(LENIENT),
  "x-gzip": () => createGunzip(LENIENT),
  deflate: () => new AnyInflate(),
  br: () => createBrotliDecompress(LENIENT_BROTLI),
};

/**
 * Creates the decoders of a `content-encoding`, the one that takes the bytes first. None if one of the encodings is
 * unknown: then the body is passed on as it is.
 *
 * @throws if there are too many.
 */
export function decodersOf(contentEncoding: string | null): Transform[] {
  if (contentEncoding === null) return [];
  const names = contentEncoding.toLowerCase().split(",");
  if (names.length > MAX_ENCODINGS) {
    throw new Error(`The response has ${names.length} content encodings. At most ${MAX_ENCODINGS} are decoded.`);
  }
  const known = names.map((name) => (Object.hasOwn(DECODERS, name.trim()) ? DECODERS[name.trim()] : undefined));
  return known.includes(undefined) ? [] : known.toReversed().flatMap((create) => create?.() ?? []);
}

/**
 * Inflates both formats that servers call `deflate`: zlib's, which is correct, and the raw one. The first byte shows
 * which.
 */
class AnyInflate extends Transform {
  #inflate: Inflate | InflateRaw | undefined;

  override _transform(chunk: Buffer, encoding: BufferEncoding, callback: TransformCallback): void {
    this.#inflate ??= this.#create(chunk);
    this.#inflate.write(chunk, encoding, callback);
  }

  override _read(size: number): void {
    this.#inflate?.resume();
    super._read(size);
  }

  override _final(callback: (error?: Error | null) => void): void {
    if (this.#inflate) this.#inflate.once("end", callback).end();
    else callback();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#inflate?.destroy();
    callback(error);
  }

  #create(chunk: Buffer): Inflate | InflateRaw {
    const isZlib = ((chunk[0] ?? 0) & 0x0f) === 0x08;
    const inflate = isZlib ? createInflate(LENIENT) : createInflateRaw(LENIENT);
    inflate.on("data", (piece: Buffer) => {
      if (!this.push(piece)) inflate.pause();
    });
    inflate.on("error", (error) => this.destroy(error));
    return inflate;
  }
}
