import { ConfigError } from "../errors/local.js";
import * as option from "../errors/option-rules.js";
import { isString } from "../shared/json.js";

/** A key that signs and verifies approvals, or the lines of an audit log. */
export interface HmacKey {
  /** Name of the key, which every token and line contains. Not a secret. */
  readonly id: string;
  /** At least 32 random characters: `openssl rand -base64 32`, for example. */
  readonly secret: string;
}

/** A key in the form that WebCrypto uses. */
export interface PreparedKey {
  readonly id: string;
  readonly key: Promise<CryptoKey>;
}

/** The output of SHA-256: a shorter key is weaker than the signature. */
const FEWEST_BYTES = 32;
/** Each is tried, so that nothing of a token is read before it is verified. */
const MOST_KEYS = 8;

/** @throws {ConfigError} if a key isn't usable. Never quotes its secret. */
export function preparedKeys(operation: string, given: readonly HmacKey[]): readonly [PreparedKey, ...PreparedKey[]] {
  const keys = Array.isArray(given) ? given.map((key, index) => checkedKey(operation, key, index)) : [];
  const [first, ...others] = keys;
  if (!first || keys.length > MOST_KEYS)
    throw new ConfigError(`${operation}: keys must be a list of 1 to ${MOST_KEYS} keys.`);
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new ConfigError(`${operation}: two keys have the same id. Give each its own.`);
  }
  return [preparedKey(operation, first), ...others.map((key) => preparedKey(operation, key))];
}

const KEY = {
  id: option.required(option.fitting("a string that names the key, such as the month it was made", option.NAME.isFit)),
  // Checked below: no message may quote it.
  secret: {},
} as const satisfies option.Rules<HmacKey>;

const checkedKey = (operation: string, key: HmacKey, index: number): HmacKey =>
  option.checkAll<HmacKey, typeof KEY>(operation, key ?? null, KEY, `keys[${index}].`);

function preparedKey(operation: string, { id, secret }: HmacKey): PreparedKey {
  const bytes = new TextEncoder().encode(isString(secret) ? secret : "");
  if (bytes.length < FEWEST_BYTES) {
    throw new ConfigError(
      `${operation}: the secret of key ${JSON.stringify(id)} must be a string of at least ${FEWEST_BYTES} random characters. ` +
        "Create one with: openssl rand -base64 32",
    );
  }
  const key = crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
  return { id, key };
}

/** HMAC-SHA-256 of a string. Each kind of string that a key signs starts with another purpose. */
export async function macOf(text: string, { key }: PreparedKey): Promise<ArrayBuffer> {
  return crypto.subtle.sign("HMAC", await key, new TextEncoder().encode(text));
}
