/** Bugs of one line that only two things at once show: protocol, file, name, and a change of the file. */
export const LINE_BUGS = [
  [
    "approvals",
    "src/agents/approvals/resolver.ts",
    "a person who decides while a standing approval is used isn't heard",
    "const first = await inbox.decisionIn(closed, claims);",
    "const first = await inbox.decisionIn(kept, claims);",
  ],
  [
    "approvals",
    "src/agents/approvals/standing-records.ts",
    "a standing approval is given after another decision",
    'if (standing?.id !== id) throw new ApprovalRejectedError("already_decided");',
    "",
  ],
  [
    "approvals",
    "src/agents/approvals/inbox.ts",
    "a request whose standing approval is revoked can't be decided anymore",
    "return !isDecided(record) && record.expiresAt > this.#now();",
    "return record.token === null && record.expiresAt > this.#now();",
  ],
  [
    "executions",
    "src/agents/start-once.ts",
    "a start is taken over although its removal may still arrive",
    "ours && !ours.isEnded && digestIn(ours.stamp) === digest",
    "ours && digestIn(ours.stamp) === digest",
  ],
  [
    "executions",
    "src/agents/start-once.ts",
    "a denial that isn't recorded hides the run of another process",
    "return record ?? { stamp: ours.stamp, result: undefined };",
    "return { stamp: ours.stamp, result: undefined };",
  ],
  [
    "settling",
    "src/agents/call-run.ts",
    "a denied call is looked up in the log",
    "isSame && !refusalOf(earlier) && earlier.result === undefined",
    "isSame && earlier.result === undefined",
  ],
  [
    "labels",
    "src/agents/run-turn.ts",
    "a program that connects accounts gets results that are withheld",
    "await reportRequired(released, context)",
    "await reportRequired(results, context)",
  ],
  [
    "budgets",
    "src/agents/policy/parked-calls.ts",
    "another user's call with the same id counts as counted",
    "digestOf([...[context.scope, call.callId,",
    "digestOf([...[call.callId,",
  ],
] as const;
