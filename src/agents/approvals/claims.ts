import { isObject, isString } from "../../shared/json.js";

/** The content of a token: the call that was judged, who judged it, and until when that is valid. */
export interface ApprovalClaims {
  /** Id of the key that signed it. */
  readonly key: string;
  /** Random id of this token, for your log. */
  readonly id: string;
  /** The verdict; `asked` as long as no one has judged. */
  readonly verdict: "asked" | "approved" | "denied";
  /** Reason of a denial, for the model. */
  readonly reason: string | null;
  /** Id of the person who judged, or is asked to, as your program named them. */
  readonly approver: string;
  /** The tool's own name. */
  readonly tool: string;
  /** The tool's version. Session tools and your own tools have none. */
  readonly version: string | null;
  /** SHA-256 of the canonical form (RFC 8785) of the arguments as they will be sent, with the digest of each file. */
  readonly arguments: string;
  /** The user it runs for; `null` if it isn't known. */
  readonly user: string | null;
  /** Id of the connected account it runs through; `null` if the tool needs none, or a session chooses it. */
  readonly account: string | null;
  /** Id of the agent session; `null` without one. */
  readonly session: string | null;
  /** Sets apart calls of other users, sessions or conversations that have the same id. */
  readonly scope: string;
  /** The model's id of the call. */
  readonly call: string;
  /** Digest of the policy that asked. */
  readonly policy: string;
  /** When it was issued, in milliseconds since 1970. */
  readonly issued: number;
  /** When it expires, in milliseconds since 1970. */
  readonly expires: number;
}

/** The facts about a call that its token must match. */
export type CallClaims = Pick<
  ApprovalClaims,
  "tool" | "version" | "arguments" | "user" | "account" | "session" | "scope" | "call" | "policy"
>;

/** The facts about its call that a token contains. */
export function callClaims(claims: ApprovalClaims): CallClaims {
  const { tool, version, arguments: args, user, account, session, scope, call, policy } = claims;
  return { tool, version, arguments: args, user, account, session, scope, call, policy };
}

const VERDICTS = ["asked", "approved", "denied"] as const;
const STRINGS = ["key", "id", "approver", "tool", "arguments", "scope", "call", "policy"] as const;
const STRINGS_OR_NULL = ["reason", "version", "user", "account", "session"] as const;

/** Whether a value is the claims of a token. */
export function isClaims(value: unknown): value is ApprovalClaims {
  return (
    isObject(value) &&
    VERDICTS.some((verdict) => verdict === value["verdict"]) &&
    STRINGS.every((name) => isString(value[name])) &&
    STRINGS_OR_NULL.every((name) => value[name] === null || isString(value[name])) &&
    Number.isSafeInteger(value["issued"]) &&
    Number.isSafeInteger(value["expires"])
  );
}
