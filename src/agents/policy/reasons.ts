import { field, isString, type Json } from "../../shared/json.js";
import { MULTI_EXECUTE } from "../tools/meta-tools.js";

export const NO_RULE = "No rule allows it.";
export const UNNAMED = "It can run anything, so only a rule with its exact name can allow it.";
/** The end of the reason of a budget. */
export const USED_UP = "is used up.";

/** Whether rules made a recorded decision. Budgets, and calls that can't be read, deny as well. */
export function isOfRules({ tool, outcome, rule, reason }: Json): boolean {
  if (!isString(reason)) return true;
  if (reason.startsWith("The budget of ") && reason.endsWith(USED_UP)) return false;
  if (outcome !== "deny") return true;
  const isUnruled = rule === undefined || rule === null;
  return !isUnruled || field(tool, "name") !== MULTI_EXECUTE || [NO_RULE, UNNAMED].includes(reason);
}
