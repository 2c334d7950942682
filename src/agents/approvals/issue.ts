import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { isInterchangeable } from "../../shared/canonical-json.js";
import { isString } from "../../shared/json.js";
import type { PreparedKey } from "../hmac-key.js";
import {
  type ApprovalClaims,
  type CallClaims,
  claimsOf,
  isClaims,
  isPending,
  type PendingApproval,
} from "../pending-approval.js";
import { describeApproval } from "./describe.js";
import { ApprovalRejectedError, LONGEST_TOKEN, readToken, sealed, signToken } from "./token.js";

/** An approval request that no one has decided yet. */
export interface OpenApprovalRequest {
  /** How long it stays open, in milliseconds; 0 if its time is over. After that, a run of the call asks again. */
  readonly expiresInMs: number;
  /** No decision. */
  readonly approved?: undefined;
}

/** Options of a token. */
export interface ApproveOptions {
  /** Who decides: an id that your log understands. */
  readonly approver: string;
  /**
   * How long the token is valid, in milliseconds.
   * @default 86_400_000 (one day)
   */
  readonly expiresInMs?: number | undefined;
}

/** Options of a denial, which doesn't expire. */
export interface DenyOptions extends Pick<ApproveOptions, "approver"> {
  /** Why. The model reads it. */
  readonly reason?: string | undefined;
}

/** The decision of a person, or of a program for them: whether the call may run. */
export type ApprovalDecision =
  | (ApproveOptions & { readonly approved: true; readonly reason?: string | undefined })
  | (DenyOptions & { readonly approved: false });

/** The decision on a request. */
export interface RequestDecision {
  /** Whether the call may run. */
  readonly approved: boolean;
  /** Why it may not. The model reads it. */
  readonly reason?: string | undefined;
}

/** Issues tokens for pending approvals. */
export interface ApprovalIssuer {
  /**
   * Approves a call: exactly this tool, version, user, account and arguments, under the policy that asked. It runs
   * once, with `tools.run([pending.call], { approvals: [token] })`, in any process that shares `executions`.
   *
   * @returns The token. It runs nothing without your toolset.
   * @throws {ConfigError} if an option isn't usable, or what is given isn't a pending approval.
   */
  approve(pending: PendingApproval, options: ApproveOptions): Promise<string>;
  /**
   * Denies a call. Run with this token, it ends as `not_run`, and the model reads the reason. A denial wins over an
   * approval in the same run, and doesn't expire. Once a run has recorded it in `executions`, the call never runs, even
   * if it is approved later or by another process.
   *
   * @throws {ConfigError} if an option isn't usable, or what is given isn't a pending approval.
   */
  deny(pending: PendingApproval, options: DenyOptions): Promise<string>;
  /**
   * Creates an approval request to show in a client. The token identifies the call but doesn't approve it: pass it to
   * `decide` with the decision.
   *
   * @throws {ConfigError} if an option isn't usable, or what is given isn't a pending approval.
   */
  request(pending: PendingApproval, options: ApproveOptions): Promise<ApprovalPrompt>;
  /**
   * Turns a token of `request` into one with the decision on the same call. It expires when the first does.
   *
   * @throws {ApprovalRejectedError} if it isn't a valid token of `request`.
   */
  decide(request: string, decision: RequestDecision): Promise<ApprovalResponse>;
}

/** An approval request, to show to a person. */
export interface ApprovalPrompt {
  /** The words of `describeApproval`, with the arguments that `bind` sets. `mcpServer` doesn't send those. */
  readonly description: string;
  /** The token, for `decide`. */
  readonly token: string;
}

/** The decision on a request. */
export interface ApprovalResponse {
  /** The id of the call. */
  readonly callId: string;
  /** The token with the decision. */
  readonly token: string;
}

const DAY_MS = 86_400_000;
const NOT_PENDING = "approvals: pass the pending approval of a result, as it was or parsed from its JSON.";

interface TimedOptions extends ApproveOptions {
  readonly reason?: string | undefined;
}

const DENIAL = {
  approver: option.required(option.fitting("a string, such as the approver's user id", option.NAME.isFit)),
  reason: option.fitting("a string", isString),
} as const satisfies option.Rules<DenyOptions>;

const DECISION = {
  approved: option.required(option.BOOLEAN),
  reason: option.STRING,
} as const;

/** The way that tokens are issued with these keys. */
export function issuer(keys: readonly [PreparedKey, ...PreparedKey[]], now: () => number): ApprovalIssuer {
  const [signer] = keys;
  const isLifetime = (ms: unknown) => option.COUNT.isFit(ms) && Number.isSafeInteger(now() + Number(ms));
  const TIMED = {
    ...DENIAL,
    expiresInMs: {
      ...option.fitting("an integer above 0, and not beyond what a date can be", isLifetime),
      default: DAY_MS,
    },
  } as const satisfies option.Rules<TimedOptions>;
  const issue = async (
    decision: ApprovalClaims["decision"],
    pending: PendingApproval,
    { approver, reason, expiresInMs = DAY_MS }: TimedOptions,
  ): Promise<string> => {
    if (!isPending(pending) || !isInterchangeable(pending.arguments)) throw new ConfigError(NOT_PENDING);
    const issued = now();
    const call = await sealed(await claimsOf(pending), signer);
    return sign(decision, call, { approver, reason: reason ?? null, issued, expires: issued + expiresInMs }, signer);
  };

  return {
    approve: async (pending, options) => issue("approved", pending, option.checkAll("approvals", options, TIMED)),
    deny: async (pending, options) => issue("denied", pending, option.checkAll("approvals", options, DENIAL)),
    request: async (pending, options) => {
      const token = await issue("asked", pending, option.checkAll("approvals", options, TIMED));
      return { description: describeApproval(pending), token };
    },
    decide: async (request, decision) => {
      const { approved, reason = null } = option.checkAll("approvals", decision, DECISION);
      const read = await readToken(request, keys, now());
      if (isString(read)) throw new ApprovalRejectedError(read);
      const { claims, signer } = read;
      if (claims.decision !== "asked") throw new ApprovalRejectedError("not_a_request");
      const { approver, expires } = claims;
      const facts = { approver, reason, issued: now(), expires };
      const token = await sign(approved ? "approved" : "denied", claims, facts, signer);
      return { callId: claims.call, token };
    },
  };
}

async function sign(
  decision: ApprovalClaims["decision"],
  call: CallClaims,
  facts: Pick<ApprovalClaims, "approver" | "reason" | "issued" | "expires">,
  key: PreparedKey,
): Promise<string> {
  if (facts.reason !== null && !isString(facts.reason)) throw new ConfigError("approvals: reason must be a string.");
  const claims = { ...call, ...facts, key: key.id, id: crypto.randomUUID(), decision };
  // A token that nothing accepts would look like an approval, or a denial, to the person who gave it.
  if (!isClaims(claims)) throw new ConfigError(NOT_PENDING);
  const token = await signToken(claims, key);
  if (token.length <= LONGEST_TOKEN) return token;
  throw new ConfigError(
    `approvals: the token would exceed ${LONGEST_TOKEN} characters. Shorten the approver or the reason.`,
  );
}
