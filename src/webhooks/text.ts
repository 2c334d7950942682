/// <reference lib="es2024.string" />

/** Whether a text can be written as UTF-8. A half of a surrogate pair cannot: encoders put U+FFFD in its place. */
export const isWellFormed = (text: string): boolean => text.isWellFormed();

const encoder = new TextEncoder();

/** The UTF-8 of a text; bytes as they are. */
export function bytesOf<Bytes extends Uint8Array>(value: string | Bytes): Bytes | Uint8Array<ArrayBuffer> {
  return typeof value === "string" ? encoder.encode(value) : value;
}

/** The bytes behind a view or a buffer; `undefined` for what is neither. */
export function viewOf(value: unknown): Uint8Array | undefined {
  // By shape, and into a new view: those of another realm (Jest, vm) are no instance of this one's Uint8Array.
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  // A tag of this name is an ArrayBuffer's own.
  if (Object.prototype.toString.call(value) === "[object ArrayBuffer]") return new Uint8Array(value as ArrayBuffer);
  return undefined;
}

/** Bytes of a canonical base64 text; `undefined` for any other text. Two texts never give the same bytes. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    const binary = atob(text);
    // Blanks, missing padding, and bits of the last character that no byte takes: only one spelling is the real one.
    if (btoa(binary) !== text) return undefined;
    // By hand: `Uint8Array.from` takes a second for a few megabytes, and anybody may send them.
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
    return bytes;
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A body as text; `undefined` when it is not exactly the UTF-8 of one. */
export function textOf(body: string | Uint8Array): string | undefined {
  if (typeof body === "string") return isWellFormed(body) ? body : undefined;
  try {
    return decoder.decode(body);
  } catch {
    return undefined;
  }
}
