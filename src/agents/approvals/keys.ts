import { ConfigError } from "../../errors/local.js";
import { isString } from "../../shared/json.js";

/** A key that signs and verifies approvals. */
export interface ApprovalKey {
  /** Its name, which every token contains. Not secret. */
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
export function preparedKeys(keys: readonly ApprovalKey[]): readonly [PreparedKey, ...PreparedKey[]] {
  const [first, ...others] = Array.isArray(keys) ? keys : [];
  if (!first || keys.length > MOST_KEYS)
    throw new ConfigError(`approvals: keys must be a list of 1 to ${MOST_KEYS} keys.`);
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new ConfigError("approvals: two keys have the same id. Give each its own.");
  }
  return [prepared(first), ...others.map(prepared)];
}

function prepared({ id, secret }: ApprovalKey): PreparedKey {
  if (!isString(id) || id === "")
    throw new ConfigError("approvals: each key needs an id, such as the month it was made.");
  const bytes = new TextEncoder().encode(isString(secret) ? secret : "");
  if (bytes.length < FEWEST_BYTES) {
    throw new ConfigError(
      `approvals: the secret of key ${JSON.stringify(id)} must be a string of at least ${FEWEST_BYTES} random characters. ` +
        "Create one with: openssl rand -base64 32",
    );
  }
  const key = crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
  return { id, key };
}
