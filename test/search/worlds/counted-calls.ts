// Budgets beside decisions that another call overtakes, limits that were asked about, and changes of a policy.
import { aiSdkApproval } from "../../../src/agents/adapters/ai-sdk.js";
import { type AgentEvent, memoryExecutions, toolset } from "../../../src/agents/index.js";
import {
  allow,
  approvals,
  ask,
  type BudgetStore,
  budget,
  deny,
  memoryApprovals,
  memoryBudgets,
  policy,
} from "../../../src/agents/policy-entry.js";
import type { Definition } from "../world.js";
import { KEYS, toolOf } from "./decisions.js";
import { scripted } from "./scripted.js";
import { call, done, ended, failure, program, Service, wait } from "./service.js";
import { inner, MULTI, session } from "./sessions.js";
import { asking } from "./together-approvals.js";

const ADA = { approver: "ada" };
const approved = { approved: true, ...ADA } as const;
const missing = () => failure(404, {}, { code: 1810, message: "No connected account found" });

export const countedCalls: readonly Definition[] = [
  scripted("budgets: 1 process, a budget that another call uses up during an approval", async (_, see, world) => {
    const rules = [
      ...[ask({ tools: ["PAY"] }), allow({ tools: ["LOOK"] })],
      ...[budget({ id: "pay", maxCalls: 9, tools: ["PAY"], atLimit: "ask" }), budget({ id: "all", maxCalls: 1 })],
    ];
    const onRequest = async () => {
      await made.run("b", undefined, "LOOK");
      return approved;
    };
    const made = await asking(world, rules, {}, { onRequest });
    const { service, used, run } = made;
    const late = await run("a");
    see("it doesn't run", [ended(late), late.text.includes("1 call")], ["not_run", true]);
    see("nothing is counted", [await used("pay"), await used("all"), service.ran()], [0, 1, ["LOOK b"]]);
  }),
  scripted("budgets: 1 process, a limit that another call reaches during an approval", async (_, see, world) => {
    const rules = [
      ...[ask({ tools: ["PAY"], reason: "It costs." }), allow({ tools: ["LOOK"] })],
      budget({ id: "pay", maxCalls: 1, tools: ["PAY"], atLimit: "ask" }),
      budget({ id: "all", maxCalls: 2, atLimit: "ask" }),
    ];
    const reasons: string[] = [];
    const onRequest = async ({ reason }: { reason: string }) => {
      reasons.push(reason);
      if (reasons.length === 2) await made.run("c", undefined, "LOOK");
      return approved;
    };
    const made = await asking(world, rules, {}, { store: memoryApprovals(), onRequest });
    const { service, used, run } = made;
    see("within both", ended(await run("a")), "succeeded");
    see("past both", [ended(await run("b")), await used("pay"), await used("all")], ["succeeded", 2, 3]);
    const pay = "The budget of 1 call is used up.";
    see("a person is asked again", reasons, ["It costs.", `It costs. ${pay}`, `It costs. ${pay}`]);
    see("the service ran", service.ran(), ["PAY a", "LOOK c", "PAY b"]);
  }),
  scripted("budgets: 1 process, a limit that was asked about and has room again", async (_, see, world) => {
    const rules = [
      allow({}),
      budget({ id: "minute", maxCalls: 1, windowMs: 60_000, atLimit: "ask" }),
      budget({ id: "all", maxCalls: 2, atLimit: "ask" }),
    ];
    const { service, gate, asked, run } = await asking(world, rules);
    const shown = ({ reason, budgets }: Awaited<ReturnType<typeof asked>>) => [
      reason,
      ...budgets.map(({ budget: id, left, requested }) => [id, left, requested]),
    ];
    await run("a");
    const [minute, all] = ["The budget of 1 call within 60 seconds is used up.", "The budget of 2 calls is used up."];
    see("past one", shown(await asked("b")), [minute, ["minute", 0, 1], ["all", 1, undefined]]);
    await wait(62_000);
    see("it waits still", shown(await asked("b")), [minute, ["minute", 1, 1], ["all", 1, undefined]]);
    see("another call", ended(await run("c", undefined, "LOOK")), "succeeded");
    await wait(62_000);
    const last = await asked("b");
    see("past the other", shown(last), [all, ["minute", 1, 1], ["all", 0, 1]]);
    const limits = { approvals: [await gate.approve(last, ADA)] };
    see("it runs", ended(await run("b", undefined, undefined, limits)), "succeeded");
    see("more than the limit", shown(await asked("d")), [minute, ["minute", 0, 1], ["all", 0, 1]]);
    see("the service ran", service.ran(), ["PAY a", "LOOK c", "PAY b"]);
  }),
  scripted("budgets: 1 process, a call that lacks an account and costs more later", async (_, see, world) => {
    const service = new Service(world);
    const budgets = memoryBudgets();
    const executions = memoryExecutions();
    const tools = [toolOf("PAY", "20251023_00", false)];
    const under = (cost: number) => {
      const guardrails = policy([allow({}), budget({ id: "cents", maxCost: 9, costs: { PAY: cost } })], { budgets });
      return program(service, { policy: guardrails, executions, accounts: "newest" }, tools);
    };
    const read = async () => {
      const rules = [budget({ id: "cents", maxCost: 9, costs: { "*": 1 } })];
      return (await policy(rules, { budgets }).budgets.read({ id: "cents", userId: "user-1" }))[0]?.used;
    };
    const first = await under(2);
    service.answers.push(missing);
    see("it lacks one", [ended(await first.run("a")), await read()], ["not_run", 2]);
    see("it is counted once", [ended(await first.run("a")), await read()], ["not_run", 2]);
    service.accounts = [{ id: "ca_1", status: "ACTIVE" }];
    see("at its new price", [ended(await (await under(3)).run("a")), await read()], ["succeeded", 5]);
    see("the service got", service.ran(), ["PAY a", "PAY a"]);
  }),
  scripted("budgets: 1 process, a limit that asks about a call that lacked an account", async (_, see, world) => {
    const rules = [ask({ tools: ["PAY"] }), budget({ id: "calls", maxCalls: 1, atLimit: "ask" })];
    const tools = [toolOf("PAY", "20251023_00", false)];
    const { service, gate, asked, used, run } = await asking(world, rules, { accounts: "newest" }, {}, tools);
    service.accounts = [{ id: "ca_1", status: "ACTIVE" }];
    const limits = { approvals: [await gate.approve(await asked("a"), ADA)] };
    service.answers.push(missing);
    const lost = await run("a", undefined, undefined, limits);
    see("it lacks one", [ended(lost), lost.authRequired?.reason, await used("calls")], ["not_run", "not_connected", 1]);
    see(
      "its approval holds",
      [ended(await run("a", undefined, undefined, limits)), await used("calls")],
      ["succeeded", 1],
    );
    see("the service got", service.ran(), ["PAY a ca_1", "PAY a ca_1"]);
  }),
  scripted("budgets: 1 process, calls that make others, and a budget of all tools", async (_, see) => {
    const rules = [allow({}), allow({ tools: [MULTI] }), budget({ id: "all", maxCalls: 9, tools: ["*"] })];
    const { status, guardrails } = await session(rules);
    see("they run", await status("a", inner("PAY"), inner("TIP")), "succeeded");
    see("two calls", (await guardrails.budgets.read({ id: "all", userId: "user-1" }))[0]?.used, 2);
  }),
  scripted("budgets: 1 process, a store that counts by key, and other periods", async (_, see, world) => {
    const counts = new Map<string, number>();
    const budgets: BudgetStore = {
      read: async ({ key }) => counts.get(key) ?? 0,
      consume: async (charges) => {
        for (const { key, amount } of charges) counts.set(key, (counts.get(key) ?? 0) + amount);
        return undefined;
      },
    };
    const service = new Service(world);
    const used: number[] = [];
    for (const windowMs of [60_000, 30_000, undefined, 60_000]) {
      const rules = policy([allow({}), budget({ id: "calls", maxCalls: 9, windowMs })], { budgets });
      await (await program(service, { policy: rules })).run("a");
      used.push((await rules.budgets.read({ id: "calls", userId: "user-1" }))[0]?.used ?? 0);
    }
    see("each period has its count", used, [1, 1, 1, 2]);
  }),
  scripted("approvals: 1 process, standing approvals of a session that was opened by its id", async (_, see) => {
    const { svc, gate, ran } = await session([ask({})]);
    const open = (id: string) =>
      toolset(svc.toolRouter.use(id), { policy: policy([ask({})]), approvals: gate, executions: memoryExecutions() });
    const run = async (tools: Awaited<ReturnType<typeof open>>, callId: string) => {
      const [result] = await tools.run([{ callId, name: "PAY", arguments: { to: "a" } }]);
      return result;
    };
    const tools = await open("s_1");
    const asked = (await run(tools, "a"))?.pendingApproval;
    await gate.standing.approve(asked?.id ?? "", { ...ADA, maxUses: 3 });
    see("its calls", [(await run(tools, "b"))?.status, (await run(tools, "a"))?.status], ["succeeded", "succeeded"]);
    see("another session", (await run(await open("s_2"), "c"))?.status, "pending");
    const listed = async (userId: string) => {
      const uses: number[] = [];
      for await (const each of gate.standing.list({ userId })) uses.push(each.uses);
      return uses;
    };
    see("lists", [await listed("s_1"), await listed("s_2")], [[2], []]);
    see("the service ran", ran, ["PAY a", "PAY a"]);
  }),
  scripted("approvals: 1 process, a store that lists what others have", async (_, see, world) => {
    const memory = memoryApprovals();
    const list: typeof memory.list = (query) => memory.list({ ...query, userId: null, conversationId: null });
    const store = { ...memory, list };
    const made = await asking(world, [ask({})], { conversationId: "one" }, { store });
    const { service, gate, guardrails, asked, run } = made;
    const others = { "user-1": "two", "user-2": "one" };
    await gate.standing.approve(await asked("a"), { ...ADA, maxUses: 9, conversations: "all" });
    await asked("z", { to: "z" });
    for (const [userId, conversationId] of Object.entries(others)) {
      const options = { userId, conversationId, policy: guardrails, approvals: gate };
      const other = await program(service, options);
      const status = ended(await other.run("b", { to: "a" }));
      see(userId, [status, ended(await other.run("z"))], [userId === "user-1" ? "succeeded" : "pending", "pending"]);
    }
    const listed = async (query: object) => {
      const ids: string[] = [];
      for await (const { pending } of gate.list(query)) {
        ids.push(`${pending.userId} ${pending.conversationId} ${pending.call.callId}`);
      }
      return ids.toSorted();
    };
    see("of one user", await listed({ userId: "user-1" }), ["user-1 one z", "user-1 two z"]);
    see("of one conversation", await listed({ conversationId: "two" }), ["user-1 two z"]);
    see("of both", await listed({ userId: "user-2", conversationId: "one" }), ["user-2 one b", "user-2 one z"]);
    see("its own", [ended(await run("c", { to: "a" })), service.ran()], ["succeeded", ["PAY a", "PAY a"]]);
  }),
  scripted("approvals: 1 process, a decision on a request of an older key", async (_, see, world) => {
    const { service, clock, gate, guardrails, asked } = await asking(world, [ask({})]);
    const now = () => clock.now;
    const both = approvals({ keys: [KEYS[1] as never, KEYS[0] as never], now });
    const { token } = await gate.request(await asked("a"), ADA);
    const answer = await both.respond(token, { approved: true });
    see("its call", answer.callId, "a");
    const { run } = await program(service, { policy: guardrails, approvals: both });
    see("it runs", ended(await run("a", undefined, undefined, { approvals: [answer.token] })), "succeeded");
  }),
  scripted("approvals: 1 process, a request that is approved again after its approval", async (_, see, world) => {
    const { clock, gate, asked } = await asking(world, [ask({})], {}, { store: memoryApprovals() });
    const { id } = await asked("a");
    const token = await gate.approve(id, { ...ADA, expiresInMs: 1_000 });
    clock.now += 999;
    see("the earlier token", (await gate.approve(id, { approver: "bob" })) === token, true);
    see("not a denial", await gate.deny(id, ADA).catch((error) => error.reason), "already_decided");
    clock.now += 1;
    see("it has expired", await gate.approve(id, ADA).catch((error) => error.reason), "expired");
  }),
  scripted("budgets: 1 process, the last moment of a period, and the steps of a store", async (_, see, world) => {
    let now = 999;
    const guardrails = policy([allow({}), budget({ id: "calls", maxCalls: 2, windowMs: 60_000 })], {
      budgets: memoryBudgets({ now: () => now }),
    });
    const service = new Service(world);
    const { run } = await program(service, { policy: guardrails });
    const all = [ended(await run("a"))];
    now = 60_998;
    for (const callId of ["b", "c"]) all.push(ended(await run(callId)));
    now = 61_000;
    for (const callId of ["d", "e"]) all.push(ended(await run(callId)));
    see("two in each minute", all, ["succeeded", "succeeded", "not_run", "succeeded", "not_run"]);
    see("the service ran", service.ran(), ["PAY a", "PAY b", "PAY d"]);
  }),
  scripted("budgets: 1 process, a budget that gets another name and another limit", async (_, see, world) => {
    const budgets = memoryBudgets();
    const service = new Service(world);
    const all: unknown[] = [];
    for (const [name, maxCalls] of [
      ["many", 9],
      ["few", 2],
      ["few", 1],
    ] as const) {
      const guardrails = policy([allow({}), budget({ id: "calls", name, maxCalls })], { budgets });
      const status = ended(await (await program(service, { policy: guardrails })).run("a"));
      const [use] = await guardrails.budgets.read({ id: "calls", userId: "user-1" });
      all.push([status, use?.used, use?.left, use?.limit]);
    }
    see("its count goes on", all, [
      ["succeeded", 1, 8, 9],
      ["succeeded", 2, 0, 2],
      ["not_run", 2, 0, 1],
    ]);
  }),
  scripted("budgets: 1 process, a limit that denies beside one that asks", async (_, see, world) => {
    const rules = [
      ...[ask({ tools: ["PAY"] }), allow({ tools: ["LOOK"] }), budget({ id: "asks", maxCalls: 1, atLimit: "ask" })],
      budget({ id: "denies", maxCalls: 1 }),
    ];
    let told = 0;
    const onRequest = () => {
      told += 1;
    };
    const { service, run, used } = await asking(world, rules, {}, { store: memoryApprovals(), onRequest });
    see("within both", ended(await run("a", undefined, "LOOK")), "succeeded");
    see("past both", [(await run("b")).status, (await run("c", undefined, "LOOK")).status], ["not_run", "not_run"]);
    see("no one is asked", [told, await used("asks"), service.ran()], [0, 1, ["LOOK a"]]);
  }),
  scripted("budgets: 1 process, the events of a call past a limit", async (_, see, world) => {
    const events: string[] = [];
    const onEvent = (event: AgentEvent) => {
      const { type, callId } = event;
      const more = type === "decided" ? [event.outcome, event.rule] : type === "approval" ? [event.status] : [];
      events.push([type, callId, ...more].join(" "));
    };
    const rules = [allow({}), budget({ id: "calls", name: "some", maxCalls: 1, atLimit: "ask" })];
    const store = memoryApprovals();
    const { gate, asked, run } = await asking(world, rules, { onEvent }, { store });
    await run("a");
    await gate.approve((await asked("b")).id, ADA);
    await run("b");
    see("them", events, [
      ...["decided a allow rules[0]", "started a", "finished a"],
      ...["decided b allow rules[0]", "decided b ask some", "approval b pending", "finished b"],
      ...["decided b allow rules[0]", "decided b ask some", "approval b approved", "started b", "finished b"],
    ]);
  }),
  scripted("budgets: 1 process, a library's question about a call past a limit", async (_, see, world) => {
    const rules = [allow({}), budget({ id: "calls", maxCalls: 1, windowMs: 60_000, atLimit: "ask" })];
    const { service, gate, made, run } = await asking(world, rules, {}, { store: memoryApprovals() });
    await run("a");
    const toolCall = { toolCallId: "b", toolName: "PAY", input: { to: "b" } };
    see("a person is asked", await aiSdkApproval(made)({ toolCall }), "user-approval");
    await wait(62_000);
    const waiting = await run("b");
    see("it waits, although there is room", ended(waiting), "pending");
    await gate.deny(waiting.pendingApproval?.id ?? "", ADA);
    see("denied", [ended(await run("b")), service.ran()], ["not_run", ["PAY a"]]);
  }),
  scripted("accounts: 1 process, calls that no budget counts and that lack an account", async (_, see, world) => {
    const service = new Service(world);
    const guardrails = policy([allow({}), budget({ id: "tips", maxCalls: 1, tools: ["TIP"] })]);
    const tools = ["PAY", "TIP"].map((slug) => toolOf(slug, "20251023_00", false));
    const { run } = await program(service, { policy: guardrails }, tools);
    see("the service decides", [ended(await run("a")), service.ran()], ["succeeded", ["PAY a"]]);
    const counted = await run("b", undefined, "TIP");
    see("counted ones wait", [ended(counted), counted.authRequired?.reason], ["not_run", "not_connected"]);
    see("nothing more ran", service.ran(), []);
  }),
  scripted("budgets: 1 process, two users whose calls have one id, past a limit", async (_, see, world) => {
    const rules = [allow({}), budget({ id: "calls", maxCalls: 1, atLimit: "ask" })];
    const executions = memoryExecutions();
    const { service, gate, guardrails, run } = await asking(world, rules, { executions });
    const options = { policy: guardrails, approvals: gate, executions, userId: "user-2" };
    const other = await program(service, options);
    await run("a");
    see("past its limit", ended(await run("b")), "pending");
    see("the other's is within", ended(await other.run("b")), "succeeded");
    see("past it, too", [ended(await other.run("c")), service.ran()], ["pending", ["PAY a", "PAY b"]]);
  }),
  scripted("budgets: 1 process, a store that can't record that a call lacks an account", async (_, see, world) => {
    const memory = memoryBudgets();
    let isDown = true;
    const consume: typeof memory.consume = (charges) =>
      isDown && charges.some(({ key }) => key.includes("parked"))
        ? Promise.reject(new Error("It is down."))
        : memory.consume(charges);
    const service = new Service(world);
    const rules = [allow({}), budget({ id: "calls", maxCalls: 9 })];
    const guardrails = policy(rules, { budgets: { ...memory, consume } });
    const tools = [toolOf("PAY", "20251023_00", false)];
    const { run } = await program(service, { policy: guardrails, accounts: "newest" }, tools);
    const used = async () => (await guardrails.budgets.read({ id: "calls", userId: "user-1" }))[0]?.used;
    service.answers.push(missing);
    const lost = await run("a");
    see("it lacks one", [ended(lost), lost.authRequired?.reason, await used()], ["not_run", "not_connected", 1]);
    isDown = false;
    see("it is counted again", [ended(await run("a")), await used()], ["succeeded", 2]);
  }),
  scripted("budgets: 1 process, two users whose calls have one id and lack an account", async (_, see, world) => {
    const service = new Service(world);
    const guardrails = policy([allow({}), budget({ id: "calls", maxCalls: 9, per: "all" })]);
    const tools = [toolOf("PAY", "20251023_00", false)];
    const shared = { policy: guardrails, accounts: "newest", executions: memoryExecutions() } as const;
    const one = await program(service, shared, tools);
    const two = await program(service, { ...shared, userId: "user-2" }, tools);
    const used = async () => (await guardrails.budgets.read({ id: "calls" }))[0]?.used;
    service.answers.push(missing);
    see("it lacks one", [ended(await one.run("a")), await used()], ["not_run", 1]);
    see("the other's counts", [ended(await two.run("a")), await used()], ["succeeded", 2]);
    service.accounts = [{ id: "ca_1", status: "ACTIVE" }];
    see("it doesn't again", [ended(await one.run("a")), await used()], ["succeeded", 2]);
  }),
  scripted(
    "approvals: 1 process, dry runs of a call that is approved, and of one that is denied",
    async (_, see, world) => {
      const tools = ["PAY", "TIP"].map((slug) => toolOf(slug, "20251023_00", false));
      const rules = [ask({ tools: ["PAY"] }), deny({ tools: ["TIP"] })];
      const { service, gate, asked, run } = await asking(world, rules, { accounts: "newest" }, {}, tools);
      service.accounts = [{ id: "ca_1", status: "ACTIVE" }];
      const limits = { approvals: [await gate.approve(await asked("a"), ADA)], dryRun: true };
      const dry = await run("a", undefined, "PAY", limits);
      see("what it would send", [dry.status, JSON.stringify(dry.data).includes("ca_1")], ["dry_run", true]);
      see("denied", (await run("b", undefined, "TIP", { dryRun: true })).status, "not_run");
      see("the service ran", service.ran(), []);
    },
  ),
  scripted("executions: 1 process, the parts of a turn's bytes", async (_, see, world) => {
    const { service, made, run } = await asking(world, undefined, { maxTurnBytes: 1_024 });
    const waiting = (await run("p")).text;
    const ids = ["a", "b", "c", "d", "e", "f", "g"];
    const looks = ids.map((callId) => call(callId, undefined, "LOOK"));
    service.answers.push(
      ...[2, ...ids.slice(1).map(() => 2_000)].map((size) => () => done({ text: "x".repeat(size) })),
    );
    const results = await made.run([...looks, call("p")]);
    const sizes = results.map(({ text }) => new TextEncoder().encode(text).length);
    see("what waits is whole", [results.at(-1)?.text === waiting], [true]);
    see("so is a short one, and the others share the rest", sizes, [13, 132, 132, 132, 132, 132, 132, 149]);
  }),
];
