/** How many characters a call of `String.fromCharCode` gets at once: engines bound the number of arguments. */
const CHUNK = 8_192;

/** Bytes as base64, so that a snapshot can hold them. */
export function toBase64(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK) {
    chunks.push(String.fromCharCode(...bytes.subarray(start, start + CHUNK)));
  }
  return btoa(chunks.join(""));
}

/** The bytes of a base64 text. */
export function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
