import { describe, expect, test } from "vitest";
import { type ExecutionStore, memoryExecutions, toolset } from "../../../src/agents/index.js";
import {
  approvalChanges,
  approvals,
  describeApproval,
  type PendingApproval,
} from "../../../src/agents/policy-entry.js";
import { ConfigError } from "../../../src/index.js";
import { rejection, rejectionOf } from "../../support/client.js";
import { fakeClock } from "../../support/clock.js";
import { bench, COUNT_WORDS, deciding, ISSUE, USER } from "../support.js";
import { asksForIssues, gated, issueCall, KEY } from "./support.js";

const ada = { approver: "ada" };

describe("a call that needs approval", () => {
  test("ends as pending, says so to the model, and runs nothing", async () => {
    const { tools, executions, events } = await gated();
    const [result] = await tools.run([issueCall("call_1")]);
    expect(result).toMatchObject({ status: "pending", error: undefined, isReplay: false });
    expect(result?.text).toBe(
      "GITHUB_CREATE_AN_ISSUE needs the approval of a person and has not run: Issues are public. It runs once it is approved. " +
        "Tell the user that it needs approval. Don't call it again.",
    );
    expect(executions()).toBe(0);
    expect(events).toMatchObject([
      { type: "decided", outcome: "ask" },
      { type: "approval", status: "pending", approver: undefined, requestId: result?.pendingApproval?.id },
      { type: "finished", status: "pending" },
    ]);
  });

  test("isn't passed to onRequest by a dry run, so that the real run still is", async () => {
    const asked: PendingApproval[] = [];
    const { tools, executions } = await gated({}, { onRequest: (pending) => void asked.push(pending) });
    const dry = await tools.run([issueCall("call_1", { ...ISSUE, title: "Before" })], { dryRun: true });
    expect(dry).toMatchObject([{ status: "pending" }]);
    expect(asked).toEqual([]);
    expect(await tools.run([issueCall("call_1")])).toMatchObject([{ status: "pending" }]);
    // What a dry run was about isn't what the model asked for before.
    expect(asked).toMatchObject([{ call: { arguments: ISSUE }, previousArguments: null }]);
    expect(executions()).toBe(0);
  });

  test("runs once with the token of its approval, and is then answered from its record", async () => {
    const { tools, gate, ask, executions, events } = await gated();
    const pending = await ask();
    const token = await gate.approve(pending, ada);
    const run = () => tools.run([pending.call], { approvals: [token] });
    const results = await Promise.all([run(), run(), run()]);
    expect(results.flat().filter(({ isReplay }) => !isReplay)).toMatchObject([{ status: "succeeded" }]);
    expect(await run()).toMatchObject([{ status: "succeeded", isReplay: true }]);
    expect(executions()).toBe(1);
    expect(events).toContainEqual(expect.objectContaining({ type: "approval", status: "approved", approver: "ada" }));
  });

  test("runs once although it was approved twice", async () => {
    const { tools, gate, ask, executions } = await gated();
    const pending = await ask();
    const tokens = [await gate.approve(pending, ada), await gate.approve(pending, { approver: "bob" })];
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) await tools.run([pending.call], { approvals: [token] });
    expect(executions()).toBe(1);
  });

  test("can be approved days later in another process, from its JSON", async () => {
    const executions = memoryExecutions();
    const first = await gated({ executions });
    const stored = JSON.stringify(await first.ask());
    const later = await gated({ executions });
    const pending: PendingApproval = JSON.parse(stored);
    expect(describeApproval(pending)).toContain('title: "From a model"');
    const token = await later.gate.approve(pending, ada);
    expect(await later.tools.run([pending.call], { approvals: [token] })).toMatchObject([{ status: "succeeded" }]);
    // The first process learns that it has run.
    expect(await first.tools.run([pending.call])).toMatchObject([{ status: "succeeded", isReplay: true }]);
  });

  test("changed in its storage is approved as it says then, which isn't what the model called", async () => {
    const { tools, gate, ask, executions } = await gated();
    const pending = await ask();
    const token = await gate.approve({ ...pending, arguments: { ...pending.arguments, title: "Changed" } }, ada);
    const [result] = await tools.run([pending.call], { approvals: [token] });
    expect(result).toMatchObject({ status: "pending", error: { reason: "other_arguments" } });
    expect(executions()).toBe(0);
  });

  test("runs through the account that was approved, not through one that was connected since", async () => {
    const store = memoryExecutions();
    const { gate, ask, svc, executions } = await gated({ executions: store });
    const pending = await ask();
    expect(pending.accountId).toBe("ca_github_demo");
    const token = await gate.approve(pending, ada);
    const page = await svc.connectedAccounts.list({ user_ids: [USER], toolkit_slugs: ["github"] });
    const newer = page.items.map((account) => ({ ...account, id: "ca_newer" }));
    const list = async function* () {
      yield* newer;
    };
    const client = { tools: svc.tools, connectedAccounts: { list } };
    const options = {
      userId: USER,
      tools: [pending.call.name],
      policy: asksForIssues,
      approvals: gate,
      executions: store,
    };
    // @ts-expect-error: the part of a client that is used here.
    const tools = await toolset(client, options);
    const [result] = await tools.run([pending.call], { approvals: [token] });
    expect(result).toMatchObject({ status: "pending", error: { reason: "other_account" } });
    expect(executions()).toBe(0);
  });

  test("is sent with its account, and its arguments as they were approved", async () => {
    const { tools, gate, ask, svc } = await gated();
    const pending = await ask();
    await tools.run([pending.call], { approvals: [await gate.approve(pending, ada)] });
    const { logs } = await svc.logs.listToolExecutions({});
    expect(JSON.stringify(logs)).toContain("ca_github_demo");
  });

  test("doesn't run while the store of executions fails", async () => {
    let isDown = false;
    const store = memoryExecutions();
    const check = async () => {
      if (isDown) throw new Error("no connection");
    };
    const failing: ExecutionStore = {
      ...store,
      find: (id) => check().then(() => store.find(id)),
      start: (id, stamp) => check().then(() => store.start(id, stamp)),
    };
    const { tools, gate, ask, executions } = await gated({ executions: failing });
    const pending = await ask();
    const token = await gate.approve(pending, ada);
    isDown = true;
    expect(await tools.run([pending.call], { approvals: [token] })).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(0);
    isDown = false;
    expect(await tools.run([pending.call], { approvals: [token] })).toMatchObject([{ status: "succeeded" }]);
  });

  test("can run with its token after an attempt that provably didn't run", async () => {
    const { tools, gate, ask, emulator } = await gated();
    const pending = await ask();
    const token = await gate.approve(pending, ada);
    emulator.faults.next("tools.execute", { status: 400 });
    expect(await tools.run([pending.call], { approvals: [token] })).toMatchObject([{ status: "not_run" }]);
    expect(await tools.run([pending.call], { approvals: [token] })).toMatchObject([{ status: "succeeded" }]);
  });

  test("with half of a character in its arguments is rejected, because no person can read it", async () => {
    const { tools } = await gated();
    const [result] = await tools.run([issueCall("call_1", { ...ISSUE, title: "\ud83d" })]);
    expect(result).toMatchObject({ status: "not_run", text: expect.stringContaining("can't be shown") });
  });

  test("keeps its siblings of the turn running, and their results on resume", async () => {
    const { tools, gate, executions } = await gated();
    const words = { callId: "call_2", name: COUNT_WORDS, arguments: { text: "a b" } };
    const turn = [issueCall("call_1"), words];
    const [asked, counted] = await tools.run(turn);
    expect([asked?.status, counted?.status]).toEqual(["pending", "succeeded"]);
    if (!asked?.pendingApproval) throw new Error("It wasn't asked for.");
    const resumed = await tools.run(turn, { approvals: [await gate.approve(asked.pendingApproval, ada)] });
    expect(resumed.map(({ status, isReplay }) => [status, isReplay])).toEqual([
      ["succeeded", false],
      ["succeeded", true],
    ]);
    expect(executions()).toBe(2);
  });
});

