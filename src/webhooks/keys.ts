import { ConfigError } from "../errors/local.js";
import * as option from "../errors/option-rules.js";
import { decodeBase64, encodeBase64 } from "../shared/base64.js";
import { KEY_START, SECRET_START } from "../shared/credentials.js";
import { processVariable } from "../shared/environment.js";
import { nodeModule } from "../shared/node-module.js";
import { AskedKeys } from "./asked-keys.js";
import { viewOf } from "./input.js";

// See assumption W1.
/**
 * How a secret becomes the key of the signature.
 *
 * - `text`: the UTF-8 bytes of the whole string, including `whsec_`. The service signs this way.
 * - `base64`: the decoded part after `whsec_` (or the whole string, if it has no such prefix). Standard Webhooks signs
 *   this way.
 * - `auto`: `text`, and `base64` as well if the secret is `whsec_` and valid base64.
 *
 * The spec doesn't say how a delivery is signed.
 */
export type SecretEncoding = "auto" | "text" | "base64";

/** A secret: the string that the service returned, or the bytes of the key itself, which are copied. */
export type WebhookSecret = string | Uint8Array;

/** Several secrets, or a function that returns them. */
export type WebhookSecrets =
  | readonly WebhookSecret[]
  | (() => readonly WebhookSecret[] | Promise<readonly WebhookSecret[]>);

interface SecretOptions {
  readonly secret?: WebhookSecret | undefined;
  readonly secrets?: WebhookSecrets | undefined;
  readonly secretEncoding: SecretEncoding;
  /** How long a function of secrets may take, in milliseconds. */
  readonly bodyTimeoutMs: number;
}

/** One way to read one of the secrets. */
export interface SigningKey {
  readonly material: Uint8Array;
  /**
   * The signature of a delivery as an entry of its header: `v1,` and base64. It covers the bytes of
   * `<id>.<timestamp>.<body>`, with the body exactly as received.
   *
   * @param head `<id>.<timestamp>.`
   */
  sign(head: string, body: string | Uint8Array): string | Promise<string>;
  /** Index of the secret it comes from, from 0. */
  readonly secretIndex: number;
}

type Keys = readonly SigningKey[];

/** The keys of one secret: at least one. */
type SigningKeys = readonly [SigningKey, ...SigningKey[]];

/** The keys that deliveries are verified with. */
export interface KeyRing {
  /** The keys, unless a function returns them and hasn't been called yet. */
  readonly keys: Keys | undefined;
  /** The newest keys: the same array, unless a function has returned others. */
  newest(): Promise<Keys>;
}

/**
 * Node's crypto module, if the runtime has it: its HMAC is several times faster than Web Crypto's. Loaded at run time,
 * so that bundlers don't see an import.
 */
const native = nativeCrypto();

/**
 * The keys of all secrets, from the options or `SVC_WEBHOOK_SECRET`.
 *
 * @throws {ConfigError} if there is no secret, or one isn't usable. Never quotes it.
 */
export function createKeyRing({ secret, secrets, secretEncoding, bodyTimeoutMs }: SecretOptions): KeyRing {
  if (secret !== undefined && secrets !== undefined) {
    throw new ConfigError("secret and secrets can't be combined. Pass both secrets in secrets.");
  }
  if (typeof secrets === "function") {
    return new AskedKeys(async () => keysOfAll("secrets()", await secrets(), secretEncoding), bodyTimeoutMs);
  }
  let keys: Keys;
  if (secrets !== undefined) keys = keysOfAll("secrets", secrets, secretEncoding);
  else if (secret !== undefined) keys = keysOf(secret, secretEncoding);
  else {
    const variable = processVariable("SVC_WEBHOOK_SECRET");
    if (variable === undefined) throw new ConfigError("No secret. Pass secret or set SVC_WEBHOOK_SECRET.");
    keys = keysOf(variable, secretEncoding, "SVC_WEBHOOK_SECRET");
  }
  return { keys, newest: async () => keys };
}

function keysOfAll(name: string, secrets: readonly WebhookSecret[], encoding: SecretEncoding): Keys {
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw new ConfigError(`${name} must be an array with at least one secret.`);
  }
  // Spread a sparse array, so that its holes are rejected as invalid secrets.
  return [...secrets].flatMap((entry, secretIndex) =>
    keysOf(entry, encoding, `${name}[${secretIndex}]`).map((key) => ({ ...key, secretIndex })),
  );
}

const ENCODING = option.oneOf<SecretEncoding>("auto", "text", "base64");

/**
 * The keys that a single secret may mean, the more likely reading first.
 *
 * @param name where the secret comes from, for messages: `secrets[1]`, `SVC_WEBHOOK_SECRET`.
 * @throws {ConfigError} if the secret or its encoding isn't usable. Never quotes it.
 */
