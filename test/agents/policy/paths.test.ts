import { describe, expect, test } from "vitest";
import { type AgentEvent, type SessionToolsetOptions, tool, toolset } from "../../../src/agents/index.js";
import { allow, ask, type BudgetStore, budget, deny, dryRun, policy } from "../../../src/agents/policy/index.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { Svc } from "../../../src/index.js";
import { rejection } from "../../support/client.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, deciding, ISSUE, USER } from "../support.js";

const MULTI = "SVC_MULTI_EXECUTE_TOOL";
const issue = (callId: string, args: object = ISSUE) => ({ callId, name: CREATE_ISSUE, arguments: args });
const several = (callId: string, ...tools: readonly object[]) => ({
  callId,
  name: MULTI,
  arguments: { tools, sync_response_to_workbench: false, session_id: "s" },
});
const words = { tool_slug: COUNT_WORDS, arguments: { text: "a b" } };
const inIssue = { tool_slug: CREATE_ISSUE, arguments: ISSUE };

/** A toolset of a session, and what it reported. */
async function sessionBench(options: SessionToolsetOptions = {}) {
  const emulator = createEmulator();
  const svc = new Svc({ ...emulator.connection, env: {} });
  const session = await svc.toolRouter.create({ user_id: USER, preload: { tools: [COUNT_WORDS] } });
  const events: AgentEvent[] = [];
  const catalog = options.catalog === undefined && "catalog" in options ? undefined : svc;
  const tools = await toolset(session, { onEvent: (event) => events.push(event), ...options, catalog });
  const executions = () => emulator.requests.filter(({ path }) => /\/execute(_meta)?$/.test(path)).length;
  const lookups = () => emulator.requests.filter(({ operation }) => operation === "tools.list").length;
  return { tools, events, executions, lookups, emulator };
}

test("without a policy, a dry run runs nothing and shows what would be sent, without secrets", async () => {
  const { tools, executions, events } = await bench();
  const args = { ...ISSUE, body: "b" };
  const [dry] = await tools.run([issue("1", args)], { dryRun: true });
  expect(dry).toMatchObject({
    ...{ status: "dry_run", data: { tool: CREATE_ISSUE, version: "20251023_00", userId: USER, arguments: args } },
    text: expect.stringMatching(
      /^Dry run: nothing was sent\. GITHUB_CREATE_AN_ISSUE would have been called with this: /,
    ),
  });
  const login = tool({
    ...{ name: "log_in", description: "Logs in.", parameters: { type: "object" }, execute: () => "ran" },
  });
  const own = await bench({ tools: [login] });
  const call = { callId: "1", name: "log_in", arguments: { password: "hunter2" } };
  expect(await own.tools.run([call], { dryRun: true })).toMatchObject([
    { status: "dry_run", data: { arguments: { password: "[redacted]" } } },
  ]);
  expect(executions()).toBe(0);
  expect(events.map(({ type }) => type)).toEqual(["finished"]);
  expect(await tools.run([issue("1", args)])).toMatchObject([{ status: "succeeded", isReplay: false }]);
});

