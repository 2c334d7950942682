// The room of policies: rules, budgets, labels, and the one decision per call. It imports `call` and `tools`, and types
// of the package's main entry. Start here, then `evaluate-call.ts`, which applies the rules to a call, and
// `permit-call.ts`, which also counts and asks.

import { ConfigError, checkNames } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { isObject } from "../../shared/json.js";
import type { Execution } from "../agent-tool.js";
import { type Decision, OUTCOMES } from "../decision.js";
import type { Policy } from "../policy-base.js";
import { asksAtLimit, BudgetCounter, countsAlone } from "./budget-counter.js";
import { type BudgetStore, memoryBudgets } from "./budget-store.js";
import { type BudgetQuery, type BudgetUse, type CompiledBudget, compileBudget, readBudget } from "./budgets.js";
import { type CheckedRule, checkedRule, rulesDigest } from "./check-rules.js";
import { type CompiledRule, compileRule, type RuleTrace } from "./compile-rule.js";
import type { BudgetPeek, BudgetSubject } from "./custom-policy.js";
import { EnforcedPolicy } from "./enforced-policy.js";
import { LabelRules } from "./label-rules.js";
import { NO_RULE, RULE_FAILED, RULE_MATCHED, UNNAMED } from "./reasons.js";
import { nameCheck, type RuleName } from "./rule-names.js";
import type { PolicyCall, Rule } from "./rules.js";
import {
  isUnconditional,
  type SessionLimits,
  type SessionLimitsOptions,
  type SessionTool,
  sessionLimitsOf,
} from "./session-limits.js";

/** Options of {@link policy}. */
export interface PolicyOptions {
  /**
   * Counts calls for budgets. To share budgets between processes, pass `redisBudgets` from `svc-sdk/stores`.
   * @default memoryBudgets(): all toolsets with this policy object, in this process
   */
  readonly budgets?: BudgetStore | undefined;
  /**
   * Whether rules may name tools and toolkits that a toolset doesn't have, because several toolsets share the policy.
   * By default, such a name is a `ConfigError`. Patterns may match nothing.
   * @default false
   */
  readonly allowUnknownNames?: boolean | undefined;
}

const POLICY_OPTIONS = {
  budgets: option.withMethods(["consume", "read"], "memoryBudgets(), redisBudgets({ client }) or "),
  allowUnknownNames: { ...option.BOOLEAN, default: false },
} as const satisfies option.Rules<PolicyOptions>;

/** A decision with the result of each rule. */
export type Explanation = Decision & {
  /** All rules except budgets and labels, in their order. */
  readonly trace: readonly RuleTrace[];
};

/** A policy made of rules. */
export interface RulePolicy extends Policy {
  /**
   * SHA-256 of the rules, in hexadecimal. For a function, it covers the source code, but not the variables that the
   * function uses.
   */
  readonly digest: string;
  /** Evaluates a call. Pure: the same call always has the same decision, as long as its predicates are pure. */
  decide(call: PolicyCall): Decision;
  /** The budgets of the policy. */
  readonly budgets: {
    /**
     * Reads how much of a budget one user has used. Reading doesn't count a call.
     *
     * ```ts
     * const [calls] = await guardrails.budgets.read({ id: "a minute", userId: "user-4711" });
     * ```
     *
     * @throws {ConfigError} if no budget has the id, or the budget counts per user and `userId` is missing.
     */
    read(query: BudgetQuery): Promise<BudgetUse[]>;
  };
  /** Counts calls against the budgets. */
  count(executions: readonly Execution[], counted: BudgetSubject): Promise<Decision>;
  /** Reads whether the budgets have room for calls, without counting them. */
  peek(executions: readonly Execution[], counted: BudgetSubject): Promise<BudgetPeek>;
  /** Evaluates a call, and explains the result of each rule. */
  explain(call: PolicyCall): Explanation;
  /**
   * The part of the policy that an agent session can enforce, for `svc.toolRouter.create`. A rule such as
   * `deny({ tags })` disables the workbench and the management of connections, because the tags of their tools aren't
   * known, unless `allowed` is `conditionally`.
   */
  forSession(tools: Iterable<SessionTool>, options?: SessionLimitsOptions): SessionLimits;
}

/**
 * Creates a policy of rules: the option `policy` of a toolset.
 *
 * ```ts
 * const guardrails = policy([
 *   allow({ tools: ["GITHUB_GET_*", "GITHUB_LIST_*", "GITHUB_CREATE_AN_ISSUE", "CALENDAR_LIST_*"] }),
 *   ask({ tools: ["GITHUB_CREATE_AN_ISSUE"], when: ({ arguments: a }) => a["owner"] !== "octo-org" }),
 *   deny({ tags: ["destructiveHint"] }),
 *   budget({ id: "a minute", maxCalls: 50, maxCallsPerTool: 10, windowMs: 60_000 }),
 * ]);
 * ```
 *
 * The strictest matching rule decides: deny, then dry run, then ask, then allow. If no rule matches, or a predicate
 * throws, the call is denied. The order of the list doesn't matter. A toolset logs a warning if no rule allows
 * anything, or if rules require approvals and the toolset has no `approvals`.
 *
 * Tools that run code (`SVC_REMOTE_WORKBENCH`, `SVC_REMOTE_BASH_TOOL`) need an `allow` or `ask` rule with their exact
 * name in `tools`, because their effects can't be evaluated. Other `ask` rules that match still require an approval.
 *
 * @throws {ConfigError} if a rule isn't valid. The message names the rule and the closest valid name.
 */
