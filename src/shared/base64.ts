/** Encodes bytes as base64. */
export function encodeBase64(bytes: ArrayBuffer | Uint8Array): string {
  // One by one: there may be more bytes than a function takes arguments.
  return btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(""));
}

/** The bytes of canonical base64; otherwise `undefined`. Different strings never decode to the same bytes. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
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

/**
 * The characters of base64 for bytes after `offset` others that don't depend on the bytes around them. `bytes` has a
 * character for each byte.
 */
export function coreOf(bytes: string, offset: number): string {
  const encoded = btoa("\0".repeat(offset) + bytes).replace(/=+$/, "");
  const isOpen = (offset + bytes.length) % 3 !== 0;
  return encoded.slice(dependentBefore(offset), isOpen ? -1 : undefined);
}

/** The number of characters before a core that belong to its group of four. */
const dependentBefore = (offset: number): number => (offset === 0 ? 0 : offset + 1);
