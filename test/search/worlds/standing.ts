// Standing approvals, in one program.

import { memoryExecutions } from "../../../src/agents/index.js";
import {
  allow,
  ask,
  budget,
  label,
  memoryApprovals,
  policy,
  type StandingOptions,
} from "../../../src/agents/policy-entry.js";
import type { Definition, World } from "../world.js";
import { Desk, KEYS, toolOf } from "./decisions.js";
import { scripted, thrown } from "./scripted.js";

const THREE = { approver: "ada", maxUses: 3 } as const;

/** A desk with a standing approval for the call that was asked about. */
async function standing(world: World, options: Partial<StandingOptions> = {}, args: object = { to: "a" }) {
  const desk = new Desk(world);
  const gate = desk.inbox();
  const made = await desk.toolset(gate);
  const pending = await made.asked("a", args);
  const given = await gate.standing.approve(pending, { ...THREE, ...options });
  const status = async (callId: string, own: object = args, name = "PAY", run = made.run) =>
    (await run(callId, undefined, own, name)).status;
  return { desk, gate, ...made, pending, given, status };
}

/** Why a decision was rejected. */
const rejection = (decided: Promise<unknown>) =>
  decided.then(
    () => "",
    (error: unknown) => Reflect.get(Object(error), "reason"),
  );

const usesOf = async (gate: ReturnType<Desk["inbox"]>, query = {}) => {
  const uses: number[] = [];
  for await (const given of gate.standing.list(query)) uses.push(given.uses);
  return uses;
};

