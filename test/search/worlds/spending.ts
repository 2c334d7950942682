// Budgets of one program: what counts, for whom, and what a person may let pass.
import { memoryExecutions } from "../../../src/agents/index.js";
import {
  allow,
  ask,
  type Budget,
  type BudgetStore,
  budget,
  customPolicy,
  memoryBudgets,
  type PendingApproval,
  policy,
} from "../../../src/agents/policy-entry.js";
import type { Definition, World } from "../world.js";
import { Desk, toolOf } from "./decisions.js";
import { scripted } from "./scripted.js";

const TOOLS = [toolOf("PAY"), toolOf("TIP"), toolOf("LOOK")];
const ADA = { approver: "ada" };
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A desk under a policy with budgets. */
async function spending(world: World, rules: Parameters<typeof policy>[0], store: BudgetStore = memoryBudgets()) {
  const desk = new Desk(world);
  const gate = desk.tokens();
  const guardrails = policy([...rules], { budgets: store });
  const made = await desk.toolset(gate, { policy: guardrails }, TOOLS);
  const status = async (id: string, name = "PAY", args: object = { to: id }, tokens: readonly string[] = []) =>
    (await made.run(id, tokens, args, name)).status;
  const used = async (id: string, userId: string | undefined = "user-1", more: object = {}) =>
    (await guardrails.budgets.read({ id, ...(userId && { userId }), ...more })).map(({ used, left }) => [used, left]);
  return { desk, gate, guardrails, store, ...made, status, used };
}

/** How a call ends under a policy whose budgets answer so. */
async function endsWith(world: World, store: Partial<BudgetStore>, rules = [allow({})]): Promise<string> {
  const whole = { ...memoryBudgets(), ...store } as BudgetStore;
  const { status, desk } = await spending(world, [...rules, budget({ id: "calls", maxCalls: 5 })], whole);
  return [await status("a"), ...desk.ran].join();
}

const costs = { "*": 1, "P*": 3, PAY: 2 };

