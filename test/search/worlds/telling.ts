// What a model reads of calls that didn't run, and what a program gets of each call.
import { type AgentEvent, type CallResult, memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import { allow, ask, budget, customPolicy, deny, policy } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import type { Definition } from "../world.js";
import { Desk } from "./decisions.js";
import { opened } from "./odd-stores.js";
import { scripted } from "./scripted.js";

const ADA = { approver: "ada" };
const parameters = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };

/** The words that a result has, of those that it should have. */
const has = (result: CallResult | undefined, ...words: readonly string[]) => [
  result?.status,
  ...words.filter((word) => result?.text.includes(word)),
];

/** A result without its tool, and with the message of its error. */
const whole = ({ tool: _, error, ...result }: CallResult) => {
  return { ...result, error: error instanceof Error ? error.message : error };
};

/** A result that has nothing but its text. */
const bare = (callId: string, status: string, text: string) => {
  const none = { data: undefined, error: undefined, pendingApproval: undefined, authRequired: undefined };
  return { callId, status, text, ...none, files: [], mismatches: [], labels: [], isReplay: false };
};

export const tellings: readonly Definition[] = [
  scripted("executions: 1 process, what a model reads of calls that don't run", async (_, see, world) => {
    const { tools, run, faults } = await opened(world);
    const [none] = await tools.run([{ callId: "a", name: "pai", arguments: { to: "a" } }]);
    see("no tool", has(none, "no tool named", "Did you mean pay", "The tools are: pay."), [
      ...["not_run", "no tool named", "Did you mean pay", "The tools are: pay."],
    ]);
    see("no object", has(await run("b", "b", { arguments: 5 }), "must be a JSON object"), [
      ...["not_run", "must be a JSON object"],
    ]);
    see("cut off", has(await run("c", "c", { isTruncated: true }), "was cut off"), ["not_run", "was cut off"]);
    see("it stays", has(await run("c"), "was cut off"), ["not_run", "was cut off"]);
    const broken = await run("d", "d", { arguments: '{"to":' });
    see("no JSON", has(broken, "aren't valid JSON"), ["not_run", "aren't valid JSON"]);
    const wrong = await run("e", 5);
    see("wrong arguments", has(wrong, "don't match its schema", "to"), ["not_run", "don't match its schema", "to"]);
    see("which", wrong.mismatches.length, 1);
    await run("f");
    const other = await run("f", "other");
    see("an id of another", has(other, "An earlier call had this id"), ["not_run", "An earlier call had this id"]);
    faults.find = () => Promise.reject(new Error("It is down."));
    const failed = await run("g");
    see("the program's problem", has(failed, "the program had a problem", "It is down."), [
      ...["not_run", "the program had a problem"],
    ]);
    see("what it was", Object(failed.error).message, "It is down.");
  }),
  scripted("executions: 1 process, what a program gets of each call", async (_, see, world) => {
    const { run, ran } = await opened(world);
    const first = await run("a");
    see("a call", whole(first), { ...bare("a", "succeeded", '"paid a"'), data: "paid a" });
    see("its tool", first.tool?.name, "pay");
    see("again", whole(await run("a")), { ...bare("a", "succeeded", '"paid a"'), isReplay: true });
    const cut = await run("b", "b", { isTruncated: true });
    see("one that was cut off", whole(cut), bare("b", "not_run", cut.text));
    const denying = await opened(world, { policy: policy([deny({ tools: ["pay"], reason: "No." }), allow({})]) });
    const denied = await denying.run("a");
    see("one that is denied", whole(denied), bare("a", "not_run", denied.text));
    const dry = await opened(world, { policy: policy([allow({})]) });
    const [shown] = await dry.tools.run([{ callId: "a", name: "pay", arguments: { to: "a" } }], { dryRun: true });
    see(
      "a dry run",
      [shown?.status, shown?.isReplay, shown?.error, Object(shown?.data).arguments],
      [...["dry_run", false, undefined, { to: "a" }]],
    );
    see("they ran", [ran, dry.ran], [["a"], []]);
  }),
  scripted("approvals: 1 process, what a model reads of decisions", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.tokens();
    const rules = policy([
      ...[ask({ tools: ["PAY"], reason: "It costs." }), deny({ tools: ["TIP"], reason: "Too kind." })],
      allow({ tools: ["LOOK"], when: { amount: { atMost: 5 } } }),
    ]);
    const { run, asked } = await desk.toolset(gate, { policy: rules });
    see("denied", has(await run("a", [], undefined, "TIP"), "Too kind."), ["not_run", "Too kind."]);
    see("not allowed", has(await run("b", [], undefined, "LOOK"), "No rule allows it."), [
      ...["not_run", "No rule allows it."],
    ]);
    const pending = await run("c");
    see("a question", has(pending, "It costs.", "isn't valid for this call"), ["pending", "It costs."]);
    see("what a program gets", whole(pending), {
      ...bare("c", "pending", pending.text),
      pendingApproval: pending.pendingApproval,
    });
    const token = await gate.approve(await asked("d"), ADA);
    const rejected = await run("c", [token]);
    see("a token of another", has(rejected, "isn't valid for this call"), ["pending", "isn't valid for this call"]);
    see("why", rejected.error instanceof Error, true);
    const no = await gate.deny(await asked("e"), { ...ADA, reason: "Never." });
    const denied = await run("e", [no]);
    see("a denial", whole(denied), bare("e", "not_run", denied.text));
    see("its reason", has(denied, "Never."), ["not_run", "Never."]);
    const again = await run("e");
    see("again", [...has(again, "Never."), again.isReplay], ["not_run", "Never.", true]);
    const silent = await gate.deny(await asked("f"), ADA);
    see("without a reason", has(await run("f", [silent]), "said no"), ["not_run", "said no"]);
    const alone = await desk.toolset(gate, { policy: rules, approvals: undefined, executions: memoryExecutions() });
    see("no one to ask", has(await alone.run("a"), "can't get", "It costs."), ["not_run", "can't get", "It costs."]);
    const program = await alone.made.run([{ callId: "b", name: "PAY", arguments: { to: "b" }, isFromProgram: true }]);
    see("of a program", has(program[0], "can't be called by a program"), ["not_run", "can't be called by a program"]);
    see("the service ran", desk.ran, []);
  }),
  scripted("approvals: 1 process, what a model reads of a policy of the program", async (_, see, world) => {
    const answers: readonly (readonly [() => unknown, string, string | undefined])[] = [
      [() => ({ outcome: "deny", reason: "Not today." }), "Not today.", undefined],
      [() => ({ outcome: "yes" }), "A rule of the policy failed.", "TypeError"],
      [() => Promise.reject(new RangeError("Out of it.")), "the program had a problem", "RangeError"],
    ];
    for (const [decide, words, error] of answers) {
      const desk = new Desk(world);
      const rules = customPolicy({ digest: "one", decide: decide as never });
      const result = await (await desk.toolset(desk.tokens(), { policy: rules })).run("a");
      see(words, [...has(result, words), Object(result.error).name], ["not_run", words, error]);
    }
    const counts: readonly (readonly [() => unknown, string])[] = [
      [async () => ({ outcome: "deny", reason: "Too many." }), "Too many."],
      [async () => ({ outcome: "odd", reason: "Too many." }), "A rule of the policy failed."],
    ];
    for (const [count, words] of counts) {
      const desk = new Desk(world);
      const decide = () => ({ outcome: "allow" }) as const;
      const rules = customPolicy({ digest: "one", decide, count: count as never });
      see(words, has(await (await desk.toolset(desk.tokens(), { policy: rules })).run("a"), words), ["not_run", words]);
    }
  }),
  scripted("executions: 1 process, what a listener is told", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.tokens();
    const told: string[] = [];
    const onEvent = (event: AgentEvent) => {
      const { type, callId, tool: called, userId } = event;
      const facts = {
        omitted: () => [],
        started: ({ waitedMs }: { waitedMs?: number }) => [waitedMs],
        decided: ({ outcome, rule, reason }: { outcome?: string; rule?: string; reason?: string }) => [
          ...[outcome, rule, reason],
        ],
        approval: ({ status, approver }: { status?: string; approver?: string }) => [status, approver],
        finished: ({ status, isReplay }: { status?: string; isReplay?: boolean }) => [status, isReplay],
        record_failed: ({ error }: { error?: Error }) => [error?.message],
      }[type];
      told.push([type, callId, called?.name, userId, ...facts(event as never)].join(" ").trim());
    };
    const executions = memoryExecutions();
    const rules = policy([
      ...[ask({ tools: ["PAY"], reason: "It costs." }), deny({ tools: ["TIP"], reason: "No." })],
      ...[allow({ tools: ["LOOK"] }), budget({ id: "looks", maxCalls: 1, tools: ["LOOK"] })],
    ]);
    const { run, asked } = await desk.toolset(gate, { policy: rules, onEvent, executions });
    const tellsOf = async (...args: Parameters<typeof run>) => {
      told.length = 0;
      await run(...args);
      return told.map((line) => line.replace(` ${args[0]} `, " ").replace(" user-1", ""));
    };
    const look = (id: string) => tellsOf(id, [], { to: id }, "LOOK");
    see("a call", await look("a"), [
      ...["decided LOOK allow rules[2]", "started LOOK 0", "finished LOOK succeeded false"],
    ]);
    see("again", await look("a"), ["finished LOOK succeeded true"]);
    see("past its budget", await look("b"), [
      "decided LOOK allow rules[2]",
      "decided LOOK deny rules[3] The budget of 1 call is used up.",
      "finished LOOK not_run false",
    ]);
    see("denied", await tellsOf("c", [], { to: "c" }, "TIP"), [
      ...["decided TIP deny rules[1] No.", "finished TIP not_run false"],
    ]);
    const decided = "decided PAY ask rules[0] It costs.";
    see("asked", await tellsOf("d"), [decided, "approval PAY pending", "finished PAY pending false"]);
    const token = await gate.approve(await asked("d"), ADA);
    see("approved", await tellsOf("d", [token]), [
      ...[decided, "approval PAY approved ada", "started PAY 0", "finished PAY succeeded false"],
    ]);
    const no = await gate.deny(await asked("e"), ADA);
    see("denied by a person", await tellsOf("e", [no]), [
      ...[decided, "approval PAY denied ada", "finished PAY not_run false"],
    ]);
    see("no tool", await tellsOf("f", [], {}, "NONE"), ["finished  not_run false"]);
    const failing = { ...executions, finish: () => Promise.reject(new Error("It is down.")) };
    const other = await desk.toolset(gate, { policy: policy([allow({})]), onEvent, executions: failing });
    told.length = 0;
    await other.run("g");
    see("a result that isn't recorded", told.slice(2), [
      "record_failed g PAY user-1 It is down.",
      "finished g PAY user-1 succeeded false",
    ]);
  }),
  scripted("executions: 1 process, strings with half of a character", async (_, see) => {
    const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
    const pay = tool({ name: "pay", description: "Pays.", parameters, execute: () => "paid" });
    const use = [async () => ({ status: "succeeded", text: "half \ud83d", data: "half" }) as const];
    const tools = await toolset(svc, { userId: "user-1", tools: [pay], executions: memoryExecutions(), use });
    const [result] = await tools.run([{ callId: "a", name: "pay", arguments: { to: "a" } }]);
    see(
      "they are whole",
      [result?.callId, result?.status, result?.text, result?.data],
      [...["a", "succeeded", "half \ufffd", "half"]],
    );
  }),
];
