/** SHA-256 of bytes, in hexadecimal. */
export async function sha256Of(bytes: BufferSource): Promise<string> {
  let text = "";
  for (const byte of new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))) {
    text += byte.toString(16).padStart(2, "0");
  }
  return text;
}
