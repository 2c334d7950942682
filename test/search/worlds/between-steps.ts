// What a person, a clock or another process does between two steps of a call that needs approval.
import { memoryExecutions } from "../../../src/agents/index.js";
import {
  type ApprovalStore,
  allow,
  approvals,
  ask,
  label,
  memoryApprovals,
  type StoredApproval,
} from "../../../src/agents/policy-entry.js";
import type { Definition, World } from "../world.js";
import { KEYS, toolOf } from "./decisions.js";
import { scripted } from "./scripted.js";
import { ended, failure, program } from "./service.js";
import { asking } from "./together-approvals.js";

const ADA = { approver: "ada" };
const BOB = { approver: "bob" };

/** A program whose store of requests lets another process act right before its next write, and that process's desk. */
async function interrupted(world: World, options: object = {}, given: object = {}) {
  const memory = memoryApprovals();
  const next: { act?: ((record: StoredApproval) => Promise<unknown>) | undefined } = {};
  const store: ApprovalStore = {
    ...memory,
    swap: async (record, expected) => {
      const { act } = next;
      next.act = undefined;
      await act?.(record);
      return memory.swap(record, expected);
    },
  };
  const made = await asking(world, [ask({ tools: ["PAY"] })], options, { store, ...given });
  const desk = approvals({ keys: KEYS.slice(0, 1), store: memory, now: () => made.clock.now });
  const paid = async (callId: string, act?: () => Promise<unknown>) => {
    next.act = act;
    return ended(await made.run(callId, { to: "a" }));
  };
  const uses = async (state: "active" | "revoked" = "active") => {
    const all: number[] = [];
    for await (const each of desk.standing.list({ state })) all.push(each.uses);
    return all;
  };
  return { ...made, desk, next, paid, uses };
}

