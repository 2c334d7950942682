import * as option from "../../errors/option-rules.js";
import { DAY_MS } from "../../shared/timers.js";
import type { ApproveOptions, DenyOptions, PromptDecision } from "./approval-issuer.js";

/** Options of a decision, which were checked. */
export interface CheckedOptions extends DenyOptions {
  /**
   * As in {@link ApproveOptions}.
   * @default 86_400_000 (one day)
   */
  readonly expiresInMs: number;
}

/** Any decision of a person or a program. */
interface GivenDecision extends ApproveOptions, DenyOptions {
  readonly approved: boolean;
}

/** A decision, and its options. */
interface CheckedDecision {
  readonly decision: "approved" | "denied";
  readonly options: CheckedOptions;
}

/** A denial stays, so no reader of its token compares it. Its record in the inbox is kept at least that long. */
const DENIAL_EXPIRES_IN_MS = DAY_MS;

export const APPROVER = option.required(option.fitting("a string, such as the approver's user id", option.NAME.isFit));

const DENIAL = {
  approver: APPROVER,
  reason: option.STRING,
} as const satisfies option.Rules<DenyOptions>;

const PROMPT_DECISION = {
  approved: option.required(option.BOOLEAN),
  reason: option.STRING,
} as const satisfies option.Rules<PromptDecision>;

/** The rules of a token's options, whose lifetime depends on the time. */
function timedRules(now: () => number) {
  const isLifetime = (ms: unknown) => option.COUNT.isFit(ms) && Number.isSafeInteger(now() + Number(ms));
  const lifetime = option.fitting("an integer above 0, and not beyond what a date can be", isLifetime);
  return { ...DENIAL, expiresInMs: { ...lifetime, default: DAY_MS } } as const satisfies option.Rules<CheckedOptions>;
}

/** Checks the options of decisions. Each function throws a `ConfigError` if one isn't usable. */
export class DecisionOptions {
  readonly #timed: ReturnType<typeof timedRules>;

  constructor(now: () => number) {
    this.#timed = timedRules(now);
  }

  ofApproval(given: ApproveOptions): CheckedOptions {
    return option.checkAll("approvals", given, this.#timed);
  }

  ofDenial(given: DenyOptions): CheckedOptions {
    return { ...option.checkAll("approvals", given, DENIAL), expiresInMs: DENIAL_EXPIRES_IN_MS };
  }

  ofPrompt(given: PromptDecision): PromptDecision {
    return option.checkAll("approvals", given, PROMPT_DECISION);
  }

  ofDecision(given: GivenDecision): CheckedDecision {
    const rules = { ...this.#timed, approved: PROMPT_DECISION.approved };
    const { approved, ...options } = option.checkAll("approvals", given, rules);
    // A program may give the same time for both decisions, but a denial doesn't expire.
    return approved
      ? { decision: "approved", options }
      : { decision: "denied", options: { ...options, expiresInMs: DENIAL_EXPIRES_IN_MS } };
  }
}