export const standingCalls: readonly Definition[] = [
  scripted("approvals: 1 process, a standing approval and its calls", async (_, see, world) => {
    const { desk, gate, status, given, made, pending } = await standing(world);
    const { approver, maxUses, uses, revokedBy, createdAt, expiresAt } = given;
    see(
      "it",
      [approver, maxUses, uses, revokedBy, createdAt, expiresAt],
      [...["ada", 3, 1, null, 1_000_000, 1_000_000 + 86_400_000]],
    );
    see("its request", (await gate.get(pending.id))?.state, "approved");
    const again = gate.approve(pending.id, { approver: "bob" });
    see("it was decided", await again.catch((failure) => failure.reason), "already_decided");
    const denied = gate.deny(pending.id, { approver: "bob" });
    see("for good", await denied.catch((failure) => failure.reason), "already_decided");
    see(
      "and who decided",
      [(await gate.get(pending.id))?.approver, (await gate.get(pending.id))?.decidedAt],
      ["ada", 1_000_000],
    );
    const dry = await made.run([{ callId: "b", name: "PAY", arguments: { to: "a" } }], { dryRun: true });
    see("a dry run", dry[0]?.status, "dry_run");
    see("isn't counted", await usesOf(gate), [1]);
    for (const id of ["a", "b", "b", "c"]) see(id, await status(id), "succeeded");
    see("its uses", await usesOf(gate), [3]);
    see("one too many", [await status("d"), await status("d")], ["pending", "pending"]);
    const over = await made.run([{ callId: "e", name: "PAY", arguments: { to: "a" } }], { dryRun: true });
    see("a dry run then", over[0]?.status, "pending");
    see("lists", [await usesOf(gate, { userId: "user-1" }), await usesOf(gate, { userId: "user-2" })], [[3], []]);
    see("of revoked ones", await usesOf(gate, { state: "revoked" }), []);
    see("the service ran", desk.ran, ["PAY a", "PAY a", "PAY a"]);
  }),
  scripted("approvals: 1 process, requests that a standing approval is given for later", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.inbox();
    const { asked, made, run } = await desk.toolset(gate);
    const args = { to: "a" };
    const waiting = await asked("b", args);
    await gate.standing.approve(await asked("a", args), THREE);
    const shown = async () => {
      const request = await gate.get(waiting.id);
      return [request?.state, request?.approver, request?.decidedAt];
    };
    desk.now += 10;
    const [dry] = await made.run([{ callId: "b", name: "PAY", arguments: args }], { dryRun: true });
    see("a dry run decides nothing", [dry?.status, await shown()], ["dry_run", ["pending", null, null]]);
    see("its call", (await run("b", undefined, args)).status, "succeeded");
    see("it is decided", await shown(), ["approved", "ada", 1_000_010]);
    const other = await asked("c", { to: "c" });
    await gate.approve(other.id, { approver: "bob" });
    see("one that was decided", (await gate.get(other.id))?.approver, "bob");
    see("the service ran", desk.ran, ["PAY a"]);
  }),
  scripted("approvals: 1 process, calls that a standing approval isn't for", async (_, see, world) => {
    const { desk, gate, status } = await standing(world);
    see("other arguments", await status("b", { to: "a", amount: 5 }), "pending");
    see("another tool", await status("b", { to: "a" }, "TIP"), "pending");
    const others = [
      { userId: "user-2" },
      { conversationId: "chat" },
      { policy: policy([ask({ tools: ["PAY"] }), ask({ tools: ["TIP", "LOOK"] })]) },
    ];
    for (const other of others) {
      const { run } = await desk.toolset(gate, { executions: memoryExecutions(), ...other });
      see(Object.keys(other).join(), await status("c", { to: "a" }, "PAY", run), "pending");
    }
    const strange = await desk.toolset(desk.inbox({ keys: KEYS.slice(1, 2) }), { executions: memoryExecutions() });
    see("with another key", await status("e", { to: "a" }, "PAY", strange.run), "pending");
    const newer = await desk.toolset(gate, { executions: memoryExecutions() }, [
      ...[toolOf("PAY", "20251024_00"), toolOf("TIP"), toolOf("LOOK")],
    ]);
    see("another version", await status("f", { to: "a" }, "PAY", newer.run), "pending");
    see("its own", await status("d"), "succeeded");
    see("nothing else ran", desk.ran, ["PAY a"]);
  }),
  scripted("approvals: 1 process, wider standing approvals", async (_, see, world) => {
    const when = { amount: { atMost: 5 } };
    const first = await standing(world, { when }, { to: "a", amount: 5 });
    see("its condition", await first.status("b", { to: "z", amount: 4 }), "succeeded");
    see("beyond it", await first.status("c", { to: "a", amount: 6 }), "pending");
    see("none", await first.status("d", { to: "a" }), "pending");
    const second = await standing(world, { conversations: "all" });
    const other = await second.desk.toolset(second.gate, { conversationId: "chat", executions: memoryExecutions() });
    see("in all conversations", await second.status("b", { to: "a" }, "PAY", other.run), "succeeded");
    const stranger = await second.desk.toolset(second.gate, { userId: "user-2", executions: memoryExecutions() });
    see("of its user", await second.status("b", { to: "a" }, "PAY", stranger.run), "pending");
    const third = await standing(world, { tools: ["*I*", "PAY"] });
    see("tools", await third.status("b", { to: "a" }, "TIP"), "succeeded");
    see("with its arguments", await third.status("c", { to: "b" }, "TIP"), "pending");
    const newer = await third.desk.toolset(third.gate, { executions: memoryExecutions() }, [
      ...[toolOf("PAY", "20251024_00"), toolOf("TIP"), toolOf("LOOK")],
    ]);
    see("another version of its tool", await third.status("y", { to: "a" }, "PAY", newer.run), "pending");
    const again = third.gate.standing.approve(third.pending, THREE);
    see("a request that was decided", await rejection(again), "already_decided");
    const asked = await third.asked("z", { to: "z", amount: 9 });
    see("not its own", (await thrown(() => third.gate.standing.approve(asked, { ...THREE, when }))) !== "", true);
    see("no request", await rejection(third.gate.standing.approve("nothing", THREE)), "unknown_request");
    const lost = { ...asked, call: { ...asked.call, callId: "lost" } };
    see("one that isn't stored", await rejection(third.gate.standing.approve(lost, THREE)), "unknown_request");
    const { approver } = THREE;
    see(
      "no standing approval",
      await rejection(third.gate.standing.revoke("nothing", { approver })),
      "unknown_request",
    );
    see("it waits still", (await third.gate.get(asked.id))?.state, "pending");
    await third.gate.standing.approve(asked.id, THREE);
    see("by its id", await third.status("z", { to: "z", amount: 9 }), "succeeded");
  }),
  scripted("approvals: 1 process, the end of a standing approval", async (_, see, world) => {
    const { desk, gate, status, made } = await standing(world, { expiresInMs: 1_000 });
    desk.now += 999;
    see("its last moment", await status("b"), "succeeded");
    see("in the list", await usesOf(gate), [2]);
    desk.now += 1;
    const [dry] = await made.run([{ callId: "d", name: "PAY", arguments: { to: "a" } }], { dryRun: true });
    see("its end", [dry?.status, await status("c"), await usesOf(gate)], ["pending", "pending", []]);
    const second = await standing(world);
    second.desk.now += 10;
    await second.gate.standing.revoke(second.given.id, { approver: "bob" });
    await second.gate.standing.revoke(second.given.id, { approver: "eve" });
    const revoked: (string | null)[] = [];
    for await (const given of second.gate.standing.list({ state: "revoked" })) revoked.push(given.revokedBy);
    see("revoked", [await second.status("b"), revoked, await usesOf(second.gate)], ["pending", ["bob"], []]);
    see("its own call", await second.status("a"), "pending");
    see("it isn't counted", await usesOf(second.gate, { state: "revoked" }), [1]);
    see("no request", (await thrown(() => second.gate.get(second.given.id))) !== "", true);
    const ofRequest = () => second.gate.standing.revoke(second.pending.id, { approver: "bob" });
    see("nor the reverse", (await thrown(ofRequest)) !== "", true);
    see("the service ran", second.desk.ran, []);
    const third = await standing(world);
    const { swap } = third.desk.store;
    const next = await third.asked("n", { to: "n" });
    third.desk.store.swap = async (record, expected) => (record.state === "standing" ? false : swap(record, expected));
    see("a record that isn't written", (await thrown(() => third.gate.standing.approve(next.id, THREE))) !== "", true);
    third.desk.store.swap = async () => false;
    see("a use that isn't written", await third.status("b"), "not_run");
    see("nothing ran", third.desk.ran, []);
  }),
  scripted("approvals: 1 process, lists of a store that lists too much", async (_, see, world) => {
    const { desk, gate, pending, given, status } = await standing(world);
    const { list, swap } = desk.store;
    const stored: { ttlMs: number; state: string }[] = [];
    desk.store.swap = async (record, expected) => {
      stored.push(record);
      return swap(record, expected);
    };
    const other = await desk.toolset(gate, {
      userId: "user-2",
      conversationId: "chat",
      executions: memoryExecutions(),
    });
    const { id } = await other.asked("b");
    await gate.approve(id, { approver: "ada", expiresInMs: 20 * 86_400_000 });
    const days = stored.map(({ ttlMs, state }) => `${state} ${Math.floor(ttlMs / 86_400_000)}`);
    see("how many days records are kept", days, ["pending 37", "approved 50"]);
    await other.asked("c");
    desk.store.list = async ({ limit, before }) => {
      const states = ["pending", "approved", "standing", "standing_revoked"];
      const all = states.map((state) => list({ state, userId: null, conversationId: null, before, limit: 100 }));
      return (await Promise.all(all)).flat().slice(0, limit);
    };
    const listed = async (query: object) => {
      const ids: string[] = [];
      for await (const { pending: one } of gate.list(query)) ids.push(one.call.callId);
      return ids.toSorted().join();
    };
    see(
      "requests",
      [await listed({}), await listed({ userId: "user-1" }), await listed({ conversationId: "chat" })],
      [...["c", "", "c"]],
    );
    see("decided ones", [await listed({ state: "approved" }), await listed({ state: "denied" })], ["a,b", ""]);
    see(
      "standing ones",
      [await usesOf(gate, { userId: "user-1" }), await usesOf(gate, { userId: "user-2" })],
      [[1], []],
    );
    see("revoked ones", await usesOf(gate, { state: "revoked" }), []);
    await gate.standing.revoke(given.id, { approver: "bob" });
    see("another call", await status("b"), "pending");
    see("revoked then", [await usesOf(gate), await usesOf(gate, { state: "revoked" })], [[], [1]]);
    see("its request", (await gate.get(pending.id))?.state, "approved");
  }),
  scripted("approvals: 1 process, a standing approval and a limit that asks", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.inbox();
    const limit = budget({ id: "calls", maxCalls: 2, atLimit: "ask", windowMs: 60_000 });
    const rules = policy([ask({ tools: ["PAY"] }), allow({ tools: ["TIP", "LOOK"] }), limit]);
    const { run, asked } = await desk.toolset(gate, { policy: rules });
    await gate.standing.approve(await asked("a"), { ...THREE, when: { to: { present: true } } });
    see("within it", [(await run("a")).status, (await run("b")).status], ["succeeded", "succeeded"]);
    const past = await run("c");
    see("past it", [past.status, past.pendingApproval?.budgets[0]?.requested], ["pending", 1]);
    await gate.standing.approve(past.pendingApproval as never, { ...THREE, when: { to: { present: true } } });
    see("with one that may", [(await run("c")).status, (await run("d")).status], ["succeeded", "succeeded"]);
    await new Promise((resolve) => setTimeout(resolve, 62_000));
    see("within it again", (await run("e")).status, "succeeded");
    see("the service ran", desk.ran, ["PAY a", "PAY b", "PAY c", "PAY d", "PAY e"]);
  }),
  scripted("approvals: 1 process, a standing approval and labels", async (_, see, world) => {
    const desk = new Desk(world);
    const rules = policy([
      label("read", { tools: ["LOOK"] }),
      ask({ tools: ["PAY"], after: ["read"] }),
      ask({ tools: ["PAY", "TIP"] }),
      allow({ tools: ["LOOK"] }),
    ]);
    const gate = desk.inbox();
    const options = { policy: rules, conversationId: "chat", isNewConversation: true };
    const { run, asked } = await desk.toolset(gate, options);
    const given = await gate.standing.approve(await asked("a"), THREE);
    see("before", (await run("b", undefined, { to: "a" })).status, "succeeded");
    see("a text", (await run("look", undefined, { to: "x" }, "LOOK")).status, "succeeded");
    see("after it", (await run("c", undefined, { to: "a" })).status, "pending");
    const second = await gate.standing.approve(await asked("d", { to: "a" }), THREE);
    see("who knew", (await run("e", undefined, { to: "a" })).status, "succeeded");
    see("two", given.id === second.id, false);
    const nowhere = await desk.toolset(gate, { policy: rules, executions: memoryExecutions() });
    const unknown = await nowhere.asked("f", { to: "f" });
    see("unknown labels", unknown.labels, null);
    await gate.standing.approve(unknown, { ...THREE, conversations: "all" });
    see("unknown again", (await nowhere.run("g", undefined, { to: "f" })).status, "succeeded");
    const known = await gate.standing.approve(await asked("h", { to: "h" }), { ...THREE, conversations: "all" });
    see("known ones", known.request.labels, ["read"]);
    see("unknown then", (await nowhere.run("i", undefined, { to: "h" })).status, "pending");
  }),
  scripted("approvals: a store in memory", async (_, see) => {
    const store = memoryApprovals({ maxRecords: 2 });
    const record = (id: string, value: string, more = {}) => {
      const placed = { state: "pending", userId: "u", conversationId: "c", position: `1 ${id}`, ttlMs: 1_000 };
      return { id, value, ...placed, ...more };
    };
    const query = { state: "pending", userId: null, conversationId: null, before: null, limit: 5 };
    const listed = async (more = {}) => (await store.list({ ...query, ...more })).map(({ value }) => value);
    see("a write", await store.swap(record("a", "1"), undefined), true);
    see("repeated", await store.swap(record("a", "1"), undefined), true);
    see("another", await store.swap(record("a", "2"), undefined), false);
    see("of another value", await store.swap(record("a", "2"), "0"), false);
    see("of its value", await store.swap(record("a", "2"), "1"), true);
    see("it", [await store.find("a"), await store.find("b")], ["2", undefined]);
    await store.swap(record("b", "3", { userId: "v", conversationId: "d" }), undefined);
    see(
      "lists",
      [await listed(), await listed({ userId: "u" }), await listed({ conversationId: "d" })],
      [["3", "2"], ["2"], ["3"]],
    );
    see(
      "more lists",
      [await listed({ state: "over" }), await listed({ limit: 1 }), await listed({ before: "1 b" })],
      [[], ["3"], ["2"]],
    );
    await store.swap(record("c", "4", { position: "0 c" }), undefined);
    see("the oldest goes", [await store.find("a"), await listed()], [undefined, ["3", "4"]]);
  }),
];
