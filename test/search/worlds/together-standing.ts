// Standing approvals beside budgets, denials, other standing approvals, failures and the ends of all of them.

import type { StandingOptions } from "../../../src/agents/policy-entry.js";
import {
  allow,
  approvals,
  ask,
  budget,
  label,
  memoryApprovals,
  type policy,
} from "../../../src/agents/policy-entry.js";
import type { Definition, World } from "../world.js";
import { KEYS, toolOf } from "./decisions.js";
import { scripted, thrown } from "./scripted.js";
import { call, ended, failure, program, wait } from "./service.js";
import { asking } from "./together-approvals.js";

const ADA = { approver: "ada" };
type Rules = Parameters<typeof policy>[0];

/** A program with a standing approval of the payment `a`, which hasn't run yet. */
async function standing(world: World, given: Partial<StandingOptions> = {}, rules?: Rules, more: object = {}) {
  const made = await asking(world, rules, more, { store: memoryApprovals() });
  const { gate, asked, run } = made;
  const pending = await asked("a");
  const approved = await gate.standing.approve(pending, { ...ADA, maxUses: 3, ...given });
  const same = async (callId: string, to = "a", name = "PAY", limits = {}) =>
    ended(await run(callId, { to }, name, limits));
  const listed = async (query = {}) => {
    const all: string[] = [];
    for await (const { approver, uses, maxUses, revokedBy } of gate.standing.list(query)) {
      all.push([approver, `${uses}/${maxUses}`, ...(revokedBy === null ? [] : [revokedBy])].join(" "));
    }
    return all;
  };
  return { ...made, pending, approved, same, listed };
}