describe("a denial", () => {
  test("is what the model reads, and wins over an approval", async () => {
    const { tools, gate, ask, executions } = await gated();
    const pending = await ask();
    const [yes, no] = [
      await gate.approve(pending, ada),
      await gate.deny(pending, { ...ada, reason: "Wrong repository." }),
    ];
    for (const tokens of [[no], [yes, no], [no, yes]]) {
      const [result] = await tools.run([pending.call], { approvals: tokens });
      expect(result).toMatchObject({ status: "not_run", pendingApproval: undefined });
      expect(result?.text).toContain("was not approved, so nothing ran: Wrong repository.");
    }
    expect(executions()).toBe(0);
  });

  test("is kept: an approval that comes later, in another process, runs nothing", async () => {
    const executions = memoryExecutions();
    const [one, other] = [await gated({ executions }), await gated({ executions })];
    const pending = await one.ask();
    const denial = await one.gate.deny(pending, { ...ada, reason: "Wrong repository." });
    const approval = await other.gate.approve(pending, { approver: "bob" });
    await one.tools.run([pending.call], { approvals: [denial] });
    for (const approvals of [[approval], []]) {
      const [result] = await other.tools.run([pending.call], { approvals });
      expect(result).toMatchObject({ status: "not_run", isReplay: true, pendingApproval: undefined });
      expect(result?.text).toContain("was not approved, so nothing ran: Wrong repository.");
    }
    const [changed] = await other.tools.run([issueCall("call_1", { ...ISSUE, title: "Other" })]);
    expect(changed).toMatchObject({ status: "not_run", pendingApproval: undefined });
    expect(one.executions() + other.executions()).toBe(0);
  });

  test("that comes after the call has run is told what has run", async () => {
    const executions = memoryExecutions();
    const [one, other] = [await gated({ executions }), await gated({ executions })];
    const pending = await one.ask();
    const denial = await one.gate.deny(pending, ada);
    await other.tools.run([pending.call], { approvals: [await other.gate.approve(pending, ada)] });
    const [result] = await one.tools.run([pending.call], { approvals: [denial] });
    expect(result).toMatchObject({ status: "succeeded", isReplay: true });
  });

  test("takes no time after which it would expire", async () => {
    const { gate, ask } = await gated();
    const pending = await ask();
    // @ts-expect-error: a JavaScript program may pass it.
    const error = await rejection(gate.deny(pending, { ...ada, expiresInMs: 1_000 }));
    expect(error).toBeInstanceOf(ConfigError);
    expect(Object(error).message).toContain("expiresInMs");
  });

  test("can be asked for again after an approval has expired", async () => {
    const clock = fakeClock();
    const { tools, gate, ask, executions } = await gated({}, { now: clock.now });
    const pending = await ask();
    const expired = await gate.approve(pending, { ...ada, expiresInMs: 1_000 });
    clock.advance(1_000);
    const [again] = await tools.run([pending.call], { approvals: [expired] });
    expect(again).toMatchObject({ status: "pending", error: { reason: "expired" } });
    const approval = await gate.approve(again?.pendingApproval ?? pending, ada);
    expect(await tools.run([pending.call], { approvals: [expired, approval] })).toMatchObject([
      { status: "succeeded" },
    ]);
    expect(executions()).toBe(1);
  });

  test("doesn't expire, and isn't recorded by a dry run", async () => {
    const clock = fakeClock();
    const { tools, gate, ask, executions } = await gated({}, { now: clock.now });
    const pending = await ask();
    const denial = await gate.deny(pending, ada);
    clock.advance(30 * 86_400_000);
    const dry = await tools.run([pending.call], { approvals: [denial], dryRun: true });
    expect(dry).toMatchObject([{ status: "not_run" }]);
    expect(await tools.run([pending.call])).toMatchObject([{ status: "pending" }]);
    const approval = await gate.approve(pending, ada);
    const both = await tools.run([pending.call], { approvals: [approval, denial] });
    expect(both).toMatchObject([{ status: "not_run", pendingApproval: undefined }]);
    expect(executions()).toBe(0);
  });

  test("whose record can't be written runs nothing, and its reply isn't needed to keep it", async () => {
    const store = memoryExecutions();
    let isDown = true;
    const executions: ExecutionStore = {
      ...store,
      start: async (...given) => {
        const earlier = await store.start(...given);
        if (isDown) throw new Error("The reply is lost.");
        return earlier;
      },
    };
    const { tools, gate, ask, executions: count } = await gated({ executions });
    const pending = await ask();
    const denial = await gate.deny(pending, ada);
    const [result] = await tools.run([pending.call], { approvals: [denial] });
    expect(result).toMatchObject({ status: "not_run", error: expect.any(Error) });
    isDown = false;
    const approval = await gate.approve(pending, ada);
    expect(await tools.run([pending.call], { approvals: [approval] })).toMatchObject([{ status: "not_run" }]);
    expect(count()).toBe(0);
  });

  test("shows what has changed when the model asks again", async () => {
    const { tools, gate, ask } = await gated();
    const first = await ask("call_1", { ...ISSUE, labels: ["bug"] });
    expect(first.previousArguments).toBeNull();
    await tools.run([first.call], { approvals: [await gate.deny(first, ada)] });
    const again = await ask("call_2", { ...ISSUE, title: "Better", labels: ["bug", "urgent"] });
    expect(approvalChanges(again)).toEqual([
      { path: "title", before: '"From a model"', after: '"Better"' },
      { path: "labels[1]", before: undefined, after: '"urgent"' },
    ]);
    expect(describeApproval(again)).toContain('  labels[1]: absent → "urgent"');
  });
});

