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
