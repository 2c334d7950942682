/** Bytes as base64url without padding. */
export function encodeBase64url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * The bytes of canonical base64url without padding; otherwise `undefined`. Different strings never decode to the same
 * bytes.
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  // One character more than a multiple of four can't be a byte.
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  // The last character may have bits that no byte uses. Flipped, they would be another token with the same meaning.
  return encodeBase64url(bytes) === text ? bytes : undefined;
}
