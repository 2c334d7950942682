import { SvcError } from "../../errors/base.js";

/**
 * Why a token didn't count:
 *
 * - `malformed`: it isn't a token, or a part of it is missing.
 * - `unsupported_version`: this release doesn't know its version.
 * - `not_canonical`: it isn't written the one way that is accepted.
 * - `bad_signature`: it was changed, or none of the keys signed it.
 * - `expired`: its time is over.
 * - `not_approved`: it asks for approval, and isn't one.
 * - `not_a_request`: it is a decision already, and doesn't ask for one.
 * - `other_…`: it is for another tool, version, user, account, session, scope, policy, or for other arguments.
 */
export type ApprovalRejectionReason =
  | "malformed"
  | "unsupported_version"
  | "not_canonical"
  | "bad_signature"
  | "expired"
  | "not_approved"
  | "not_a_request"
  | "other_call"
  | "other_tool"
  | "other_version"
  | "other_arguments"
  | "other_user"
  | "other_account"
  | "other_session"
  | "other_scope"
  | "other_policy";

const WORDS: Readonly<Record<ApprovalRejectionReason, string>> = {
  malformed: "it isn't a whole token. Pass it exactly as approve() returned it.",
  unsupported_version: "its version is unknown. Update svc-sdk in the process that checks it.",
  not_canonical: "it isn't canonical base64url. Pass it exactly as approve() returned it.",
  bad_signature: "no key verifies it. It was changed, or its key is missing from keys.",
  expired: "it has expired. Ask for approval again.",
  not_approved: "it asks for approval, and isn't one. Turn it into one with decide().",
  not_a_request: "it is a decision already. decide() takes the token of request().",
  other_call: "it is for another call.",
  other_tool: "it is for another tool.",
  other_version: "it is for another version of the tool. Ask for approval again.",
  other_arguments: "it is for other arguments. Ask for approval again.",
  other_user: "it is for another user.",
  other_account: "it is for another connected account. Ask for approval again.",
  other_session: "it is for another agent session.",
  other_scope: "it is for another scope.",
  other_policy: "the policy has changed since it was issued. Ask for approval again.",
};

/** A token was rejected. Nothing ran. */
export class ApprovalRejectedError extends SvcError {
  protected static override readonly brand: string = "ApprovalRejectedError";

  /** Why. */
  readonly reason: ApprovalRejectionReason;

  constructor(reason: ApprovalRejectionReason) {
    super(`approvals: a token was rejected: ${WORDS[reason]}`);
    this.reason = reason;
  }
}
