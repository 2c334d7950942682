/** Every outcome, the strictest first. */
export const OUTCOMES = ["deny", "dry_run", "ask", "allow"] as const;

/**
 * The outcome of a decision about a call, the strictest first:
 *
 * - `deny`: it doesn't run. The model reads the reason.
 * - `dry_run`: it doesn't run. The model reads the request that would have been sent.
 * - `ask`: it runs if it is approved.
 * - `allow`: it runs.
 */
export type DecisionOutcome = (typeof OUTCOMES)[number];

/** Facts of every decision, for events. */
interface DecisionFacts {
  /** The rule that decided, as its policy names it; `undefined` if no rule did. */
  readonly rule?: string | undefined;
  /** The error that a rule threw, for your program. */
  readonly error?: unknown;
}

/** A decision that lets a call run. */
export interface AllowDecision extends DecisionFacts {
  readonly outcome: "allow";
}

/** A decision that lets a call run only if it is approved. */
export interface AskDecision extends DecisionFacts {
  readonly outcome: "ask";
  /** The reason why the call needs an approval, for the model and for the person who decides. */
  readonly reason: string;
}

/** A decision that keeps a call from running. */
export interface DenyDecision extends DecisionFacts {
  /** `deny`: the model reads only the reason. `dry_run`: it also reads the request that would have been sent. */
  readonly outcome: "deny" | "dry_run";
  /** The reason why the call doesn't run, for the model. */
  readonly reason: string;
}

/** A decision about a call. */
export type Decision = AllowDecision | AskDecision | DenyDecision;
