/** SHA-256 of bytes, in hexadecimal. */
export async function sha256Of(bytes: BufferSource): Promise<string> {
  return hexOf(await crypto.subtle.digest("SHA-256", bytes));
}

/** Bytes in hexadecimal. */
export function hexOf(bytes: ArrayBuffer): string {
  let hex = "";
  for (const byte of new Uint8Array(bytes)) hex += byte.toString(16).padStart(2, "0");
  return hex;
}