describe("a call of a client's tool", () => {
  test("runs if the policy allows it", async () => {
    const { tools, executions, events } = await bench({
      policy: policy([allow({ tools: [CREATE_ISSUE], name: "issues" })]),
    });
    const results = await tools.run([issue("1"), { callId: "2", name: COUNT_WORDS, arguments: { text: "a" } }]);
    expect(results.map(({ status }) => status)).toEqual(["succeeded", "not_run"]);
    expect(results[1]?.text).toBe(
      `${COUNT_WORDS} was not allowed, so nothing ran: No rule allows it. Don't call it again unless something has changed.`,
    );
    expect(executions()).toBe(1);
    // Both calls run at the same time, so either may be decided first.
    const decided = events.filter(({ type }) => type === "decided");
    expect(decided.toSorted((one, other) => String(one.callId).localeCompare(String(other.callId)))).toEqual([
      expect.objectContaining({
        callId: "1",
        outcome: "allow",
        rule: "issues",
        reason: undefined,
        arguments: undefined,
      }),
      expect.objectContaining({ callId: "2", outcome: "deny", rule: undefined, reason: "No rule allows it." }),
    ]);
  });

  test("is judged by its own tags, version, user and account", async () => {
    const seen: unknown[] = [];
    const { tools } = await bench({
      accounts: { github: "ca_unknown" },
      policy: deciding((execution) => {
        seen.push(execution);
        return { outcome: "deny", reason: "Seen." };
      }),
    });
    await tools.run([issue("1")]);
    expect(seen).toMatchObject([
      { tool: { toolkit: "github", version: "20251023_00" }, userId: USER, accountId: "ca_unknown", inner: [] },
    ]);
  });

  test("is answered with what would be sent, secrets hidden, in a dry run", async () => {
    const login = tool({
      name: "log_in",
      description: "Logs in.",
      parameters: { type: "object", properties: { user: { type: "string" }, nested: { type: "object" } } },
      execute: () => {
        throw new Error("ran");
      },
    });
    const { tools, executions } = await bench({
      tools: [login, CREATE_ISSUE],
      policy: policy([dryRun({}), allow({})]),
    });
    const args = { user: "ada", nested: { password: "hunter2", api_key: "k", list: [{ accessToken: "t", pages: 2 }] } };
    const [mine, service] = await tools.run([{ callId: "1", name: "log_in", arguments: args }, issue("2")]);
    expect(mine?.data).toEqual({
      ...{ tool: "log_in", version: undefined, userId: USER, accountId: undefined },
      arguments: {
        user: "ada",
        nested: { password: "[redacted]", api_key: "[redacted]", list: [{ accessToken: "[redacted]", pages: 2 }] },
      },
    });
    expect(mine?.text).not.toMatch(/hunter2/);
    expect(service).toMatchObject({
      status: "dry_run",
      data: { version: "20251023_00", userId: USER, arguments: ISSUE },
    });
    expect(service?.text).toMatch(
      /^Dry run: nothing was sent\. The policy allows only a dry run\. .*"title":"From a model"/,
    );
    expect(executions()).toBe(0);
  });

  test("doesn't run if the policy asks and no one can approve", async () => {
    const { tools, executions } = await bench({ policy: policy([ask({ reason: "Issues are public." })]) });
    const [result] = await tools.run([issue("1")]);
    expect(result).toMatchObject({ status: "not_run" });
    expect(result?.text).toContain("needs an approval that this program can't get");
    expect(result?.text).toContain("Issues are public.");
    expect(executions()).toBe(0);
  });

  test("isn't decided again if it ran before, because nothing runs", async () => {
    let isAllowed = true;
    const { tools, executions } = await bench({
      policy: policy([allow({ when: () => isAllowed }), budget({ maxCalls: 1 })]),
    });
    await tools.run([issue("1")]);
    isAllowed = false;
    expect(await tools.run([issue("1")])).toMatchObject([{ status: "succeeded", isReplay: true }]);
    expect(await tools.run([issue("2")])).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(1);
  });
});

describe("an event of a decision", () => {
  test("contains the arguments only if they are wanted", async () => {
    const { tools, events } = await bench({ policy: policy([allow({})]), eventArguments: true });
    await tools.run([issue("1")]);
    expect(events[0]).toMatchObject({ type: "decided", arguments: ISSUE });
    expect(JSON.stringify(events.slice(1))).not.toContain("From a model");
  });

  test("has the error of a rule that failed, and so has the result", async () => {
    const when = () => {
      throw new Error("broken");
    };
    const { tools, events, executions } = await bench({ policy: policy([allow({ when })]) });
    const [result] = await tools.run([issue("1")]);
    expect(events[0]).toMatchObject({ outcome: "deny", rule: "rules[0]", error: { cause: { message: "broken" } } });
    expect(result).toMatchObject({ status: "not_run", error: { cause: { message: "broken" } } });
    expect(executions()).toBe(0);
  });
});

