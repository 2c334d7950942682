import { ConfigError } from "../errors/local.js";
import * as option from "../errors/option-rules.js";
import { nameIn, WebhookVerificationError } from "../errors/webhook.js";
import { isString } from "../shared/json.js";
import { type HeadersInput, readSignedHeaders } from "./headers.js";
import { checkInput, isRequest, readGivenBody, readRequestBody } from "./input.js";
import {
  createKeyRing,
  type KeyRing,
  type SecretEncoding,
  type SigningKey,
  type WebhookSecret,
  type WebhookSecrets,
} from "./keys.js";

/** A received delivery that isn't verified yet. */
export type WebhookInput =
  /** A Fetch API request. Its body is read; pass a clone to keep it. */
  | Request
  /** The parts of any other request. An API Gateway event already has this shape. */
  | {
      /** The raw body as received, not the parsed body or its `JSON.stringify`. API Gateway may omit it. */
      readonly body?: string | Uint8Array | null | undefined;
      readonly headers: HeadersInput;
      /** Whether the body is base64-encoded, as in API Gateway and Lambda events. */
      readonly isBase64Encoded?: boolean | undefined;
    };

/** Options of the verification. */
export interface VerifyOptions {
  /** The subscription's secret. Without `secret` and `secrets`, `SVC_WEBHOOK_SECRET` is read. */
  secret?: WebhookSecret | undefined;
  /**
   * Several secrets. A delivery signed with any of them is accepted, as during a rotation.
   *
   * Pass a function to read them when they are needed, such as from a secret manager. A receiver calls it for the first
   * delivery and keeps the result. If no secret matches a delivery, it calls the function again, at most once per
   * second. The function may take `bodyTimeoutMs`. If it fails, the receiver responds with 500.
   */
  secrets?: WebhookSecrets | undefined;
  /**
   * How a secret that is a string becomes the key.
   * @default "auto"
   */
  secretEncoding?: SecretEncoding | undefined;
  /**
   * How far a delivery's timestamp may be from now in either direction, in seconds. Finite and above 0.
   * @default 300
   */
  toleranceSeconds?: number | undefined;
  /**
   * Returns the time, in milliseconds since 1970. For tests.
   * @default Date.now
   */
  now?: (() => number) | undefined;
  /**
   * Maximum body size, in bytes.
   * @default 8_388_608
   */
  maxBodyBytes?: number | undefined;
  // See assumption W8.
  /**
   * How long the body of a `Request` may take to arrive, in milliseconds. Above 0 and below 2^30.
   * @default 10_000
   */
  bodyTimeoutMs?: number | undefined;
}

const isPositive = (value: unknown) => Number.isFinite(value) && Number(value) > 0;

/** Accepts limits that a timer can take. */
export const TIMEOUT = option.fitting(
  "a number above 0 and below 2^30",
  (value) => isPositive(value) && Number(value) < 2 ** 30,
);

export const VERIFY_OPTIONS = {
  // These three are checked together.
  secret: {},
  secrets: {},
  secretEncoding: { default: "auto" },
  toleranceSeconds: {
    ...option.fitting(
      "a finite number above 0. It can't be disabled, because a recorded delivery could then be replayed forever. In " +
        "tests, inject now instead",
      isPositive,
    ),
    default: 300,
  },
  now: option.fitting("a function that returns milliseconds since 1970", option.isFunction),
  maxBodyBytes: { ...option.fitting("a finite number above 0", isPositive), default: 8 * 1024 * 1024 },
  bodyTimeoutMs: { ...TIMEOUT, default: 10_000 },
} as const satisfies option.Rules<VerifyOptions>;

/** An authentic delivery whose body isn't parsed yet. */
export interface VerifiedWebhook {
  /** The delivery's id, from `webhook-id`: the same each time the delivery is retried. */
  readonly id: string;
  /** When this attempt was sent, from `webhook-timestamp`: seconds since 1970. */
  readonly timestamp: number;
  /** Index of the secret that signed it, from 0. If only the newest secret signs, you can remove the old secret. */
  readonly secretIndex: number;
  /** The raw body. */
  readonly body: string | Uint8Array;
}

