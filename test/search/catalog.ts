// The worlds that are searched. Small ones are searched completely, large ones at random.

import type { Definition } from "./world.js";
import { accountsOfCalls } from "./worlds/accounts.js";
import { answers } from "./worlds/answers.js";
import { approvalsOnce, contested } from "./worlds/approvals.js";
import { audited } from "./worlds/audit.js";
import { auditing } from "./worlds/auditing.js";
import { betweenSteps } from "./worlds/between-steps.js";
import { budgets } from "./worlds/budgets.js";
import { connecting } from "./worlds/connecting.js";
import { countedCalls } from "./worlds/counted-calls.js";
import { endedCalls } from "./worlds/ended-calls.js";
import { executions } from "./worlds/executions.js";
import { decidedOnce, standingUses } from "./worlds/inbox.js";
import { inboxes } from "./worlds/inboxes.js";
import { labeledCalls } from "./worlds/labeled-calls.js";
import { labeling } from "./worlds/labeling.js";
import { labels } from "./worlds/labels.js";
import { limitedExecutions } from "./worlds/limited-executions.js";
import { limits } from "./worlds/limits.js";
import { lookingUp } from "./worlds/looking-up.js";
import { oddStores } from "./worlds/odd-stores.js";
import { outages } from "./worlds/outages.js";
import { programPolicies } from "./worlds/program-policies.js";
import { countedLimit, rateLimit } from "./worlds/rate-limit.js";
import { receiver } from "./worlds/receiver.js";
import { receiving } from "./worlds/receiving.js";
import { recordedCalls } from "./worlds/recorded-calls.js";
import { repetitions } from "./worlds/repeating.js";
import { requests } from "./worlds/requests.js";
import { runtimes } from "./worlds/runtimes.js";
import { sendings } from "./worlds/sending.js";
import { sessions } from "./worlds/sessions.js";
import { settling } from "./worlds/settling.js";
import { sharedAnswers } from "./worlds/shared-answers.js";
import { spendings } from "./worlds/spending.js";
import { standingCalls } from "./worlds/standing.js";
import { storeReplies } from "./worlds/store-replies.js";
import { suspending } from "./worlds/suspending.js";
import { tellings } from "./worlds/telling.js";
import { tickets } from "./worlds/tickets.js";
import { together } from "./worlds/together.js";
import { togetherAccounts } from "./worlds/together-accounts.js";
import { togetherApprovals } from "./worlds/together-approvals.js";
import { togetherAttempts } from "./worlds/together-attempts.js";
import { togetherBudgets } from "./worlds/together-budgets.js";
import { togetherCalls } from "./worlds/together-calls.js";
import { togetherDeliveries } from "./worlds/together-deliveries.js";
import { togetherInbox } from "./worlds/together-inbox.js";
import { togetherLimits } from "./worlds/together-limits.js";
import { togetherLists } from "./worlds/together-lists.js";
import { togetherPolicies } from "./worlds/together-policies.js";
import { togetherPrograms } from "./worlds/together-programs.js";
import { togetherRetries } from "./worlds/together-retries.js";
import { togetherSessions } from "./worlds/together-sessions.js";
import { togetherSettling } from "./worlds/together-settling.js";
import { togetherStanding } from "./worlds/together-standing.js";
import { togetherStores } from "./worlds/together-stores.js";
import { togetherTurns } from "./worlds/together-turns.js";
import { togetherWindows } from "./worlds/together-windows.js";
import { tokens } from "./worlds/tokens.js";
import { turns } from "./worlds/turns.js";
import { uploads } from "./worlds/uploads.js";
import { verifying } from "./worlds/verifying.js";
import { wholeFacts } from "./worlds/whole-facts.js";

/** An execution log that shows everything. */
const COMPLETE_LOG = { hasRequestIds: true, hasPayloads: true } as const;

/** The decision of the worlds' approver. */
const approve = { decision: "approve" } as const;

