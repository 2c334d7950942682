// Budgets of one program: what counts, for whom, and what a person may let pass.
import { memoryExecutions } from "../../../src/agents/index.js";
import {
  allow,
  ask,
  type Budget,
  type BudgetStore,
  budget,
  deny,
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

/** A call without a toolset, and for whom it counts. */
const CALL = { tool: { name: "PAY" }, arguments: { to: "a" }, inner: [], callId: "x", userId: "user-1" } as never;
const SUBJECT = { principal: "user-1", conversationId: undefined };

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
      const withoutTools = await guardrails.budgets.read({ id: "it", userId: "user-1" });
      see("of no tool", withoutTools.length, limit.maxCallsPerTool ? 0 : 1);
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
    const spent = await made.run([{ callId: "u", name: "PAY", arguments: { to: "u" } }], { dryRun: true });
    see("a dry run when it is used up", spent[0]?.status, "dry_run");
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
      const other2 = await desk.toolset(gate, { ...more, conversationId: "another" });
      see(
        `another conversation, ${per}`,
        (await other2.run("a")).status,
        per === "conversation" ? "succeeded" : "not_run",
      );
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
    const { desk, gate, run, asked, status, used, guardrails } = await spending(world, rules);
    const pending = await asked("a");
    see("a person reads", pending.budgets, [{ budget: "calls", unit: "calls", limit: 2, left: 2, windowMs: null }]);
    see("which counts nothing", await used("calls"), [[0, 2]]);
    const token = await gate.approve(pending, ADA);
    const no = await gate.deny(await asked("d"), ADA);
    const yes = await gate.approve(await asked("e"), ADA);
    see("its call", await status("a", "PAY", { to: "a" }, [token]), "succeeded");
    see("another", await status("b", "LOOK"), "succeeded");
    const result = await run("c");
    const alone = await guardrails.peek([CALL], SUBJECT);
    see(
      "as a policy says",
      [(await guardrails.count([CALL], SUBJECT)).outcome, alone.decision.outcome],
      ["deny", "deny"],
    );
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
    const alone = await made.guardrails.peek([CALL, CALL], SUBJECT);
    see("a policy alone denies", alone.decision.outcome, "deny");
    see(
      "and asks no one",
      alone.budgets.flatMap(({ requested }) => requested ?? []),
      [],
    );
    see("and counts nothing", (await made.guardrails.count([CALL, CALL], SUBJECT)).outcome, "deny");
    const yes = await gate.approve(await asked("c"), ADA);
    see("with its approval", await status("c", "PAY", { to: "c" }, [yes]), "succeeded");
    see("asked in a dry run only", await status("x", "LOOK"), "pending");
    const only = await made.made.run([{ callId: "w", name: "LOOK", arguments: { to: "w" } }], { dryRun: true });
    await wait(62_000);
    see("it waits for no decision", [only[0]?.status, await status("w", "LOOK")], ["pending", "succeeded"]);
    see("the service ran", desk.ran, ["PAY a", "PAY b", "PAY f", "PAY c", "LOOK w"]);
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
    see("two reasons", tip.reason, "The policy asks for an approval. The budget of 1 call is used up.");
    const early = await gate.approve(tip, ADA);
    see("its approval", await status("d", "TIP", { to: "d" }, [early]), "succeeded");
  }),
  scripted("budgets: 1 process, a budget that is used up and a store of requests", async (_, see, world) => {
    const { desk, guardrails } = await spending(world, [ask({}), budget({ id: "calls", maxCalls: 1 })]);
    const gate = desk.inbox();
    const { run, asked } = await desk.toolset(gate, { policy: guardrails });
    const token = await gate.approve((await asked("a")).id, ADA);
    see("it", (await run("a", [token])).status, "succeeded");
    see("another", (await run("b", [token])).status, "not_run");
    const waiting: string[] = [];
    for await (const { pending } of gate.list()) waiting.push(pending.call.callId);
    see("no one is asked", waiting, []);
  }),
  scripted("budgets: 1 process, calls that a limit that asks doesn't count", async (_, see, world) => {
    const desk = new Desk(world);
    const rules = [allow({}), budget({ id: "calls", maxCalls: 1, tools: ["PAY"], atLimit: "ask" })];
    const finds: string[] = [];
    const memory = memoryExecutions();
    const executions = { ...memory, find: (id: string) => memory.find(id).finally(() => finds.push(id)) };
    const { run } = await desk.toolset(desk.tokens(), { policy: policy(rules), executions });
    await run("a", undefined, undefined, "LOOK");
    see("its record is read", finds.length, 1);
    await run("b");
    see("and whether it was asked about", finds.length, 3);
  }),
  scripted("budgets: 1 process, rules by tags and toolkits", async (_, see, world) => {
    const destructive = { ...toolOf("PAY"), tags: ["destructiveHint"] };
    const other = { ...toolOf("TIP"), toolkit: "other" };
    const desk = new Desk(world);
    const rules = policy([
      ...[allow({}), ask({ tags: ["destructiveHint"] }), deny({ toolkits: ["other"] })],
      budget({ id: "tagged", maxCalls: 1, tags: ["destructiveHint"], per: "all" }),
    ]);
    const gate = desk.tokens();
    const { run, asked, made } = await desk.toolset(gate, { policy: rules }, [destructive, other, toolOf("LOOK")]);
    see("by a tag", (await run("a")).status, "pending");
    see("by a toolkit", (await run("b", undefined, undefined, "TIP")).status, "not_run");
    see("by none", (await run("c", undefined, undefined, "LOOK")).status, "succeeded");
    const limited = policy([allow({}), budget({ id: "all", maxCalls: 9 })]);
    const counted = await desk.toolset(gate, { policy: limited, executions: memoryExecutions() });
    const [ofProgram] = await counted.made.run([
      { callId: "p", name: "LOOK", arguments: { to: "a" }, isFromProgram: true },
    ]);
    see("one that a budget counts, by a model's program", ofProgram?.status, "not_run");
    const byProgram = async (callId: string, name: string) =>
      (await made.run([{ callId, name, arguments: { to: "a" }, isFromProgram: true }]))[0]?.status;
    see("by a model's program", await byProgram("f", "LOOK"), "succeeded");
    see("with a condition", [await byProgram("g", "PAY"), await byProgram("h", "TIP")], ["not_run", "not_run"]);
    const tokens = [await gate.approve(await asked("a"), ADA), await gate.approve(await asked("d"), ADA)];
    see(
      "counted by its tag",
      [(await run("a", tokens)).status, (await run("d", tokens)).status],
      ["succeeded", "not_run"],
    );
    see("others aren't", (await run("e", undefined, undefined, "LOOK")).status, "succeeded");
  }),
  scripted("budgets: 1 process, a person and a cost that isn't known", async (_, see, world) => {
    const prices = { PAY: 2 };
    const { run, guardrails } = await spending(world, [ask({}), budget({ id: "cents", maxCost: 5, costs: prices })]);
    const tip = { ...(CALL as object), tool: { name: "TIP" } } as never;
    const alone = await guardrails.peek([tip], SUBJECT);
    see("as a policy says", [alone.decision.outcome, alone.budgets], ["deny", []]);
    see("known", (await run("a")).status, "pending");
    const unknown = await run("b", undefined, undefined, "TIP");
    see("unknown", [unknown.status, unknown.text.includes("TIP has no cost")], ["not_run", true]);
  }),
  scripted("budgets: 1 process, a store that fails", async (_, see, world) => {
    const down = () => Promise.reject(new Error("It is down."));
    see("down", await endsWith(world, { consume: down }), "not_run");
    see("one that works", await endsWith(world, {}), "succeeded,PAY a");
    for (const odd of [null, "0", 1, -1, 0.5, true]) {
      see("no index", await endsWith(world, { consume: async () => odd as never }), "not_run");
    }
    const odd = await spending(world, [allow({}), budget({ id: "calls", maxCalls: 5 })], {
      ...memoryBudgets(),
      consume: async () => 5,
    });
    const { error } = await odd.run("a");
    see("why", error instanceof Error && error.message.includes("the store of budgets"), true);
    const rules = [allow({}), budget({ id: "tips", tools: ["TIP"], maxCalls: 1 })];
    const others = await spending(world, rules, { ...memoryBudgets(), consume: down });
    see(
      "it isn't asked about others",
      [await others.status("a"), await others.status("b", "TIP")],
      [...["succeeded", "not_run"]],
    );
    const asks = [ask({})];
    see("a person", await endsWith(world, {}, asks), "pending");
    see("down for a person", await endsWith(world, { read: down }, asks), "not_run");
    for (const odd of [null, "0", -1, 0.5, undefined]) {
      see("no amount", await endsWith(world, { read: async () => odd as never }, asks), "not_run");
    }
  }),
];
