import { standardSignature } from "./sign.js";
import { isWellFormed, textOf } from "./text.js";

/** The part of Node's crypto module that is used, where the runtime has it. */
interface NativeCrypto {
  createHmac(algorithm: "sha256", key: string | Uint8Array): NativeHmac;
}
interface NativeHmac {
  update(data: string | Uint8Array): NativeHmac;
  digest(encoding: "base64"): string;
}

// Native HMAC is several times faster than the one in JavaScript. Asked for at run time, so that no bundler finds an import.
const native = nativeCrypto();

/**
 * The signature that a delivery must carry, as base64. It covers the bytes of `<id>.<timestamp>.<body>`, the body's as they
 * came. `undefined` for texts that no bytes stand for.
 */
export function expectedSignature(
  material: string | Uint8Array,
  id: string,
  timestamp: string,
  body: string | Uint8Array,
): string | undefined | Promise<string> {
  const isText = typeof body === "string";
  if (!isWellFormed(id) || (isText && !isWellFormed(body))) return undefined;
  if (native) return native.createHmac("sha256", material).update(`${id}.${timestamp}.`).update(body).digest("base64");

  const text = textOf(body);
  if (text !== undefined) return standardSignature(material, id, timestamp, text).slice("v1,".length);
  // The library signs text only. Bytes that are no text must not reach it as the text with U+FFFD in their place.
  return isText ? undefined : webCryptoSignature(material, `${id}.${timestamp}.`, body);
}

async function webCryptoSignature(material: string | Uint8Array, head: string, body: Uint8Array): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = typeof material === "string" ? encoder.encode(material) : new Uint8Array(material);
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const prefix = encoder.encode(head);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  const digest = await crypto.subtle.sign(algorithm, imported, signed);
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

function nativeCrypto(): NativeCrypto | undefined {
  try {
    // Not every runtime has a process, or this function of it.
    const { process } = globalThis as { process?: { getBuiltinModule?(name: string): NativeCrypto | undefined } };
    const found = process?.getBuiltinModule?.("node:crypto");
    return typeof found?.createHmac === "function" ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Compares two texts in a time that depends on their lengths alone. */
export function isEqual(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index++) difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}
