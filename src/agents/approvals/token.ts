import { SvcError } from "../../errors/base.js";
import { decodeBase64, encodeBase64 } from "../../shared/base64.js";
import { hexOf } from "../../shared/digest.js";
import { isString, parseJson } from "../../shared/json.js";
import { macOf, type PreparedKey } from "../hmac-key.js";
import { type ApprovalClaims, CALL_FACTS, type CallClaims, isClaims } from "./approval-claims.js";

const VERSION = "v1";
/** Signed in front of every token, so that a key that signs other things too can't be made to sign a token. */
const PURPOSE = "svc-sdk approval token\n";
/** Signed in front of every record of a store. */
const RECORD = "svc-sdk approval record\n";
/** Signed in front of the digest of arguments. */
const ARGUMENTS = "svc-sdk approval arguments\n";
/** Longer ones aren't decoded: anyone may send them. */
export const LONGEST_TOKEN = 16_384;

const encoder = new TextEncoder();

/** A signed token: `v1.<body>.<mac>`. */
export async function signToken(claims: ApprovalClaims, key: PreparedKey): Promise<string> {
  const body = encodeBase64url(encoder.encode(JSON.stringify(claims)));
  const mac = await macOf(signedText(body), key);
  return `${VERSION}.${body}.${encodeBase64url(new Uint8Array(mac))}`;
}

/**
 * The facts of a call as its token has them. Clients can read a token: from a digest without a key, they could guess
 * an argument that the program sets.
 */
export async function sealed(call: CallClaims, key: PreparedKey): Promise<CallClaims> {
  return { ...call, arguments: hexOf(await macOf(ARGUMENTS + call.arguments, key)) };
}

/** A record of a store, signed: `v1.<mac>.<JSON>`. */
export async function signRecord(record: unknown, key: PreparedKey): Promise<string> {
  const json = JSON.stringify(record);
  return `${VERSION}.${encodeBase64url(new Uint8Array(await macOf(RECORD + json, key)))}.${json}`;
}

/** The record that one of the keys has signed, with that key; `undefined` if none has. */
export async function readRecord(
  value: string,
  keys: readonly PreparedKey[],
): Promise<{ readonly record: unknown; readonly signer: PreparedKey } | undefined> {
  const [, mac = "", json = ""] = /^v1\.([\w-]{43})\.(\{.*\})$/s.exec(value) ?? [];
  const signature = decodeBase64url(mac);
  const signer = signature && (await signerOf(RECORD + json, signature, keys));
  return signer && { record: parseJson(json), signer };
}

/** A token that can be trusted: its claims, and the key that signed it. */
interface ReadToken {
  readonly claims: ApprovalClaims;
  readonly signer: PreparedKey;
}

/** A token that one of the keys has signed and that hasn't expired, or why it isn't one. */
export async function readToken(
  token: string,
  keys: readonly PreparedKey[],
  now: number,
): Promise<ReadToken | ApprovalRejectionReason> {
  const [version, body, mac, ...rest] = isString(token) && token.length <= LONGEST_TOKEN ? token.split(".") : [];
  if (version === undefined || body === undefined || mac === undefined || rest.length > 0) return "malformed";
  if (version !== VERSION) return /^v\d+$/.test(version) ? "unsupported_version" : "malformed";
  const bytes = decodeBase64url(body);
  const signature = decodeBase64url(mac);
  if (!bytes || !signature) return "not_canonical";
  const signer = await signerOf(signedText(body), signature, keys);
  if (!signer) return "bad_signature";
  // Only now is it worth reading. The secret proves who signed it: the id of a key may have changed since.
  const claims = parseJson(new TextDecoder().decode(bytes));
  if (!isClaims(claims)) return "malformed";
  // A denial stays: without it, an approval beside it would count.
  const canExpire = claims.decision === "approved" || claims.decision === "asked";
  return canExpire && claims.expires <= now ? "expired" : { claims, signer };
}

async function signerOf(
  text: string,
  signature: Uint8Array<ArrayBuffer>,
  keys: readonly PreparedKey[],
): Promise<PreparedKey | undefined> {
  const signed = encoder.encode(text);
  for (const signer of keys) {
    if (await crypto.subtle.verify("HMAC", await signer.key, signature, signed)) return signer;
  }
  return undefined;
}

const signedText = (body: string) => `${PURPOSE}${VERSION}.${body}`;

