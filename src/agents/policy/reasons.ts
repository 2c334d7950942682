// Why a policy stops a call, for the model and for the person who approves.

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

/** The period of a limit, as the model and the person read it. Empty for one that never ends. */
export const periodWords = (windowMs: number | null | undefined): string =>
  windowMs == null ? "" : ` within ${windowMs / 1_000} seconds`;

export const withoutCost = (name: string): string => `${name} has no cost in a budget.`;
