import {
  dictionaryOf,
  isBoolean,
  isInteger,
  isNumber,
  listOf,
  objectOf,
  optional,
  orNull,
  type TypeGuard,
} from "../shared/guards.js";
import { isObject, isString, type Json } from "../shared/json.js";
import type { Execution, ToolCall } from "./agent-tool.js";
import type { AskDecision, Decision } from "./decision.js";
import type { RunOptions } from "./run-options.js";
import type { ArgumentOrigin } from "./value-origins.js";

// The forms of one approval request, from the call to the list:
//
// - `ApprovalRequest`: in memory, while the call is evaluated. A policy passes it to `approvals`.
// - `PendingApproval`: as JSON, for programs, people and tokens. The resolver of `approvals()` makes it.
// - `ApprovalRecord`: in a store, the pending approval with its times and its decision. `SignedRecords` signs it, as
//   the value of a `StoredApproval`, and reads it as a `Kept` record.
// - `ListedRequest`: in lists, the pending approval with its state.

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

/** An inner call of a tool that runs other tools, for the person who approves all of them. */
export interface InnerApproval {
  /** The tool's own name. */
  readonly name: string;
  /** The tool's description. */
  readonly description: string;
  /** Why it needs approval; `null` if it doesn't. */
  readonly reason: string | null;
}

/** How much is left of a budget that counts a call, before the call runs. */
export interface ApprovalBudget {
  /** The budget's id or name; without either, its place in the policy. */
  readonly budget: string;
  /** The counted unit, such as `calls` or `calls of GITHUB_CREATE_AN_ISSUE`. */
  readonly unit: string;
  /** The most that may count in the period. */
  readonly limit: number;
  /** How much is left. Other calls can use it before this call is approved. */
  readonly left: number;
  /** Length of the period in milliseconds; `null` for one that never ends. */
  readonly windowMs: number | null;
  /** How much the call uses. Only if the approval lets the call pass this limit. */
  readonly requested?: number | undefined;
}

/** Names of the budgets whose limits an approval lets a call pass. */
export function exceededIn(budgets: readonly ApprovalBudget[]): string[] {
  const exceeded = budgets.filter(({ requested }) => requested !== undefined);
  return [...new Set(exceeded.map(({ budget }) => budget))].sort();
}

/** The format of pending approvals that this version of the package writes and reads. */
export const PENDING_FORMAT = 1;

/**
 * A call that waits for approval. It is JSON: store it as long as you like, and approve it in any process.
 *
 * The token is computed from the call, the arguments, the files, the version, the user, the account, the session, the
 * scope, the policy, and the limits that the call may pass, so exactly this call is approved.
 */
export interface PendingApproval {
  /** The format: 1. */
  readonly formatVersion: 1;
  /** Id of the request. It says nothing about the call, and can be part of a link or of a button. */
  readonly id: string;
  /** The call as the model made it, for `tools.run([pending.call], { approvals: [token] })`. */
  readonly call: ToolCall & { readonly arguments: Json };
  /** The arguments that will be sent. Show them instead of `call.arguments`. */
  readonly arguments: Json;
  /** The files that the arguments name, with their digests. */
  readonly files: readonly ApprovalFile[];
  /** The tool's description. */
  readonly description: string;
  /** The inner calls, if the tool runs other tools; otherwise empty. */
  readonly inner: readonly InnerApproval[];
  /** The tool's version. Session tools and local tools have none. */
  readonly version: string | null;
  /** The user it would run for; `null` if it isn't known. */
  readonly userId: string | null;
  /** The connected account it would run through; `null` if the tool needs none, or a session chooses it. */
  readonly accountId: string | null;
  /**
   * Fields by which a person recognizes the account: `alias`, `word_id`, and fields such as `username`, `subdomain` or
   * `account_url`. Empty if the service returns no such field.
   */
  readonly account: Readonly<Record<string, string>>;
  /** Id of the agent session; `null` without one. */
  readonly sessionId: string | null;
  /** The toolset's `conversationId`; `null` without one. */
  readonly conversationId: string | null;
  /** Distinguishes calls of different users, sessions or conversations that have the same id. */
  readonly scope: string;
  /** Digest of the policy that asks. */
  readonly policyDigest: string;
  /**
   * When the request expires, in milliseconds since 1970. After that, it can't be decided, and a run of the call asks
   * again. `null` without a `store`: the request doesn't expire.
   */
  readonly expiresAt: number | null;
  /** Why it needs approval. */
  readonly reason: string;
  /** The labels of the conversation that rules with `after` compared; `null` if unknown. */
  readonly labels: readonly string[] | null;
  /**
   * The budgets that count the call, when the approval was requested. The approval lets the call pass only the limits
   * of those with `requested`.
   */
  readonly budgets: readonly ApprovalBudget[];
  /** Where values of the arguments appear in earlier results that this process has seen. */
  readonly origins: readonly ArgumentOrigin[];
  /** The arguments of the model's earlier request, if it was denied or they have changed; otherwise `null`. */
  readonly previousArguments: Json | null;
}

