/// <reference lib="es2024.string" />

/** Whether a string can be encoded as UTF-8. Half a surrogate pair can't: encoders replace it with U+FFFD. */
export const isWellFormed = (text: string): boolean => text.isWellFormed();

const encoder = new TextEncoder();

/** The UTF-8 bytes of a string; bytes unchanged. */
export function bytesOf<Bytes extends Uint8Array>(value: string | Bytes): Bytes | Uint8Array<ArrayBuffer> {
  return typeof value === "string" ? encoder.encode(value) : value;
}

/** The bytes behind a view or a buffer; `undefined` for anything else. */
export function viewOf(value: unknown): Uint8Array | undefined {
  // By shape, and into a new view: bytes from another realm (Jest, vm) aren't instances of this realm's Uint8Array.
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  // Only an ArrayBuffer has this tag.
  if (Object.prototype.toString.call(value) === "[object ArrayBuffer]") return new Uint8Array(value as ArrayBuffer);
  return undefined;
}

/** The bytes of canonical base64; otherwise `undefined`. Different strings never decode to the same bytes. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    const binary = atob(text);
    // Reject whitespace, missing padding and unused bits in the last character: only one encoding is canonical.
    if (btoa(binary) !== text) return undefined;
    // A loop: `Uint8Array.from` takes a second for a few megabytes, and anyone may send them.
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
    return bytes;
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A body as a string; `undefined` if it isn't valid UTF-8. */
export function textOf(body: string | Uint8Array): string | undefined {
  if (typeof body === "string") return isWellFormed(body) ? body : undefined;
  try {
    return decoder.decode(body);
  } catch {
    return undefined;
  }
}
