/** How many characters a call of `String.fromCharCode` gets at once: engines bound the number of arguments. */
const CHUNK = 8_192;

/** Bytes as base64, so that a snapshot can hold them. */
export function toBase64(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK) {
    // Spreading the bytes is a dozen times slower.
    chunks.push(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(start, start + CHUNK)));
  }
  return btoa(chunks.join(""));
}

/** The bytes of a base64 text. */
export function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