export function keysOf(secret: WebhookSecret, encoding: SecretEncoding, name = "secret"): SigningKeys {
  if (!ENCODING.values.includes(encoding)) throw new ConfigError(`secretEncoding must be ${ENCODING.must}.`);
  const given = typeof secret === "string" ? secret : (viewOf(secret) ?? secret);
  if (given instanceof Uint8Array) {
    if (given.length === 0) throw new ConfigError(`${name} contains no bytes. Pass the whole secret.`);
    // Copy it, so callers can wipe their own buffer.
    return [keyOf(new Uint8Array(given))];
  }
  const keys = (knownReadings.get(given) ?? readSecret(given, name))[encoding];
  if (!keys) {
    throw new ConfigError(
      `${name} isn't standard base64 with padding, which secretEncoding: "base64" requires. The service signs with the ` +
        "secret's text: omit secretEncoding.",
    );
  }
  return keys;
}

type Readings = Readonly<Record<SecretEncoding, SigningKeys | undefined>>;

// Reading a secret takes longer than signing a small event, and verifyWebhook gets the same secret each time.
const knownReadings = new Map<string, Readings>();
/** A program has one secret, or two during a rotation; a server for several tenants may have many. */
const MAX_KNOWN = 1_024;

function readSecret(secret: string, name: string): Readings {
  const problem = secretProblem(secret);
  if (problem !== undefined) throw new ConfigError(`${name} ${problem}`);

  const isPrefixed = secret.startsWith(SECRET_START);
  const decoded = decodeBase64(isPrefixed ? secret.slice(SECRET_START.length) : secret);
  const text = [keyOf(new TextEncoder().encode(secret))] as const;
  const base64 = decoded && ([keyOf(decoded)] as const);
  const readings: Readings = { text, base64, auto: isPrefixed && base64 ? [...text, ...base64] : text };
  if (knownReadings.size === MAX_KNOWN) knownReadings.clear();
  knownReadings.set(secret, readings);
  return readings;
}

/** The problem with a secret, as the end of a sentence that starts with its name. Never quotes it. */
export function secretProblem(secret: unknown): string | undefined {
  if (typeof secret !== "string") return "must be the secret as a string, or its bytes as a Uint8Array.";
  const bare = secret.trim();
  if (bare === "") return "is empty. Pass the secret that creating or rotating the webhook subscription returned.";
  if (/^(["'`]).*\1$/s.test(bare)) return "is in quotes, as some environment files leave them. Remove them.";
  if (bare !== secret) return "has spaces or a line break around it, often from copying. Remove them.";
  if (/^v1a?,/.test(secret)) {
    return `starts with "v1,", which marks a signature's version and isn't part of the secret. Pass what follows the comma.`;
  }
  const [issued] = KEY_START.exec(secret) ?? [];
  if (issued) return `starts with ${issued}, so it's an API key. Pass the webhook subscription's secret.`;
  if (secret === SECRET_START) return `is only the prefix "${SECRET_START}". Pass the whole secret.`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is for control characters
  if (/[\u0000-\u001f\u007f]/.test(secret)) return "contains a control character. Copy it again.";
  if (!secret.isWellFormed()) return "isn't valid Unicode. Copy it again.";
  return undefined;
}

function keyOf(material: Uint8Array): SigningKey {
  const key = { material, secretIndex: 0 };
  if (!native) return { ...key, sign: (head, body) => webCryptoSignature(material, head, body) };
  const { createHmac, createSecretKey } = native;
  const prepared = createSecretKey?.(material) ?? material;
  return {
    ...key,
    sign(head, body) {
      const hmac = createHmac("sha256", prepared);
      // A second update() costs more than concatenating strings.
      const signed = typeof body === "string" ? hmac.update(head + body) : hmac.update(head).update(body);
      return `v1,${signed.digest("base64")}`;
    },
  };
}

async function webCryptoSignature(material: Uint8Array, head: string, body: string | Uint8Array): Promise<string> {
  const signed = await new Blob([head, typeof body === "string" ? body : body.slice()]).arrayBuffer();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", material.slice(), algorithm, false, ["sign"]);
  const digest = await crypto.subtle.sign("HMAC", key, signed);
  return `v1,${encodeBase64(digest)}`;
}

/** The used part of Node's crypto module. */
interface NativeCrypto {
  createHmac(algorithm: "sha256", key: unknown): NativeHmac;
  /** A key in the form that HMAC uses fastest. */
  createSecretKey?(key: Uint8Array): unknown;
}
interface NativeHmac {
  update(data: string | Uint8Array): NativeHmac;
  digest(encoding: "base64"): string;
}

function nativeCrypto(): NativeCrypto | undefined {
  try {
    const found = nodeModule<NativeCrypto>("node:crypto");
    // Some runtimes only have stubs that throw when called.
    const key = new Uint8Array(1);
    found?.createHmac("sha256", found.createSecretKey?.(key) ?? key).digest("base64");
    return found;
  } catch {
    return undefined;
  }
}