describe("a budget", () => {
  test("holds for calls of one turn that run at the same time", async () => {
    const { tools, executions, events } = await bench({
      policy: policy([allow({}), budget({ maxCalls: 3, name: "three" })]),
    });
    const results = await tools.run(Array.from({ length: 9 }, (_, index) => issue(String(index))));
    expect(results.filter(({ status }) => status === "succeeded")).toHaveLength(3);
    expect(results.at(-1)?.text).toContain("The budget of 3 calls is used up.");
    expect(events.filter((event) => event.type === "decided" && event.rule === "three")).toHaveLength(6);
    expect(executions()).toBe(3);
  });

  test("isn't given back if the outcome is unknown, or if the call then doesn't run", async () => {
    const { tools, emulator, executions } = await bench({ policy: policy([allow({}), budget({ maxCalls: 2 })]) });
    emulator.faults.next("tools.execute", { connection: "hang", when: "after" });
    expect(await tools.run([issue("1")], { deadlineMs: 30 })).toMatchObject([{ status: "unknown" }]);
    expect(await tools.run([issue("2", { ...ISSUE, owner: "octo-org" })])).toMatchObject([{ status: "succeeded" }]);
    expect(await tools.run([issue("3")])).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(2);
  });

  test("runs nothing if its store fails", async () => {
    const budgets: BudgetStore = { consume: () => Promise.reject(new Error("down")) };
    const { tools, executions } = await bench({ policy: policy([allow({}), budget({ maxCalls: 2 })], { budgets }) });
    expect(await tools.run([issue("1")])).toMatchObject([{ status: "not_run", error: { message: "down" } }]);
    expect(executions()).toBe(0);
  });

  test("is shared by the toolsets of a user that have the same policy", async () => {
    const shared = policy([allow({}), budget({ maxCalls: 1 })]);
    const [first, second] = [await bench({ policy: shared }), await bench({ policy: shared, conversationId: "other" })];
    await first.tools.run([issue("1")]);
    expect(await second.tools.run([issue("2")])).toMatchObject([{ status: "not_run" }]);
  });

  test("isn't used by a call that is denied or dry-run", async () => {
    const rules = [allow({}), deny({ when: { title: { is: "no" } } }), dryRun({ when: { title: { is: "dry" } } })];
    const { tools } = await bench({ policy: policy([...rules, budget({ maxCalls: 1 })]) });
    const titles = ["no", "dry", "no", "yes"];
    const results = await tools.run(titles.map((title) => issue(title, { ...ISSUE, title })));
    expect(results.map(({ status }) => status)).toEqual(["not_run", "dry_run", "not_run", "succeeded"]);
  });
});

