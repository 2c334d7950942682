/// <reference lib="es2024.string" />

/** Whether a text can be written as UTF-8. A half of a surrogate pair cannot: encoders put U+FFFD in its place. */
export const isWellFormed = (text: string): boolean => text.isWellFormed();

const encoder = new TextEncoder();

/** The UTF-8 of a text; bytes as they are. */
export function bytesOf(value: string | Uint8Array): Uint8Array {
  return typeof value === "string" ? encoder.encode(value) : value;
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
