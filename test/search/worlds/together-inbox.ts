// Stores of requests beside lost replies, aborts, rotated keys, pages and calls of other conversations.
import { memoryExecutions } from "../../../src/agents/index.js";
import { type ApprovalStore, allow, approvals, ask, memoryApprovals } from "../../../src/agents/policy-entry.js";
import type { Definition, World } from "../world.js";
import { KEYS } from "./decisions.js";
import { scripted, thrown } from "./scripted.js";
import { call, ended, failure, program } from "./service.js";
import { asking } from "./together-approvals.js";

const ADA = { approver: "ada" };

/** A program whose requests are in a store that can be made to fail. */
async function stored(world: World, given: object = {}, options: object = {}) {
  const memory = memoryApprovals();
  const faults: Partial<ApprovalStore> = {};
  const requests: string[] = [];
  const store: ApprovalStore = {
    find: (...args) => {
      requests.push("find");
      return (faults.find ?? memory.find)(...args);
    },
    swap: (...args) => {
      requests.push("swap");
      return (faults.swap ?? memory.swap)(...args);
    },
    list: (...args) => {
      requests.push("list");
      return (faults.list ?? memory.list)(...args);
    },
  };
  const rules = [ask({ tools: ["PAY"], reason: "It costs." }), allow({ tools: ["LOOK", "TIP"] })];
  const made = await asking(world, rules, options, { store, ...given });
  return { memory, store, faults, requests, ...made };
}

const idsOf = async (
  gate: { list(query?: object): AsyncIterable<{ pending: { call: { callId: string } } }> },
  query = {},
) => {
  const ids: string[] = [];
  for await (const { pending } of gate.list(query)) ids.push(pending.call.callId);
  return ids;
};