export const betweenSteps: readonly Definition[] = [
  scripted("approvals: 1 process, persons who decide while a standing approval is used", async (_, see, world) => {
    const approvers: unknown[] = [];
    const onEvent = ({ type, approver }: { type: string; approver?: unknown }) => {
      if (type === "approval" && approver !== undefined) approvers.push(approver);
    };
    const { service, desk, asked, paid, uses } = await interrupted(world, { onEvent });
    const ids: string[] = [];
    for (const callId of ["a", "b", "c", "d", "e"]) ids.push((await asked(callId, { to: "a" })).id);
    const [a = "", b = "", c = "", d = "", e = ""] = ids;
    const given = await desk.standing.approve(a, { ...ADA, maxUses: 9 });
    see("denied", await paid("b", () => desk.deny(b, BOB)), "not_run");
    see("it stays", [await paid("b"), (await desk.get(b))?.state], ["not_run again", "denied"]);
    see("withdrawn", await paid("c", () => desk.withdraw(c, BOB)), "not_run");
    see("approved", await paid("d", () => desk.approve(d, BOB)), "succeeded");
    see("revoked", await paid("e", () => desk.standing.revoke(given.id, BOB)), "pending");
    see("each has its first decision", approvers, ["bob", "bob", "bob"]);
    see("its uses", [await uses(), await uses("revoked")], [[], [4]]);
    see("it can be decided", (await desk.decide(e, { approved: true, ...BOB }))?.approver, "bob");
    see("the service ran", [await paid("e"), service.ran()], ["succeeded", ["PAY a", "PAY a"]]);
  }),
  scripted("approvals: 1 process, a use that another process counts and then revokes", async (_, see, world) => {
    const { service, desk, guardrails, asked, paid, uses } = await interrupted(world);
    const given = await desk.standing.approve((await asked("a")).id, { ...ADA, maxUses: 9 });
    const other = await program(service, { policy: guardrails, approvals: desk, executions: memoryExecutions() });
    service.answers.push(() => failure(400));
    const status = await paid("b", async () => {
      see("the other one is rejected", ended(await other.run("b", { to: "a" })), "not_run");
      await desk.standing.revoke(given.id, BOB);
    });
    see("it waits", [status, await uses("revoked"), service.ran()], ["pending", [2], ["PAY a"]]);
  }),
  scripted("approvals: 1 process, the last uses of a standing approval in two processes", async (_, see, world) => {
    const { service, desk, guardrails, asked, paid, uses } = await interrupted(world);
    await desk.standing.approve((await asked("a")).id, { ...ADA, maxUses: 3 });
    const other = await program(service, { policy: guardrails, approvals: desk, executions: memoryExecutions() });
    const status = await paid("b", async () => see("the other", ended(await other.run("c", { to: "a" })), "succeeded"));
    see("its last one", [status, await uses()], ["succeeded", [3]]);
    see("none is left", [await paid("d"), service.ran()], ["pending", ["PAY a", "PAY a"]]);
  }),
  scripted(
    "approvals: 1 process, persons who decide while another gives a standing approval",
    async (_, see, world) => {
      const { service, gate, desk, next, asked, paid, uses } = await interrupted(world);
      const all = [];
      for (const callId of ["a", "b", "c"]) all.push(await asked(callId, { to: "a" }));
      const [a, b, c] = all.map(({ id }) => id) as [string, string, string];
      const late = async (id: string, act: () => Promise<unknown>) => {
        next.act = act;
        return gate.standing.approve(id, { ...ADA, maxUses: 9 }).catch((error) => error.reason);
      };
      see("denied", await late(a, () => desk.deny(a, BOB)), "already_decided");
      see("approved", await late(b, () => desk.approve(b, BOB)), "already_decided");
      see("for more calls", await late(b, async () => undefined), "already_decided");
      const many = async () => desk.standing.approve(c, { ...BOB, maxUses: 2 });
      see("with a standing approval", await late(c, many), "already_decided");
      see("only the first is there", [await uses(), await paid("a"), await paid("b")], [[1], "not_run", "succeeded"]);
      see("for its calls", [await paid("d"), await paid("e"), await paid("c")], ["succeeded", "pending", "succeeded"]);
      see("the service ran", service.ran(), ["PAY a", "PAY a", "PAY a"]);
    },
  ),
  scripted("approvals: 1 process, a request whose standing approval is revoked", async (_, see, world) => {
    const { service, desk, asked, run, paid } = await interrupted(world);
    const first = await asked("a");
    const given = await desk.standing.approve(first.id, { ...ADA, maxUses: 9 });
    await desk.standing.revoke(given.id, BOB);
    see("its request was approved", (await desk.get(first.id))?.state, "approved");
    const again = await run("a");
    see("it asks again", [ended(again), (await desk.get(first.id))?.state], ["pending", "pending"]);
    await desk.approve(again.pendingApproval?.id ?? "", BOB);
    see("which can be approved", [await paid("a"), service.ran()], ["succeeded", ["PAY a"]]);
  }),
  scripted("approvals: 1 process, a request after the end of its approval", async (_, see, world) => {
    const { service, clock, desk, asked, run } = await interrupted(world);
    const { id } = await asked("a");
    await desk.approve(id, { ...ADA, expiresInMs: 1_000 });
    clock.now += 1_000;
    const shown = async () => {
      const { state, approver, decidedAt } = (await desk.get(id)) ?? {};
      return [state, approver, decidedAt];
    };
    see("it was approved", await shown(), ["approved", "ada", 1_000_000]);
    const listed: string[] = [];
    for await (const { pending } of desk.list({ state: "approved" })) listed.push(pending.id);
    see("in the list", listed, [id]);
    see(
      "a dry run asks no one",
      [(await run("a", undefined, "PAY", { dryRun: true })).status, await shown()],
      ["pending", ["approved", "ada", 1_000_000]],
    );
    see("it asks again", [ended(await run("a")), await shown()], ["pending", ["pending", null, null]]);
    see("the service ran", service.ran(), []);
  }),
  scripted("approvals: 1 process, dry runs beside requests that are kept", async (_, see, world) => {
    const tools = [toolOf("PAY", "20251023_00", false)];
    const store = memoryApprovals();
    const options = { accounts: { bank: "ca_1" } };
    const { service, clock, gate, run } = await asking(
      world,
      [ask({})],
      options,
      { store, requestExpiresInMs: 100 },
      tools,
    );
    service.accounts = [Object.assign({ id: "ca_1", status: "ACTIVE" }, { alias: "rent" })];
    const shown = async (dryRun: boolean, to = "a") => {
      const { pendingApproval: pending } = await run("a", { to }, "PAY", { dryRun });
      return [pending?.account, pending?.expiresAt, pending?.previousArguments];
    };
    see("before it", await shown(true, "z"), [{}, null, null]);
    see("it", await shown(false), [{ alias: "rent" }, 1_000_100, null]);
    clock.now += 50;
    see("while it waits", await shown(true), [{ alias: "rent" }, 1_000_100, null]);
    clock.now += 50;
    see("after its end", await shown(true), [{}, null, null]);
    see("anew", await shown(false), [{ alias: "rent" }, 1_000_200, null]);
    see(
      "changed",
      [await shown(true, "b"), await shown(false, "c")],
      [
        [{}, null, { to: "a" }],
        [{ alias: "rent" }, 1_000_200, { to: "a" }],
      ],
    );
    const ids: unknown[] = [];
    for await (const { pending } of gate.list()) ids.push(pending.arguments);
    see("what is kept", ids.length, 2);
  }),
  scripted("approvals: 1 process, a program that says until when it waits", async (_, see, world) => {
    let told = 0;
    const onRequest = () => {
      told += 1;
      return { expiresInMs: 100 };
    };
    const { clock, desk, run } = await interrupted(world, {}, { onRequest });
    clock.now += 5;
    const first = (await run("a")).pendingApproval;
    see("its end", [first?.expiresAt, (await desk.get(first?.id ?? ""))?.pending.expiresAt], [1_000_105, 1_000_105]);
    clock.now += 99;
    see("its last moment", [(await run("a")).pendingApproval?.expiresAt, told], [1_000_105, 1]);
    clock.now += 1;
    see("decided too late", (await desk.decide(first?.id ?? "", { approved: true, ...ADA }))?.state, "expired");
    see("it receives the call again", [(await run("a")).pendingApproval?.expiresAt, told], [1_000_205, 2]);
  }),
  scripted("approvals: 1 process, requests of an older key that have ended", async (_, see, world) => {
    const { service, clock, guardrails } = await asking(world, [ask({})]);
    const shared = { store: memoryApprovals(), now: () => clock.now, requestExpiresInMs: 100 };
    const old = approvals({ ...shared, keys: KEYS.slice(0, 1) });
    const both = approvals({ ...shared, keys: [KEYS[1] as never, KEYS[0] as never] });
    const executions = memoryExecutions();
    const before = await program(service, { policy: guardrails, approvals: old, executions });
    const after = await program(service, { policy: guardrails, approvals: both, executions });
    const id = (await before.run("a")).pendingApproval?.id ?? "";
    clock.now += 100;
    const again = await after.run("a");
    see("it asks again", [ended(again), again.pendingApproval?.id], ["pending", id]);
    see("until when", [again.pendingApproval?.expiresAt, (await both.get(id))?.state], [1_000_200, "pending"]);
    await both.approve(id, ADA);
    see("it runs", [ended(await after.run("a")), service.ran()], ["succeeded", ["PAY a"]]);
  }),
  scripted("approvals: 1 process, a decision on a request that its store has lost", async (_, see, world) => {
    const { service, clock, guardrails, asked } = await interrupted(world, {}, { requestExpiresInMs: 100 });
    const pending = await asked("a");
    const late = await asked("b");
    const gate = approvals({ keys: KEYS.slice(0, 1), store: memoryApprovals(), now: () => clock.now });
    const { run } = await program(service, { policy: guardrails, approvals: gate });
    clock.now += 99;
    await gate.approve(pending, ADA);
    see(
      "its last moment",
      [ended(await run("a")), (await gate.get(pending.id))?.pending.expiresAt],
      ["succeeded", 1_000_100],
    );
    clock.now += 1;
    see("its end", await gate.approve(late, ADA).catch((error) => error.reason), "expired");
    see("it waits", [ended(await run("b")), service.ran()], ["pending", ["PAY a"]]);
  }),
  scripted(
    "approvals: 1 process, a standing approval of some accounts, and of unknown labels",
    async (_, see, world) => {
      const tools = ["PAY", "LOOK"].map((slug) => toolOf(slug, "20251023_00", false));
      const rules = [
        ...[ask({ tools: ["PAY"] }), ask({ tools: ["PAY"], after: ["read"] }), allow({ tools: ["LOOK"] })],
        label("read", { tools: ["LOOK"] }),
      ];
      const store = memoryApprovals();
      const accounts = { bank: "ca_1" };
      const { service, gate, guardrails, asked } = await asking(world, rules, { accounts }, { store }, tools);
      const wide = { ...ADA, maxUses: 9, accounts: ["ca_1*"], conversations: "all" } as const;
      await gate.standing.approve((await asked("a")).id, wide);
      const open = (bank: string, more: object = {}) =>
        program(service, { policy: guardrails, approvals: gate, accounts: { bank }, ...more }, tools);
      const status = async (bank: string) => ended(await (await open(bank)).run("b", { to: "a" }));
      see("one of them", await status("ca_12"), "succeeded");
      see("another", await status("ca_2"), "pending");
      const chat = await open("ca_1", { conversationId: "one", isNewConversation: true });
      see("a text", ended(await chat.run("l", undefined, "LOOK")), "succeeded");
      see("after its label", ended(await chat.run("c", { to: "a" })), "pending");
      see("the service ran", service.ran(), ["PAY a ca_12", "LOOK l ca_1"]);
    },
  ),
];
