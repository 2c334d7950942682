import { describe, expect, test } from "vitest";
import { type AgentEvent, memoryExecutions, toolset } from "../../../src/agents/index.js";
import { allow, approvals, ask, audit, budget, deny, policy, verifyAudit } from "../../../src/agents/policy-entry.js";
import { ConfigError } from "../../../src/index.js";
import { CREATE_ISSUE, ISSUE } from "../support.js";
import { audited, fieldsOf, KEY, memorySink, OTHER_KEY, pays } from "./support.js";

describe("the record of a call", () => {
  test("has a line before the effect, and one when the call has ended", async () => {
    const { tools, sink, effects } = await audited({ program: "billing" }, { conversationId: "conversation-1" });
    const call = pays();
    await tools.run([call]);
    expect(effects).toHaveLength(1);
    const facts = {
      at: "2026-11-29T00:00:00.000Z",
      program: "billing",
      userId: "user-4711",
      conversationId: "conversation-1",
      callId: call.callId,
      tool: "pay",
      argumentsDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      decisions: [],
    };
    const [started, ended, ...others] = fieldsOf(sink.lines);
    expect(others).toEqual([]);
    expect(started).toMatchObject({ number: 1, previous: null, key: "2026-11", entry: { type: "started", ...facts } });
    const end = { type: "ended", ...facts, status: "succeeded", isReplay: false };
    expect(ended).toMatchObject({ log: started?.log, number: 2, entry: end });
    // A random id or a digest may have the letters.
    expect(sink.lines.join().replaceAll(/[0-9a-f-]{36,}/g, "")).not.toContain("ada");
  });

  test("has the decision, the person who approved, the version and the account", async () => {
    const gate = approvals({ keys: [KEY] });
    const rules = policy([ask({ tools: [CREATE_ISSUE], name: "issues" })]);
    const more = { tools: [CREATE_ISSUE], policy: rules, approvals: gate, executions: memoryExecutions() };
    const { tools, sink } = await audited({}, more);
    const [asked] = await tools.run([{ callId: "call_1", name: CREATE_ISSUE, arguments: ISSUE }]);
    const pending = asked?.pendingApproval;
    if (!pending) expect.unreachable();
    const token = await gate.approve(pending, { approver: "ada@example.com" });
    await tools.run([pending.call], { approvals: [token] });
    const [waiting, started, ended] = fieldsOf(sink.lines).map(({ entry }) => entry);
    const decisions = [{ tool: CREATE_ISSUE, outcome: "ask", rule: "issues" }];
    expect(waiting).toMatchObject({ type: "ended", status: "pending", decisions });
    expect(waiting?.approver).toBeUndefined();
    const facts = { decisions, approver: "ada@example.com", version: "20251023_00", accountId: expect.any(String) };
    expect(started).toMatchObject({ type: "started", ...facts });
    expect(ended).toMatchObject({ type: "ended", ...facts, status: "succeeded" });
  });

  test("has the facts of one attempt, although the same call runs twice at the same time", async () => {
    const gate = approvals({ keys: [KEY] });
    const rules = policy([ask({ tools: [CREATE_ISSUE], name: "issues" })]);
    const more = { tools: [CREATE_ISSUE], policy: rules, approvals: gate, executions: memoryExecutions() };
    const { tools, sink } = await audited({}, more);
    const call = { callId: "call_1", name: CREATE_ISSUE, arguments: ISSUE };
    const [asked] = await tools.run([call]);
    if (!asked?.pendingApproval) expect.unreachable();
    const token = await gate.approve(asked.pendingApproval, { approver: "ada@example.com" });
    sink.lines.length = 0;
    await Promise.all([tools.run([call]), tools.run([call], { approvals: [token] }), tools.run([call])]);
    const entries = fieldsOf(sink.lines).map(({ entry }) => entry);
    expect(entries.map(({ type, status }) => status ?? type).sort()).toEqual([
      ...["pending", "pending", "started", "succeeded"],
    ]);
    for (const { status, decisions, approver } of entries) {
      expect(decisions).toEqual([{ tool: CREATE_ISSUE, outcome: "ask", rule: "issues" }]);
      expect(approver).toBe(status === "pending" ? undefined : "ada@example.com");
    }
  });

  test("has a person's denial only in the attempt that it was passed to, although a budget denies both", async () => {
    const gate = approvals({ keys: [KEY] });
    const rules = policy([allow({}), ask({ tools: ["pay"], name: "money" }), budget({ maxCalls: 1, name: "one" })]);
    const { svc, sink, record, pay } = await audited();
    const more = { policy: rules, approvals: gate, executions: memoryExecutions(), audit: record };
    const tools = await toolset(svc, { userId: "user-4711", tools: [pay, CREATE_ISSUE], ...more });
    const call = pays();
    const [asked] = await tools.run([call]);
    if (!asked?.pendingApproval) expect.unreachable();
    const token = await gate.deny(asked.pendingApproval, { approver: "ada@example.com" });
    await tools.run([{ callId: "used", name: CREATE_ISSUE, arguments: ISSUE }]);
    sink.lines.length = 0;
    const [without, denied] = await Promise.all([tools.run([call]), tools.run([call], { approvals: [token] })]);
    expect([without[0]?.text, denied[0]?.text]).toEqual([
      expect.stringContaining("used up"),
      expect.stringContaining("was not approved"),
    ]);
    const entries = fieldsOf(sink.lines).map(({ entry: { approver, decisions } }) => [approver, decisions.length]);
    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual(["ada@example.com", 1]);
    expect(entries).toContainEqual([undefined, 2]);
  });

  test("has one line if nothing ran: denied, rejected, or no tool of that name", async () => {
    const { tools, sink } = await audited(
      {},
      { policy: policy([allow({}), deny({ tools: ["pay"], name: "no money" })]) },
    );
    await tools.run([pays(), pays({ to: 1 }), { ...pays(), name: "paint" }]);
    const entries = fieldsOf(sink.lines).map(({ entry }) => entry);
    expect(entries.map(({ type, status }) => [type, status])).toEqual(Array(3).fill(["ended", "not_run"]));
    expect(entries.find(({ decisions }) => decisions.length > 0)?.decisions).toEqual([
      { tool: "pay", outcome: "deny", rule: "no money" },
    ]);
    expect(entries.map(({ tool }) => tool).sort()).toEqual(["pay", "pay", undefined]);
  });

  test("says that a result is an earlier one", async () => {
    const { tools, sink } = await audited();
    const call = pays();
    await tools.run([call]);
    await tools.run([call]);
    const last = fieldsOf(sink.lines).at(-1);
    expect(last?.entry).toMatchObject({ type: "ended", status: "succeeded", isReplay: true });
  });

  test("has no lines for dry runs", async () => {
    const { tools, sink, effects } = await audited();
    await tools.run([pays()], { dryRun: true });
    expect([sink.lines, effects]).toEqual([[], []]);
  });

  test("has arguments only with withArguments, and never a secret", async () => {
    const { tools, sink } = await audited({ withArguments: true });
    await tools.run([pays({ to: "ada", api_key: "sk_live_123456" })]);
    expect(fieldsOf(sink.lines)[0]?.entry.arguments).toEqual({ to: "ada", api_key: "[redacted]" });
    expect(sink.lines.join()).not.toContain("sk_live");
  });

  test("has equal digests for equal arguments, and others under another key", async () => {
    const digestsOf = async (keys = [KEY]) => {
      const { tools, sink } = await audited({ keys });
      await tools.run([pays({ to: "ada", api_key: "x" }), pays({ api_key: "x", to: "ada" })]);
      return new Set(fieldsOf(sink.lines).map(({ entry }) => entry.argumentsDigest));
    };
    const [own, again, others] = [await digestsOf(), await digestsOf(), await digestsOf([OTHER_KEY])];
    expect(own.size).toBe(1);
    expect(again).toEqual(own);
    expect(others).not.toEqual(own);
  });
});

