import { isString, parseJson } from "../../shared/json.js";
import { decodeBase64url, encodeBase64url } from "./base64url.js";
import { type ApprovalClaims, type CallClaims, isClaims } from "./claims.js";
import type { PreparedKey } from "./keys.js";
import type { ApprovalRejectionReason } from "./rejection.js";

const VERSION = "v1";
/** Signed in front of every token, so that a key that signs other things too can't be made to sign a token. */
const PURPOSE = "svc-sdk approval token\n";
/** Longer ones aren't decoded: anyone may send them. */
export const LONGEST_TOKEN = 16_384;

const encoder = new TextEncoder();

/** A signed token: `v1.<body>.<mac>`. */
export async function signToken(claims: ApprovalClaims, { key }: PreparedKey): Promise<string> {
  const body = encodeBase64url(encoder.encode(JSON.stringify(claims)));
  const mac = await crypto.subtle.sign("HMAC", await key, signedBytes(body));
  return `${VERSION}.${body}.${encodeBase64url(new Uint8Array(mac))}`;
}

/** The claims of a token that one of the keys has signed and that hasn't expired, or why it isn't one. */
export async function readToken(
  token: string,
  keys: readonly PreparedKey[],
  now: number,
): Promise<ApprovalClaims | ApprovalRejectionReason> {
  const [version, body, mac, ...rest] = isString(token) && token.length <= LONGEST_TOKEN ? token.split(".") : [];
  if (version === undefined || body === undefined || mac === undefined || rest.length > 0) return "malformed";
  if (version !== VERSION) return /^v\d+$/.test(version) ? "unsupported_version" : "malformed";
  const bytes = decodeBase64url(body);
  const signature = decodeBase64url(mac);
  if (!bytes || !signature) return "not_canonical";
  const signer = await signerOf(body, signature, keys);
  if (!signer) return "bad_signature";
  // Only now is it worth reading.
  const claims = parseJson(new TextDecoder().decode(bytes));
  if (!isClaims(claims) || claims.key !== signer.id) return "malformed";
  return claims.expires <= now ? "expired" : claims;
}

async function signerOf(
  body: string,
  signature: Uint8Array<ArrayBuffer>,
  keys: readonly PreparedKey[],
): Promise<PreparedKey | undefined> {
  for (const prepared of keys) {
    if (await crypto.subtle.verify("HMAC", await prepared.key, signature, signedBytes(body))) return prepared;
  }
  return undefined;
}

const signedBytes = (body: string) => encoder.encode(`${PURPOSE}${VERSION}.${body}`);

const REASONS = {
  call: "other_call",
  tool: "other_tool",
  version: "other_version",
  arguments: "other_arguments",
  user: "other_user",
  account: "other_account",
  session: "other_session",
  scope: "other_scope",
  policy: "other_policy",
} as const satisfies Record<keyof CallClaims, ApprovalRejectionReason>;

/** The claims of a token that is a verdict on this call, or why it isn't one. */
export async function readVerdict(
  token: string,
  call: CallClaims,
  keys: readonly PreparedKey[],
  now: number,
): Promise<ApprovalClaims | ApprovalRejectionReason> {
  const claims = await readToken(token, keys, now);
  if (typeof claims === "string") return claims;
  // The names are the object's own, in its order.
  const names = Object.keys(REASONS) as (keyof CallClaims)[];
  const differing = names.find((name) => claims[name] !== call[name]);
  if (differing) return REASONS[differing];
  return claims.verdict === "asked" ? "not_approved" : claims;
}