describe("a file of a call", () => {
  const upload = (callId: string) => ({ callId, name: "DRIVE_UPLOAD_FILE", arguments: { file: "letter.txt" } });

  test("is approved by its digest, opened once, and not uploaded if it has changed", async () => {
    let opened = 0;
    let content = "first";
    const { tools, gate, executions } = await gated({
      tools: ["DRIVE_UPLOAD_FILE"],
      policy: deciding(() => ({ outcome: "ask", reason: "It leaves the house." })),
      openFile: ({ source }) => {
        opened += 1;
        return { content: new TextEncoder().encode(content), filename: source, mimetype: "text/plain" };
      },
    });
    const [asked] = await tools.run([upload("call_1")]);
    if (!asked?.pendingApproval) throw new Error(asked?.text);
    expect(describeApproval(asked.pendingApproval)).toContain('"letter.txt" ("text/plain", 5 bytes, SHA-256 a7937b64');
    const token = await gate.approve(asked.pendingApproval, ada);
    content = "other";
    const [changed] = await tools.run([upload("call_1")], { approvals: [token] });
    expect(changed).toMatchObject({ status: "pending", error: { reason: "other_arguments" } });
    expect(executions()).toBe(0);
    content = "first";
    opened = 0;
    const [uploaded] = await tools.run([upload("call_1")], { approvals: [token] });
    expect(uploaded?.text).toContain('"letter.txt"');
    expect(opened).toBe(1);
  });

  test("that can't be opened ends the call before anyone is asked", async () => {
    const { tools } = await gated({
      tools: ["DRIVE_UPLOAD_FILE"],
      policy: deciding(() => ({ outcome: "ask", reason: "It leaves the house." })),
      openFile: () => Promise.reject(new Error("No such file.")),
    });
    const [result] = await tools.run([upload("call_1")]);
    expect(result).toMatchObject({ status: "not_run", text: expect.stringContaining("No such file.") });
  });
});

