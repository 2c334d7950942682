import { ConfigError } from "../../errors/local.js";
import { didYouMean } from "../../shared/nearest-name.js";
import type { AgentTool } from "../agent-tool.js";
import { withoutOwnTags } from "../tools/meta-tools.js";
import type { CheckedRule } from "./check-rules.js";
import { type CompiledRule, canRunAnything, matcher } from "./compile-rule.js";

/** The labels of a tool, according to the rules of a policy. */
export interface ToolLabels {
  /** The labels of its results, without those of the calls that it makes. */
  readonly gives: readonly string[];
  /** The labels on which decisions on its calls may depend. */
  readonly compared: readonly string[];
}

/** The labels of a policy, and the rules that compare them. */
export class LabelRules {
  /** Each label once. */
  readonly names: readonly string[];
  readonly #labels: readonly { readonly as: string; readonly matches: ReturnType<typeof matcher> }[];
  readonly #rules: readonly CompiledRule[];

  /** @throws {ConfigError} if a rule has a label in `after` that no rule gives. */
  constructor(checked: readonly CheckedRule[], rules: readonly CompiledRule[]) {
    const labels = checked.flatMap(({ kind, fields }) => (kind === "label" ? [fields] : []));
    // Frozen, as results of programs have it.
    this.names = Object.freeze([...new Set(labels.map(({ as }) => as))]);
    this.#labels = labels.map(({ as, ...match }) => ({ as, matches: matcher(match) }));
    this.#rules = rules;
    for (const [index, { kind, fields }] of checked.entries()) {
      const after = kind === "budget" || kind === "label" ? [] : (fields.after ?? []);
      for (const name of after) this.checkName(name, `policy: rules[${index}].${kind}.after`);
    }
  }

  /** @throws {ConfigError} if no rule gives the label. */
  checkName(name: string, place: string): void {
    if (this.names.includes(name)) return;
    const shown = JSON.stringify(name);
    const advice = ` Add label(${shown}, { tools: [...] }) to the policy.`;
    throw new ConfigError(`${place}: no rule gives the label ${shown}.${didYouMean(name, this.names, advice)}`);
  }

  /** Reads the rules for calls of a tool by one user. Asks no predicate. */
  ofTool(asked: AgentTool, userId: string | undefined): ToolLabels {
    const tool = withoutOwnTags(asked);
    const call = { tool, userId, isToolOnly: true };
    const comparing = this.#rules.filter((rule) => rule.evaluate(call).unknown.includes("after"));
    const compared = comparing.flatMap(({ after }) => after);
    if (tool.kind === "meta" && canRunAnything(tool.name)) return { gives: this.names, compared };
    const giving = this.#labels.filter(({ matches }) => matches({ tool }).failed === undefined);
    return { gives: Object.freeze(giving.map(({ as }) => as)), compared };
  }
}