/**
 * Worlds of 1 to 3 processes with 1 to 3 operations, searched completely. The longest search of each protocol is its
 * last one, and the longest of all is at the end.
 */
export const SMALL: readonly Definition[] = [
  ...together,
  ...betweenSteps,
  ...countedCalls,
  ...recordedCalls,
  ...labeledCalls,
  ...togetherCalls,
  ...togetherInbox,
  ...togetherSessions,
  ...togetherAccounts,
  ...togetherPrograms,
  ...togetherPolicies,
  ...togetherLimits,
  ...togetherStores,
  ...togetherSettling,
  ...togetherDeliveries,
  ...inboxes,
  ...verifying,
  ...togetherTurns,
  ...togetherBudgets,
  ...togetherRetries,
  ...togetherAttempts,
  ...togetherWindows,
  ...togetherLists,
  ...storeReplies,
  ...togetherStanding,
  ...togetherApprovals,
  ...turns,
  ...oddStores,
  ...sendings,
  ...labeling,
  ...tokens,
  ...requests,
  ...standingCalls,
  ...spendings,
  ...programPolicies,
  ...sessions,
  ...uploads,
  ...suspending,
  ...accountsOfCalls,
  ...lookingUp,
  ...auditing,
  ...receiving,
  ...runtimes,
  ...answers,
  ...endedCalls,
  ...sharedAnswers,
  ...tellings,
  ...repetitions,
  ...wholeFacts,
  ...outages,
  executions("executions: 2 processes, 1 crash", [["a"], ["a"]], { crashes: 1 }),
  executions("executions: 2 processes, 1 lost reply", [["a"], ["a"]], { lostReplies: 1 }),
  executions("executions: 1 process, 1 crash, 1 lost reply", [["a"]], { crashes: 1, lostReplies: 1 }),
  executions("executions: 1 process, 3 lost replies", [["a"]], { lostReplies: 3 }),
  executions("executions: 1 process, 2 toolsets, 2 lost replies", [["a"]], { lostReplies: 2 }, { atOnce: 2 }),
  executions("executions: 2 processes, 1 rejection, 1 resend", [["a"], ["a"]], { resends: 1 }, { rejections: 1 }),
  executions(
    "executions: 2 processes, 1 rejection, 1 late request",
    [["a"], ["a"]],
    { lateRequests: 1 },
    { rejections: 1 },
  ),
  executions(
    "executions: 1 process, 1 rejection, 1 late request, 1 lost reply",
    [["a"]],
    { lateRequests: 1, lostReplies: 1 },
    { rejections: 1 },
  ),
  limitedExecutions("executions: 1 process, 1 wait, 1 crash, 1 lost reply", 1, { crashes: 1, lostReplies: 1 }),
  limitedExecutions("executions: 2 processes, 1 wait", 2, {}),
  executions("executions: 2 processes, 2 calls", [["a", "b"], ["a"]], {}),
  executions("executions: 3 processes", [["a"], ["a"], ["a"]], {}),
  executions("executions: 3 processes, 1 lost reply", [["a"], ["a"], ["a"]], { lostReplies: 1 }),
  executions("executions: 2 processes, 1 crash, 1 lost reply", [["a"], ["a"]], { crashes: 1, lostReplies: 1 }),
  executions("executions: 3 processes, 1 crash", [["a"], ["a"], ["a"]], { crashes: 1 }),
  settling("settling: 1 process, 3 lost replies", 1, { lostReplies: 3 }, COMPLETE_LOG),
  settling(
    "settling: 1 process, 1 late request, 1 lost reply, 2 early timers",
    1,
    { lateRequests: 1, lostReplies: 1, earlyTimers: 2 },
    COMPLETE_LOG,
  ),
  settling("settling: 1 process, 1 lost reply, 2 clock jumps", 1, { lostReplies: 1, clockJumps: 2 }, COMPLETE_LOG),
  settling("settling: 2 twins, 2 lost replies", 2, { lostReplies: 2 }, COMPLETE_LOG),
  settling("settling: 1 process, 3 lost replies, no request ids", 1, { lostReplies: 3 }, { hasPayloads: true }),
  settling("settling: 2 twins, 2 lost replies, no request ids", 2, { lostReplies: 2 }, { hasPayloads: true }),
  settling(
    "settling: 2 processes, 2 lost replies, no request ids",
    2,
    { lostReplies: 2 },
    { hasPayloads: true, isExclusive: true },
  ),
  settling(
    "settling: 2 processes, 1 late request, 1 clock jump, no request ids",
    2,
    { lateRequests: 1, clockJumps: 1 },
    { hasPayloads: true, isExclusive: true },
  ),
  settling(
    "settling: 2 processes, 2 lost replies, no payloads",
    2,
    { lostReplies: 2 },
    { hasRequestIds: true, isExclusive: true },
  ),
  settling("settling: 2 processes, 2 lost replies, an empty log", 2, { lostReplies: 2 }, { isExclusive: true }),
  audited("audit: 3 processes", [1, 1, 1], {}),
  audited("audit: 2 processes, 1 crash", [1, 1], { crashes: 1 }),
  audited("audit: 2 processes, 2 calls and 1, 1 lost reply", [2, 1], { lostReplies: 1 }),
  audited("audit: 2 processes, 1 late request, 1 lost reply", [1, 1], { lateRequests: 1, lostReplies: 1 }),
  audited("audit: 1 process, 3 calls, 2 lost replies", [3], { lostReplies: 2 }),
  labels("labels: 1 process, 1 crash", [["read", "send"]], { crashes: 1 }),
  labels("labels: 1 process, 2 lost replies", [["read", "send"]], { lostReplies: 2 }),
  labels("labels: 2 processes, 1 late request", [["read", "send"], ["send"]], { lateRequests: 1 }),
  labels("labels: 2 processes, a lost store", [["read"], ["send", "send"]], {}, { isLost: true }),
  labels("labels: 2 processes, 1 crash, 1 lost reply", [["read"], ["send"]], { crashes: 1, lostReplies: 1 }),
  limits("budgets: 1 process, past a limit, 1 lost reply", [["A", "B"]], { lostReplies: 1 }),
  limits("budgets: 1 process, past a limit and after it", [["a", "B", "c"]], {}),
  limits("budgets: 2 processes, past a limit", [["A"], ["B"]], {}),
  limits("budgets: 2 processes, past one of two limits", [["A", "B"], ["1"]], {}, { mostCalls: 2 }),
  limits("budgets: 1 process, denied at a limit", [["A", "B"]], {}, { decision: "deny" }),
  limits("budgets: 1 process, past a limit and to another one", [["A", "B", "C", "D", "E"]], {}),
  budgets("budgets: 2 processes, 2 calls each, 1 crash, 1 lost reply", [2, 2], 2, { crashes: 1, lostReplies: 1 }),
  budgets("budgets: 2 processes, 3 calls each over 2 periods", [3, 3], 2, { earlyTimers: 1 }, [0, 25_000, 25_000]),
  budgets("budgets: 2 processes, at the end of a period", [2, 1], 1, {}, [900, 59_400]),
  budgets("budgets: 2 processes, 1 late request", [2, 2], 2, { lateRequests: 1 }),
  budgets("budgets: 2 processes, 1 clock jumps", [2, 2], 2, { clockJumps: 1 }),
  budgets("budgets: 3 processes, 1 crash, 1 lost reply", [1, 1, 1], 2, { crashes: 1, lostReplies: 1 }),
  receiver("deliveries: 2 receivers, 1 late reply, 2 early timers", [1, 1], { lateReplies: 1, earlyTimers: 2 }),
  receiver("deliveries: 2 receivers, 1 late request", [1, 1], { lateRequests: 1 }),
  receiver("deliveries: 2 receivers, 1 resend", [1, 1], { resends: 1 }),
  receiver("deliveries: 2 receivers, late handlers", [1, 1], {}, { handlerMs: 25_000 }),
  receiver(
    "deliveries: 1 receiver, 2 deliveries at once, late handlers, 1 fails, 1 lost reply",
    [2],
    { lostReplies: 1 },
    { handlerMs: 25_000, failures: 1 },
  ),
  receiver(
    "deliveries: 1 receiver, 1 failure, 1 late renewal",
    [1],
    { lateRequests: 1, earlyTimers: 1 },
    { handlerMs: 5_000, failures: 1 },
  ),
  receiver("deliveries: 2 receivers, 1 clock jumps", [1, 1], { clockJumps: 1 }),
  receiver("deliveries: 2 receivers, 1 suspension, 1 early timer", [1, 1], { suspensions: 1, earlyTimers: 1 }),
  receiver("deliveries: 3 receivers, 1 failure, 1 suspension", [1, 1, 1], { suspensions: 1 }, { failures: 1 }),
  receiver("deliveries: 2 receivers, 1 failure, 1 crash", [1, 1], { crashes: 1 }, { failures: 1 }),
  receiver("deliveries: 1 receiver, 2 deliveries at once, 1 lost reply", [2], { lostReplies: 1, earlyTimers: 2 }),
  receiver("deliveries: 2 receivers, 1 crash, 1 early timer", [1, 1], { crashes: 1, earlyTimers: 1 }),
  receiver("deliveries: 2 receivers, 1 lost reply, 2 early timers", [1, 1], { lostReplies: 1, earlyTimers: 2 }),
  receiver("deliveries: 2 receivers, 1 crash, 1 lost reply", [1, 1], { crashes: 1, lostReplies: 1 }),
  receiver("deliveries: 3 receivers, 1 lost reply", [1, 1, 1], { lostReplies: 1 }),
  rateLimit("rate limit: 1 client, 3 calls", [3], { earlyTimers: 1 }, false),
  rateLimit("rate limit: 1 client, 2 calls and a later one, 1 clock jumps", [2], { clockJumps: 1 }, false),
  rateLimit("rate limit: 2 clients that share it", [1, 1], {}),
  countedLimit("rate limit: 2 clients that share what is left", [1, 1], {}),
  countedLimit("rate limit: 2 clients that share what is left, 2 calls and 1", [2, 1], {}),
  rateLimit("rate limit: 2 clients that share it, 1 lost reply", [1, 1], { lostReplies: 1 }),
  tickets("tickets: 1 process, 2 clicks", { runners: 1, clicks: 2 }, {}),
  tickets("tickets: 1 process, edited tickets", { runners: 1, cheats: true }, {}),
  tickets("tickets: 1 process, 1 crash, 1 lost reply", { runners: 1 }, { crashes: 1, lostReplies: 1 }),
  tickets("tickets: 2 processes", { runners: 2 }, {}),
  connecting("accounts: 1 process", 1, {}),
  connecting("accounts: 1 process, the newest account", 1, {}, "newest"),
  connecting(
    "accounts: 1 process, the newest account, 1 crash, 1 lost reply",
    1,
    { crashes: 1, lostReplies: 1 },
    "newest",
  ),
  connecting("accounts: 2 processes, the newest account", 2, {}, "newest"),
  approvalsOnce("approvals: 2 processes, at the end of an approval", { runners: 2, ...approve, waitMs: 600_000 }, {}),
  approvalsOnce(
    "approvals: 2 processes, 1 call, 1 lost reply",
    { runners: 2, ...approve, cheats: false },
    { lostReplies: 1 },
  ),
  approvalsOnce("approvals: 2 processes", { runners: 2, ...approve }, {}),
  approvalsOnce("approvals: 2 processes, denied", { runners: 2, decision: "deny" }, {}),
  approvalsOnce(
    "approvals: 2 processes, 1 call, denied, 1 crash",
    { runners: 2, decision: "deny", cheats: false },
    { crashes: 1 },
  ),
  approvalsOnce(
    "approvals: 1 process, 1 crash, 1 lost reply",
    { runners: 1, ...approve },
    { crashes: 1, lostReplies: 1 },
  ),
  approvalsOnce(
    "approvals: 2 processes, 1 clock jumps",
    { runners: 2, ...approve, waitMs: 300_000 },
    { clockJumps: 1 },
  ),
  approvalsOnce("approvals: 2 processes, 1 call, 1 crash", { runners: 2, ...approve, cheats: false }, { crashes: 1 }),
  contested("approvals: 2 processes, denied and approved", ["deny", "approve"], {}),
  contested("approvals: 2 processes, denied and approved, 1 lost reply", ["deny", "approve"], { lostReplies: 1 }),
  decidedOnce("approvals: 2 processes decide in a store", ["deny", "approve"], {}),
  decidedOnce("approvals: 1 process decides in a store, 2 lost replies", ["withdraw"], { lostReplies: 2 }),
  decidedOnce("approvals: 1 process decides in a store, 1 crash", ["approve"], { crashes: 1 }),
  decidedOnce("approvals: 2 processes approve and withdraw in a store", ["withdraw", "approve"], {}),
  standingUses("approvals: 2 processes, 1 use left of a standing approval", [["a"], ["b"]], 2, {}),
  standingUses("approvals: 1 process, 2 uses of a standing approval, 1 crash", [["a", "b"]], 3, { crashes: 1 }),
  standingUses("approvals: 1 process, a standing approval, 1 lost reply", [["a", "b"]], 2, { lostReplies: 1 }),
  standingUses("approvals: 2 processes, 1 of which revokes a standing approval", [[], ["a"]], 3, {}, true),
  approvalsOnce("approvals: 3 processes, 1 call", { runners: 3, ...approve, cheats: false }, {}),
  approvalsOnce(
    "approvals: 2 processes, 1 call, 1 crash, 1 lost reply",
    { runners: 2, ...approve, cheats: false },
    { crashes: 1, lostReplies: 1 },
  ),
];

