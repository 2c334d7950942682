// Middleware, local tools, adapters and listeners beside decisions, budgets, labels and odd stores.
import { type AgentEvent, memoryExecutions, tool } from "../../../src/agents/index.js";
import { allow, ask, budget, deny, label, memoryApprovals, policy } from "../../../src/agents/policy-entry.js";
import type { Definition } from "../world.js";
import { toolOf } from "./decisions.js";
import { scripted, thrown } from "./scripted.js";
import { call, done, ended, failure, program, Service, tooMany, wait } from "./service.js";
import { asking } from "./together-approvals.js";

const ADA = { approver: "ada" };
const parameters = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };

export const togetherPrograms: readonly Definition[] = [
  scripted("executions: 1 process, middleware that answers by itself, and a decision", async (_, see, world) => {
    const own = { status: "succeeded", text: "cached", data: "cached" } as const;
    let next = false;
    const use = [async (_given: unknown, go: () => Promise<never>) => (next ? go() : own)];
    const rules = [ask({ tools: ["PAY"] }), budget({ id: "calls", maxCalls: 1 })];
    const { service, gate, asked, run, used } = await asking(world, rules, { use });
    see(
      "nothing is asked or counted",
      [ended(await run("a")), await used("calls"), service.ran()],
      ["succeeded", 0, []],
    );
    next = true;
    const pending = await asked("a");
    see("it has no record, so it is asked about", pending.call.callId, "a");
    const limits = { approvals: [await gate.approve(pending, ADA)] };
    see("it runs", [ended(await run("a", undefined, undefined, limits)), await used("calls")], ["succeeded", 1]);
    next = false;
    see("its record wins", [ended(await run("a")), service.ran()], ["succeeded again", ["PAY a"]]);
  }),
  scripted("executions: 1 process, two functions of middleware, and their order", async (_, see, world) => {
    const service = new Service(world);
    const seen: string[] = [];
    const named = (name: string) => async (given: { arguments: object }, next: () => Promise<{ text: string }>) => {
      seen.push(`${name} ${Object(given.arguments).to}`);
      given.arguments = { to: `${Object(given.arguments).to}${name}` };
      const result = await next();
      seen.push(`${name} out`);
      return { ...result, text: `${result.text} ${name}` };
    };
    const { run } = await program(service, { use: [named("x"), named("y")] as never });
    const first = await run("a");
    see("the first is outermost", seen.splice(0), ["x a", "y ax", "y out", "x out"]);
    see("its text", first.text.slice(-4), " y x");
    const again = await run("a");
    see("is the recorded one", [again.text === first.text, seen, service.ran()], [true, [], ["PAY axy"]]);
  }),
  scripted("executions: 1 process, a local tool that a policy asks about, labels and counts", async (_, see, world) => {
    const ran: string[] = [];
    const own = (name: string) =>
      tool({ name, description: name, parameters, execute: ({ to }) => ran.push(`${name} ${to}`) });
    const rules = [
      ...[ask({ tools: ["pay"] }), allow({ tools: ["look"] }), label("read", { tools: ["look"] })],
      ...[deny({ tools: ["pay"], after: ["read"] }), budget({ id: "calls", maxCalls: 2 })],
    ];
    const more = { tools: [own("pay"), own("look")], conversationId: "chat", isNewConversation: true };
    const { gate, run, used } = await asking(world, rules, more, { store: memoryApprovals() });
    const asked = await run("a", { to: "a" }, "pay");
    see(
      "it waits",
      [asked.status, asked.pendingApproval?.version, asked.pendingApproval?.accountId],
      ["pending", null, null],
    );
    await gate.approve(asked.pendingApproval?.id ?? "", ADA);
    see("it runs", [(await run("a", { to: "a" }, "pay")).status, await used("calls")], ["succeeded", 1]);
    const waiting = await run("b", { to: "b" }, "pay");
    await gate.approve(waiting.pendingApproval?.id ?? "", ADA);
    see("a read", (await run("l", { to: "l" }, "look")).labels, ["read"]);
    see("denied after it", [(await run("b", { to: "b" }, "pay")).status, await used("calls")], ["not_run", 2]);
    see("used up", (await run("m", { to: "m" }, "look")).status, "not_run");
    see("what ran", ran, ["pay a", "look l"]);
  }),
  scripted("executions: 1 process, a read that is tried again, its record and its budget", async (_, see, world) => {
    const service = new Service(world, { maxRetries: 2 });
    const rules = policy([allow({}), budget({ id: "calls", maxCalls: 5 })]);
    const reads = { ...toolOf("LOOK"), tags: ["readOnlyHint"] };
    const { run } = await program(service, { trustHints: true, policy: rules }, [reads, toolOf("PAY")]);
    service.answers.push(
      () => failure(503),
      () => failure(503),
      () => done(),
    );
    see("a read", [ended(await run("a", undefined, "LOOK")), service.ran().length], ["succeeded", 3]);
    service.answers.push(
      () => failure(503),
      () => done(),
    );
    see("an effect isn't tried again", [ended(await run("b")), service.ran().length], ["unknown", 1]);
    service.answers.length = 0;
    service.answers.push(
      () => failure(503),
      () => failure(503),
      () => failure(503),
    );
    const failed = await run("c", undefined, "LOOK");
    see("a read that fails", [ended(failed), service.ran().length], ["failed", 3]);
    see("again", [ended(await run("c", undefined, "LOOK")), service.ran().length], ["failed again", 0]);
    const strict = await program(service, {}, [reads]);
    service.answers.push(() => failure(503));
    const unknown = await strict.run("z", undefined, "LOOK");
    see("a hint that isn't trusted", [ended(unknown), service.ran().length], ["unknown", 1]);
    see("each counts once", (await rules.budgets.read({ id: "calls", userId: "user-1" }))[0]?.used, 3);
  }),
  scripted("executions: 1 process, a 429 of the service and one of a provider", async (_, see, world) => {
    const service = new Service(world);
    const { run } = await program(service);
    service.answers.push(
      () => tooMany({ "retry-after": "0" }),
      () => failure(429, { "retry-after": "0" }),
    );
    see("of its limiter: nothing ran", [ended(await run("a")), ended(await run("b"))], ["not_run", "unknown"]);
    await wait(1_000);
    see("again", [ended(await run("a")), ended(await run("b"))], ["succeeded", "unknown again"]);
    see("the service got", service.ran(), ["PAY a", "PAY b", "PAY a"]);
  }),
  scripted(
    "executions: 1 process, a listener that throws, and events of a turn with a limit",
    async (_, see, world) => {
      const service = new Service(world);
      const told: string[] = [];
      const onEvent = ({ type, callId }: AgentEvent) => {
        told.push(`${type} ${callId}`);
        throw new Error("It can't be told.");
      };
      const rules = policy([allow({ tools: ["PAY"] })]);
      const { turn } = await program(service, { onEvent, concurrency: 1, policy: rules });
      see("the calls go on", await turn([call("a"), call("b", undefined, "TIP"), call("a")]), [
        ...["succeeded", "not_run", "succeeded again"],
      ]);
      see("told in order", told, [
        ...["decided a", "started a", "finished a", "decided b", "finished b", "finished a"],
      ]);
    },
  ),
  scripted("executions: 1 process, ids and arguments in other scripts", async (_, see, world) => {
    const service = new Service(world);
    const { run, turn } = await program(service, { conversationId: 'chat "1"\n', userId: "ü-😀" });
    const ids = ["", " ", "ü", "u\u0308", "😀", '"]', "a\u0000", "x".repeat(5_000), "__proto__", "constructor"];
    see(
      "each is a call of its own",
      await turn(ids.map((id) => call(id, { to: "same" }))),
      ids.map(() => "succeeded"),
    );
    see(
      "again",
      await turn(ids.map((id) => call(id, { to: "same" }))),
      ids.map(() => "succeeded again"),
    );
    const texts = ["ü", "u\u0308", "😀", "\u2028", '"', "\\", "\u0000"];
    for (const [index, to] of texts.entries())
      see(JSON.stringify(to), ended(await run(`t${index}`, { to })), "succeeded");
    service.sent.length = 0;
    see(
      "as they are",
      [ended(await run("t1", { to: "ü" })), ended(await run("t1", { to: "u\u0308" }))],
      [...["not_run", "succeeded again"]],
    );
    see("names of JavaScript", await turn([call("n", { to: "n" }, "toString"), call("m", { to: "m" }, "__proto__")]), [
      ...["not_run", "not_run"],
    ]);
    see("nothing else was sent", service.sent, []);
  }),
  scripted("executions: 1 process, a store that is slow to record ends, and an abort", async (_, see, world) => {
    const service = new Service(world);
    const memory = memoryExecutions();
    let endMs = 5_000;
    const finish: typeof memory.finish = async (...args) => {
      await wait(endMs);
      return memory.finish(...args);
    };
    const { made, run } = await program(service, { executions: { ...memory, finish } });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stop")), 1_000);
    const results = await made.run([call("a")], { signal: stop.signal });
    see("an abort waits for none", [results.map(ended), world.time.now], [["succeeded"], 1_000]);
    see("its record has no end yet", [ended(await run("a")), world.time.now], ["unknown again", 1_000]);
    await wait(5_000);
    see("which is recorded then", ended(await run("a")), "succeeded again");
    endMs = 0;
    const early = new AbortController();
    early.abort(new Error("stop"));
    see("one before", await thrown(() => made.run([call("b")], { signal: early.signal })), "stop");
    see("the service ran", service.ran(), ["PAY a"]);
  }),
];