test("what a stranger wrote can't look like another line of the description", async () => {
  const { ask } = await gated();
  const pending = await ask("call_1", { ...ISSUE, title: 'x"\n  owner: "harmless', body: "safe\u202egpj.exe" });
  const lines = describeApproval(pending).split("\n");
  expect(lines.filter((line) => line.trimStart().startsWith("owner:"))).toHaveLength(1);
  expect(lines).toContain('  title: "x\\"\\n  owner: \\"harmless"');
  expect(lines).toContain('  body: "safe\\u202egpj.exe"');
  expect(lines.slice(0, 4)).toEqual([
    "Run GITHUB_CREATE_AN_ISSUE, version 20251023_00",
    'What it does: "Opens an issue in a repository, with labels."',
    `For: user ${USER}, connected account ca_github_demo (word_id github_coral-otter)`,
    'Needs approval because: "Issues are public."',
  ]);
});

test("a session's call is approved for that session", async () => {
  const { svc } = await gated();
  const gate = approvals({ keys: [KEY] });
  const guarded = { policy: asksForIssues, approvals: gate, executions: memoryExecutions() };
  const create = () => svc.toolRouter.create({ user_id: USER, preload: { tools: ["GITHUB_CREATE_AN_ISSUE"] } });
  const [session, other] = [await create(), await create()];
  const tools = await toolset(session, guarded);
  const [asked] = await tools.run([issueCall("call_1")]);
  if (!asked?.pendingApproval) throw new Error(asked?.text);
  expect(asked.pendingApproval).toMatchObject({ sessionId: session.id, userId: USER, accountId: null });
  const token = await gate.approve(asked.pendingApproval, ada);
  const [elsewhere] = await (await toolset(other, guarded)).run([issueCall("call_1")], { approvals: [token] });
  expect(elsewhere).toMatchObject({ status: "pending", error: { reason: "other_session" } });
  expect(await tools.run([issueCall("call_1")], { approvals: [token] })).toMatchObject([{ status: "succeeded" }]);
});

