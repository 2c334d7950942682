import { isString } from "../../shared/json.js";
import type { Execution } from "../agent-tool.js";
import { wouldSend } from "../call/dry-run.js";
import * as messages from "../call/messages.js";
import type { Decision } from "../decision.js";
import type { DecisionSource, ReadBudget } from "../events.js";
import type { CallFiles } from "../files.js";
import type { Permission } from "../guard.js";
import type { RunOptions } from "../run-options.js";
import { runsOthers, withoutOwnTags } from "../tools/meta-tools.js";
import { checkedDecision, reasonOf, reportDecision, strictestDecision } from "./decision-checks.js";
import { innerCalls } from "./inner-calls.js";
import { permitCall, type Ruled } from "./permit-call.js";
import type { PolicyContext } from "./policy-context.js";
import { NOT_ALLOWED } from "./reasons.js";

/** Evaluates a call: the policy's decision on the call and each inner call, then the approval, then the budgets. */
export async function evaluateCall(
  context: PolicyContext,
  call: Execution,
  files: CallFiles | undefined,
  options: RunOptions,
): Promise<Permission> {
  const { callId, tool } = call;
  const reportDenial = (decision: Decision, by: DecisionSource) => {
    reportDecision(context, call, { ...decision, by }, options);
    return denied(call, decision);
  };
  const inner = runsOthers(tool) ? await innerCalls(call, context, options) : [];
  if (isString(inner)) return reportDenial({ outcome: "deny", reason: inner }, "arguments");
  // Frozen, so `decide` can't change the call that runs.
  inner.forEach(Object.freeze);
  const execution = Object.freeze({ ...call, inner });
  const ruled = await ruleOn(context, execution, options);
  const { decision } = ruled;
  if (decision.outcome === "deny") return denied(call, decision);
  if (decision.outcome === "dry_run") {
    return { kind: "ends", ending: wouldSend(execution, context, decision.reason) };
  }
  const permit = await permitCall(context, execution, ruled, files, options);
  context.observer?.tell({ type: "counted", callId, readBudgets: () => budgetsOf(context, execution) }, options);
  return permit.kind === "over_budget" ? reportDenial(permit.decision, "budgets") : permit;
}

/** Lets the policy decide on the call and on each inner call. The strictest decision applies to all. */
async function ruleOn(context: PolicyContext, execution: Execution, options: RunOptions): Promise<Ruled> {
  const { inner, tool } = execution;
  const itself = inner.length === 0 ? execution : Object.freeze({ ...execution, tool: withoutOwnTags(tool) });
  const all = [itself, ...inner];
  const before = await context.labels?.before(all, options.signal);
  const decisions: Decision[] = [];
  for (const unlabeled of all) {
    const labeled = before ? Object.freeze({ ...unlabeled, labels: before.labels }) : unlabeled;
    const decision = checkedDecision(
      await context.policy.decide(labeled),
      "decide must return an outcome (allow, ask, dry_run or deny), and a reason unless it allows.",
    );
    reportDecision(context, labeled, { ...decision, by: "rules" }, options, before?.error);
    decisions.push(decision);
  }
  // Rules treat unknown labels as if the conversation had them.
  const labels = before ? (before.labels?.filter((name) => before.compared.has(name)) ?? null) : [];
  return { decision: strictestDecision(decisions), innerDecisions: decisions.slice(1), labels };
}

function denied({ tool }: Execution, decision: Decision): Permission {
  const text = messages.denied(tool.name, reasonOf(decision) ?? NOT_ALLOWED);
  return { kind: "ends", ending: { status: "not_run", text, error: decision.error } };
}

/** The budgets that count a call, for the inspector. */
async function budgetsOf({ counter, counted }: PolicyContext, call: Execution): Promise<readonly ReadBudget[]> {
  return (await counter.read?.([call, ...call.inner], counted)) ?? [];
}