export const spendings: readonly Definition[] = [
  scripted("budgets: 1 process, what is counted", async (_, see, world) => {
    const limits: readonly (readonly [Partial<Budget>, readonly string[]])[] = [
      [{ maxCalls: 2 }, ["succeeded", "succeeded", "not_run", "not_run"]],
      [{ maxCallsPerTool: 1 }, ["succeeded", "not_run", "succeeded", "succeeded"]],
      [{ maxCalls: 1, tools: ["TIP"] }, ["succeeded", "succeeded", "succeeded", "succeeded"]],
      [{ maxArgumentBytes: 30 }, ["succeeded", "succeeded", "succeeded", "not_run"]],
      [{ maxCost: 7, costs }, ["succeeded", "succeeded", "succeeded", "not_run"]],
      [{ maxCost: 7, costs: { "T*": 1 } }, ["not_run", "not_run", "succeeded", "not_run"]],
    ];
    for (const [limit, promised] of limits) {
      const { status, guardrails } = await spending(world, [allow({}), budget({ id: "it", ...limit } as Budget)]);
      const calls = ["PAY", "PAY", "TIP", "LOOK"].map((name, index) => [`${index}`, name] as const);
      const seen: string[] = [];
      for (const [id, name] of calls) seen.push(await status(id, name));
      see(JSON.stringify(limit), seen, promised);
      const tools = ["PAY", "TIP"];
      const uses = await guardrails.budgets.read({ id: "it", userId: "user-1", tools });
      if (limit.maxCallsPerTool)
        see(
          "of a tool",
          uses.map(({ tool, used }) => [tool, used]),
          [
            ["PAY", 1],
            ["TIP", 1],
          ],
        );
    }
  }),
  scripted("budgets: 1 process, what is left", async (_, see, world) => {
    const store = memoryBudgets();
    const rule = (maxCost: number) => budget({ id: "cents", maxCost, costs, windowMs: 60_000, maxArgumentBytes: 500 });
    const { status, used, guardrails, made } = await spending(world, [allow({}), rule(7)], store);
    see("at first", await used("cents"), [
      [0, 500],
      [0, 7],
    ]);
    see("a call", await status("a"), "succeeded");
    see("again", await status("a"), "succeeded");
    see("counted once", await used("cents"), [
      [10, 490],
      [3, 4],
    ]);
    const dry = await made.run([{ callId: "b", name: "PAY", arguments: { to: "b" } }], { dryRun: true });
    see("a dry run", dry[0]?.status, "dry_run");
    see("rejected", [await status("c", "PAY", { to: 5 }), await status("c", "NONE")], ["not_run", "not_run"]);
    see("counts nothing", await used("cents"), [
      [10, 490],
      [3, 4],
    ]);
    const [bytes, cents] = await guardrails.budgets.read({ id: "cents", userId: "user-1" });
    see("units", [bytes?.unit, cents?.unit, cents?.limit, cents?.windowMs], ["bytes", "cost", 7, 60_000]);
    see("of others", await used("cents", "user-2"), [
      [0, 500],
      [0, 7],
    ]);
    see(
      "too much",
      [await status("d"), await status("e"), await status("f", "TIP")],
      ["succeeded", "not_run", "succeeded"],
    );
    const lower = await spending(world, [allow({}), rule(2)], store);
    see(
      "a lower limit",
      [await lower.used("cents"), await lower.status("z", "TIP")],
      [
        [
          [30, 470],
          [7, 0],
        ],
        "not_run",
      ],
    );
    const higher = await spending(world, [allow({}), rule(8)], store);
    see("a higher one", [await higher.status("y", "TIP"), await higher.status("x", "TIP")], ["succeeded", "not_run"]);
    await wait(62_000);
    see("in the next period", await used("cents"), [
      [0, 500],
      [0, 7],
    ]);
  }),
  scripted("budgets: 1 process, for whom it counts", async (_, see, world) => {
    for (const [per, promised] of [
      ["user", ["succeeded", "not_run", "succeeded", "not_run"]],
      ["conversation", ["succeeded", "not_run", "succeeded", "succeeded"]],
      ["all", ["succeeded", "not_run", "not_run", "not_run"]],
    ] as const) {
      const { desk, gate, guardrails, status } = await spending(world, [
        allow({}),
        budget({ id: "one", maxCalls: 1, per }),
      ]);
      const more = { policy: guardrails, executions: memoryExecutions() };
      const other = await desk.toolset(gate, { ...more, userId: "user-2" });
      const chat = await desk.toolset(gate, { ...more, conversationId: "chat" });
      const seen = [await status("a"), await status("b"), (await other.run("a")).status, (await chat.run("a")).status];
      see(per, seen, promised);
      const ofChat = await guardrails.budgets.read({ id: "one", userId: "user-1", conversationId: "chat" });
      see("it is read so", ofChat[0]?.used, 1);
    }
    const rules = () => [allow({}), budget({ maxCalls: 1 }), budget({ name: "named", maxCalls: 5 })];
    const store = memoryBudgets();
    const first = await spending(world, rules(), store);
    const same = await spending(world, rules(), store);
    const changed = await spending(world, [...rules(), ask({ tools: ["TIP"] })], store);
    see(
      "without an id",
      [await first.status("a"), await same.status("a"), await changed.status("a")],
      [...["succeeded", "not_run", "succeeded"]],
    );
    see("with a name", await same.used("named"), [[2, 3]]);
    const both = await spending(world, [allow({}), budget({ id: "a", maxCalls: 1 }), budget({ id: "b", maxCalls: 9 })]);
    see(
      "all or none",
      [await both.status("a"), await both.status("b"), await both.used("b")],
      ["succeeded", "not_run", [[1, 8]]],
    );
  }),
  scripted("budgets: 1 process, an approval beside a budget", async (_, see, world) => {
    const rules = [ask({ tools: ["PAY"] }), allow({ tools: ["LOOK"] }), budget({ id: "calls", maxCalls: 2 })];
    const { desk, gate, run, asked, status, used } = await spending(world, rules);
    const pending = await asked("a");
    see("a person reads", pending.budgets, [{ budget: "calls", unit: "calls", limit: 2, left: 2, windowMs: null }]);
    see("which counts nothing", await used("calls"), [[0, 2]]);
    const token = await gate.approve(pending, ADA);
    const no = await gate.deny(await asked("d"), ADA);
    const yes = await gate.approve(await asked("e"), ADA);
    see("its call", await status("a", "PAY", { to: "a" }, [token]), "succeeded");
    see("another", await status("b", "LOOK"), "succeeded");
    const result = await run("c");
    see("used up: no one is asked", [result.status, result.text.includes("2 calls")], ["not_run", true]);
    const denied = await run("d", [no]);
    see("a denial is told", [denied.status, denied.text.includes("not approved")], ["not_run", true]);
    const late = await run("e", [yes]);
    see("an approval doesn't help", [late.status, late.text.includes("2 calls")], ["not_run", true]);
    see("nor does another's", (await run("f", [yes])).text.includes("2 calls"), true);
    see("the service ran", desk.ran, ["PAY a", "LOOK b"]);
  }),
  scripted("budgets: 1 process, a person lets calls pass a limit", async (_, see, world) => {
    const limits = { id: "cents", maxCost: 5, costs: { PAY: 3, "*": 1 }, atLimit: "ask", windowMs: 60_000 } as const;
    const store = memoryBudgets();
    const made = await spending(world, [allow({}), budget(limits), budget({ id: "calls", maxCalls: 6 })], store);
    const { desk, gate, run, asked, status, used } = made;
    see("within it", await status("a"), "succeeded");
    const dry = await made.made.run([{ callId: "x", name: "PAY", arguments: { to: "x" } }], { dryRun: true });
    see("a dry run", dry[0]?.status, "pending");
    const pending = await asked("b");
    see(
      "what it needs",
      pending.budgets.map(({ budget, left, requested }) => [budget, left, requested]),
      [
        ["cents", 2, 3],
        ["calls", 5, undefined],
      ],
    );
    see("why", pending.reason.includes("5 cost within 60 seconds"), true);
    const token = await gate.approve(pending, ADA);
    see("another", await status("c", "PAY", { to: "c" }, [token]), "pending");
    see("it", await status("b", "PAY", { to: "b" }, [token]), "succeeded");
    see("it counts", await used("cents"), [[6, 0]]);
    see("a cheap one", await status("d", "LOOK"), "pending");
    const denied = (await run("e")).pendingApproval as PendingApproval;
    await wait(62_000);
    see("there is room again", await status("f"), "succeeded");
    see("it waits still", await status("e"), "pending");
    const no = await gate.deny(denied, ADA);
    see("a denial", [await status("e", "PAY", { to: "e" }, [no]), await status("e")], ["not_run", "not_run"]);
    see("the one that was asked about", await status("c"), "pending");
    const yes = await gate.approve(await asked("c"), ADA);
    see("with its approval", await status("c", "PAY", { to: "c" }, [yes]), "succeeded");
    see("asked in a dry run only", await status("x", "LOOK"), "pending");
    see("the service ran", desk.ran, ["PAY a", "PAY b", "PAY f", "PAY c"]);
  }),
  scripted("budgets: 1 process, two limits that ask", async (_, see, world) => {
    const one = budget({ id: "one", maxCalls: 1, atLimit: "ask" });
    const two = budget({ id: "two", maxCalls: 2, tools: ["PAY"], atLimit: "ask" });
    const { gate, asked, run, status } = await spending(world, [
      ask({ tools: ["TIP"] }),
      allow({ tools: ["PAY", "LOOK"] }),
      one,
      two,
    ]);
    see("within both", await status("a"), "succeeded");
    const token = await gate.approve(await asked("b"), ADA);
    const other = await gate.approve(await asked("c"), ADA);
    see("past one", await status("c", "PAY", { to: "c" }, [other]), "succeeded");
    const again = await run("b", [token]);
    see(
      "past two",
      [again.status, again.pendingApproval?.budgets.map(({ requested }) => requested)],
      ["pending", [1, 1]],
    );
    const more = await gate.approve(again.pendingApproval as PendingApproval, ADA);
    see("with both", await status("b", "PAY", { to: "b" }, [more]), "succeeded");
    const tip = await asked("d", { to: "d" }, "TIP");
    see("two reasons", tip.reason, "The policy asks for an approval. The budget of 1 calls is used up.");
    const early = await gate.approve(tip, ADA);
    see("its approval", await status("d", "TIP", { to: "d" }, [early]), "succeeded");
  }),
  scripted("budgets: 1 process, a store that fails", async (_, see, world) => {
    const down = () => Promise.reject(new Error("It is down."));
    see("down", await endsWith(world, { consume: down }), "not_run");
    see("one that works", await endsWith(world, {}), "succeeded,PAY a");
    for (const odd of [null, "0", 1, -1, 0.5, true]) {
      see("no index", await endsWith(world, { consume: async () => odd as never }), "not_run");
    }
    const asks = [ask({})];
    see("a person", await endsWith(world, {}, asks), "pending");
    see("down for a person", await endsWith(world, { read: down }, asks), "not_run");
    for (const odd of [null, "0", -1, 0.5, undefined]) {
      see("no amount", await endsWith(world, { read: async () => odd as never }, asks), "not_run");
    }
  }),
  scripted("budgets: 1 process, a policy of the program", async (_, see, world) => {
    const allowed = { outcome: "allow" } as const;
    const answers: readonly (readonly [object, string])[] = [
      [{}, "succeeded"],
      [{ decide: () => ({ outcome: "ask", reason: "It costs." }) }, "pending"],
      [{ decide: () => ({ outcome: "deny", reason: "No." }) }, "not_run"],
      [{ decide: () => ({ outcome: "dry_run", reason: "Not yet." }) }, "dry_run"],
      [{ decide: () => ({ outcome: "ask" }) }, "not_run"],
      [{ decide: () => ({ outcome: "yes", reason: "It may." }) }, "not_run"],
      [{ decide: () => undefined }, "not_run"],
      [{ decide: () => Promise.reject(new Error("It failed.")) }, "not_run"],
      [{ count: async () => allowed }, "succeeded"],
      [{ count: async () => ({ outcome: "deny", reason: "Too many." }) }, "not_run"],
      [{ count: async () => ({ outcome: "ask", reason: "Too many." }) }, "not_run"],
      [{ count: async () => undefined }, "not_run"],
      [{ count: async () => Promise.reject(new Error("It failed.")) }, "not_run"],
    ];
    for (const [own, promised] of answers) {
      const desk = new Desk(world);
      const rules = customPolicy({ digest: "one", decide: () => allowed, ...own });
      const { run } = await desk.toolset(desk.tokens(), { policy: rules });
      see(
        `${Object.values(own)[0]}`,
        [(await run("a")).status, desk.ran.length],
        [promised, promised === "succeeded" ? 1 : 0],
      );
    }
    const peeks: readonly (readonly [unknown, string])[] = [
      [{ decision: allowed, budgets: [] }, "pending"],
      [{ decision: allowed }, "not_run"],
      [undefined, "not_run"],
      [{ decision: { outcome: "deny", reason: "Too many." }, budgets: [] }, "not_run"],
      [{ decision: { outcome: "ask", reason: "Too many." }, budgets: [] }, "not_run"],
    ];
    for (const [answer, promised] of peeks) {
      const desk = new Desk(world);
      const decide = () => ({ outcome: "ask", reason: "It costs." }) as const;
      const peek = async () => answer as never;
      const rules = customPolicy({ digest: "one", decide, count: async () => allowed, peek });
      const { run } = await desk.toolset(desk.tokens(), { policy: rules });
      see(JSON.stringify(answer) ?? "", (await run("a")).status, promised);
    }
  }),
  scripted("budgets: a store in memory", async (_, see) => {
    let now = 0;
    const store: BudgetStore = memoryBudgets({ now: () => now });
    const charge = (key: string, amount: number, limit: number, windowMs?: number) => ({
      key,
      amount,
      limit,
      windowMs,
    });
    const used = (key: string, windowMs?: number) => store.read({ key, windowMs });
    see("fits", await store.consume([charge("a", 2, 3), charge("b", 1, 1, 60_000)]), undefined);
    see("the first that doesn't", await store.consume([charge("a", 1, 3), charge("b", 1, 1, 60_000)]), 1);
    see("none is counted", [await used("a"), await used("b", 60_000), await used("c")], [2, 1, 0]);
    see("exactly", await store.consume([charge("a", 1, 3)]), undefined);
    see(
      "nothing more",
      [await store.consume([charge("a", 1, 3)]), await store.consume([charge("a", 0, 3)])],
      [0, undefined],
    );
    now = 59_000;
    see("in its period", await store.consume([charge("b", 1, 2, 60_000), charge("d", 5, 5, 10_000)]), undefined);
    now = 60_999;
    see("a little longer", [await used("b", 60_000), await used("d", 10_000)], [2, 5]);
    now = 61_000;
    see("not for ever", await used("b", 60_000), 1);
    now = 69_000;
    see("of another length", await store.consume([charge("d", 1, 5, 10_000)]), 0);
    now = 69_200;
    see("after it", await store.consume([charge("d", 1, 5, 10_000)]), undefined);
    now = 119_999;
    see("steps go on", await used("b", 60_000), 1);
    now = 120_000;
    see("all are over", [await used("b", 60_000), await used("d", 10_000), await used("a")], [0, 0, 3]);
  }),
];
