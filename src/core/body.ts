/** A body's pieces as one. */
export function joined(pieces: readonly ArrayBufferView[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.byteLength, 0));
  let offset = 0;
  for (const { buffer, byteOffset, byteLength } of pieces) {
    // An injected fetch may give views of any kind, and take the bytes of one back: then it has none.
    if (byteLength > 0) bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    offset += byteLength;
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
