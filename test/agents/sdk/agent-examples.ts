import { expect } from "vitest";
import { ADAPTERS } from "../../../scripts/entries.js";
import { LARGE } from "../every-adapter.js";

// The examples of agents, by how they are run.

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** Programs in which a model opens an issue and then says so: one for each adapter, and others. */
export const LOOPS: readonly string[] = [
  ...ADAPTERS.filter((name) => name !== "mcp" && !LARGE.includes(name)),
  "loop",
  "ai-sdk-route",
  "openai-stream",
  "anthropic-stream",
  "google-stream",
  "openai-chat",
  "openai-programs",
  "anthropic-programs",
];
/** The loops in which a program of the model may call tools. */
export const PROGRAMS: readonly string[] = ["openai-programs", "anthropic-programs"];
/** The loops that their guides let a reader run without a key. */
export const KEYLESS: readonly string[] = LOOPS.filter((name) => name !== "ai-sdk-route" && !PROGRAMS.includes(name));

/** Programs in which the same call waits for approval first, and the ones of them with a larger library. */
export const APPROVED: readonly string[] = ["approvals-ai-sdk", "ai-sdk-chat-approvals", "approvals-openai-agents"];
export const LARGE_APPROVED: readonly string[] = ["approvals-langgraph", "approvals-mastra"];

/** Programs in which the user has to connect an account first. */
export const CONNECTED: readonly string[] = ["connect-langgraph", "connect-mastra"];

export const APPROVAL_SECRET = "an approval key for tests, 0123456789";

/** The description of a call that opens an issue, for a person. */
export const description = (title: string, reason: unknown) => [
  "Run GITHUB_CREATE_AN_ISSUE, version 20251023_00",
  'What it does: "Opens an issue in a repository, with labels."',
  "For: user user-4711, connected account ca_github_demo (word_id github_coral-otter)",
  reason,
  "With these arguments:",
  '  owner: "octo-org"',
  '  repo: "hello-world"',
  `  title: ${JSON.stringify(title)}`,
];

/** The output of the others. */
export const STORIES: Readonly<Record<string, readonly unknown[]>> = {
  session: [like(/SVC_SEARCH_TOOLS/)],
  approvals: [
    "pending",
    ...description("The build is broken", like(/^Needs approval because: "/)),
    "succeeded",
    "true",
    "not_run GITHUB_CREATE_AN_ISSUE was not approved, so nothing ran: It is fixed already. Don't call it again unless something has changed.",
  ],
  "approval-inbox": [
    ...description("The build is broken", like(/^Needs approval because: "/)),
    like(/^https:\/\/example\.com\/approvals\/[0-9a-f]{64}$/),
    "pending",
    ...description("The build is broken", like(/^Needs approval because: "/)),
    "succeeded ada@example.com",
    ...description("The build is broken", like(/^Needs approval because: "/)),
    like(/^https:/),
    "not_run",
    ...description("The build is broken", like(/^Needs approval because: "/)),
    like(/^https:/),
    "succeeded succeeded succeeded",
    ...description("Three", like(/^Needs approval because: "/)),
    like(/^https:/),
    "pending",
  ],
  "local-tools": [
    'succeeded {"email":"ada@example.com","plan":"free"}',
    like(/^succeeded \{"words":2/),
    like(/^TEXTKIT_COUNT_WORDS \{ strict: true, fidelity: 'exact', estimatedTokens: \d+ \}$/),
    like(/^look_up_customer \{ strict: true, fidelity: 'exact', estimatedTokens: \d+ \}$/),
    "TEXTKIT_COUNT_WORDS false",
    "look_up_customer true",
  ],
  accounts: [
    "not_run The user has chosen an account. Call it again.",
    "succeeded",
    like(
      /^The arguments of GITHUB_CREATE_AN_ISSUE don't match its schema, so nothing ran\. account: expected "work" or /,
    ),
    "succeeded",
  ],
  hardened: ["succeeded not_run pending"],
  limits: [
    "GITHUB_CREATE_AN_ISSUE isn't offered",
    "not_run succeeded",
    "not_run succeeded",
    "not_run succeeded not_run",
    "true not_run",
    '  title: "safe\\u202e"',
    "pending",
    "already_decided not_run",
    "true",
    "not_run",
  ],
  bind: ["title body labels", "succeeded"],
  use: ['{"words":2}'],
  "custom-policy": [
    "decided call_1",
    "finished call_1",
    like(/^GITHUB_CREATE_AN_ISSUE was not allowed, so nothing ran: Only my-company's repositories may be changed\./),
  ],
  control: ["succeeded", like(/html_url/), "true", "not_run", like(/^The arguments of GITHUB_CREATE_AN_ISSUE/)],
  "missing-account": [like(/^not_connected: send user-new to http:.+\/link\/lk_[\w-]+$/), "succeeded"],
  guardrails: [
    "call_1 succeeded",
    "call_2 pending",
    "call_3 not_run",
    "49 of 50 calls are left.",
    "deny rules[2]",
    "rules[0] doesn't match: tools",
    "rules[1] doesn't match: tools",
    "rules[2] matches",
  ],
  audit: ["succeeded", "2"],
  "many-users": ["user-4711", "user-4712"].map((user) => like(new RegExp(`^${user} true .*"words":2`))),
  "data-flow": ["succeeded [ 'untrusted' ] pending"],
  "threads/approve-a-pattern": [
    "call_1 succeeded",
    "call_2 succeeded",
    "call_3 pending",
    "6 lines are as they were written",
  ],
  "threads/approve-mcp-tools": [
    "succeeded pending",
    "Run notes_add",
    'What it does: "Adds a note."',
    "For: user user-4711",
    'Needs approval because: "It writes."',
    "With these arguments:",
    '  text: "Buy milk"',
    'succeeded {"count":1}',
  ],
  "threads/spending-cap": [
    "succeeded pending",
    "  cents: 200 of 500 cost within 86400 seconds. The call uses 300, and may pass this limit",
    "succeeded 600 of 500 cents",
  ],
  "threads/untrusted-text": [
    "send_mail succeeded",
    "publish succeeded",
    "read_mail succeeded",
    "send_mail pending",
    "read_salaries succeeded",
    "publish not_run",
  ],
  "mcp-tools": [
    'succeeded {"count":1}',
    like(/^not_run .*budget/),
    like(/^not_run notes_list was not allowed, so nothing ran: No rule allows it/),
    "3 tools",
    "notes_list notes_add",
  ],
  "dry-run": [
    "call_1 dry_run rules[1]",
    "dry_run {",
    "  tool: 'GITHUB_CREATE_AN_ISSUE',",
    "  version: '20251023_00',",
    "  userId: 'user-4711',",
    "  accountId: 'ca_github_demo',",
    "  arguments: { owner: 'octo-org', repo: 'hello-world', title: 'From a model' }",
    "}",
  ],
  "policy-file": ["succeeded"],
  traces: ["execute_tool TEXTKIT_COUNT_WORDS succeeded"],
  "session-limits": ["call_1 succeeded", "call_2 not_run"],
  files: [
    like(/^\{"id":"file-1","name":"letter.txt","size":\d+\}$/),
    "DRIVE_UPLOAD_FILE failed: The outbox has no such file. Nothing ran.",
  ],
};

/** Those that another test runs. */
export const OTHERS: readonly string[] = [
  ...["mcp-server", "mcp-http-server", "notes-server", "approvals-mcp-server", "approvals-inspector"],
  ...["many-tools", "openai-answer", "once", "shared-budgets"],
];
