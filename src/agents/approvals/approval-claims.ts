import { digestOf } from "../../shared/canonical-json.js";
import { isObject, isString } from "../../shared/json.js";
import { exceededIn, type PendingApproval } from "../pending-approval.js";

const DECISIONS = ["asked", "approved", "denied", "withdrawn"] as const;

/** The content of a token: the call, the decision, who made it, and until when it is valid. */
export interface ApprovalClaims {
  /** Id of the key that signed it. */
  readonly key: string;
  /** Random id of this token, for your log. */
  readonly id: string;
  /** The decision; `asked` as long as no one has decided. */
  readonly decision: (typeof DECISIONS)[number];
  /** Reason of a denial, for the model. */
  readonly reason: string | null;
  /** Id of the person who decided, or is asked to, as your program named them. */
  readonly approver: string;
  /** The tool's own name. */
  readonly tool: string;
  /** The tool's version. Session tools and local tools have none. */
  readonly version: string | null;
  /**
   * HMAC of the SHA-256 of the canonical form (RFC 8785) of the arguments as they will be sent, with the digest of each
   * file.
   */
  readonly arguments: string;
  /** The user it runs for; `null` if it isn't known. */
  readonly user: string | null;
  /** Id of the connected account it runs through; `null` if the tool needs none, or a session chooses it. */
  readonly account: string | null;
  /** Id of the agent session; `null` without one. */
  readonly session: string | null;
  /** Distinguishes calls of different users, sessions or conversations that have the same id. */
  readonly scope: string;
  /** The model's id of the call. */
  readonly call: string;
  /** Digest of the policy that asked. */
  readonly policy: string;
  /** Names of the budgets whose limits the call may pass, as a JSON list; `null` for none. */
  readonly budgets: string | null;
  /** When it was issued, in milliseconds since 1970. */
  readonly issued: number;
  /** When it expires, in milliseconds since 1970. */
  readonly expires: number;
}

/** The facts about a call that its token must match. The first that differs is reported. */
export const CALL_FACTS = [
  "call",
  "tool",
  "version",
  "arguments",
  "user",
  "account",
  "session",
  "scope",
  "policy",
  "budgets",
] as const satisfies readonly (keyof ApprovalClaims)[];

export type CallClaims = Pick<ApprovalClaims, (typeof CALL_FACTS)[number]>;

const STRINGS = ["key", "id", "approver", "tool", "arguments", "scope", "call", "policy"] as const;
const STRINGS_OR_NULL = ["reason", "version", "user", "account", "session", "budgets"] as const;

export function isClaims(value: unknown): value is ApprovalClaims {
  return (
    isObject(value) &&
    DECISIONS.some((decision) => decision === value["decision"]) &&
    STRINGS.every((name) => isString(value[name])) &&
    STRINGS_OR_NULL.every((name) => value[name] === null || isString(value[name])) &&
    Number.isSafeInteger(value["issued"]) &&
    Number.isSafeInteger(value["expires"])
  );
}

/** The facts that a token of this call contains. */
export async function claimsOf(pending: PendingApproval): Promise<CallClaims> {
  const { call, arguments: args, files, version, userId, accountId, sessionId, scope, policyDigest } = pending;
  const exceeded = exceededIn(pending.budgets);
  return {
    tool: call.name,
    version,
    arguments: await digestOf([args, files]),
    user: userId,
    account: accountId,
    session: sessionId,
    scope,
    call: call.callId,
    policy: policyDigest,
    budgets: exceeded.length === 0 ? null : JSON.stringify(exceeded),
  };
}
