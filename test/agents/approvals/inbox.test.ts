import { describe, expect, test } from "vitest";
import { memoryExecutions, toolset } from "../../../src/agents/index.js";
import {
  type ApprovalRejectedError,
  type ApprovalStore,
  allow,
  ask,
  describeApproval,
  memoryApprovals,
  type PendingApproval,
  policy,
  type RequestState,
} from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { ConfigError, Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { fakeClock } from "../../support/clock.js";
import { CREATE_ISSUE, ISSUE, USER } from "../support.js";
import { all, gated, issueCall, KEY } from "./support.js";

const ADA = { approver: "ada" };
const HOUR_MS = 3_600_000;

/** Two processes that share a store, with their own gate and toolset. */
async function processes(store: ApprovalStore = memoryApprovals(), now?: () => number) {
  const executions = memoryExecutions();
  const make = () => gated({ executions }, { store, ...(now && { now }) });
  return { store, executions, one: await make(), other: await make() };
}

async function reasonOf(decision: Promise<unknown>): Promise<string> {
  const error = await decision.then(
    () => undefined,
    (error: ApprovalRejectedError) => error,
  );
  return error?.reason ?? "accepted";
}

describe("an inbox", () => {
  test("keeps a request, whose call finds its decision without a token, in another process too", async () => {
    const { one, other } = await processes();
    const pending = await one.ask();
    const listed = await all(other.gate.list());
    expect(listed).toEqual([
      { state: "pending", pending, requestedAt: expect.any(Number), approver: null, reason: null, decidedAt: null },
    ]);
    await other.gate.approve(pending.id, ADA);
    expect(await one.tools.run([pending.call])).toMatchObject([{ status: "succeeded", isReplay: false }]);
    expect(await other.tools.run([pending.call])).toMatchObject([{ status: "succeeded", isReplay: true }]);
    expect([one.executions(), other.executions()]).toEqual([1, 0]);
    expect(await one.gate.get(pending.id)).toMatchObject({ state: "approved", approver: "ada" });
  });

  test("lists requests by user, conversation and state, the newest first", async () => {
    const store = memoryApprovals();
    const clock = fakeClock();
    const ids: Record<string, string> = {};
    for (const [name, userId, conversationId] of [
      ["first", USER, "chat-1"],
      ["second", USER, "chat-2"],
      ["third", "user-demo", "chat-1"],
    ] as const) {
      clock.advance(1_000);
      const { ask } = await gated({ userId, conversationId, accounts: { github: "ca_1" } }, { store, now: clock.now });
      ids[name] = (await ask()).id;
    }
    const { gate } = await gated({}, { store, now: clock.now });
    await gate.deny(ids["second"] ?? "", { ...ADA, reason: "No." });
    const list = async (query: Parameters<typeof gate.list>[0]) => {
      const found = await all(gate.list(query));
      return found.map(({ pending: { id } }) => Object.keys(ids).find((name) => ids[name] === id));
    };
    expect(await list({})).toEqual(["third", "first"]);
    expect(await list({ userId: USER })).toEqual(["first"]);
    expect(await list({ conversationId: "chat-1" })).toEqual(["third", "first"]);
    expect(await list({ userId: "user-demo", conversationId: "chat-1" })).toEqual(["third"]);
    expect(await list({ state: "denied" })).toEqual(["second"]);
    expect(await list({ state: "denied", conversationId: "chat-1" })).toEqual([]);
  });

  test("takes the first decision, of any person, and one that is repeated", async () => {
    const { one, other } = await processes();
    const contested = await one.ask("call_1");
    const settled = await Promise.allSettled([one.gate.approve(contested.id, ADA), other.gate.deny(contested.id, ADA)]);
    expect(settled.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const { id, call } = await one.ask("call_2");
    const approved = await one.gate.approve(id, ADA);
    expect(await reasonOf(other.gate.deny(id, ADA))).toBe("already_decided");
    expect(await reasonOf(other.gate.withdraw(id, ADA))).toBe("already_decided");
    expect(await other.gate.approve(id, { approver: "bob" })).toBe(approved);
    expect(await other.tools.run([call])).toMatchObject([{ status: "succeeded" }]);
  });

  test("gives the model the reason of a denial, and of a withdrawal", async () => {
    const { one, other } = await processes();
    const denied = await one.ask("call_1");
    await other.gate.deny(denied.id, { ...ADA, reason: "It is fixed already." });
    const withdrawn = await one.ask("call_2");
    await other.gate.withdraw(withdrawn, { approver: USER });
    expect(await one.tools.run([denied.call, withdrawn.call])).toMatchObject([
      { status: "not_run", text: expect.stringContaining("It is fixed already.") },
      { status: "not_run", text: expect.stringContaining("The request was withdrawn.") },
    ]);
    expect(await reasonOf(one.gate.approve(withdrawn.id, ADA))).toBe("already_decided");
    const states: RequestState[] = ["pending", "denied", "withdrawn"];
    const counts = states.map(async (state) => (await all(one.gate.list({ state }))).length);
    expect(await Promise.all(counts)).toEqual([0, 1, 1]);
    expect(one.executions()).toBe(0);
  });

  test("lets a denial in the store win over a token", async () => {
    const { one, other } = await processes();
    const pending = await one.ask();
    const elsewhere = await gated();
    const token = await elsewhere.gate.approve(pending, ADA);
    await other.gate.deny(pending.id, ADA);
    expect(await one.tools.run([pending.call], { approvals: [token] })).toMatchObject([{ status: "not_run" }]);
    expect(one.executions()).toBe(0);
  });

  test("expires a request, which can't be decided then, and asks again", async () => {
    const clock = fakeClock();
    const seen: PendingApproval[] = [];
    const onRequest = (pending: PendingApproval) => void seen.push(pending);
    const options = { store: memoryApprovals(), requestExpiresInMs: HOUR_MS, now: clock.now, onRequest };
    const { ask, gate, tools, executions } = await gated({}, options);
    const { id, call, expiresAt } = await ask();
    expect(expiresAt).toBe(clock.now() + HOUR_MS);
    clock.advance(HOUR_MS);
    expect(await gate.get(id)).toMatchObject({ state: "expired" });
    expect(await all(gate.list({ state: "expired" }))).toHaveLength(1);
    expect(await all(gate.list())).toEqual([]);
    for (const decide of [gate.approve, gate.deny, gate.withdraw])
      expect(await reasonOf(decide(id, ADA))).toBe("expired");
    expect(await gate.decide(id, { ...ADA, approved: true })).toMatchObject({ state: "expired", approver: null });
    expect(await tools.run([call])).toMatchObject([{ status: "pending" }]);
    expect(seen).toHaveLength(2);
    await gate.approve(id, { ...ADA, expiresInMs: HOUR_MS });
    clock.advance(HOUR_MS);
    // Its approval has expired.
    expect(await tools.run([call])).toMatchObject([{ status: "pending" }]);
    expect(seen).toHaveLength(3);
    expect(executions()).toBe(0);
  });

  test("asks again for other arguments, another account and under another policy", async () => {
    const store = memoryApprovals();
    const { gate, tools, ...made } = await gated({}, { store });
    const { id } = await made.ask();
    await gate.approve(id, ADA);
    const [changed] = await tools.run([issueCall("call_1", { ...ISSUE, title: "Another" })]);
    expect(changed).toMatchObject({ status: "pending", error: undefined });
    const stricter = policy([ask({ tools: [CREATE_ISSUE] })]);
    const other = await gated({ policy: stricter }, { store });
    expect(await other.tools.run([issueCall("call_1")])).toMatchObject([{ status: "pending" }]);
    expect(new Set((await all(gate.list())).map(({ pending }) => pending.id)).size).toBe(2);
  });

  test("is told of each request once by all processes, and again if that failed", async () => {
    const told: string[] = [];
    let isDown = true;
    const onRequest = ({ id }: PendingApproval) => {
      if (isDown) throw new Error("the chat is down");
      told.push(id);
    };
    const store = memoryApprovals();
    const executions = memoryExecutions();
    const [one, other] = [
      await gated({ executions }, { store, onRequest }),
      await gated({ executions }, { store, onRequest }),
    ];
    expect(await one.tools.run([issueCall("call_1")])).toMatchObject([{ status: "not_run" }]);
    isDown = false;
    const { id } = await other.ask();
    expect((await one.ask()).id).toBe(id);
    expect(told).toEqual([id]);
    await other.gate.approve(id, ADA);
    expect(await one.tools.run([issueCall("call_1")])).toMatchObject([{ status: "succeeded" }]);
  });

  test("records the decision of onRequest, unless a person was faster", async () => {
    const store = memoryApprovals();
    const executions = memoryExecutions();
    const desk = await gated({ executions }, { store });
    const onRequest = async ({ id }: PendingApproval) => {
      await desk.gate.deny(id, { approver: "ada", reason: "Ada was faster." });
      return { approved: true, approver: "rules" };
    };
    const { tools, executions: count } = await gated({ executions }, { store, onRequest });
    const [result] = await tools.run([issueCall("call_1")]);
    expect(result).toMatchObject({ status: "not_run", text: expect.stringContaining("Ada was faster.") });
    expect(count()).toBe(0);
  });

  test("finds requests of an older key, and omits those of a key that is gone", async () => {
    const store = memoryApprovals();
    const next = { id: "key-2", secret: "the next approval key, 0123456789 abcdef" };
    const executions = memoryExecutions();
    const old = await gated({ executions }, { store });
    const { id, call } = await old.ask();
    const rotated = await gated({ executions }, { store, keys: [next, KEY] });
    expect((await rotated.ask()).id).toBe(id);
    await rotated.gate.approve(id, ADA);
    expect(await rotated.tools.run([call])).toMatchObject([{ status: "succeeded" }]);
    const { gate } = await gated({}, { store, keys: [next] });
    const { id: later } = await old.ask("call_2");
    expect(await all(gate.list())).toEqual([]);
    expect(await reasonOf(gate.deny(later, ADA))).toBe("unknown_request");
  });

  test("records the decision of a request's token", async () => {
    const { one, other } = await processes();
    const pending = await one.ask();
    const { token: request } = await other.gate.request(pending, ADA);
    const { token } = await other.gate.respond(request, { approved: false, reason: "Not now." });
    expect(await reasonOf(one.gate.approve(pending, ADA))).toBe("already_decided");
    expect(await one.tools.run([pending.call], { approvals: [token] })).toMatchObject([{ status: "not_run" }]);
  });
});

describe("a store that is edited, or fails", () => {
  /** Each value of the store, changed. */
  const edited = (change: (value: string) => unknown): ApprovalStore => {
    const store = memoryApprovals();
    // @ts-expect-error: not what the interface says.
    return { ...store, find: async (id) => change((await store.find(id)) ?? "") || undefined };
  };

  test.each([
    ["approved by hand", (value: string) => value.replace('"token":null', '"token":"v1.e30.AAAA"')],
    ["shown with other arguments", (value: string) => value.replaceAll("From a model", "Another title")],
    ["shown with another reason", (value: string) => value.replace("Issues are public.", "It is harmless.")],
    ["cut", (value: string) => value.slice(0, -1)],
    ["not a string", (value: string) => value && { value }],
    ["null", (value: string) => value && null],
  ])("runs nothing if a request is %s", async (name, change) => {
    const store = edited(change);
    const { tools, gate, executions } = await gated({}, { store });
    await tools.run([issueCall("call_1")]);
    const [result] = await tools.run([issueCall("call_1")]);
    expect(result?.status).toBe("not_run");
    // No key signed a string that was changed. What isn't a string is an error of the store.
    const unsigned = { name: "ApprovalRejectedError", reason: "unknown_request" };
    if (name !== "null")
      expect(result?.error).toMatchObject(name === "not a string" ? { name: "TypeError" } : unsigned);
    const [{ pending } = {}] = await all(gate.list());
    await expect(gate.approve(pending?.id ?? "", ADA)).rejects.toThrow("approvals:");
    expect(executions()).toBe(0);
  });

  test("runs nothing if the approval of another call is put in a request's place", async () => {
    const store = memoryApprovals();
    const { ask, gate, tools, executions } = await gated({}, { store });
    const [pay, other] = [await ask("call_1"), await ask("call_2", { ...ISSUE, title: "Two" })];
    await gate.approve(other.id, ADA);
    const swapped = { ...store, find: (id: string) => store.find(id === pay.id ? other.id : id) };
    const { tools: attacked, executions: count } = await gated({}, { store: swapped });
    expect(await attacked.run([pay.call])).toMatchObject([{ status: "not_run", error: expect.any(TypeError) }]);
    expect([executions(), count()]).toEqual([0, 0]);
    expect(await tools.run([other.call])).toMatchObject([{ status: "succeeded" }]);
  });

  test.each(["find", "swap"] as const)("runs nothing while its %s fails, with a token too", async (method) => {
    const store = memoryApprovals();
    let isDown = false;
    const guard = <Args extends unknown[], Reply>(name: string, act: (...args: Args) => Promise<Reply>) => {
      return async (...args: Args) => {
        if (isDown && name === method) throw new Error("no connection");
        return act(...args);
      };
    };
    const failing = { ...store, find: guard("find", store.find), swap: guard("swap", store.swap) };
    const { ask, gate, tools, executions } = await gated({}, { store: failing });
    const { id, call } = await ask();
    const elsewhere = await gated();
    const token = await elsewhere.gate.approve(await elsewhere.ask("call_2"), ADA);
    isDown = true;
    await expect(gate.approve(id, ADA)).rejects.toThrow("no connection");
    const approvals = method === "find" ? [token] : [];
    const [result] = await tools.run([issueCall("call_2")], { approvals });
    expect(result).toMatchObject({ status: "not_run", error: { message: "no connection" } });
    isDown = false;
    await gate.approve(id, ADA);
    expect(await tools.run([call])).toMatchObject([{ status: "succeeded" }]);
    expect(executions()).toBe(1);
  });

  test("records a decision whose reply was lost once", async () => {
    const store = memoryApprovals();
    let lost = 0;
    const lossy: ApprovalStore = {
      ...store,
      swap: async (record, expected) => {
        const isWritten = await store.swap(record, expected);
        if (record.state === "approved" && lost++ === 0) throw new Error("connection lost");
        return isWritten;
      },
    };
    const { ask, gate, tools } = await gated({}, { store: lossy });
    const { id, call } = await ask();
    await gate.approve(id, ADA);
    expect(await tools.run([call])).toMatchObject([{ status: "succeeded" }]);
    expect(lost).toBe(2);
  });

  test("rejects unknown ids, and options that aren't usable", async () => {
    const { gate } = await gated({}, { store: memoryApprovals() });
    expect(await gate.get("nothing")).toBeUndefined();
    expect(await reasonOf(gate.approve("nothing", ADA))).toBe("unknown_request");
    expect(await gate.decide("nothing", { ...ADA, approved: true })).toBeUndefined();
    await rejectionOf(ConfigError, gate.decide("nothing", { ...ADA, approved: "no" } as never));
    expect(() => gate.list({ state: "open" } as never)).toThrow(ConfigError);
    const { gate: without } = await gated();
    expect(() => without.list()).toThrow("without a store, requests aren't kept");
    await rejectionOf(ConfigError, without.get("nothing"));
    await rejectionOf(ConfigError, without.approve("nothing", ADA));
    await rejectionOf(ConfigError, without.decide("nothing", { ...ADA, approved: true }));
  });

  test("forgets the oldest records of memoryApprovals(), whose calls ask again", async () => {
    const { ask, gate } = await gated({}, { store: memoryApprovals({ maxRecords: 2 }) });
    const first = await ask("call_1");
    await ask("call_2");
    await ask("call_3");
    expect(await gate.get(first.id)).toBeUndefined();
    expect(await reasonOf(gate.approve(first.id, ADA))).toBe("unknown_request");
  });
});

describe("the question", () => {
  test("says whose account it is, as the service tells", async () => {
    const { svc, ask } = await gated();
    await svc.connectedAccounts.update("ca_github_demo", { alias: "Ada's work account" });
    expect(describeApproval(await ask())).toContain(
      `connected account ca_github_demo (alias "Ada's work account", word_id github_coral-otter)`,
    );
  });

  test("has the descriptions and reasons of inner calls, not the outer tool's", async () => {
    const emulator = createEmulator();
    const svc = new Svc({ ...emulator.connection, env: {} });
    const session = await svc.toolRouter.create({ user_id: USER });
    const { gate } = await gated();
    const tools = await toolset(session, {
      policy: policy([
        allow({ tools: ["SVC_MULTI_EXECUTE_TOOL", "TEXTKIT_*"] }),
        ask({ tools: [CREATE_ISSUE], reason: "Issues are public." }),
      ]),
      ...{ approvals: gate, executions: memoryExecutions(), catalog: svc },
    });
    const inner = [
      { tool_slug: "TEXTKIT_COUNT_WORDS", arguments: { text: "a b" } },
      { tool_slug: CREATE_ISSUE, arguments: ISSUE },
    ];
    const args = { tools: inner, sync_response_to_workbench: false, session_id: "s" };
    const [result] = await tools.run([{ callId: "1", name: "SVC_MULTI_EXECUTE_TOOL", arguments: args }]);
    const pending = result?.pendingApproval;
    expect(pending?.inner).toMatchObject([
      { name: "TEXTKIT_COUNT_WORDS", reason: null },
      { name: CREATE_ISSUE, description: "Opens an issue in a repository, with labels.", reason: "Issues are public." },
    ]);
    const text = pending ? describeApproval(pending) : "";
    expect(text).toContain(
      `  ${CREATE_ISSUE}, "Opens an issue in a repository, with labels.", needs approval because: "Issues are public."`,
    );
    expect(text).not.toContain("What it does");
  });
});
