import { ConfigError } from "../errors/local.js";
import { isWellFormed } from "./text.js";

/**
 * How a secret becomes the key of the signature.
 *
 * - `text`: the UTF-8 bytes of the whole text, a `whsec_` included. The service signs so.
 * - `base64`: what follows `whsec_` (or the whole text, where there is no such prefix), decoded. Standard Webhooks signs so.
 * - `auto`: the text, and for a text with `whsec_` before valid base64 that reading too.
 *
 * The spec does not say how a delivery is signed: see assumption W1.
 */
export type SecretEncoding = "auto" | "text" | "base64";

/** A secret: the text the service returned, or the bytes of the key itself. */
export type WebhookSecret = string | Uint8Array;

/** One reading of one secret. */
export interface SigningKey {
  /** A text stands for its UTF-8 bytes; native HMAC takes it fastest so. */
  readonly material: string | Uint8Array;
  /** Which of the given secrets it comes from, from 0. */
  readonly secretIndex: number;
}

const PREFIX = "whsec_";

/**
 * The keys that these secrets may stand for, the likelier reading first.
 *
 * @param origin Where the secret comes from, for messages: `secrets[1]`, `SVC_WEBHOOK_SECRET`.
 * @throws {ConfigError} when a secret is not usable. Never quotes it.
 */
export function keysOf(
  secret: WebhookSecret,
  encoding: SecretEncoding,
  origin: string,
  secretIndex: number,
): SigningKey[] {
  if (secret instanceof Uint8Array) {
    if (secret.length === 0) throw new ConfigError(`${origin} holds no bytes.`);
    return [{ material: secret, secretIndex }];
  }
  const problem = secretProblem(secret);
  if (problem !== undefined) throw new ConfigError(`${origin} ${problem}`);

  const decoded = encoding === "text" ? undefined : decodeSecret(secret, encoding);
  if (encoding === "base64") {
    if (decoded === undefined) {
      throw new ConfigError(
        `${origin} is not standard base64 with padding, which secretEncoding: "base64" asks for. The service signs with ` +
          `the secret's text: leave secretEncoding out.`,
      );
    }
    return [{ material: decoded, secretIndex }];
  }
  const keys: SigningKey[] = [{ material: secret, secretIndex }];
  if (decoded !== undefined) keys.push({ material: decoded, secretIndex });
  return keys;
}

// Decoding takes longer than signing a small event, and who verifies without a receiver passes the same secret each time.
const decodedSecrets = new Map<string, Uint8Array | undefined>();
/** A program has one secret, or two while it rotates; a server for others may have many. */
const MAX_DECODED = 64;

function decodeSecret(secret: string, encoding: SecretEncoding): Uint8Array | undefined {
  const isPrefixed = secret.startsWith(PREFIX);
  if (!isPrefixed && encoding !== "base64") return undefined;
  if (!decodedSecrets.has(secret)) {
    if (decodedSecrets.size === MAX_DECODED) decodedSecrets.clear();
    decodedSecrets.set(secret, decodeBase64(isPrefixed ? secret.slice(PREFIX.length) : secret));
  }
  return decodedSecrets.get(secret);
}

/** Bytes of a canonical base64 text; `undefined` for any other text. Two texts never give the same bytes. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const binary = atob(text);
  // The last character may hold bits that no byte takes; only one spelling of them is the real one.
  if (btoa(binary) !== text) return undefined;
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** What is wrong with a secret, as the end of a sentence that begins with its name. Never quotes it. */
function secretProblem(secret: unknown): string | undefined {
  if (typeof secret !== "string") return "must be the secret as text, or its bytes as a Uint8Array.";
  const bare = secret.trim();
  if (bare === "") return "is empty. Pass the secret that creating or rotating the webhook subscription returned.";
  if (/^(["'`]).*\1$/s.test(bare))
    return "stands in quotes. Quotes in an environment file can become part of the value: remove them.";
  if (bare !== secret) return "has spaces or a line break around it, as copying often leaves them. Remove them.";
  if (/^v1a?,/.test(secret)) {
    return `begins with "v1,". That marks a signature's version and is no part of the secret: pass what follows the comma.`;
  }
  if (secret === PREFIX) return `is the prefix "${PREFIX}" and nothing else. Pass the whole secret.`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  if (/[\u0000-\u001f\u007f]/.test(secret)) return "holds a control character. Copy it again.";
  if (!isWellFormed(secret)) return "is not valid Unicode text. Copy it again.";
  return undefined;
}
