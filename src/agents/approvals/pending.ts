import { isObject, isString, type Json } from "../../shared/json.js";
import { digestOf } from "../canonical.js";
import type { ToolCall } from "../tool.js";
import type { CallClaims } from "./claims.js";

/** A file that a call would upload. */
export interface ApprovalFile {
  /** Its path or URL, as the model wrote it. */
  readonly source: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** The name it would be uploaded under. */
  readonly filename: string;
  /** Media type. */
  readonly mimetype: string;
}

/**
 * A call that waits for approval. It is JSON: keep it as long as you like, and approve it in another process.
 *
 * What is approved is exactly what it says: its token is computed from these fields.
 */
export interface PendingApproval {
  /** The format: 1. */
  readonly approval: 1;
  /** The call, for `tools.run([pending.call], { approvals: [token] })`. Its arguments are those that will be sent. */
  readonly call: ToolCall & { readonly arguments: Json };
  /** The files that the arguments name, with their digests. */
  readonly files: readonly ApprovalFile[];
  /** The tool's description. */
  readonly description: string;
  /** The tool's version. Session tools and your own tools have none. */
  readonly version: string | null;
  /** The user it would run for; `null` if it isn't known. */
  readonly userId: string | null;
  /** The connected account it would run through; `null` if the tool needs none, or a session chooses it. */
  readonly accountId: string | null;
  /** Id of the agent session; `null` without one. */
  readonly sessionId: string | null;
  /** Sets apart calls of other users, sessions or conversations that have the same id. */
  readonly scope: string;
  /** Digest of the policy that asks. */
  readonly policy: string;
  /** Why it needs approval. */
  readonly reason: string;
  /** The arguments for which the model asked before, if they were denied or have changed; otherwise `null`. */
  readonly earlier: Json | null;
}

/** The facts that a token of this call contains. */
export async function claimsOf(pending: PendingApproval): Promise<CallClaims> {
  const { call, files, version, userId, accountId, sessionId, scope, policy } = pending;
  return {
    tool: call.name,
    version,
    arguments: await digestOf([call.arguments, files]),
    user: userId,
    account: accountId,
    session: sessionId,
    scope,
    call: call.callId,
    policy,
  };
}

/** Whether a stored value is a pending approval, whose arguments mean the same to every reader. */
export function isPending(value: unknown): value is PendingApproval {
  if (!isObject(value) || value["approval"] !== 1 || !Array.isArray(value["files"])) return false;
  const { call } = value;
  return isObject(call) && isString(call["callId"]) && isString(call["name"]) && isObject(call["arguments"]);
}
