import { ConfigError } from "../errors/local.js";
import { WebhookVerificationError } from "../errors/webhook.js";
import { readGivenBody, readRequestBody } from "./body.js";
import { type HeadersInput, readSignedHeaders } from "./headers.js";
import { expectedSignature, isEqual } from "./hmac.js";
import { keysOf, type SecretEncoding, type SigningKey, type WebhookSecret } from "./keys.js";
import { checkOptions } from "./options.js";
import { isWellFormed } from "./text.js";

/** A received delivery, before anything about it is known to be true. */
export type WebhookInput =
  /** A request of the Fetch API. Its body is read; pass a clone to keep it. */
  | Request
  /** The parts of any other request. An event of API Gateway is one as it is. */
  | {
      /** The raw body, exactly as received: never the parsed one, never `JSON.stringify` of it. */
      readonly body: string | Uint8Array | null | undefined;
      readonly headers: HeadersInput;
      /** The body is base64 of the real one, as API Gateway and Lambda say it. */
      readonly isBase64Encoded?: boolean | undefined;
    };

/** Options of the verification. */
export interface VerifyOptions {
  /** The subscription's secret. Left out, and `secrets` too, `SVC_WEBHOOK_SECRET` is read. */
  secret?: WebhookSecret | undefined;
  /** Several secrets, any of which may have signed: the new and the old one while a rotation is under way. */
  secrets?: readonly WebhookSecret[] | undefined;
  /**
   * How a secret that is text becomes the key.
   * @default "auto"
   */
  secretEncoding?: SecretEncoding | undefined;
  /**
   * How far a delivery's timestamp may be from now, in seconds, in both directions. Finite and above 0.
   * @default 300
   */
  toleranceSeconds?: number | undefined;
  /** The time, in milliseconds since 1970. For tests. `Date.now` by default. */
  now?: (() => number) | undefined;
  /**
   * Largest body that is accepted, in bytes.
   * @default 8_388_608
   */
  maxBodyBytes?: number | undefined;
  /**
   * How long the body of a `Request` may take to arrive, in milliseconds. Above 0 and below 2^30. See assumption
   * W8.
   * @default 10_000
   */
  bodyTimeoutMs?: number | undefined;
}

/** Every option there is; the compiler keeps the list complete. */
const OPTIONS = Object.keys({
  secret: 1,
  secrets: 1,
  secretEncoding: 1,
  toleranceSeconds: 1,
  now: 1,
  maxBodyBytes: 1,
  bodyTimeoutMs: 1,
} satisfies Record<keyof VerifyOptions, 1>);

/** A delivery that is authentic. Its body is still as it came. */
export interface VerifiedWebhook {
  /** The delivery's id, from `webhook-id`: the same each time the delivery is sent again. */
  readonly id: string;
  /** When this attempt was sent, from `webhook-timestamp`: seconds since 1970. */
  readonly timestamp: number;
  /** Which of the secrets signed it, from 0. When only the newest does, the old one can go. */
  readonly secretIndex: number;
  /** The raw body. */
  readonly body: string | Uint8Array;
}

/** Verifies one delivery with options that were checked before. */
export type Verifier = (input: WebhookInput) => Promise<VerifiedWebhook>;

/**
 * Shows that a delivery comes from the holder of the secret, is fresh and unchanged. Reads nothing of its content.
 *
 * @throws {WebhookVerificationError} with a `reason`, when it is not authentic.
 * @throws {ConfigError} when a secret or another option is not usable. Spec: Events.
 */
export async function verifySignature(input: WebhookInput, options: VerifyOptions = {}): Promise<VerifiedWebhook> {
  return await createVerifier(options)(input);
}

/**
 * Checks the options once, for many deliveries.
 *
 * @param others names of options that are none of the verification's.
 * @throws {ConfigError} when a secret or another option is not usable.
 */