describe("a call of a session that runs several tools", () => {
  const outer = allow({ tools: [MULTI] });

  test("runs if itself and each of its calls is allowed", async () => {
    const { tools, executions, events } = await sessionBench({
      policy: policy([outer, allow({ tools: [COUNT_WORDS] })]),
    });
    expect(await tools.run([several("1", words, words)])).toMatchObject([{ status: "succeeded" }]);
    expect(executions()).toBe(1);
    const decided = events.flatMap((event) => (event.type === "decided" ? [[event.tool?.name, event.callId]] : []));
    expect(decided).toEqual([
      [MULTI, "1"],
      [COUNT_WORDS, "1"],
      [COUNT_WORDS, "1"],
    ]);
  });

  test("isn't denied by the tags of the tool itself, which say what it could do", async () => {
    const rules = [allow({}), deny({ tags: ["destructiveHint", "openWorldHint"] })];
    const { tools, executions } = await sessionBench({ policy: policy(rules) });
    expect(await tools.run([several("1", words)])).toMatchObject([{ status: "succeeded" }]);
    expect(executions()).toBe(1);
  });

  test.each<[string, Parameters<typeof policy>[0]]>([
    ["an inner call isn't allowed", [outer, allow({ tools: [COUNT_WORDS] })]],
    ["an inner call is denied by its tag", [allow({}), deny({ tags: ["important"] })]],
    ["an inner call is denied by its toolkit", [allow({}), deny({ toolkits: ["github"] })]],
    ["an inner call is denied by its arguments", [allow({}), deny({ when: { title: { present: true } } })]],
    ["an inner call may have a denied account", [allow({}), deny({ accounts: ["ca_prod"] })]],
    ["itself isn't allowed", [allow({ tools: [COUNT_WORDS, CREATE_ISSUE] })]],
    ["itself is denied", [allow({}), deny({ tools: [MULTI] })]],
    ["an inner call needs an approval", [allow({}), ask({ tools: [CREATE_ISSUE] })]],
    ["an inner call is a dry run", [allow({}), dryRun({ tools: [CREATE_ISSUE] })]],
    ["together they exceed a budget", [allow({}), budget({ maxCalls: 1 })]],
  ])("runs none of them if %s", async (_, rules) => {
    const { tools, executions } = await sessionBench({ policy: policy(rules) });
    const [result] = await tools.run([several("1", words, inIssue)]);
    expect(result?.status).toMatch(/^(not_run|dry_run)$/);
    expect(executions()).toBe(0);
  });

  test("judges each call with the account it names", async () => {
    const rules = [allow({}), deny({ accounts: ["ca_prod"] })];
    const { tools, executions } = await sessionBench({ policy: policy(rules) });
    await tools.run([several("1", { ...words, account: "ca_prod" }), several("2", { ...words, account: "" })]);
    expect(executions()).toBe(0);
    // The service rejects it: the user has no such account.
    await tools.run([several("3", { ...words, account: "ca_other" })]);
    expect(executions()).toBe(1);
  });

  test.each<[string, readonly object[]]>([
    ["an unknown tool", [words, { tool_slug: "GITHUB_NOTHING", arguments: {} }]],
    ["a tool in another case", [{ ...words, tool_slug: COUNT_WORDS.toLowerCase() }]],
    ["a slug that is a list", [{ ...words, tool_slug: `${COUNT_WORDS},${CREATE_ISSUE}` }]],
    ["itself", [{ tool_slug: MULTI, arguments: { tools: [words] } }]],
    ["a shell", [{ tool_slug: "SVC_REMOTE_BASH_TOOL", arguments: { command: "rm" } }]],
    ["no tool_slug", [{ arguments: {} }]],
    ["a field that isn't known", [{ ...words, slug: CREATE_ISSUE }]],
    ["an inherited name", [{ tool_slug: "constructor", arguments: {} }]],
    ["nothing", []],
  ])("is denied if it names %s, even if everything is allowed", async (_, calls) => {
    const everything = allow({ tools: ["*", "SVC_REMOTE_BASH_TOOL", "SVC_REMOTE_WORKBENCH"] });
    const { tools, executions } = await sessionBench({ policy: policy([everything]) });
    expect(await tools.run([several("1", ...calls)])).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(0);
  });

  test.each([
    ["tools that aren't a list", { tools: "x" }],
    ["a call that isn't an object", { tools: [null] }],
    ["arguments that aren't an object", { tools: [{ tool_slug: COUNT_WORDS, arguments: "x" }] }],
    ["an account that isn't a string", { tools: [{ ...words, account: 1 }] }],
    ["an account's alias, which may become another account's", { tools: [{ ...words, account: "prod" }] }],
  ])("is rejected with %s", async (_, args) => {
    const { tools, executions } = await sessionBench({ policy: policy([allow({})]) });
    const call = { callId: "1", name: MULTI, arguments: { ...args, session_id: "s" } };
    expect(await tools.run([call])).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(0);
  });

  test("looks tools up in the catalog once, and only those it doesn't have", async () => {
    const { tools, lookups } = await sessionBench({ policy: policy([allow({})]) });
    await tools.run([several("1", words, words)]);
    expect(lookups()).toBe(0);
    await tools.run([several("2", inIssue, inIssue, words)]);
    await tools.run([several("3", inIssue)]);
    expect(lookups()).toBe(1);
  });

  test("doesn't wait for the catalog if its run is aborted", async () => {
    const { tools, lookups, emulator } = await sessionBench({ policy: policy([allow({})]) });
    const aborting = new AbortController();
    emulator.faults.next("tools.list", { connection: "hang" });
    const running = tools.run([several("1", inIssue)], { signal: aborting.signal });
    while (lookups() === 0) await new Promise((resolve) => setImmediate(resolve));
    const reason = new Error("the user left");
    aborting.abort(reason);
    expect(await rejection(running)).toBe(reason);
  });

  test("knows only its own tools without a catalog", async () => {
    const { tools, executions } = await sessionBench({ policy: policy([allow({})]), catalog: undefined });
    const results = await tools.run([several("1", inIssue), several("2", words)]);
    expect(results[0]?.text).toContain(`"${CREATE_ISSUE}" isn't a known tool, so it can't be allowed.`);
    expect(results.map(({ status }) => status)).toEqual(["not_run", "succeeded"]);
    expect(executions()).toBe(1);
  });

  test("counts each of its calls for budgets, and not itself", async () => {
    const rules = [allow({}), budget({ maxCalls: 3, maxCallsPerTool: 3 })];
    const { tools, executions } = await sessionBench({ policy: policy(rules) });
    expect(await tools.run([several("1", words, words)])).toMatchObject([{ status: "succeeded" }]);
    expect(await tools.run([several("2", words)])).toMatchObject([{ status: "succeeded" }]);
    expect(await tools.run([several("3", words)])).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(2);
  });
});

