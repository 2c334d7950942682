import { field, isString } from "../../shared/json.js";
import type { Execution } from "../agent-tool.js";
import { type Decision, OUTCOMES } from "../decision.js";
import type { DecisionSource } from "../events.js";
import type { GuardContext } from "../policy-base.js";
import type { RunOptions } from "../run-options.js";
import { NOT_ALLOWED, RULE_FAILED } from "./reasons.js";
import type { PolicyCall } from "./rules.js";

/** Whatever isn't a decision denies, what untyped callers forget to return included. The error says what is wrong. */
export function checkedDecision<Given extends Decision>(
  decision: Given | undefined,
  expected: string,
): Given | Decision {
  const isComplete = decision?.outcome === "allow" || isString(field(decision, "reason"));
  if (decision && OUTCOMES.includes(decision.outcome) && isComplete) return decision;
  return { outcome: "deny", reason: RULE_FAILED, error: new TypeError(expected) };
}

/** The first decision with the strictest outcome. */
export function strictestDecision(decisions: readonly Decision[]): Decision {
  const [first] = decisions.toSorted((left, right) => OUTCOMES.indexOf(left.outcome) - OUTCOMES.indexOf(right.outcome));
  return first ?? { outcome: "deny", reason: NOT_ALLOWED };
}

/**
 * @param run - The options of the run.
 * @param problem - Why the labels of the conversation aren't known.
 */
export function reportDecision(
  { emit, eventArguments }: Pick<GuardContext, "emit" | "eventArguments">,
  execution: Execution & Pick<PolicyCall, "labels">,
  decision: Decision & { readonly by: DecisionSource },
  run: RunOptions,
  problem?: unknown,
): void {
  const { callId, tool, userId, accountId, arguments: args, labels } = execution;
  const { outcome, by, rule, error = problem } = decision;
  const facts = { callId, tool, userId, accountId, labels, outcome, by, rule, reason: reasonOf(decision), error };
  emit({ type: "decided", ...facts, arguments: eventArguments ? args : undefined }, run);
}

export function reasonOf(decision: Decision): string | undefined {
  return decision.outcome === "allow" ? undefined : decision.reason;
}