export function createVerifier(options: VerifyOptions, others: readonly string[] = []): Verifier {
  checkOptions(options, [...OPTIONS, ...others]);
  const keys = resolveKeys(options);
  const { toleranceSeconds = 300, maxBodyBytes = 8 * 1024 * 1024, bodyTimeoutMs = 10_000, now = Date.now } = options;
  if (!isPositive(toleranceSeconds)) {
    throw new ConfigError(
      "toleranceSeconds must be a finite number above 0. It cannot be switched off: a recorded delivery could then be replayed for ever. Tests inject now instead.",
    );
  }
  if (!isPositive(maxBodyBytes)) throw new ConfigError("maxBodyBytes must be a finite number above 0.");
  if (!(bodyTimeoutMs > 0 && bodyTimeoutMs < 2 ** 30)) {
    throw new ConfigError("bodyTimeoutMs must be above 0 and below 2^30.");
  }
  if (typeof now !== "function") throw new ConfigError("now must be a function that returns milliseconds since 1970.");

  return async (input) => {
    const { headers, body: given, isBase64Encoded } = partsOf(input);
    // Headers first: of what they already refuse, no body is read.
    const signed = readSignedHeaders(headers);
    const timestamp = Number(signed.timestamp);
    checkAge(timestamp, now(), toleranceSeconds);
    const body = isRequest(input)
      ? await readRequestBody(input, { maxBodyBytes, bodyTimeoutMs })
      : readGivenBody(given, isBase64Encoded === true, maxBodyBytes);
    // No bytes stand for half a surrogate pair, so nobody can have signed it.
    const hasBytes = isWellFormed(signed.id) && (typeof body !== "string" || isWellFormed(body));
    for (const key of hasBytes ? keys : []) {
      const expected = expectedSignature(key, signed, body);
      // Waited for only where it must be: native HMAC answers at once.
      if (hasOne(signed.signatures, typeof expected === "string" ? expected : await expected)) {
        return { id: signed.id, timestamp, secretIndex: key.secretIndex, body };
      }
    }
    throw new WebhookVerificationError("no_match", NO_MATCH);
  };
}

const NO_MATCH =
  "No signature fits. Either the secret is not this subscription's (each has its own, and rotating replaces it), or the " +
  "body is not byte for byte what was sent: a proxy or JSON.stringify(JSON.parse(body)) changes it.";

function hasOne(signatures: readonly string[], expected: string): boolean {
  let isMatch = false;
  // No early exit: how long it takes must not tell which entry was how close.
  for (const signature of signatures) isMatch = isEqual(signature, expected) || isMatch;
  return isMatch;
}

function checkAge(timestamp: number, nowMs: number, toleranceSeconds: number): void {
  if (!Number.isFinite(nowMs)) throw new ConfigError("now returned no number.");
  const age = Math.floor(nowMs / 1000) - timestamp;
  if (age > toleranceSeconds) {
    throw new WebhookVerificationError(
      "too_old",
      `webhook-timestamp is ${age} s ago, the tolerance is ${toleranceSeconds} s. Verify on receipt, not later from a queue, and check this machine's clock.`,
    );
  }
  if (-age > toleranceSeconds) {
    throw new WebhookVerificationError(
      "too_new",
      `webhook-timestamp is ${-age} s in the future, the tolerance is ${toleranceSeconds} s. Check this machine's clock.`,
    );
  }
}

/** Any object has every property, if only as undefined; each is checked where it is used. */
type Parts = Readonly<Partial<Record<"headers" | "body" | "isBase64Encoded", unknown>>>;

function partsOf(input: unknown): Parts {
  if (typeof input !== "object" || input === null) {
    throw new WebhookVerificationError(
      "missing_header",
      "There is no request. Pass a Request, or { body, headers } with all its headers: the signature alone is not enough.",
    );
  }
  return input;
}

// By shape: the Request of another realm or a polyfill is no instance of this one's.
function isRequest(input: object): input is Request {
  return "bodyUsed" in input && "arrayBuffer" in input;
}

function resolveKeys({ secret, secrets, secretEncoding = "auto" }: VerifyOptions): readonly SigningKey[] {
  if (secret !== undefined && secrets !== undefined) {
    throw new ConfigError("Pass secret or secrets, not both: secrets takes the new and the old one.");
  }
  if (secrets !== undefined) {
    if (!Array.isArray(secrets) || secrets.length === 0)
      throw new ConfigError("secrets must be a list with at least one secret.");
    // A list with holes holds secrets that are none.
    return [...secrets].flatMap((entry, secretIndex) =>
      keysOf(entry, secretEncoding, `secrets[${secretIndex}]`).map((key) => ({ ...key, secretIndex })),
    );
  }
  if (secret !== undefined) return keysOf(secret, secretEncoding, "secret");
  const variable = environmentSecret();
  if (variable === undefined) throw new ConfigError("There is no secret: pass secret or set SVC_WEBHOOK_SECRET.");
  return keysOf(variable, secretEncoding, "SVC_WEBHOOK_SECRET");
}

function environmentSecret(): string | undefined {
  try {
    // Not every runtime has a process.
    const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
    return process?.env?.["SVC_WEBHOOK_SECRET"];
  } catch {
    // Deno without --allow-env: there is no environment to read.
    return undefined;
  }
}

function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}