describe("a session's user", () => {
  test("is known from its record, and unknown if it was opened by its id alone", async () => {
    const svc = new Svc({ ...createEmulator().connection, env: {} });
    const session = await svc.toolRouter.create({ user_id: USER, preload: { tools: [COUNT_WORDS] } });
    const call = { callId: "1", name: COUNT_WORDS, arguments: { text: "a" } };
    const guards = { policy: policy([allow({}), deny({ users: ["bob"] })]) };
    const known = await toolset(session, guards);
    expect(await known.run([call])).toMatchObject([{ status: "succeeded" }]);
    const unknown = await toolset(svc.toolRouter.use(session.id), guards);
    expect(await unknown.run([{ ...call, callId: "2" }])).toMatchObject([{ status: "not_run" }]);
  });

  test("shares budgets between sessions and toolsets", async () => {
    const svc = new Svc({ ...createEmulator().connection, env: {} });
    const guards = { policy: policy([allow({}), budget({ maxCalls: 2 })]) };
    const call = { callId: "1", name: COUNT_WORDS, arguments: { text: "a" } };
    const open = async () =>
      toolset(await svc.toolRouter.create({ user_id: USER, preload: { tools: [COUNT_WORDS] } }), guards);
    const made = [await open(), await open(), await toolset(svc, { ...guards, userId: USER, tools: [COUNT_WORDS] })];
    const statuses = [];
    for (const tools of made) statuses.push(...(await tools.run([call])).map(({ status }) => status));
    expect(statuses).toEqual(["succeeded", "succeeded", "not_run"]);
  });
});

describe("a session's other tools", () => {
  test("are judged by their names", async () => {
    const { tools, executions } = await sessionBench({ policy: policy([allow({ tools: ["SVC_SEARCH_TOOLS"] })]) });
    const search = { queries: [{ use_case: "count words" }], session: { generate_id: true } };
    const results = await tools.run([
      { callId: "1", name: "SVC_SEARCH_TOOLS", arguments: search },
      { callId: "2", name: COUNT_WORDS, arguments: { text: "a" } },
    ]);
    expect(results.map(({ status }) => status)).toEqual(["succeeded", "not_run"]);
    expect(executions()).toBe(1);
  });

  test.each([
    ["SVC_REMOTE_BASH_TOOL", { command: "ls", session_id: "s" }],
    ["SVC_REMOTE_WORKBENCH", { code_to_execute: "1", session_id: "s" }],
  ])("that run code are denied unless they are named: %s", async (name, args) => {
    const call = (callId: string) => ({ callId, name, arguments: args });
    const wide = await sessionBench({ policy: policy([allow({ tools: ["*"] })]) });
    expect(await wide.tools.run([call("1")])).toMatchObject([{ status: "not_run" }]);
    expect(wide.executions()).toBe(0);
    const named = await sessionBench({ policy: policy([allow({ tools: [name] })]) });
    expect((await named.tools.run([call("1")]))[0]?.text).toContain("The emulator has no sandbox");
    expect(named.executions()).toBe(1);
  });
});
