import { field, isString, type Json } from "../../shared/json.js";
import { MULTI_EXECUTE } from "../tools/meta-tools.js";

// Why a policy stops a call, for the model and for the person who approves. `svc-sdk policy check` reads the reasons of
// recorded events: they alone say whether rules or budgets decided.

export const NO_RULE = "No rule allows it.";
export const UNNAMED = "It can run anything, so only a rule with its exact name can allow it.";
export const NOT_ALLOWED = "Nothing allows it.";
export const RULE_FAILED = "A rule of the policy failed.";

/** The reasons of rules without a reason. */
export const RULE_MATCHED = {
  deny: "A rule of the policy denies it.",
  dry_run: "The policy allows only a dry run.",
  ask: "The policy asks for an approval.",
} as const;

/** @param counted - The amount that fits, with its unit and its period. */
export const usedUp = (counted: string): string => `The budget of ${counted} is used up.`;
const USED_UP = /^The budget of .* is used up\.$/s;

export const withoutCost = (name: string): string => `${name} has no cost in a budget.`;
const WITHOUT_COST = / has no cost in a budget\.$/;

/** Whether rules made a recorded decision. Budgets, and calls that can't be read, deny as well. */
export function isOfRules({ tool, outcome, rule, reason }: Json): boolean {
  if (!isString(reason)) return true;
  if (USED_UP.test(reason) || WITHOUT_COST.test(reason)) return false;
  if (outcome !== "deny") return true;
  const isUnruled = rule === undefined || rule === null;
  return !isUnruled || field(tool, "name") !== MULTI_EXECUTE || [NO_RULE, UNNAMED].includes(reason);
}
