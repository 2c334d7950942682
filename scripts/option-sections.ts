// The sections of docs/options.md after the client's, in the order of the page: the interfaces whose JSDoc
// scripts/options-page.ts reads, and the guides that its options link.

/** A table of the page. */
export interface OptionSection {
  readonly heading: string;
  readonly intro: string;
  /** Files below src, each with the name of an interface in it. */
  readonly interfaces: readonly (readonly [string, string])[];
  /** Whether the fields are a result's, not options. */
  readonly isResult?: true;
  /** The page, below docs, that an option links. */
  readonly guides?: Readonly<Record<string, string>>;
}

export const SECTIONS: readonly OptionSection[] = [
  {
    heading: "toolset",
    intro:
      "`toolset(client, { … })` and `toolset(session, { … })`. [Give tools to a model](guide/agents.md) shows the main ones.",
    interfaces: [
      ["agents/toolset-options.ts", "ClientToolsetOptions"],
      ["agents/tools/read-tools.ts", "ToolSelection"],
      ["agents/toolset-options.ts", "ToolsetOptions"],
      ["agents/turn-options.ts", "TurnOptions"],
      ["agents/files.ts", "FileOptions"],
      ["agents/toolset-options.ts", "SessionToolsetOptions"],
    ],
    guides: {
      accounts: "guide/agent-accounts.md#choose-between-several-accounts",
      tools: "guide/agents.md#choose-tools",
      toolkits: "guide/agents.md#choose-tools",
      tags: "guide/agents.md#choose-tools",
      search: "guide/agents.md#choose-tools",
      lock: "guide/typed-tools.md",
      onLockMismatch: "guide/typed-tools.md",
      versions: "guide/tools.md#versions",
      conversationId: "guide/agent-calls.md#run-each-call-once-across-processes",
      isNewConversation: "guide/data-flow.md",
      executions: "guide/agent-calls.md#run-each-call-once-across-processes",
      policy: "guide/guardrails.md",
      requirePolicy: "guide/guardrails.md",
      approvals: "guide/approvals.md",
      onAuthRequired: "guide/agent-accounts.md#let-a-user-connect-a-missing-account",
      bind: "guide/agent-calls.md#set-arguments-yourself",
      use: "guide/agent-calls.md#change-calls-and-results",
      audit: "guide/audit.md",
      trustHints: "guide/retries.md#tools-that-only-read",
      settle: "guide/retries.md#what-may-have-run",
      openFile: "guide/agent-calls.md#let-a-model-pass-files",
      resultFiles: "guide/agent-calls.md#let-a-model-pass-files",
      catalog: "guide/agent-sessions.md#give-a-sessions-tools-to-a-model",
    },
  },
  {
    heading: "settle",
    intro:
      "`svc.tools.settle(error, { … })`, and `toolset({ settle: { … } })` for a model's calls. [What may have run](guide/retries.md#what-may-have-run) shows how to use it.",
    interfaces: [["resources/tools/settle.ts", "SettleOptions"]],
    guides: { loggedWithinMs: "guide/retries.md#record-a-call-before-it-is-sent" },
  },
  {
    heading: "run",
    intro:
      "The options of `tools.run(calls, { … })`, and of an adapter's `run(response, { … })`. `decisions` and `askAgain` are for `resume(ticket, { … })`, which doesn't take `approvals`.",
    interfaces: [
      ["agents/run-options.ts", "CallLimits"],
      ["agents/run-options.ts", "RunOptions"],
      ["agents/adapters/ticket.ts", "ResumeOptions"],
    ],
    guides: { decisions: "guide/suspended-turns.md" },
  },
  {
    heading: "Rules",
    intro:
      "The fields of `allow({ … })`, `ask({ … })`, `deny({ … })` and `dryRun({ … })`. `label(name, { … })` takes `tools`, `toolkits` and `tags`. [Guardrails](guide/guardrails.md#rules) says which rule decides.",
    interfaces: [
      ["agents/policy/rules.ts", "ToolMatch"],
      ["agents/policy/rules.ts", "RuleMatch"],
    ],
    guides: { after: "guide/data-flow.md", when: "#conditions" },
  },
  {
    heading: "Conditions",
    intro:
      'The fields of a condition in `when`, by argument: `when: { amount: { atMost: 100 }, "issue.title": { like: "[bot]*" } }`.',
    interfaces: [
      ["agents/policy/rules.ts", "Conditions"],
      ["agents/policy/rules.ts", "ArgumentCondition"],
    ],
  },
  {
    heading: "budget",
    intro: "`budget({ … })` also takes `tools`, `toolkits` and `tags` of [rules](#rules): the calls to count.",
    interfaces: [["agents/policy/rules.ts", "Budget"]],
    guides: { atLimit: "guide/guardrails.md#budgets" },
  },
  {
    heading: "approvals",
    intro: "`approvals({ … })`. [Let a person approve calls](guide/approvals.md) shows how to use it.",
    interfaces: [["agents/approvals/approvals.ts", "ApprovalsOptions"]],
    guides: {
      store: "guide/approvals.md#keep-requests-in-a-store",
      onRequest: "guide/approvals.md#ask-with-your-own-code",
    },
  },
  {
    heading: "Standing approvals",
    intro:
      "`gate.standing.approve(request, { … })`. [Approve more than one call](guide/approvals.md#approve-more-than-one-call) shows how to use it. It is always for the user and the policy of the request.",
    interfaces: [
      ["agents/approvals/approval-issuer.ts", "ApproveOptions"],
      ["agents/approvals/standing-approval.ts", "StandingOptions"],
    ],
    guides: { when: "#conditions" },
  },
  {
    heading: "audit",
    intro: "`audit({ … })`. [A signed record of calls](guide/audit.md) shows how to use it.",
    interfaces: [["agents/audit/audit.ts", "AuditOptions"]],
  },
  {
    heading: "Turn",
    intro:
      "The turn that an adapter's `run(response)` and `resume(ticket)` return. It also has the items or messages for the next request.",
    interfaces: [
      ["agents/adapters/turn.ts", "TurnFacts"],
      ["agents/adapters/ticket.ts", "Resumed"],
    ],
    isResult: true,
    guides: {
      results: "#result-of-a-call",
      pendingApprovals: "guide/approvals.md",
      authRequired: "#missing-account",
      "suspend()": "guide/suspended-turns.md",
    },
  },
  {
    heading: "Result of a call",
    intro: "The items of `turn.results`, and of the list that `tools.run(calls)` returns.",
    interfaces: [["agents/call-result.ts", "CallResult"]],
    isResult: true,
    guides: {
      status: "guide/agent-calls.md#run-a-call",
      files: "guide/agent-calls.md#let-a-model-pass-files",
      labels: "guide/data-flow.md",
      pendingApproval: "guide/approvals.md#approve-a-call",
      authRequired: "#missing-account",
    },
  },
  {
    heading: "Missing account",
    intro:
      "The items of `turn.authRequired`, `authRequired` of a result, the argument of `onAuthRequired`, and the fields of an `AuthRequiredError`.",
    interfaces: [["agents/call-result.ts", "AuthRequired"]],
    isResult: true,
  },
  {
    heading: "Approval request",
    intro: "The requests that `gate.get`, `gate.decide` and `gate.list()` return.",
    interfaces: [["agents/approvals/listed-request.ts", "ListedRequest"]],
    isResult: true,
  },
  {
    heading: "createReceiver",
    intro: "`createReceiver({ … })`. [Triggers and webhooks](guide/webhooks.md) shows a receiver.",
    interfaces: [
      ["webhooks/receiver-options.ts", "ReceiverOptions"],
      ["webhooks/verify.ts", "VerifyOptions"],
    ],
    guides: {
      on: "guide/webhooks.md#receive",
      store: "guide/webhooks-at-scale.md",
      handlerTimeoutMs: "guide/webhooks-at-scale.md",
      secret: "guide/webhooks.md",
      onError: "guide/errors.md#rejected-deliveries",
    },
  },
  {
    heading: "createEmulator",
    intro:
      "`createEmulator({ … })`. `startEmulator` of `svc-sdk/emulator/node` takes the options of both tables. [The emulator](guide/emulator.md) shows how to use it.",
    interfaces: [["emulator/assembly/interface.ts", "EmulatorOptions"]],
    guides: {
      toolkits: "guide/emulator.md#run-your-own-tools",
      clock: "guide/testing.md#time",
      deliveries: "guide/local-webhooks.md#resend-a-delivery",
      seed: "guide/testing.md#your-own-data",
    },
  },
  {
    heading: "startEmulator",
    intro: "The options of an emulator on a port, besides the options of `createEmulator`.",
    interfaces: [["emulator/node.ts", "StartOptions"]],
    guides: { data: "guide/emulator.md#keep-the-state", host: "guide/emulator-reference.md#beyond-this-machine" },
  },
  {
    heading: "scriptedModel",
    intro:
      "The fields of a turn in `scriptedModel({ provider, turns: [{ … }] })`. A turn can also be its text alone, or a function that gets the request and returns a turn. [Testing your app](guide/testing.md#agents) shows how to use it.",
    interfaces: [["testing/model/types.ts", "ModelTurn"]],
  },
];
