import type { SignedHeaders } from "./headers.js";
import type { SigningKey } from "./keys.js";
import { native } from "./native.js";

/**
 * The signature that a delivery must have, as an entry of its header: `v1,` and base64. It covers the bytes of
 * `<id>.<timestamp>.<body>`, with the body exactly as received.
 */
export function expectedSignature(
  { material, prepared }: SigningKey,
  { id, timestamp }: SignedHeaders,
  body: string | Uint8Array,
): string | Promise<string> {
  const head = `${id}.${timestamp}.`;
  if (!native) return webCryptoSignature(material, new Blob([head, typeof body === "string" ? body : body.slice()]));
  const hmac = native.createHmac("sha256", prepared);
  // A second update() costs more than concatenating strings.
  const signed = typeof body === "string" ? hmac.update(head + body) : hmac.update(head).update(body);
  return `v1,${signed.digest("base64")}`;
}

async function webCryptoSignature(material: Uint8Array, signed: Blob): Promise<string> {
  const key = await crypto.subtle.importKey("raw", material.slice(), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  const digest = await crypto.subtle.sign("HMAC", key, await signed.arrayBuffer());
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/** Compares two strings in a time that depends only on their lengths. */
export function isEqual(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index++) difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}
