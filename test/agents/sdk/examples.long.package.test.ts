import { existsSync, readdirSync, readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { resolve } from "node:path";
import { describe, expect, type TestContext, test } from "vitest";
import { ADAPTERS } from "../../../scripts/entries.js";
import { emulatorWithEnvironment, outputOf, start } from "../../examples/example-process.js";
import { hasRedis, NEEDS_REDIS, startRedis } from "../../webhooks/redis-server.js";
import { CREATE_ISSUE, ISSUE } from "../support.js";
import { startModel } from "./model-server.js";

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const root = resolve(import.meta.dirname, "../../..");
const isInstalled = existsSync(resolve(root, "test/programs/agents/node_modules"));
// Node has had hooks that run in the same thread since 22.15.
const needs = isInstalled && "registerHooks" in nodeModule ? "" : " [skipped: needs npm run agents, and Node 22.15]";

const LARGE = ["langchain", "mastra"];
/** Programs in which a model opens an issue and then says so: one for each adapter, and others. */
const LOOPS = [
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
/** The loops that their guides let a reader run without a key. */
const KEYLESS = [
  "openai",
  "loop",
  "openai-stream",
  "openai-chat",
  "anthropic",
  "anthropic-stream",
  "google",
  "google-stream",
  "ai-sdk",
  "openai-agents",
];
/** The loops in which a program of the model may call tools. */
const PROGRAMS = ["openai-programs", "anthropic-programs"];

/** Programs in which the same call waits for approval first, and the ones of them with a larger library. */
const APPROVED = ["approvals-ai-sdk", "ai-sdk-chat-approvals", "approvals-openai-agents"];
const LARGE_APPROVED = ["approvals-langgraph", "approvals-mastra"];

/** Programs in which the user has to connect an account first. */
const CONNECTED = ["connect-langgraph", "connect-mastra"];

const APPROVAL_SECRET = "an approval key for tests, 0123456789";

/** What a person reads about a call that opens an issue. */
const description = (title: string, reason: unknown) => [
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
const STORIES: Readonly<Record<string, readonly unknown[]>> = {
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

/** `svc-sdk emulator --model`, and the variables that a reader pastes from its output. */
async function emulatorWithModel(context: TestContext) {
  const emulator = start(context, ["dist/cli.js", "emulator", "--model", "--port", "0"], {});
  await emulator.line(/^export GEMINI_API_KEY=/);
  const printed = emulator.lines().filter((line) => line.startsWith("export "));
  const pasted: Record<string, string> = Object.fromEntries(
    printed.map((line) => line.replace("export ", "").split(/=(.*)/)),
  );
  return { emulator, pasted };
}

describe("the example", async () => {
  const model = await startModel();
  const opensAnIssue = () =>
    model.script({ calls: [{ name: CREATE_ISSUE, arguments: ISSUE }] }, { text: "I opened issue #1." });

  test.for(LOOPS)("%s lets a model open an issue", async (name, context) => {
    const { environment, emulator } = await emulatorWithEnvironment(context);
    opensAnIssue();
    const program = [`examples/agents/${name}.ts`];
    expect(await outputOf(program, { ...environment, ...model.env })).toEqual(["I opened issue #1."]);
    expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toHaveLength(1);
  });

  test.for(KEYLESS)("%s runs as pasted, without a key, beside svc-sdk emulator --model", async (name, context) => {
    // `openai` is the block of the README, which test/docs.test.ts compares with it.
    const { emulator, pasted } = await emulatorWithModel(context);
    expect(await outputOf([`examples/agents/${name}.ts`], pasted)).toEqual([like(/^I read: .*"html_url":"https:/)]);
    expect(await emulator.line(/tools\.execute/)).toContain("200 POST");
  });

  test.skipIf(needs !== "").for(LARGE)(`%s runs as pasted, without a key${needs}`, async (name, context) => {
    const { emulator, pasted } = await emulatorWithModel(context);
    const program = ["--import", "./test/programs/resolve.mjs?agents", `examples/agents/${name}.ts`];
    expect(await outputOf(program, pasted)).toEqual([like(/^I read: .*"html_url":"https:/)]);
    expect(await emulator.line(/tools\.execute/)).toContain("200 POST");
  });

  test("many-tools lets a model find a tool, and open an issue with it", async (context) => {
    const { environment, emulator } = await emulatorWithEnvironment(context);
    model.script(
      { calls: [{ name: "find_tools", arguments: { query: "open an issue" } }] },
      { calls: [{ name: CREATE_ISSUE, arguments: ISSUE }] },
      { text: "I opened issue #1." },
    );
    const variables = { ...environment, ...model.env };
    expect(await outputOf(["examples/agents/many-tools.ts"], variables)).toEqual([
      "I opened issue #1.",
      like(new RegExp(`^${CREATE_ISSUE} .*TEXTKIT_COUNT_WORDS TEXTKIT_REVERSE find_tools$`)),
    ]);
    const definitions = model.requests.map(({ body }) => JSON.stringify(body["tools"]));
    expect(definitions.map((sent) => sent.includes(`"${CREATE_ISSUE}"`))).toEqual([false, true, true]);
    expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toHaveLength(1);
  });

  test.for(PROGRAMS)("%s lets a program call a tool, unless a budget counts the tool", async (name, context) => {
    const { environment, emulator } = await emulatorWithEnvironment(context);
    const program = "prog_1";
    model.script(
      {
        calls: [
          { id: "call_words", name: "TEXTKIT_COUNT_WORDS", arguments: { text: "one two" }, program },
          { id: "call_issue", name: CREATE_ISSUE, arguments: ISSUE, program },
        ],
      },
      { text: "Two words." },
    );
    const variables = { ...environment, ...model.env };
    expect(await outputOf([`examples/agents/${name}.ts`], variables)).toEqual(["Two words."]);
    const texts = model.requests[1]?.outputs.map(({ text }) => text);
    expect(texts).toEqual([like(/"words":2/), like(/can't be called by a program, so nothing ran/)]);
    expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toHaveLength(1);
  });

  test.skipIf(needs !== "").for(LARGE)(`%s lets a model open an issue${needs}`, async (name, context) => {
    const { environment } = await emulatorWithEnvironment(context);
    opensAnIssue();
    const program = ["--import", "./test/programs/resolve.mjs?agents", `examples/agents/${name}.ts`];
    expect(await outputOf(program, { ...environment, ...model.env })).toEqual(["I opened issue #1."]);
  });

  test.for(APPROVED)("%s lets a model open an issue once a person has approved it", async (name, context) => {
    const { environment, emulator } = await emulatorWithEnvironment(context);
    opensAnIssue();
    const program = [`examples/agents/${name}.ts`];
    const lines = await outputOf(program, { ...environment, ...model.env, APPROVAL_SECRET });
    expect(lines).toEqual([...description(ISSUE.title, like(/^Needs approval because: "/)), "I opened issue #1."]);
    expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toHaveLength(1);
  });

  test.skipIf(needs !== "").for(LARGE_APPROVED)(`%s lets a person approve a call${needs}`, async (name, context) => {
    const { environment, emulator } = await emulatorWithEnvironment(context);
    opensAnIssue();
    const program = ["--import", "./test/programs/resolve.mjs?agents", `examples/agents/${name}.ts`];
    const lines = await outputOf(program, { ...environment, ...model.env, APPROVAL_SECRET });
    expect(lines).toEqual([...description(ISSUE.title, like(/^Needs approval because: "/)), "I opened issue #1."]);
    expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toHaveLength(1);
  });

  test.skipIf(needs !== "").for(CONNECTED)(
    `%s continues once the user has connected an account${needs}`,
    async (name, context) => {
      const { environment, emulator } = await emulatorWithEnvironment(context);
      opensAnIssue();
      const program = ["--import", "./test/programs/resolve.mjs?agents", `examples/agents/${name}.ts`];
      const lines = await outputOf(program, { ...environment, ...model.env });
      expect(lines).toEqual([like(/^Connect your account: http.+\/link\/lk_[\w-]+$/), "I opened issue #1."]);
      const executions = emulator.requests.filter(({ operation }) => operation === "tools.execute");
      expect(executions.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    },
  );

  test("approvals-inspector waits for a person at the inspector", async (context) => {
    const { environment, emulator } = await emulatorWithEnvironment(context);
    const output = outputOf(["examples/agents/approvals-inspector.ts"], { ...environment, APPROVAL_SECRET });
    await expect.poll(() => emulator.runs[0]?.question, { timeout: 20_000 }).toBeTruthy();
    const [{ id = "", question } = {}] = emulator.runs;
    const body = JSON.stringify({ question: question?.id, approved: true });
    await fetch(`${emulator.url}/_emulator/runs/${id}/decision`, { method: "POST", body });
    expect(await output).toEqual([
      `svc-sdk: toolsets report their runs to the emulator. Inspector: ${emulator.url}/#/runs`,
      "succeeded",
    ]);
  });

  test.for(Object.entries(STORIES))("%s tells its story", async ([name, story], context) => {
    const { environment } = await emulatorWithEnvironment(context);
    expect(await outputOf([`examples/agents/${name}.ts`], { ...environment, APPROVAL_SECRET })).toEqual(story);
  });

  test.skipIf(!hasRedis).for(["once"])(`%s runs a call once${NEEDS_REDIS}`, async (name, context) => {
    const { environment } = await emulatorWithEnvironment(context);
    const redis = await startRedis();
    context.onTestFinished(() => redis.stop());
    const lines = await outputOf([`examples/agents/${name}.ts`], { ...environment, REDIS_URL: redis.path });
    expect(lines).toEqual([like(/^first: .*"words":2.* now$/), like(/^second: .*"words":2.* again$/)]);
  });

  test.skipIf(!hasRedis).for(["shared-budgets"])(`%s keeps its budget${NEEDS_REDIS}`, async (name, context) => {
    const { environment } = await emulatorWithEnvironment(context);
    const redis = await startRedis();
    context.onTestFinished(() => redis.stop());
    const variables = { ...environment, REDIS_URL: redis.path };
    expect(await outputOf([`examples/agents/${name}.ts`], variables)).toEqual(["succeeded succeeded not_run"]);
    expect(await outputOf([`examples/agents/${name}.ts`], variables)).toEqual(["not_run not_run not_run"]);
  });
});

test("a program that answers a public thread is in a guide, and has at most 30 lines of code", () => {
  const guides = readdirSync(resolve(root, "docs/guide")).map((name) =>
    readFileSync(resolve(root, "docs/guide", name), "utf8"),
  );
  const list = readFileSync(resolve(root, "examples/README.md"), "utf8");
  const programs = readdirSync(resolve(root, "examples/agents/threads"));
  expect(programs.length).toBeGreaterThan(2);
  for (const program of programs) {
    const text = readFileSync(resolve(root, "examples/agents/threads", program), "utf8");
    const [thread] = /https:\/\/github\.com\/[\w-]+\/[\w-]+\/(issues|pull)\/\d+/.exec(text) ?? [];
    expect(guides.join()).toContain(`(../../examples/agents/threads/${program})`);
    expect(list).toContain(`(agents/threads/${program}) ([request](${thread}))`);
    expect(STORIES).toHaveProperty([`threads/${program.replace(".ts", "")}`]);
    const code = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("//"));
    expect(code.length, program).toBeLessThanOrEqual(30);
  }
});

test("every example of an agent is run", () => {
  const files = readdirSync(resolve(root, "examples/agents"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const others = [
    ...["mcp-server", "mcp-http-server", "notes-server", "approvals-mcp-server", "approvals-inspector"],
    ...["many-tools", "openai-answer", "once", "shared-budgets"],
  ];
  const loops = [...LOOPS, ...LARGE, ...APPROVED, ...LARGE_APPROVED, ...CONNECTED];
  const run = [...loops, ...Object.keys(STORIES), ...others].map((name) => `${name}.ts`);
  expect(files.sort()).toEqual(run.sort());
});