export const togetherInbox: readonly Definition[] = [
  scripted("approvals: 1 process, replies of a store of requests that are lost", async (_, see, world) => {
    const { memory, faults, service, gate, asked, run } = await stored(world);
    let left = 1;
    faults.swap = async (...args) => {
      left -= 1;
      const isWritten = await memory.swap(...args);
      if (left >= 0) throw new Error("Its reply is lost.");
      return isWritten;
    };
    const { id } = await asked("a");
    see("it is open", [await idsOf(gate), left], [["a"], -1]);
    left = 1;
    see("decided once", (await gate.decide(id, { approved: true, ...ADA }))?.approver, "ada");
    left = 2;
    const second = await run("b");
    see("two lost replies", [second.status, second.error instanceof Error], ["not_run", true]);
    see("it is open nevertheless", [await idsOf(gate), ended(await run("b"))], [["b"], "pending"]);
    see("the first one runs", [ended(await run("a")), service.ran()], ["succeeded", ["PAY a"]]);
  }),
  scripted(
    "approvals: 1 process, an abort while a request is opened, and a store that is slow",
    async (_, see, world) => {
      const { memory, faults, service, gate, made, run } = await stored(world);
      const stop = new AbortController();
      faults.swap = async (...args) => {
        stop.abort(new Error("stop"));
        return memory.swap(...args);
      };
      const result = await thrown(() => made.run([call("a")], { signal: stop.signal }));
      see("it ends", result === "stop" || result === "", true);
      see("its request is open", await idsOf(gate), ["a"]);
      delete faults.swap;
      see("again", [ended(await run("a")), await idsOf(gate)], ["pending", ["a"]]);
      see("the service ran", service.ran(), []);
    },
  ),
  scripted("approvals: 1 process, keys that rotate while requests are open and decided", async (_, see, world) => {
    const { store, clock, guardrails, service, gate, asked, run } = await stored(world);
    const now = () => clock.now;
    const both = approvals({ keys: [KEYS[1] as never, KEYS[0] as never], store, now });
    const only = approvals({ keys: KEYS.slice(1, 2), store, now });
    const first = await asked("a");
    const second = await asked("b");
    await both.approve(first.id, ADA);
    see("decided by the new key", (await both.get(first.id))?.state, "approved");
    see("which the old program can't read", ended(await run("a")), "not_run");
    const executions = memoryExecutions();
    const after = await program(service, { policy: guardrails, approvals: both, executions });
    see("the new one can", ended(await after.run("a")), "succeeded");
    see("its open one is the same", (await after.run("b")).pendingApproval?.id, second.id);
    const later = await program(service, { policy: guardrails, approvals: only, executions });
    const renewed = (await later.run("b")).pendingApproval;
    see("without the old key, it is another", renewed?.id === second.id, false);
    see("lists", [await idsOf(both), await idsOf(only), await idsOf(gate)], [["b", "b"], ["b"], ["b"]]);
    see("the service ran", service.ran(), ["PAY a"]);
  }),
  scripted("approvals: 1 process, a list of exactly a page, and of one more", async (_, see, world) => {
    const { requests, clock, gate, asked } = await stored(world);
    const first = await asked("0000");
    const open = async (count: number) => {
      const from = Number((await idsOf(gate, { state: "denied" })).length);
      for (let number = from; number < count; number += 1) {
        clock.now += 1;
        const callId = String(number).padStart(4, "0");
        await gate.deny({ ...first, call: { ...first.call, callId }, userId: number % 2 ? "user-2" : "user-1" }, ADA);
      }
    };
    for (const [count, pages] of [
      [100, 2],
      [101, 2],
    ] as const) {
      await open(count);
      requests.length = 0;
      const ids = await idsOf(gate, { state: "denied" });
      see(
        `${count}`,
        [ids.length, new Set(ids).size, ids[0], ids.at(-1)],
        [count, count, String(count - 1).padStart(4, "0"), "0000"],
      );
      see(`${count}: pages`, requests.filter((request) => request === "list").length, pages);
    }
    see("of a user", (await idsOf(gate, { state: "denied", userId: "user-2" })).length, 50);
    see("of none", await idsOf(gate, { state: "denied", userId: "user-3" }), []);
  }),
  scripted("approvals: 1 process, one call id in two conversations and for two users", async (_, see, world) => {
    const { store, clock, guardrails, service } = await stored(world);
    const gate = approvals({ keys: KEYS.slice(0, 1), store, now: () => clock.now });
    const executions = memoryExecutions();
    const open = (more: object) => program(service, { policy: guardrails, approvals: gate, executions, ...more });
    const owners = [
      {},
      { conversationId: "one" },
      { conversationId: "two" },
      { userId: "user-2", conversationId: "one" },
    ];
    const all = await Promise.all(owners.map(open));
    const asked = await Promise.all(all.map(({ run }) => run("a")));
    const ids = asked.map(({ pendingApproval }) => pendingApproval?.id ?? "");
    see("each has its own request", new Set(ids).size, 4);
    see("listed by conversation", (await idsOf(gate, { conversationId: "one" })).length, 2);
    await gate.approve(ids[1] ?? "", ADA);
    const status: string[] = [];
    for (const { run } of all) status.push(ended(await run("a")));
    see("only one is approved", status, ["pending", "succeeded", "pending", "pending"]);
    see("the service ran", service.ran(), ["PAY a"]);
  }),
  scripted("approvals: 1 process, decisions with their own lifetimes", async (_, see, world) => {
    const { service, clock, gate, asked, run } = await stored(world);
    const decided = async (callId: string, expiresInMs?: number) => {
      const { id } = await asked(callId);
      return (await gate.decide(id, { approved: true, ...ADA, expiresInMs }))?.state;
    };
    see(
      "approved",
      [await decided("a", 1_000), await decided("b", 1_000), await decided("c")],
      [...["approved", "approved", "approved"]],
    );
    clock.now += 999;
    see("its last moment", (await run("a")).status, "succeeded");
    clock.now += 1;
    see("it has ended", [(await run("b")).status, await idsOf(gate)], ["pending", ["b"]]);
    see("for longer", [await decided("b", 100_000_000), (await run("b")).status], ["approved", "succeeded"]);
    clock.now += 86_398_999;
    see("a day", (await run("c")).status, "succeeded");
    see("the service ran", service.ran(), ["PAY a", "PAY b", "PAY c"]);
  }),
  scripted("approvals: 1 process, approvals of a program with their own lifetimes", async (_, see, world) => {
    const decisions = [{ approved: true as const, ...ADA, expiresInMs: 1_000 }];
    let told = 0;
    const onRequest = () => {
      told += 1;
      return decisions.shift();
    };
    const { service, clock, run } = await stored(world, { onRequest });
    service.answers.push(() => failure(400));
    see("the service rejects the call", [(await run("a")).status, told], ["not_run", 1]);
    service.answers.push(() => failure(400));
    clock.now += 999;
    see("its last moment", [(await run("a")).status, told], ["not_run", 1]);
    clock.now += 1;
    see("it has ended", [(await run("a")).status, told], ["pending", 2]);
    see("the service got", service.ran(), ["PAY a", "PAY a"]);
  }),
];