/** Worlds too large to be searched completely. */
export const LARGE: readonly Definition[] = [
  labels(
    "labels: 3 processes",
    [
      ["send", "read", "send"],
      ["send", "send"],
      ["read", "send"],
    ],
    { crashes: 2, lostReplies: 2, resends: 1, lateRequests: 1, lateReplies: 2 },
  ),
  tickets(
    "tickets: 3 processes, 2 clicks, edited tickets",
    { runners: 3, clicks: 2, cheats: true },
    { crashes: 1, lostReplies: 2, resends: 1 },
  ),
  contested("approvals: 2 processes, denied and approved, 1 crash", ["deny", "approve"], { crashes: 1 }),
  executions(
    "executions: 4 processes, 3 calls",
    [
      ["a", "b", "c"],
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
    ],
    { crashes: 2, lostReplies: 2, resends: 2, lateRequests: 2, lateReplies: 2 },
    { rejections: 2 },
  ),
  approvalsOnce(
    "approvals: 3 processes",
    { runners: 3, ...approve, waitMs: 300_000 },
    { crashes: 2, lostReplies: 2, resends: 1, clockJumps: 2 },
  ),
  budgets(
    "budgets: 4 processes, 3 calls each",
    [3, 3, 3, 3],
    4,
    { crashes: 2, lostReplies: 2, resends: 2, earlyTimers: 3 },
    [0, 20_000, 20_000],
  ),
  limits(
    "budgets: 3 processes, past a limit",
    [
      ["a", "B", "c"],
      ["B", "D"],
      ["e", "D", "F"],
    ],
    { crashes: 1, lostReplies: 2, resends: 1 },
  ),
  receiver(
    "deliveries: 3 receivers",
    [2, 1, 1],
    { crashes: 2, lostReplies: 2, lateRequests: 2, lateReplies: 3, earlyTimers: 8 },
    { failures: 1 },
  ),
  rateLimit("rate limit: 3 clients, 2 calls each", [2, 2, 2], {
    crashes: 1,
    lostReplies: 3,
    lateReplies: 2,
    earlyTimers: 6,
  }),
];