/** The claims of a token that is a decision on this call, or why it isn't one. */
async function readDecision(
  token: string,
  call: CallClaims,
  keys: readonly PreparedKey[],
  now: number,
): Promise<ApprovalClaims | ApprovalRejectionReason> {
  const read = await readToken(token, keys, now);
  if (isString(read)) return read;
  const { claims, signer } = read;
  const facts = await sealed(call, signer);
  const differing = CALL_FACTS.find((name) => claims[name] !== facts[name]);
  if (differing) return `other_${differing}`;
  return claims.decision === "asked" ? "not_approved" : claims;
}

/** Bytes as base64url without padding. */
function encodeBase64url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The bytes of canonical base64url without padding; otherwise `undefined`, as for a flipped bit that no byte uses. */
function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return /^[\w-]+$/.test(text) ? decodeBase64(base64.padEnd(Math.ceil(text.length / 4) * 4, "=")) : undefined;
}

/**
 * Why a token or a decision didn't count:
 *
 * - `malformed`: it isn't a token, or a part of it is missing.
 * - `unsupported_version`: this release doesn't know its version.
 * - `not_canonical`: the token's encoding isn't canonical.
 * - `bad_signature`: the token was changed, or no key in `keys` signed it.
 * - `expired`: its time is over.
 * - `not_approved`: it is a token of `request()`, not an approval.
 * - `not_a_request`: it is a decision already.
 * - `unknown_request`: the store has no request with this id, or no key in `keys` signed the request.
 * - `already_decided`: another decision was first, or the request was withdrawn.
 * - `other_…`: it is for another tool, version, user, account, session, scope, policy, or for other arguments. With
 *   `other_budgets`, it doesn't let the call pass the limit of a budget.
 */
export type ApprovalRejectionReason = keyof typeof WORDS;

const WORDS = {
  malformed: "it isn't a whole token. Pass it exactly as approve() returned it.",
  unsupported_version: "its version is unknown. Update svc-sdk in the process that checks it.",
  not_canonical: "it isn't canonical base64url. Pass it exactly as approve() returned it.",
  bad_signature: "no key verifies it. It was changed, or its key is missing from keys.",
  expired: "it has expired. Ask for approval again.",
  not_approved: "it asks for approval, and isn't one. Turn it into one with respond().",
  not_a_request: "it is a decision already. respond() takes the token of request().",
  unknown_request: "the store has no such request. Pass the id of a pending approval, and the keys that signed it.",
  already_decided: "the request was decided before, or withdrawn. Read it with get().",
  other_call: "it is for another call.",
  other_tool: "it is for another tool.",
  other_version: "it is for another version of the tool. Ask for approval again.",
  other_arguments: "it is for other arguments. Ask for approval again.",
  other_user: "it is for another user.",
  other_account: "it is for another connected account. Ask for approval again.",
  other_session: "it is for another agent session.",
  other_scope: "it is for another scope.",
  other_policy: "the policy has changed since it was issued. Ask for approval again.",
  other_budgets: "it lets the call pass the limits of other budgets. Ask for approval again.",
};

const OF_DECISIONS: readonly ApprovalRejectionReason[] = ["unknown_request", "already_decided"];

/** A token or a decision was rejected. Nothing ran. */
export class ApprovalRejectedError extends SvcError {
  protected static override readonly brand: string = "ApprovalRejectedError";

  /** Why. */
  readonly reason: ApprovalRejectionReason;

  constructor(reason: ApprovalRejectionReason) {
    super(`approvals: a ${OF_DECISIONS.includes(reason) ? "decision" : "token"} was rejected: ${WORDS[reason]}`);
    this.reason = reason;
  }
}

/** The decision of the tokens on a call: a denial if there is one. Otherwise why none counts, if some were passed. */
export async function decisionOfTokens(
  tokens: readonly string[],
  call: CallClaims,
  keys: readonly PreparedKey[],
  now: number,
): Promise<{ readonly decision: ApprovalClaims | undefined; readonly error: ApprovalRejectedError | undefined }> {
  const read = await Promise.all(tokens.map((token) => readDecision(token, call, keys, now)));
  const decisions = read.filter((said) => typeof said !== "string");
  const decision = decisions.find(({ decision }) => decision !== "approved") ?? decisions[0];
  if (decision) return { decision, error: undefined };
  const reasons = read.filter((said) => typeof said === "string");
  // Tokens of the other calls of a turn are passed along with its own.
  const reason = reasons.find((reason) => reason !== "other_call") ?? reasons[0];
  return { decision, error: reason === undefined ? undefined : new ApprovalRejectedError(reason) };
}
