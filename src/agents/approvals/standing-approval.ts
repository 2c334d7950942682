import type { ApprovalRequest, PendingApproval } from "../pending-approval.js";
import { compileRule } from "../policy/compile-rule.js";
import type { Conditions, PolicyCall } from "../policy/rules.js";
import { type CallClaims, claimsOf } from "./approval-claims.js";
import type { ApproveOptions } from "./approval-issuer.js";

/**
 * Options of a standing approval. Without `tools`, `accounts`, `when` and `conversations`, it applies to the same call
 * again: the same tool in the same version, account, arguments, user and conversation. Each option widens a condition.
 * A call after a label that the request doesn't have asks again.
 */
export interface StandingOptions extends ApproveOptions {
  /** How many calls may run, including the call of the request: 1 to 1,000. */
  readonly maxUses: number;
  /**
   * Slugs, or patterns in which `*` stands for any characters. A tool that can run anything needs its exact name.
   * @default the tool of the request, in its version
   */
  readonly tools?: readonly string[];
  /** Ids of connected accounts, or patterns. @default the account of the request */
  readonly accounts?: readonly string[];
  /** Conditions by argument, as data. Calls with files don't match. @default the arguments of the request */
  readonly when?: Conditions;
  /**
   * The conversations in which it applies. `all` needs a user.
   * @default "same"
   */
  readonly conversations?: "same" | "all" | undefined;
}

/** An approval of more than one call: see {@link StandingOptions}. */
export interface StandingApproval extends Omit<StandingOptions, "expiresInMs"> {
  /** For `standing.revoke`. */
  readonly id: string;
  /** The request that was approved. The standing approval applies only to its user and under its policy. */
  readonly request: PendingApproval;
  /** How many calls have been approved. */
  readonly uses: number;
  /** When it was given, in milliseconds since 1970. */
  readonly createdAt: number;
  /** When it expires, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Id of the person who revoked it; `null` if it is active. */
  readonly revokedBy: string | null;
}

/** The records of a list of {@link StandingApprovals}. */
export interface StandingQuery {
  /** The user; for a session that was opened by its id alone, the session's id. @default all users */
  readonly userId?: string | undefined;
  /** Whether to list active or revoked approvals. @default "active" */
  readonly state?: "active" | "revoked" | undefined;
}

/** The standing approvals of a store. */
export interface StandingApprovals {
  /**
   * Approves a request, and later calls that match the options, without asking again. The calls of
   * `SVC_MULTI_EXECUTE_TOOL` match only with the same arguments.
   *
   * @param request - The pending approval, or its id.
   * @throws {ConfigError} if an option isn't usable, or the options don't match the request.
   * @throws {ApprovalRejectedError} if the request is unknown, has expired, or was decided.
   */
  approve(request: PendingApproval | string, options: StandingOptions): Promise<StandingApproval>;
  /** Lists standing approvals, the newest first. Omits those that have expired. */
  list(query?: StandingQuery): AsyncIterable<StandingApproval>;
  /**
   * Revokes a standing approval. Calls that haven't started need another approval, in every process.
   *
   * @throws {ApprovalRejectedError} if the store has none with this id.
   */
  revoke(id: string, options: Pick<ApproveOptions, "approver">): Promise<void>;
}

/** A standing approval without its use. */
export type GivenApproval = Omit<StandingApproval, "uses" | "revokedBy">;

/** A call, its facts, and the id of its request. */
export interface RequestedCall {
  readonly id: string;
  readonly claims: CallClaims;
  readonly call: PolicyCall;
  /** The labels that rules compared; `null` if unknown. */
  readonly labels: readonly string[] | null;
  /** Whether the call has files, or makes other calls. */
  readonly hasMore: { readonly files: boolean; readonly inner: boolean };
}

/** A stored request as a call. */
export const callOfPending = (pending: PendingApproval, claims: CallClaims, id: string): RequestedCall => ({
  id,
  claims,
  call: callOf({ tool: { name: pending.call.name }, arguments: pending.arguments }, claims),
  labels: pending.labels,
  hasMore: { files: pending.files.length > 0, inner: pending.inner.length > 0 },
});

/** The call of a request. */
export const callOfRequest = (request: ApprovalRequest, claims: CallClaims, id: string): RequestedCall => ({
  id,
  claims,
  call: callOf(request.execution, claims),
  labels: request.labels,
  hasMore: { files: request.files.length > 0, inner: request.execution.inner.length > 0 },
});

const callOf = ({ tool, arguments: args }: Pick<PolicyCall, "tool" | "arguments">, claims: CallClaims): PolicyCall => {
  return { tool, arguments: args, userId: claims.user ?? undefined, accountId: claims.account ?? undefined };
};

/** Whether a standing approval is for a call. */
export async function approvesCall(
  approval: GivenApproval,
  { claims, call, labels, hasMore }: RequestedCall,
): Promise<boolean> {
  const { request, tools, accounts, when, conversations } = approval;
  const of = await claimsOf(request);
  const isSame = (...facts: readonly (keyof CallClaims)[]) => facts.every((fact) => of[fact] === claims[fact]);
  if (!isSame("user", "policy") || !(conversations === "all" ? of.user !== null : isSame("scope"))) return false;
  if (tools ? isSame("tool") && !isSame("version") : !isSame("tool", "version")) return false;
  if (!accounts && !isSame("account")) return false;
  if (claims.budgets !== null && !isSame("budgets")) return false;
  // Who approved didn't know that the model would read such text.
  const isCovered = labels ? labels.every((name) => request.labels?.includes(name)) : request.labels === null;
  if (!isCovered) return false;
  // What a call inside of another one does isn't in the arguments of the outer call.
  if (when ? hasMore.files || hasMore.inner : !isSame("arguments")) return false;
  const match = { tools: tools ?? [of.tool], ...(accounts && { accounts }), ...(when && { when }) };
  return compileRule("standing approval", "allow", match).evaluate(call).matched;
}
