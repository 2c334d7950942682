/**
 * The file, the code, its replacement, and why the change breaks no promise; then a part of the line, if the file has the
 * code in others.
 */
export type Harmless = readonly [file: string, original: string, replacement: string, reason: string, line?: string];

const WHOLE = "Only a process with a key signs records, and it signs whole ones of its kind.";
const TELLS = "It only tells the inspector or the listener of events, and decides nothing.";
const FEWER = "Otherwise more calls are in flight than the numbers leave room for, which is checked next.";
const MOMENT = "In that millisecond, both are right.";

/** Changes of `npm run mutants` that no world can notice. */
export const HARMLESS: readonly Harmless[] = [
  [
    "src/agents/dispatcher.ts",
    "options.signal?.throwIfAborted",
    "options.signal.throwIfAborted",
    "A run without a signal isn't aborted, so the code before returns.",
  ],
  [
    "src/agents/policy/conversation-labels.ts",
    "{ labels: undefined, compared, error }",
    "{}",
    "The compared labels matter only if the labels are known. The error is for events.",
  ],
  [
    "src/agents/policy/evaluate-call.ts",
    "(await counter.read?.([execution, ...inner], subjectOf(context))) ?? []",
    "(await counter.read?.([execution, ...inner], subjectOf(context))) && []",
    TELLS,
  ],
  ["src/agents/policy/evaluate-call.ts", "tellCounted(context, execution, options);", ";", TELLS],
  ["src/agents/policy/evaluate-call.ts", "[]", '["Stryker was here"]', TELLS, "const readBudgets"],
  [
    "src/agents/send-once.ts",
    "start.isTried",
    "false",
    "Here a start that was tried is recorded: recording it again returns nothing, and leaving it does nothing.",
    "if (start.isTried) return ending;",
  ],
  ["src/agents/policy/permit-call.ts", "(event: AgentEvent) => context.emit(event, options)", "() => undefined", TELLS],
  [
    "src/agents/policy/budget-counter.ts",
    "[]",
    '["Stryker was here"]',
    "No budget has this name.",
    "passed: readonly string[] = [],",
  ],
  ["src/agents/approvals/token.ts", "body === undefined", "false", "A token without a body has no signature either."],
  [
    "src/agents/approvals/token.ts",
    "[]",
    '["Stryker was here"]',
    "A list of one part is as malformed as an empty one.",
    'token.split(".") : []',
  ],
  ["src/agents/approvals/token.ts", "[]", '["Stryker was here"]', "Its first part isn't read.", "exec(value) ?? []"],
  [
    "src/agents/approvals/token-issuer.ts",
    "token === issued.token",
    "false",
    "A shortcut: the token that was just issued says what was decided.",
  ],
  [
    "src/agents/approvals/inbox.ts",
    "kept.record.token === null",
    "false",
    "No token is as little a decision as one that isn't whole.",
  ],
  ["src/agents/approvals/inbox.ts", 'read.claims.decision === "asked"', "false", WHOLE],
  ["src/agents/approvals/inbox.ts", 'typeof isTold === "boolean"', "true", WHOLE],
  ["src/agents/approval-claims.ts", 'decision === value["decision"]', "true", WHOLE],
  ["src/agents/approval-claims.ts", 'decision === value["decision"]', 'decision !== value["decision"]', WHOLE],
  [
    "src/agents/approval-claims.ts",
    'isObject(value) && DECISIONS.some((decision) => decision === value["decision"])',
    "true",
    WHOLE,
  ],
  [
    "src/agents/approval-claims.ts",
    'isObject(value) && DECISIONS.some((decision) => decision === value["decision"])',
    'isObject(value) || DECISIONS.some(decision => decision === value["decision"])',
    WHOLE,
  ],
  ["src/agents/approvals/inbox.ts", "![requestedAt, expiresAt].every(Number.isSafeInteger)", "false", WHOLE],
  [
    "src/agents/approvals/inbox.ts",
    'isString(id) && typeof isTold === "boolean" && (token === null || isString(token)) && isStanding',
    'isString(id) && typeof isTold === "boolean" && (token === null || isString(token)) || isStanding',
    WHOLE,
  ],
  [
    "src/agents/approvals/standing-records.ts",
    '!isObject(value) || value["kind"] !== "standing"',
    "false",
    "A record of another kind has no approval in it, which is checked next.",
  ],
  [
    "src/agents/approvals/standing-records.ts",
    '!isObject(value) || value["kind"] !== "standing" || !isString(value["id"])',
    '(!isObject(value) || value["kind"] !== "standing") && !isString(value["id"])',
    "A record of another kind has no approval in it, which is checked next.",
  ],
  [
    "src/agents/approvals/standing-records.ts",
    'isPending(field(approval, "request")) && numbers.every(Number.isSafeInteger)',
    'isPending(field(approval, "request")) || numbers.every(Number.isSafeInteger)',
    WHOLE,
  ],
  [
    "src/agents/approvals/standing-records.ts",
    'isPending(field(approval, "request")) && numbers.every(Number.isSafeInteger) && option.STRINGS.isFit(uses)',
    'isPending(field(approval, "request")) && numbers.every(Number.isSafeInteger) || option.STRINGS.isFit(uses)',
    WHOLE,
  ],
  [
    "src/agents/approvals/standing-approval.ts",
    "claims.user ?? undefined",
    "claims.user && undefined",
    "A standing approval has no condition on users: the user of its request is compared before.",
  ],
  [
    "src/agents/approvals/signed-records.ts",
    'throw new Error("approvals: other processes keep changing a record.");',
    ";",
    "Nothing runs with either: without a record, the code that asked for it throws.",
  ],
  [
    "src/resources/tools/settle.ts",
    "value > 0",
    "value >= 0",
    "A check of an option. A pause or a deadline of 0 ms is no promise.",
  ],
  [
    "src/agents/call-run.ts",
    "context.locals.has(tool.name)",
    "true",
    "Then the service gets a copy of the arguments, which is the same JSON.",
    "sent = structuredClone(input);",
  ],
  ["src/agents/call-run.ts", "policy !== undefined", "true", "A record without a policy has no labels."],
  [
    "src/agents/policy/evaluate-call.ts",
    "counter.read?.([execution, ...inner], subjectOf(context))",
    "counter.read([execution, ...inner], subjectOf(context))",
    TELLS,
  ],
  [
    "src/agents/policy/budget-counter.ts",
    "{ budget: budget.shownAs, unit, limit, used, left, windowMs, per: budget.limits.per }",
    "{}",
    TELLS,
  ],
  ["src/agents/policy/conversation-labels.ts", "!this.#isWarned", "false", TELLS],
  [
    "src/agents/policy/label-rules.ts",
    'kind === "budget" || kind === "label"',
    "true",
    "A check of options: a rule after a label that no rule gives is a mistake of the program.",
  ],
  [
    "src/agents/policy/permit-call.ts",
    '{ outcome: "ask", reason }',
    "{}",
    "Nobody reads this question: only whether a token denies the call counts.",
  ],
  [
    "src/agents/policy/ask-approval.ts",
    "asking.origins?.of",
    "asking.origins.of",
    "A toolset with approvals has origins.",
  ],
  [
    "src/resources/tools/log-search.ts",
    "{ filters, limit: 1 }",
    "{}",
    "This page is read only for the service's time.",
  ],
  [
    "src/resources/tools/settle.ts",
    'params?.["tool_slug"]',
    'params["tool_slug"]',
    "Every operation that is logged has parameters.",
  ],
  [
    "src/client/pacing/rate-window-rules.ts",
    "end <= now + maxWaitMs",
    "end < now + maxWaitMs",
    MOMENT,
    "if (end > now",
  ],
  ["src/client/pacing/rate-window-rules.ts", "now >= window.carriedUntil", "now > window.carriedUntil", MOMENT],
  [
    "src/stores/shared-window.ts",
    "this.#clock.monotonic() < this.#retryAt",
    "this.#clock.monotonic() <= this.#retryAt",
    MOMENT,
  ],
  [
    "src/stores/shared-window.ts",
    "this.#clock.monotonic() < givesUpAt",
    "this.#clock.monotonic() <= givesUpAt",
    MOMENT,
  ],
  [
    "src/stores/shared-window.ts",
    "{ clearTimeout(timer); }",
    "{}",
    "A timer that is left rejects a promise that nobody reads anymore.",
  ],
  [
    "src/stores/shared-rate-limit.ts",
    "[]",
    '["Stryker was here"]',
    "An ended call without a number and without a response changes nothing.",
  ],
  [
    "src/stores/stored-window.ts",
    "firstBefore <= first && first <= started",
    "firstBefore <= first || first <= started",
    FEWER,
  ],
  ["src/stores/stored-window.ts", "firstBefore <= first && first <= started", "true", FEWER],
  [
    "src/stores/stored-window.ts",
    "Math.max(openedAt, answeredAt, carriedUntil) <= now + JUMP_MS",
    "Math.max(openedAt, answeredAt, carriedUntil) < now + JUMP_MS",
    MOMENT,
  ],
];