test("an aborted run doesn't wait for the account that a call would be approved for", async () => {
  const { tools, emulator } = await gated();
  const controller = new AbortController();
  emulator.faults.next("connectedAccounts.list", { connection: "hang" });
  const running = tools.run([issueCall("call_1")], { signal: controller.signal });
  while (emulator.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
  const reason = new Error("the user left");
  controller.abort(reason);
  expect(await rejection(running)).toBe(reason);
});

test("a toolset with approvals needs a policy and a store of executions", async () => {
  const gate = approvals({ keys: [KEY] });
  await rejectionOf(ConfigError, gated({ executions: undefined }));
  await rejectionOf(ConfigError, bench({ approvals: gate, executions: memoryExecutions() }));
});

test("a request travels through a client and can only be decided", async () => {
  const { tools, gate, ask, executions } = await gated();
  const pending = await ask();
  const { token: request, description } = await gate.request(pending, { approver: "client", expiresInMs: 60_000 });
  expect(description).toBe(describeApproval(pending));
  const [unanswered] = await tools.run([pending.call], { approvals: [request] });
  expect(unanswered).toMatchObject({ status: "pending", error: { reason: "not_approved" } });
  const { callId, token } = await gate.respond(request, { approved: true });
  expect(callId).toBe("call_1");
  await expect(gate.respond(token, { approved: true })).rejects.toMatchObject({ reason: "not_a_request" });
  await expect(gate.respond(`${request}=`, { approved: true })).rejects.toMatchObject({
    reason: "not_canonical",
  });
  expect(executions()).toBe(0);
  expect(await tools.run([pending.call], { approvals: [token] })).toMatchObject([{ status: "succeeded" }]);
});

test("a request that its client declines is a denial", async () => {
  const { tools, gate, ask, executions } = await gated();
  const pending = await ask();
  const { token: request } = await gate.request(pending, { approver: "client" });
  const { token } = await gate.respond(request, { approved: false, reason: "Not now." });
  const [result] = await tools.run([pending.call], { approvals: [token] });
  expect(result).toMatchObject({ status: "not_run", text: expect.stringContaining("Not now.") });
  expect(executions()).toBe(0);
});
