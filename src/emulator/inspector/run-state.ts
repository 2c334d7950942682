import type { ShownBudget, ShownRun } from "./api.js";

/** Whether a call waits for a person, here or in its program. */
export function isWaiting({ status, question, decision }: ShownRun): boolean {
  return status === "pending" || (question !== null && decision === null);
}

/** Whether a person can decide a call here. */
export function isOpen({ question, decision }: ShownRun, now: number): boolean {
  return question !== null && decision === null && Date.parse(question.expiresAt) > now;
}

/** Whether the time to decide a call has ended without a decision. */
export function isExpired({ question, decision }: ShownRun, now: number): boolean {
  return question !== null && decision === null && Date.parse(question.expiresAt) <= now;
}

/** How a call ended, in words. A call that the policy or a person denied didn't fail. */
export function endOf(call: ShownRun, now: number): string {
  const { status, steps } = call;
  if (isExpired(call, now)) return "expired";
  if (isWaiting(call)) return "waiting";
  const isDenied = steps.some(({ type, outcome }) => type !== "finished" && /^den/.test(outcome ?? ""));
  return status === "not_run" && isDenied ? "denied" : status.replace("_", " ");
}

/** The policy's latest decision about the call. */
export function decisionOf({ steps }: ShownRun) {
  return steps.findLast(({ type }) => type === "decided");
}

/** The labels of the conversation that the policy compared for calls, in words; `undefined` without labels. */
export function labelsOf(calls: readonly ShownRun[]): string | undefined {
  const labels = new Set(calls.flatMap(({ steps }) => steps.flatMap((step) => step.labels ?? [])));
  return labels.size > 0 ? [...labels].join(", ") : undefined;
}

/** The budgets that count calls, each as it was read last, by name. */
export function budgetsOf(calls: readonly ShownRun[]): readonly ShownBudget[] {
  const latest = new Map<string, ShownBudget>();
  for (const read of calls.flatMap(({ budgets }) => budgets)) {
    const key = JSON.stringify([read.budget, read.unit]);
    const before = latest.get(key);
    // In the same millisecond, more is later.
    if (!before || read.realTime > before.realTime || (read.realTime === before.realTime && read.used > before.used)) {
      latest.set(key, read);
    }
  }
  return [...latest.values()].sort((left, right) => left.budget.localeCompare(right.budget));
}

/** A rule's name. A policy names a rule without one by its position, from 0. */
export function ruleName(rule: string): string {
  const [, index] = /^rules\[(\d+)\]$/.exec(rule) ?? [];
  return index === undefined ? rule : `rule ${Number(index) + 1}, unnamed`;
}