describe("if the record can't be written", () => {
  const broken = () => {
    throw new Error("the disk is full");
  };

  test("nothing runs", async () => {
    const { tools, effects } = await audited({ to: broken });
    const [result] = await tools.run([pays()]);
    expect(result).toMatchObject({ status: "not_run", error: { message: "the disk is full" } });
    expect(result?.text).not.toContain("disk");
    expect(effects).toEqual([]);
  });

  test('the call runs with onFailure: "continue"', async () => {
    const events: AgentEvent[] = [];
    const onEvent = (event: AgentEvent) => void events.push(event);
    const { tools, effects } = await audited({ to: broken, onFailure: "continue" }, { onEvent });
    const [result] = await tools.run([pays()]);
    expect(result).toMatchObject({ status: "succeeded" });
    expect(effects).toHaveLength(1);
    // Once for the start, and once for the end.
    const failed = events.filter(({ type }) => type === "record_failed");
    expect(failed).toEqual(Array(2).fill(expect.objectContaining({ error: new Error("the disk is full") })));
  });

  test("after the effect, the result stays, and an event tells", async () => {
    let count = 0;
    const events: AgentEvent[] = [];
    const to = () => {
      count += 1;
      if (count > 1) broken();
    };
    const { tools, effects } = await audited({ to }, { onEvent: (event) => void events.push(event) });
    const [result] = await tools.run([pays()]);
    expect(result).toMatchObject({ status: "succeeded" });
    expect(effects).toHaveLength(1);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "record_failed", error: new Error("the disk is full") }),
    );
  });

  test("a sink that never answers doesn't hold an aborted run", async () => {
    const { tools, effects } = await audited({ to: () => new Promise(() => {}) });
    const controller = new AbortController();
    const run = tools.run([pays()], { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(run).rejects.toThrow("enough");
    expect(effects).toEqual([]);
  });
});

