/** SHA-256 of bytes, in hexadecimal. */
export async function sha256Of(bytes: BufferSource): Promise<string> {
  return hexOf(await crypto.subtle.digest("SHA-256", bytes));
}

/** Bytes in hexadecimal. */
export function hexOf(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