export const togetherStanding: readonly Definition[] = [
  scripted("approvals: 1 process, a standing approval of one use", async (_, see, world) => {
    const { service, same, listed } = await standing(world, { maxUses: 1 });
    see("another call", await same("b"), "pending");
    see("its own", await same("a"), "succeeded");
    see("again", [await same("a"), await same("b"), await listed()], ["succeeded again", "pending", ["ada 1/1"]]);
    see("the service ran", service.ran(), ["PAY a"]);
  }),
  scripted("approvals: 1 process, the last use of a standing approval in one turn", async (_, see, world) => {
    const { service, turn, listed } = await standing(world, { maxUses: 2 });
    const both = [call("b", { to: "a" }), call("c", { to: "a" })];
    see("one of two", (await turn(both)).toSorted(), ["pending", "succeeded"]);
    see("and no more", [(await turn(both)).toSorted(), await listed()], [["pending", "succeeded again"], ["ada 2/2"]]);
    see("the service ran", service.ran(), ["PAY a"]);
  }),
  scripted("approvals: 1 process, a call of a standing approval that the service rejects", async (_, see, world) => {
    const { service, gate, approved, same, listed } = await standing(world, { maxUses: 2 });
    service.answers.push(
      () => failure(400),
      () => failure(400),
    );
    see("rejected", [await same("b"), await listed()], ["not_run", ["ada 2/2"]]);
    see("it has its use still", [await same("b"), await same("c")], ["not_run", "pending"]);
    await gate.standing.revoke(approved.id, { approver: "bob" });
    see("not when it is revoked", [await same("b"), await same("a")], ["pending", "pending"]);
    see("lists", [await listed(), await listed({ state: "revoked" })], [[], ["ada 2/2 bob"]]);
    see("the service got", service.ran(), ["PAY a", "PAY a"]);
  }),
  scripted("approvals: 1 process, the last moment of a standing approval", async (_, see, world) => {
    const { service, clock, gate, asked, same, listed, approved } = await standing(world, { expiresInMs: 1_000 });
    see("until when", approved.expiresAt, 1_001_000);
    clock.now += 999;
    see("its last moment", [await same("b"), await listed()], ["succeeded", ["ada 2/3"]]);
    clock.now += 1;
    see("its end", [await same("c"), await same("a"), await listed()], ["pending", "pending", []]);
    see("one that has run", await same("b"), "succeeded again");
    const waiting = await asked("e", { to: "d" });
    const given = await gate.standing.approve(await asked("d"), { ...ADA, maxUses: 2 });
    const token = await gate.approve(waiting, ADA);
    see("a token", await same("e", "d", "PAY", { approvals: [token] }), "succeeded");
    see("takes no use", [given.uses, await listed()], [1, ["ada 1/2"]]);
    see("the service ran", service.ran(), ["PAY a", "PAY d"]);
  }),
  scripted("approvals: 1 process, a denial beside a standing approval", async (_, see, world) => {
    const { service, gate, same, asked, listed } = await standing(world);
    const other = await asked("z", { to: "z" });
    const no = await gate.deny({ ...other, call: { ...other.call, callId: "b" }, arguments: { to: "a" } }, ADA);
    see("of a token", await same("b", "a", "PAY", { approvals: [no] }), "not_run");
    see("it stays", [await same("b"), await listed()], ["not_run again", ["ada 1/3"]]);
    see("of the store", await same("c"), "succeeded");
    see("the others run", [await same("a"), await listed()], ["succeeded", ["ada 2/3"]]);
    see("the service ran", service.ran(), ["PAY a", "PAY a"]);
  }),
  scripted("approvals: 1 process, two standing approvals for the same calls", async (_, see, world) => {
    const { service, clock, gate, asked, same, listed, approved } = await standing(world, { maxUses: 2 });
    clock.now += 10;
    see("the first one", [await same("b"), await same("a")], ["succeeded", "succeeded"]);
    const again = await gate.standing.approve(await asked("c", { to: "a" }), { approver: "bob", maxUses: 2 });
    see("the newest first", await listed(), ["bob 1/2", "ada 2/2"]);
    see("then that one", [await same("c"), await same("d"), await same("e")], ["succeeded", "succeeded", "pending"]);
    await gate.standing.revoke(again.id, ADA);
    await gate.standing.revoke(approved.id, ADA);
    await gate.standing.revoke(approved.id, { approver: "eve" });
    see("revoked once", await listed({ state: "revoked" }), ["bob 2/2 ada", "ada 2/2 ada"]);
    see("none", await gate.standing.revoke("none", ADA).catch((error) => error.reason), "unknown_request");
    see("the service ran", service.ran(), ["PAY a", "PAY a", "PAY a", "PAY a"]);
  }),
  scripted("approvals: 1 process, a standing approval and the limit of a budget", async (_, see, world) => {
    const rules = [
      ...[ask({ tools: ["PAY"] }), allow({ tools: ["TIP"] })],
      budget({ id: "calls", maxCalls: 1, atLimit: "ask", windowMs: 60_000 }),
    ];
    const { service, gate, asked, same, listed, used } = await standing(world, {}, rules);
    see("within it", [await same("a"), await used("calls")], ["succeeded", 1]);
    see("past it, another approval is needed", await same("b"), "pending");
    const past = await asked("b", { to: "a" });
    see(
      "which says so",
      past.budgets.map(({ budget: id, requested }) => [id, requested]),
      [["calls", 1]],
    );
    await gate.standing.approve(past, { approver: "bob", maxUses: 2 });
    see("with it", [await same("b"), await same("c"), await same("d")], ["succeeded", "succeeded", "pending"]);
    see("all count", [await used("calls"), await listed()], [3, ["bob 2/2", "ada 1/3"]]);
    await gate.standing.approve(await asked("f", { to: "f" }), { approver: "bob", maxUses: 2 });
    await wait(62_000);
    see("it holds within the limit, too", [await same("g", "f"), await used("calls")], ["succeeded", 1]);
    see("the service ran", service.ran(), ["PAY a", "PAY a", "PAY a", "PAY f"]);
  }),
  scripted("approvals: 1 process, a standing approval of other tools, and what it is for", async (_, see, world) => {
    const tools = ["PAY", "TIP"];
    const when = { to: { like: "a*" }, amount: { atMost: 5 } };
    const rules = [ask({ tools: ["PAY", "TIP", "LOOK"] })];
    const made = await asking(world, rules, {}, { store: memoryApprovals() });
    const { gate, asked, run, service } = made;
    const wide = { ...ADA, maxUses: 9, tools, when };
    see("not its request", (await thrown(async () => gate.standing.approve(await asked("z"), wide))) !== "", true);
    await gate.standing.approve(await asked("a", { to: "a", amount: 5 }), wide);
    const cases: readonly (readonly [string, string, object, string])[] = [
      ["b", "TIP", { to: "ab", amount: -1 }, "succeeded"],
      ["c", "PAY", { to: "a", amount: 5 }, "succeeded"],
      ["d", "PAY", { to: "a", amount: 5.01 }, "pending"],
      ["e", "PAY", { to: "ba", amount: 5 }, "pending"],
      ["f", "PAY", { to: "a" }, "pending"],
      ["g", "LOOK", { to: "a", amount: 5 }, "pending"],
    ];
    for (const [id, name, args, promised] of cases) see(`${name} ${id}`, (await run(id, args, name)).status, promised);
    see("the service ran", service.ran(), ["TIP ab", "PAY a"]);
  }),
  scripted("approvals: 1 process, standing approvals of a conversation after a label", async (_, see, world) => {
    const rules = [
      ...[label("read", { tools: ["LOOK"] }), allow({ tools: ["LOOK"] })],
      ...[ask({ tools: ["PAY"], after: ["read"] }), ask({ tools: ["PAY"] })],
    ];
    const chat = { conversationId: "chat", isNewConversation: true };
    const { service, gate, same, asked, run } = await standing(world, {}, rules, chat);
    see("before", await same("b"), "succeeded");
    await run("look", undefined, "LOOK");
    see("after it", [await same("c"), await same("a")], ["pending", "pending"]);
    await gate.standing.approve(await asked("d", { to: "a" }), { ...ADA, maxUses: 2 });
    see("by another", [await same("d"), await same("c"), await same("e")], ["succeeded", "succeeded", "pending"]);
    see("the service ran", service.ran(), ["PAY a", "LOOK look", "PAY a", "PAY a"]);
  }),
  scripted("approvals: 1 process, standing approvals of other users, keys and accounts", async (_, see, world) => {
    const store = memoryApprovals();
    const tools = [toolOf("PAY", "20251023_00", false)];
    const one = await asking(world, [ask({})], { accounts: { bank: "ca_1" } }, { store }, tools);
    await one.gate.standing.approve(await one.asked("a"), { ...ADA, maxUses: 5, conversations: "all" });
    const status = async (options: object, gate = one.gate) => {
      const made = await program(one.service, { policy: one.guardrails, approvals: gate, ...options }, tools);
      return (await made.run("b", { to: "a" })).status;
    };
    const accounts = { bank: "ca_1" };
    see("its own", await status({ accounts }), "succeeded");
    see("in a conversation", await status({ accounts, conversationId: "chat" }), "succeeded");
    see("another account", await status({ accounts: { bank: "ca_2" } }), "pending");
    see("another user", await status({ accounts, userId: "user-2" }), "pending");
    const now = () => one.clock.now;
    see("another key", await status({ accounts }, approvals({ keys: KEYS.slice(1, 2), store, now })), "pending");
    const rotated = approvals({ keys: [KEYS[1] as never, KEYS[0] as never], store, now });
    see("after a rotation", await status({ accounts }, rotated), "succeeded");
    see("the service ran", one.service.ran(), ["PAY a ca_1", "PAY a ca_1", "PAY a ca_1"]);
  }),
];