/**
 * Verifies that a delivery was signed with the secret, is recent and unchanged. Doesn't parse its body.
 *
 * @throws {WebhookVerificationError} with a `reason`, if it isn't authentic.
 * @throws {ConfigError} if a secret or another option isn't usable.
 */
export async function verifySignature(input: WebhookInput, options: VerifyOptions = {}): Promise<VerifiedWebhook> {
  try {
    return await verifyOne(input, options);
  } catch (error) {
    throw nameIn(error, "verifySignature");
  }
}

/** As {@link verifySignature}. Messages don't name the operation: see {@link nameIn}. */
export async function verifyOne(input: WebhookInput, given: VerifyOptions): Promise<VerifiedWebhook> {
  // Before the options: someone who passes body, headers and secret passes the headers as options.
  checkInput(input);
  const { options, problems } = option.read(given, VERIFY_OPTIONS);
  if (problems.length > 0) throw new ConfigError(problems.join(" "));
  return await verifyWith(options, createKeyRing(options), input);
}

/** Verifies one delivery, with options that were already checked and the keys of its secrets. */
export async function verifyWith(
  { toleranceSeconds, maxBodyBytes, bodyTimeoutMs, now }: option.Filled<VerifyOptions, typeof VERIFY_OPTIONS>,
  ring: KeyRing,
  input: WebhookInput,
): Promise<VerifiedWebhook> {
  // Date.now is looked up at each delivery: fake timers replace it after the receiver was created.
  const nowMs = (now ?? Date.now)();
  if (!Number.isFinite(nowMs)) throw new ConfigError("now must return milliseconds since 1970.");
  // Check headers first, so a rejected request's body is never read.
  const { id, timestamp, signatures } = readSignedHeaders(input.headers, nowMs, toleranceSeconds);
  const body = isRequest(input)
    ? await readRequestBody(input, maxBodyBytes, bodyTimeoutMs)
    : readGivenBody(input.body, input.isBase64Encoded === true, maxBodyBytes);
  const signed: Signed = { head: `${id}.${timestamp}.`, body, signatures };
  const keys = ring.keys ?? (await ring.newest());
  let key = await keyOf(signed, keys);
  if (!key) {
    const newest = await ring.newest();
    if (newest !== keys) key = await keyOf(signed, newest);
  }
  if (!key) throw new WebhookVerificationError("no_match", NO_MATCH);
  return { id, timestamp, secretIndex: key.secretIndex, body };
}

/** The signed content of a delivery, and its signatures. */
interface Signed {
  readonly head: string;
  readonly body: string | Uint8Array;
  readonly signatures: readonly string[];
}

/** The key that signed a delivery. The time taken shows neither which signature is right nor how close one was. */
async function keyOf({ head, body, signatures }: Signed, keys: readonly SigningKey[]): Promise<SigningKey | undefined> {
  // Half a surrogate pair has no bytes, so no one can have signed it.
  if (!head.isWellFormed() || (isString(body) && !body.isWellFormed())) return undefined;
  for (const key of keys) {
    const signing = key.sign(head, body);
    // Await only if needed: native HMAC is synchronous.
    const expected = isString(signing) ? signing : await signing;
    let isMatch = false;
    // No early exit.
    for (const signature of signatures) isMatch = isEqual(signature, expected) || isMatch;
    if (isMatch) return key;
  }
  return undefined;
}

const NO_MATCH =
  "No signature matches. Either the secret isn't this subscription's (each has its own, and rotating replaces it), or the " +
  "body isn't byte for byte what was sent: a proxy or JSON.stringify(JSON.parse(body)) changes it.";

/** Compares two strings in a time that depends only on their lengths. */
function isEqual(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index++) difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}
