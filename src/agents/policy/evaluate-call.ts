import { isString } from "../../shared/json.js";
import type { Execution } from "../agent-tool.js";
import { wouldSend } from "../call/dry-run.js";
import * as messages from "../call/messages.js";
import type { Denial, Ending } from "../call-result.js";
import type { Decision } from "../decision.js";
import type { CallFiles } from "../files.js";
import type { RunOptions } from "../run-options.js";
import { MULTI_EXECUTE } from "../tools/meta-tools.js";
import { checkedDecision, reasonOf, reportDecision, strictestDecision } from "./decision-checks.js";
import { innerCalls } from "./inner-calls.js";
import { permitCall } from "./permit-call.js";
import { type PolicyContext, subjectOf } from "./policy-context.js";

/**
 * Evaluates a call: the policy's decision on the call and each inner call, then the approval, then the budgets.
 *
 * @returns The call if it may run, with the account that was approved; otherwise its denial, or how it ends.
 */
export async function evaluateCall(
  context: PolicyContext,
  call: Execution,
  files: CallFiles | undefined,
  options: RunOptions,
): Promise<Denial | Ending | Execution> {
  const { policy } = context;
  const { name, kind } = call.tool;
  const denied = (decision: Decision) => {
    reportDecision(context, call, decision, options);
    return { status: "not_run", text: messages.denied(name, reasonOf(decision)), error: decision.error } as const;
  };
  const inner = kind === "meta" && name === MULTI_EXECUTE ? await innerCalls(call, context, options) : [];
  if (isString(inner)) return denied({ outcome: "deny", reason: inner });
  // Frozen, so `decide` can't change the call that runs.
  inner.forEach(Object.freeze);
  const execution = Object.freeze({ ...call, inner });
  // The tags of a tool that runs several others say what it could do. What it does is said by those of its calls.
  const itself = inner.length > 0 ? { ...execution, tool: { ...call.tool, tags: [] } } : execution;

  const all = [itself, ...inner];
  const before = await context.labels?.before(all, options.signal);
  const decisions: Decision[] = [];
  for (const unlabeled of all) {
    const labeled = before ? Object.freeze({ ...unlabeled, labels: before.labels }) : unlabeled;
    const decision = checkedDecision(
      await policy.decide(labeled),
      "decide must return an outcome (allow, ask, dry_run or deny), and a reason unless it allows.",
    );
    reportDecision(context, labeled, decision, options, before?.error);
    decisions.push(decision);
  }
  const decision = strictestDecision(decisions);
  if (decision.outcome === "deny") {
    return { status: "not_run", text: messages.denied(name, decision.reason), error: decision.error };
  }
  if (decision.outcome === "dry_run") return wouldSend(execution, context, decision.reason);
  // Rules treat unknown labels as if the conversation had them.
  const labels = before ? (before.labels?.filter((name) => before.compared.has(name)) ?? null) : [];
  const ruled = { decision, innerDecisions: decisions.slice(1), labels };
  const permitted = await permitCall(context, execution, ruled, files, options);
  tellCounted(context, execution, options);
  return "outcome" in permitted ? denied(permitted) : permitted;
}

/** Lets the inspector read the budgets of a call. Nothing else reads them then. */
function tellCounted(context: PolicyContext, execution: Execution, run: RunOptions): void {
  const { counter, observer } = context;
  const { callId, inner } = execution;
  const readBudgets = async () => (await counter.read?.([execution, ...inner], subjectOf(context))) ?? [];
  observer?.tell({ type: "counted", callId, readBudgets }, run);
}
