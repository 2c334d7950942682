import { encodeBase64 } from "./base64.js";

/** SHA-256 of bytes, or of a string's UTF-8 bytes, in hexadecimal. */
export async function sha256Of(data: BufferSource | string): Promise<string> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  return hexOf(await crypto.subtle.digest("SHA-256", bytes));
}

/** The same as package locks and a Content-Security-Policy write it: `sha256-` and base64. */
export async function integrityOf(text: string): Promise<string> {
  return `sha256-${encodeBase64(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))}`;
}

/** Bytes in hexadecimal. */
export function hexOf(bytes: ArrayBuffer): string {
  let hex = "";
  for (const byte of new Uint8Array(bytes)) hex += byte.toString(16).padStart(2, "0");
  return hex;
}