describe("a log", () => {
  const keys = [KEY];

  test("is whole, although many calls and several processes write it at the same time", async () => {
    const sink = memorySink();
    const processes = await Promise.all(Array.from({ length: 3 }, () => audited({ to: sink })));
    await Promise.all(processes.map(({ tools }) => tools.run(Array.from({ length: 40 }, () => pays()))));
    expect(sink.lines).toHaveLength(240);
    const head = { number: 240, hash: expect.any(String) };
    expect(await verifyAudit(sink.lines, { keys })).toEqual({ ok: true, lines: 240, head });
  });

  test("goes on after a restart, with another key", async () => {
    const sink = memorySink();
    const before = await audited({ to: sink });
    await before.tools.run([pays()]);
    const after = await audited({ to: sink, keys: [OTHER_KEY, KEY] });
    await after.tools.run([pays()]);
    expect(fieldsOf(sink.lines).map(({ number, key }) => [number, key])).toEqual([
      [1, "2026-11"],
      [2, "2026-11"],
      [3, "2026-12"],
      [4, "2026-12"],
    ]);
    expect(await verifyAudit(sink.lines, { keys: [KEY, OTHER_KEY] })).toMatchObject({ ok: true, lines: 4 });
  });

  test("isn't continued if none of the keys signed its end", async () => {
    const sink = memorySink();
    await (await audited({ to: sink })).tools.run([pays()]);
    const { tools, effects } = await audited({ to: sink, keys: [OTHER_KEY] });
    const [result] = await tools.run([pays()]);
    expect(result?.error).toMatchObject({ message: expect.stringContaining("none of the keys signed the last line") });
    expect(effects).toEqual([]);
  });
});

describe("options", () => {
  const to = memorySink();
  test.each<[string, unknown, string]>([
    ["no keys", { to }, "audit: keys must be a list of 1 to 8 keys."],
    ["a short secret", { to, keys: [{ id: "1", secret: "short" }] }, 'audit: the secret of key "1" must be'],
    ["no sink", { keys: [KEY] }, "audit: to must be"],
    ["a sink without a method", { keys: [KEY], to: { append: () => true } }, "audit: to must be"],
    ["an unknown option", { keys: [KEY], to, sign: true }, "sign"],
    ["an unknown reaction", { keys: [KEY], to, onFailure: "warn" }, "audit: onFailure must be"],
  ])("%s", (_, options, message) => {
    const create = () => audit(options as Parameters<typeof audit>[0]);
    expect(create).toThrow(ConfigError);
    expect(create).toThrow(message);
  });

  test("a toolset takes only what audit() returns", async () => {
    const { svc, pay } = await audited();
    const options = { userId: "ada", tools: [pay], audit: { keys: [KEY] } as never };
    await expect(toolset(svc, options)).rejects.toThrow("audit must be");
  });
});
