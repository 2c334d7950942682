import type { Outcome } from "../tool.js";
import type { Effect } from "./check-rules.js";
import { type MatchedCall, matcher } from "./matching.js";
import { canRunAnything } from "./meta-tools.js";
import type { RuleMatch } from "./rules.js";

/** The outcome that a kind of rule stands for. */
const OUTCOME_OF = { deny: "deny", dryRun: "dry_run", ask: "ask", allow: "allow" } as const satisfies Record<
  Effect,
  Outcome
>;

/** The statement of one rule about a call. */
export interface RuleTrace {
  /** The rule's name, or its place: `rules[2]`. */
  readonly rule: string;
  /** The outcome it stands for. */
  readonly outcome: Outcome;
  /** Whether it matched. */
  readonly matched: boolean;
  /** The first field that didn't match. */
  readonly failed: keyof RuleMatch | undefined;
  /**
   * Fields about facts that aren't known, such as the user of a session, and `when` if only one of several arguments
   * that it may mean matches. They match unless the rule allows.
   */
  readonly unknown: readonly (keyof RuleMatch)[];
  /** True if no field failed, but the tool can run anything, and only a rule with its exact name can allow it. */
  readonly isUnnamed: boolean;
  /** The error that its predicate threw: the call is denied. */
  readonly error: unknown;
}

/** A rule that is ready to be asked. */
export interface CompiledRule {
  /** Its name. */
  readonly rule: string;
  /** The outcome it stands for. */
  readonly outcome: Outcome;
  /** Why, for the model. */
  readonly reason: string | undefined;
  /**
   * Evaluates it for a call. Never throws. Leniently, fields about unknown facts match if the rule allows, and don't if
   * it restricts.
   */
  evaluate(call: MatchedCall, isLenient?: boolean): RuleTrace;
}

/** Prepares a rule. */
export function compileRule(rule: string, kind: Effect, match: RuleMatch): CompiledRule {
  const outcome = OUTCOME_OF[kind];
  const matches = matcher(match);
  // Denied and dry runs run nothing, so those need no name.
  const needsName = outcome === "allow" || outcome === "ask";
  return {
    rule,
    outcome,
    reason: match.reason,
    evaluate: (call, isLenient = false) => {
      const silent = {
        rule,
        outcome,
        matched: false,
        failed: undefined,
        unknown: [],
        isUnnamed: false,
        error: undefined,
      };
      try {
        const { failed, unknown } = matches(call);
        if (failed !== undefined) return { ...silent, failed };
        const { name } = call.tool;
        if (needsName && canRunAnything(name) && !match.tools?.includes(name)) return { ...silent, isUnnamed: true };
        const fits = unknown.length === 0 || (outcome === "allow") === isLenient;
        return { ...silent, matched: fits, unknown };
      } catch (error) {
        return { ...silent, error: new Error(`The predicate of ${rule} failed.`, { cause: error }) };
      }
    },
  };
}
