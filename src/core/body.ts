/** A body's pieces as one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.byteLength, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.byteLength;
  }
  return bytes;
}

const decoder = new TextDecoder();

/** A body as text. Decoded as a whole: in pieces it takes the runtimes a multiple of the time. */
export function textOf(pieces: readonly Uint8Array[]): string {
  const [piece, ...others] = pieces;
  if (piece === undefined) return "";
  return decoder.decode(others.length === 0 ? piece : joined(pieces));
}