export function policy(rules: readonly Rule[], options: PolicyOptions = {}): RulePolicy {
  if (!Array.isArray(rules)) throw new ConfigError("policy: the rules must be a list.");
  // With a typo, each process would count on its own.
  const { budgets: store = memoryBudgets(), allowUnknownNames } = option.checkAll("policy", options, POLICY_OPTIONS);
  const checked = rules.map((rule, index) => checkedRule(rule, `rules[${index}]`));
  const digest = rulesDigest(checked);
  const { compiled, budgets } = compileRules(checked, digest);
  const counter = new BudgetCounter(budgets, store);
  const labels = new LabelRules(checked, compiled);
  const explain = explainer(compiled);
  const enforced = {
    digest,
    explain,
    decide: (call: PolicyCall): Decision => {
      const { trace: _, ...decision } = explain(call);
      return decision;
    },
    budgets: Object.freeze({ read: (query: BudgetQuery) => readBudget(budgets, store, query) }),
    ...countsAlone(counter),
    forSession: (tools: Iterable<SessionTool>, options?: SessionLimitsOptions) =>
      sessionLimitsOf(compiled, budgets, tools, options),
  };
  const made = Object.assign(
    new EnforcedPolicy(enforced, {
      checkNames: allowUnknownNames ? undefined : nameCheck(checked.flatMap(namesIn)),
      canAllow: compiled.some(({ outcome }) => outcome !== "deny"),
      asksAbout: (tool) =>
        compiled.some(({ outcome, evaluate }) => outcome === "ask" && evaluate({ tool, isToolOnly: true }).matched) ||
        budgets.some((budget) => asksAtLimit(budget) && budget.counts({ tool })),
      counter,
      isUnconditional: (call) => isUnconditional(compiled, budgets, call),
      labels: labels.names.length > 0 ? labels : undefined,
    }),
    enforced,
  );
  // A function that is assigned later would not be enforced.
  Object.freeze(made);
  return made;
}

/** @throws {ConfigError} if two budgets have the same id. */
function compileRules(checked: readonly CheckedRule[], digest: string) {
  const compiled: CompiledRule[] = [];
  const budgets: CompiledBudget[] = [];
  for (const [index, rule] of checked.entries()) {
    const { kind, fields } = rule;
    const name = nameOf(rule) ?? `rules[${index}]`;
    if (kind === "budget") budgets.push(compileBudget(name, fields, digest));
    else if (kind !== "label") compiled.push(compileRule(name, kind, fields));
  }
  rejectTwins(budgets);
  return { compiled, budgets };
}

/** Returns the function that evaluates a call: of all rules that match, the strictest decides. */
function explainer(rules: readonly CompiledRule[]): (call: PolicyCall) => Explanation {
  return (call) => {
    const trace: RuleTrace[] = [];
    let failed: RuleTrace | undefined;
    let decider: CompiledRule | undefined;
    let reasonWithout: string = NO_RULE;
    for (const rule of rules) {
      const step = rule.evaluate(call);
      trace.push(step);
      if (step.error !== undefined) failed ??= step;
      if (step.needsExactName) reasonWithout = UNNAMED;
      const isStricter = !decider || OUTCOMES.indexOf(rule.outcome) < OUTCOMES.indexOf(decider.outcome);
      if (step.matched && isStricter) decider = rule;
    }
    if (failed) return { outcome: "deny", reason: RULE_FAILED, rule: failed.rule, error: failed.error, trace };
    const isNamed = trace.some(({ matched, needsExactName }) => matched && !needsExactName);
    if (!decider || !isNamed) return { outcome: "deny", reason: reasonWithout, trace };
    const { rule, outcome, reason } = decider;
    return outcome === "allow"
      ? { outcome, rule, trace }
      : { outcome, reason: reason ?? RULE_MATCHED[outcome], rule, trace };
  };
}

/**
 * Creates a policy from the content of a JSON file: `{ "rules": [{ "allow": { "tools": ["GITHUB_GET_*"] } }] }`, with
 * the same rules as data. `svc-sdk policy check` tests such a file.
 *
 * @throws {ConfigError} if it isn't valid.
 */
export function policyFromJson(content: unknown, options?: PolicyOptions): RulePolicy {
  if (!isObject(content) || !Array.isArray(content["rules"])) {
    throw new ConfigError('policy: the file must contain an object with a list of rules: { "rules": [] }.');
  }
  checkNames("policy: the file", content, ["$schema", "rules"]);
  // `policy` checks each of them.
  return policy(content["rules"] as readonly Rule[], options);
}

function nameOf({ kind, fields }: CheckedRule): string | undefined {
  return kind === "label" ? undefined : fields.name;
}

/** The names in a rule that aren't patterns. */
function namesIn({ kind, fields }: CheckedRule, index: number): RuleName[] {
  return (["tools", "toolkits"] as const).flatMap((field) =>
    (fields[field] ?? [])
      .filter((name) => !name.includes("*"))
      .map((name) => ({ field, name, place: `rules[${index}].${kind}.${field}` })),
  );
}

/** Both would count each call under the same keys. */
function rejectTwins(budgets: readonly CompiledBudget[]): void {
  const ids = budgets.flatMap(({ id }) => id ?? []);
  const twin = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twin === undefined) return;
  const place = budgets.findLast(({ id }) => id === twin)?.rule;
  throw new ConfigError(
    `policy: the budget ${place} has the id ${JSON.stringify(twin)} of another one. Give each its own id or name.`,
  );
}
