import { ConfigError } from "../errors/local.js";
import { native, preparedFor } from "./native.js";
import { bytesOf, decodeBase64, isWellFormed, viewOf } from "./text.js";

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

/** A secret: the text the service returned, or the bytes of the key itself, which are copied. */
export type WebhookSecret = string | Uint8Array;

/** One reading of one of the secrets. */
export interface SigningKey {
  /** The bytes of the key. */
  readonly material: Uint8Array;
  /** The same as native HMAC takes it fastest. */
  readonly prepared: unknown;
  /** Which of the given secrets it comes from, from 0. */
  readonly secretIndex: number;
}

/** What a secret stands for: at least one key. */
type SigningKeys = readonly [SigningKey, ...SigningKey[]];

const PREFIX = "whsec_";

/**
 * The keys that a secret may stand for when it is the only one, the likelier reading first.
 *
 * @param origin Where the secret comes from, for messages: `secrets[1]`, `SVC_WEBHOOK_SECRET`.
 * @throws {ConfigError} when the secret or its encoding is not usable. Never quotes it.
 */
export function keysOf(secret: WebhookSecret, encoding: SecretEncoding, origin: string): SigningKeys {
  if (!["auto", "text", "base64"].includes(encoding)) {
    throw new ConfigError('secretEncoding must be "auto", "text" or "base64".');
  }
  const given = viewOf(secret) ?? secret;
  if (given instanceof Uint8Array) {
    if (given.length === 0) throw new ConfigError(`${origin} holds no bytes.`);
    // A copy: who wipes a secret after handing it over wipes what is theirs.
    return [keyOf(new Uint8Array(given))];
  }
  const keys = readingsOf(given, origin)[encoding];
  if (!keys) {
    throw new ConfigError(
      `${origin} is not standard base64 with padding, which secretEncoding: "base64" asks for. The service signs with ` +
        `the secret's text: leave secretEncoding out.`,
    );
  }
  return keys;
}

const keyOf = (material: Uint8Array): SigningKey => ({
  material,
  prepared: preparedFor(native, material),
  secretIndex: 0,
});

type Readings = Readonly<Record<SecretEncoding, SigningKeys | undefined>>;

// Reading a secret takes longer than signing a small event, and who verifies without a receiver passes the same each time.
const knownReadings = new Map<string, Readings>();
/** A program has one secret, or two while it rotates; a server for others may have many. */
const MAX_KNOWN = 1_024;

function readingsOf(secret: string, origin: string): Readings {
  const known = knownReadings.get(secret);
  if (known) return known;
  const problem = secretProblem(secret);
  if (problem !== undefined) throw new ConfigError(`${origin} ${problem}`);

  const isPrefixed = secret.startsWith(PREFIX);
  const decoded = decodeBase64(isPrefixed ? secret.slice(PREFIX.length) : secret);
  const text = [keyOf(bytesOf(secret))] as const;
  const base64 = decoded && ([keyOf(decoded)] as const);
  const readings: Readings = { text, base64, auto: isPrefixed && base64 ? [...text, ...base64] : text };
  if (knownReadings.size === MAX_KNOWN) knownReadings.clear();
  knownReadings.set(secret, readings);
  return readings;
}

/** What is wrong with a secret, as the end of a sentence that begins with its name. Never quotes it. */
function secretProblem(secret: unknown): string | undefined {
  if (typeof secret !== "string") return "must be the secret as text, or its bytes as a Uint8Array.";
  const bare = secret.trim();
  if (bare === "") return "is empty. Pass the secret that creating or rotating the webhook subscription returned.";
  if (/^(["'`]).*\1$/s.test(bare)) return "stands in quotes, as some environment files leave them. Remove them.";
  if (bare !== secret) return "has spaces or a line break around it, as copying often leaves them. Remove them.";
  if (/^v1a?,/.test(secret)) {
    return `begins with "v1,", which marks a signature's version and is no part of the secret. Pass what follows the comma.`;
  }
  if (secret === PREFIX) return `is the prefix "${PREFIX}" and nothing else. Pass the whole secret.`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  if (/[\u0000-\u001f\u007f]/.test(secret)) return "holds a control character. Copy it again.";
  if (!isWellFormed(secret)) return "is not valid Unicode text. Copy it again.";
  return undefined;
}