/** A call that needs an approval before it runs. */
export interface ApprovalRequest
  extends Pick<PendingApproval, "files" | "labels" | "budgets" | "origins" | "policyDigest" | "scope"> {
  /** The call, with the account it will run through. The approval also covers the calls in `inner`. */
  readonly execution: Execution;
  /** The decision that asks, with its reason and its rule. */
  readonly decision: AskDecision;
  /** The decision on each of the `inner` calls. */
  readonly innerDecisions: readonly Decision[];
  /** Id of the agent session; `undefined` without one. */
  readonly sessionId: string | undefined;
  /** The toolset's `conversationId`. */
  readonly conversationId: string | undefined;
  /** Reads the facts by which a person recognizes the account: see {@link PendingApproval.account}. Doesn't reject. */
  readAccount(): Promise<Readonly<Record<string, string>>>;
}

/**
 * The result of an approval request:
 *
 * - `approved`: it may run, now and once.
 * - `pending`: no one has decided yet. The call ends with the status `pending`. `error` says why a token didn't count.
 * - `denied`: it doesn't run. The model reads the reason.
 */
export type ApprovalResult =
  | { readonly status: "approved"; readonly approver: string }
  | { readonly status: "pending"; readonly pending: PendingApproval; readonly error: unknown }
  | { readonly status: "denied"; readonly reason: string; readonly approver?: string | undefined };

/** Approves or denies calls for a policy: the option `approvals` of a toolset. */
export interface Approvals {
  /**
   * Approves or denies one call, after the policy's decision and before budgets and the record of its start. Throw or
   * reject, and nothing runs. A budget or the record of an earlier start can still stop an approved call.
   */
  resolve(request: ApprovalRequest, options: RunOptions): Promise<ApprovalResult>;
}

/** Whether a stored value is a pending approval, whose arguments mean the same to every reader. */
export const isPending: TypeGuard<PendingApproval> = objectOf<PendingApproval>({
  formatVersion: (value): value is typeof PENDING_FORMAT => value === PENDING_FORMAT,
  id: isString,
  call: objectOf<PendingApproval["call"]>({
    callId: isString,
    name: isString,
    arguments: isObject,
    isTruncated: optional(isBoolean),
    isFromProgram: optional(isBoolean),
  }),
  arguments: isObject,
  files: listOf(
    objectOf<ApprovalFile>({
      source: isString,
      sha256: isString,
      bytes: isNumber,
      filename: isString,
      mimetype: isString,
    }),
  ),
  description: isString,
  inner: listOf(objectOf<InnerApproval>({ name: isString, description: isString, reason: orNull(isString) })),
  version: orNull(isString),
  userId: orNull(isString),
  accountId: orNull(isString),
  account: dictionaryOf(isString),
  sessionId: orNull(isString),
  conversationId: orNull(isString),
  scope: isString,
  policyDigest: isString,
  expiresAt: orNull(isInteger),
  reason: isString,
  labels: orNull(listOf(isString)),
  budgets: listOf(
    objectOf<ApprovalBudget>({
      budget: isString,
      unit: isString,
      limit: isNumber,
      left: isNumber,
      windowMs: orNull(isNumber),
      requested: optional(isNumber),
    }),
  ),
  origins: listOf(objectOf<ArgumentOrigin>({ argument: isString, tool: isString, place: isString })),
  previousArguments: orNull(isObject),
});
