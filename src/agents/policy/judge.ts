import { isString } from "../../shared/json.js";
import type { Conclusion } from "../call-result.js";
import { wouldSend } from "../dry-run.js";
import type { CallFiles } from "../guard.js";
import { type Decision, type Execution, OUTCOMES, type RunOptions } from "../tool.js";
import * as words from "../words.js";
import { approve } from "./approve.js";
import { innerCalls } from "./inner-calls.js";
import type { Judging } from "./types.js";

/**
 * Judges a call: the policy's decision about it and about each call that it makes, then the approval, then the budgets.
 *
 * @returns The call if it may run, with the account that was approved; otherwise how it ends.
 */
export async function judge(
  call: Execution,
  files: CallFiles,
  judging: Judging,
  options: RunOptions,
): Promise<Conclusion | Execution> {
  const { policy, userId, sessionId, conversation, maxResultBytes } = judging;
  const { name } = call.tool;
  const denied = (decision: Decision) => {
    report(judging, call, decision);
    return { status: "not_run", text: words.denied(name, reasonOf(decision)), error: decision.error } as const;
  };
  const inner = await innerCalls(call, judging.findTools, options);
  if (isString(inner)) return denied({ outcome: "deny", reason: inner });
  // What is decided about is what runs, also if your function assigns to it.
  inner.forEach(Object.freeze);
  const execution = Object.freeze({ ...call, inner });
  // The tags of a tool that runs several others say what it could do. What it does is said by those of its calls.
  const itself = inner.length > 0 ? { ...execution, tool: { ...call.tool, tags: [] } } : execution;

  const decisions: Decision[] = [];
  for (const part of [itself, ...inner]) {
    const decision = checked(await policy.decide(part), "decide must return { outcome }: allow, ask, dry_run or deny.");
    report(judging, part, decision);
    decisions.push(decision);
  }
  const decision = strictest(decisions);
  if (decision.outcome === "deny") {
    return { status: "not_run", text: words.denied(name, decision.reason), error: decision.error };
  }
  if (decision.outcome === "dry_run") return wouldSend(execution, maxResultBytes, decision.reason);
  const approved = decision.outcome === "ask" ? await approve(execution, decision, files, judging, options) : execution;
  if ("status" in approved) return approved;
  if (options.dryRun) return wouldSend(approved, maxResultBytes);

  if (!policy.count) return approved;
  const principal = userId ?? sessionId ?? "";
  const counted = checked(
    await policy.count([approved, ...inner], { principal, scope: conversation }),
    "count must return { outcome }: allow or deny.",
  );
  return counted.outcome === "allow" ? approved : denied(counted);
}

/** The first decision with the strictest outcome. */
function strictest(decisions: readonly Decision[]): Decision {
  const [first] = decisions.toSorted((one, other) => OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome));
  return first ?? { outcome: "deny", reason: "Nothing allows it." };
}

/** Whatever isn't a decision denies, what untyped callers forget to return included. The error says what is wrong. */
function checked(decision: Decision | undefined, expected: string): Decision {
  if (decision && OUTCOMES.includes(decision.outcome)) return decision;
  return { outcome: "deny", reason: "A rule of the policy failed.", error: new TypeError(expected) };
}

function report({ emit, eventArguments }: Judging, execution: Execution, decision: Decision): void {
  const { callId, tool, userId, arguments: args } = execution;
  const { outcome, rule, error } = decision;
  const facts = { callId, tool, userId, outcome, rule, reason: reasonOf(decision), error };
  emit({ type: "decided", ...facts, arguments: eventArguments ? args : undefined });
}

function reasonOf(decision: Decision): string | undefined {
  return decision.outcome === "allow" ? undefined : decision.reason;
}
