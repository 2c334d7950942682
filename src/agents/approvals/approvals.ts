// The room of approvals: tokens, requests in an inbox, standing approvals. It imports `policy`, whose rules a
// standing approval uses, `inspector-reports` and `tools`. Start here, then `token.ts`.

import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { DAY_MS } from "../../shared/timers.js";
import { type HmacKey, preparedKeys } from "../hmac-key.js";
import type { Approvals, PendingApproval } from "../pending-approval.js";
import type { ApprovalDecision, ApprovalIssuer, DenyOptions } from "./approval-issuer.js";
import { type ApprovalStore, memoryApprovals } from "./approval-store.js";
import { Decider } from "./decider.js";
import { Inbox } from "./inbox.js";
import type { ListedRequest, RequestQuery } from "./listed-request.js";
import { type OnRequest, RequestTeller } from "./request-teller.js";
import { Resolver } from "./resolver.js";
import type { StandingApprovals } from "./standing-approval.js";
import { StandingRecords } from "./standing-records.js";
import { TokenIssuer } from "./token-issuer.js";

/** Options of {@link approvals}. */
export interface ApprovalsOptions {
  /**
   * At most 8 keys: `{ id, secret }`, with at least 32 random characters as the secret. The first key signs tokens, and
   * all keys verify tokens. To rotate keys, put the new key first, and remove the old key after its tokens have
   * expired.
   */
  readonly keys: readonly HmacKey[];
  /**
   * Keeps requests and their decisions: `memoryApprovals()`, or `redisApprovals` or `postgresApprovals` from
   * `svc-sdk/stores`. With a store, you can list and withdraw requests, the first decision in any process wins, and a
   * call that runs again finds its decision without a token. While the store fails, no call runs that needs approval.
   * @default none: your program keeps pending approvals and tokens
   */
  readonly store?: ApprovalStore | undefined;
  /**
   * How long a request can be decided, in milliseconds. After that, a run of the call asks again.
   * @default 604_800_000 (seven days)
   */
  readonly requestExpiresInMs?: number | undefined;
  /**
   * Receives each call that needs approval and has no token: tell a person, save the call, or return a decision. It is
   * called once per call and process, or with a `store` in all processes, unless a process dies or several run the call
   * at the same time. An approval is valid for its `expiresInMs`, by default for a day. A denial doesn't expire.
   * Without a decision, the call ends as `pending`. Return `{ expiresInMs }` to receive the call again if it runs after
   * that time. If the function throws, nothing runs. A dry run doesn't call it, and an aborted run doesn't wait for it.
   * `askInspector` creates such a function for development.
   */
  readonly onRequest?: OnRequest | undefined;
  /**
   * The current time, in milliseconds since 1970. For tests.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined;
}

/** Approvals by signed tokens, which {@link approvals} creates. Issues and verifies tokens, and lists requests. */
export interface TokenApprovals extends Approvals, ApprovalIssuer {
  /** Standing approvals, which need a `store`. */
  readonly standing: StandingApprovals;
  /**
   * Lists requests, the newest first. Needs a `store`. Omits requests that no key in `keys` signed.
   *
   * ```ts
   * for await (const { pending } of gate.list({ userId: "user-4711" })) console.log(describeApproval(pending));
   * ```
   *
   * @throws {ConfigError} without a `store`, and for an unknown or invalid option.
   */
  list(query?: RequestQuery): AsyncIterable<ListedRequest>;
  /** Reads a request by its id. Needs a `store`. @returns `undefined` if the store has none. */
  get(id: string): Promise<ListedRequest | undefined>;
  /**
   * Decides a request, unless it was decided before or has expired. Needs a `store`. `approve` and `deny` reject then.
   *
   * ```ts
   * await gate.decide(id, { approved: true, approver: "ada@example.com" });
   * ```
   *
   * @param request - The pending approval, or its id.
   * @returns The request with its first decision. `undefined` if the store has no request with this id.
   * @throws {ConfigError} without a `store`, or if an option isn't usable.
   */
  decide(request: PendingApproval | string, decision: ApprovalDecision): Promise<ListedRequest | undefined>;
  /**
   * Withdraws a request that no one has decided. Needs a `store`. If the call runs again, it ends as `not_run`.
   *
   * @param request - The pending approval, or its id.
   * @throws {ApprovalRejectedError} if the request is unknown, has expired, or was decided.
   */
  withdraw(request: PendingApproval | string, options: DenyOptions): Promise<void>;
}

const WEEK_MS = 7 * DAY_MS;
const APPROVALS_OPTIONS = {
  // Checked when the keys are prepared.
  keys: {},
  store: option.withMethods(["find", "swap", "list"]),
  requestExpiresInMs: { ...option.between(1, 10 * 365 * DAY_MS, true), default: WEEK_MS },
  onRequest: option.FUNCTION,
  now: { ...option.FUNCTION, default: () => Date.now() },
} as const satisfies option.Rules<ApprovalsOptions>;

/**
 * Creates the approvals of a toolset. A call that needs approval ends as `pending` until it runs with the token of an
 * approval. A token is valid for one call only.
 *
 * ```ts
 * const gate = approvals({ keys: [{ id: "2026-11", secret }] });
 * ```
 *
 * Approve the call of the `pendingApproval`, and run it again with the token.
 *
 * ```ts
 * const token = await gate.approve(pending, { approver: "ada@example.com", expiresInMs: 3_600_000 });
 * const [result] = await tools.run([pending.call], { approvals: [token] });
 * ```
 *
 * @throws {ConfigError} if a key or another option isn't usable.
 */
export function approvals(options: ApprovalsOptions): TokenApprovals {
  const { keys, store, requestExpiresInMs, onRequest, now } = option.checkAll("approvals", options, APPROVALS_OPTIONS);
  const prepared = preparedKeys("approvals", keys);
  // Without a store of the program, it only remembers for which calls `onRequest` was called.
  const records = store ?? memoryApprovals();
  const inbox = new Inbox(records, prepared, now, {
    expiresInMs: requestExpiresInMs,
    isShared: store !== undefined,
  });
  const issuer = new TokenIssuer(prepared, now);
  const kept = store && {
    inbox,
    standing: new StandingRecords(store, inbox, prepared, now),
    decider: new Decider(inbox, issuer, prepared, now),
  };
  const resolver = new Resolver({
    ...{ keys: prepared, now, inbox, keepsRequests: store !== undefined || onRequest !== undefined },
    standing: kept?.standing,
    teller: onRequest && new RequestTeller(onRequest, inbox, issuer, now),
  });
  const requests = () => {
    if (kept) return kept;
    throw new ConfigError(
      "approvals: without a store, requests aren't kept. Pass store: memoryApprovals(), for example.",
    );
  };
  const { approve, deny, request, respond } = kept?.decider ?? issuer;
  return {
    ...{ approve, deny, request, respond },
    resolve: (request, options) => resolver.resolve(request, options),
    standing: {
      approve: async (request, options) => requests().standing.approve(request, options),
      list: (query) => requests().standing.list(query),
      revoke: async (id, options) => requests().standing.revoke(id, options),
    },
    list: (query) => requests().inbox.list(query),
    get: async (id) => requests().inbox.get(id),
    decide: async (request, decision) => requests().decider.decide(request, decision),
    withdraw: async (request, options) => requests().decider.withdraw(request, options),
  };
}
