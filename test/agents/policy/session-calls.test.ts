import { describe, expect, test } from "vitest";
import { type AgentEvent, type SessionToolsetOptions, toolset } from "../../../src/agents/index.js";
import { allow, ask, budget, deny, dryRun, policy } from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { Svc } from "../../../src/index.js";
import { rejection } from "../../support/client.js";
import { COUNT_WORDS, CREATE_ISSUE, ISSUE, USER } from "../support.js";

const MULTI = "SVC_MULTI_EXECUTE_TOOL";
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
  const { catalog = "catalog" in options ? undefined : svc } = options;
  const tools = await toolset(session, { onEvent: (event) => events.push(event), ...options, catalog });
  const executions = () => emulator.requests.filter(({ path }) => /\/execute(_meta)?$/.test(path)).length;
  const lookups = () => emulator.requests.filter(({ operation }) => operation === "tools.list").length;
  return { tools, events, executions, lookups, emulator, svc };
}

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

  test("can't pass files in its calls, neither by path nor by key", async () => {
    const { tools, executions } = await sessionBench({
      policy: policy([outer, allow({ tools: ["DRIVE_UPLOAD_FILE"] })]),
    });
    const upload = (file: unknown) => ({ tool_slug: "DRIVE_UPLOAD_FILE", arguments: { file } });
    const [byKey] = await tools.run([several("1", upload({ name: "a", mimetype: "b", s3key: "c" }))]);
    const problem = "s3key: expected no file, because inner calls can't pass files, received string.";
    expect(byKey).toMatchObject({ status: "not_run", text: expect.stringContaining(problem) });
    expect(executions()).toBe(0);
    const [byPath] = await tools.run([several("2", upload("a.txt"))]);
    expect(byPath).toMatchObject({ status: "failed", text: expect.stringContaining("file: expected an object") });
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
    await tools.run([several("3", { ...words, account: "ca_github_demo" })]);
    expect(executions()).toBe(1);
  });

  test("denies an alias that looks like an id, and every account if there is no client to look it up", async () => {
    const { tools, executions, svc } = await sessionBench({
      policy: policy([allow({}), deny({ accounts: ["ca_github_demo"] })]),
    });
    await svc.connectedAccounts.update("ca_github_demo", { alias: "ca_harmless" });
    const [aliased] = await tools.run([several("1", { ...inIssue, account: "ca_harmless" })]);
    expect(aliased).toMatchObject({ status: "not_run", text: expect.stringContaining("an alias could change") });
    const alone = await sessionBench({ policy: policy([allow({})]), catalog: { tools: svc.tools } });
    await alone.tools.run([several("1", { ...words, account: "ca_github_demo" })]);
    expect([executions(), alone.executions()]).toEqual([0, 0]);
  });

  test("evaluates a tool in the version that the session runs, whatever the client's is", async () => {
    const rules = policy([allow({}), deny({ tags: ["destructiveHint"] })]);
    const tags = { "20250201_00": { tags: ["destructiveHint"] } };
    const fields = { description: "-", input: { type: "object" }, output: { type: "object" }, run: () => ({}) };
    const act = { slug: "ODD_ACT", name: "Act", ...fields, tags: [], changes: tags };
    const versions = { "20250101_00": "The first.", "20250201_00": "It destroys." };
    const odd = { slug: "odd", name: "Odd", description: "-", categories: [], auth: [], versions, tools: [act] };
    const emulator = createEmulator({ toolkits: [odd] });
    const pinned = new Svc({ ...emulator.connection, toolkitVersions: { odd: "20250101_00" }, env: {} });
    const session = await pinned.toolRouter.create({ user_id: USER });
    const tools = await toolset(session, { policy: rules, catalog: pinned });
    const [result] = await tools.run([several("1", { tool_slug: "ODD_ACT", arguments: {} })]);
    expect(result).toMatchObject({ status: "not_run" });
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
