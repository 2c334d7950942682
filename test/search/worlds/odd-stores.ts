// Stores of executions that answer wrongly or late, and what one program sees of its calls then.
import { openai } from "../../../src/agents/adapters/openai.js";
import {
  type AgentEvent,
  type CallResult,
  type ExecutionStore,
  memoryExecutions,
  tool,
  toolset,
} from "../../../src/agents/index.js";
import { allow, ask, deny, label, policy } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import type { Definition, World } from "../world.js";
import { Desk } from "./decisions.js";
import { scripted, thrown } from "./scripted.js";

const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
const down = () => Promise.reject(new Error("It is down."));
const parameters = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };

/** A local tool, and a store whose methods can be replaced. */
async function opened(world: World, options: object = {}) {
  const ran: string[] = [];
  const memory = memoryExecutions();
  const faults: Partial<ExecutionStore> = {};
  const requests: string[] = [];
  const method = <Name extends keyof ExecutionStore>(name: Name) =>
    ((...args: never[]) => {
      requests.push(name);
      return (faults[name] ?? memory[name])(...(args as [never, never, never]));
    }) as ExecutionStore[Name];
  const executions = { find: method("find"), start: method("start"), finish: method("finish") };
  const pay = tool({
    ...{ name: "pay", description: "Pays.", parameters },
    execute: ({ to }) => {
      ran.push(String(to));
      world.note("effect", `paid ${to}`);
      return `paid ${to}`;
    },
  });
  const failures: string[] = [];
  const onEvent = ({ type, callId = "" }: AgentEvent) => {
    if (type === "record_failed") failures.push(callId);
  };
  const tools = await toolset(svc, { userId: "user-1", tools: [pay], executions, onEvent, ...options });
  const run = async (callId: string, to: unknown = callId, more: object = {}) => {
    const [result] = await tools.run([{ callId, name: "pay", arguments: { to }, ...more }]);
    return result as CallResult;
  };
  const status = async (...args: Parameters<typeof run>) => (await run(...args)).status;
  return { ran, memory, faults, requests, tools, run, status, failures, executions };
}

export const oddStores: readonly Definition[] = [
  scripted("executions: 1 process, a store that answers wrongly", async (_, see, world) => {
    const { ran, faults, status, run, failures, memory } = await opened(world);
    for (const odd of [5, "record", {}, { stamp: 5 }, { stamp: "s", result: 5 }, { stamp: "s", result: null }, null]) {
      faults.find = async () => odd as never;
      see("no record", await status("a"), "not_run");
      delete faults.find;
      faults.start = async () => odd as never;
      see("no record of a start", await status("b"), "not_run");
      delete faults.start;
    }
    see("then", [await status("a"), await status("b")], ["succeeded", "succeeded"]);
    faults.find = down;
    see("it can't be read", await status("c"), "not_run");
    delete faults.find;
    faults.start = down;
    see("it can't be written", await status("c"), "not_run");
    delete faults.start;
    see("it works again", await status("c"), "succeeded");
    let left = 1;
    faults.start = (id, stamp) => {
      left -= 1;
      return left >= 0 ? down() : memory.start(id, stamp);
    };
    see("a start that is repeated", await status("d"), "succeeded");
    left = 1;
    delete faults.start;
    faults.finish = (id, stamp, result) => {
      left -= 1;
      return left >= 0 ? down() : memory.finish(id, stamp, result);
    };
    see("an end that is repeated", [await status("e"), (await run("e")).isReplay, failures], ["succeeded", true, []]);
    left = 2;
    see("an end that isn't recorded", [await status("f"), failures], ["succeeded", ["f"]]);
    see("it is unknown then", await status("f"), "unknown");
    see("each ran once", ran, ["a", "b", "c", "d", "e", "f"]);
  }),
  scripted("executions: 1 process, ends that aren't ends", async (_, see, world) => {
    const { ran, faults, run } = await opened(world);
    await run("a");
    const ends = [
      "",
      "odd",
      "{}",
      '{"status":"succeeded"}',
      '{"status":"not_run","text":"t"}',
      '{"status":5,"text":"t"}',
    ];
    for (const result of ends) {
      const other = await opened(world);
      await other.run("a");
      const held = await other.memory.find(JSON.stringify([JSON.stringify(["user-1", null]), "a"]));
      other.faults.find = async () => held && { ...held, result };
      const again = await other.run("a");
      see(result, [again.status, again.isReplay, other.ran], ["unknown", true, ["a"]]);
    }
    faults.find = async () => undefined;
    const again = await run("a");
    see("a start that was overlooked", [again.status, again.isReplay, again.text], ["succeeded", true, '"paid a"']);
    see("it ran once", ran, ["a"]);
  }),
  scripted("executions: 1 process, refusals in a store that fails", async (_, see, world) => {
    const { ran, faults, status, memory } = await opened(world);
    const cut = { isTruncated: true };
    faults.start = down;
    see("it can't be recorded", await status("a", "a", cut), "not_run");
    see("it looks whole", await status("a"), "not_run");
    delete faults.start;
    see("it stays refused", [await status("a"), await status("a", "a", cut)], ["not_run", "not_run"]);
    see("the whole call", await status("a", "abc"), "succeeded");
    faults.finish = down;
    see("no end", await status("b", "b", cut), "not_run");
    delete faults.finish;
    see("it looks whole", await status("b"), "not_run");
    let late: (() => Promise<unknown>) | undefined;
    faults.start = (id, stamp) => {
      late ??= () => memory.start(id, stamp);
      return down();
    };
    see("a late start", await status("c"), "not_run");
    delete faults.start;
    await late?.();
    see("it is its own", await status("c"), "succeeded");
    see("it ran", ran, ["abc", "c"]);
  }),
  scripted("executions: 1 process, middleware", async (_, see, world) => {
    type Next = () => Promise<{ status: string; text: string }>;
    const uses: Record<string, (call: { arguments: object }, next: Next) => Promise<unknown>> = {
      same: (_call, next) => next(),
      changed: (call, next) => {
        call.arguments = { to: "other" };
        return next();
      },
      own: async () => ({ status: "succeeded", text: "cached" }),
      late: async (_call, next) => {
        await next();
        throw new Error("It failed.");
      },
      denied: async (_call, next) => {
        await next();
        return { status: "not_run", text: "No." };
      },
      early: () => Promise.reject(new Error("It failed.")),
      odd: async () => ({ status: "fine" }),
    };
    const promised: Record<string, readonly unknown[]> = {
      same: ["succeeded", ["a"], "succeeded"],
      changed: ["succeeded", ["other"], "succeeded"],
      own: ["succeeded", [], "succeeded"],
      late: ["unknown", ["a"], "unknown"],
      denied: ["succeeded", ["a"], "succeeded"],
      early: ["not_run", [], "not_run"],
      odd: ["not_run", [], "not_run"],
    };
    for (const [name, use] of Object.entries(uses)) {
      const { status, ran } = await opened(world, { use: [use] });
      const first = await status("a");
      see(name, [first, [...ran], await status("a")], promised[name]);
      see(`${name}: once`, ran.length <= 1, true);
    }
  }),
  scripted("executions: 1 process, calls whose ids start again", async (_, see, world) => {
    const { ran, tools, faults } = await opened(world);
    const { run } = openai(tools);
    const turn = async (id: string | undefined, to: string, call_id = "call_0") => {
      const output = [{ type: "function_call", call_id, name: "pay", arguments: JSON.stringify({ to }) }];
      const { results } = await run({ ...(id && { id }), output } as never);
      return results.map(({ status, isReplay }) => (isReplay ? `${status} again` : status)).join();
    };
    see("a turn", await turn("resp_1", "a"), "succeeded");
    see("again", await turn("resp_1", "a"), "succeeded again");
    see("the next one", await turn("resp_2", "b"), "succeeded");
    see("an equal call of another", await turn("resp_3", "a"), "succeeded");
    see("again", await turn("resp_3", "a"), "succeeded again");
    see("of an unknown turn", await turn(undefined, "a"), "succeeded again");
    see("another of an unknown turn", await turn(undefined, "c"), "succeeded");
    see("again", await turn(undefined, "c"), "succeeded again");
    faults.start = down;
    see("a store that fails", await turn("resp_4", "d", "call_1"), "not_run");
    delete faults.start;
    see("then", await turn("resp_4", "d", "call_1"), "succeeded");
    see("they ran", ran, ["a", "b", "a", "c", "d"]);
  }),
  scripted("labels: 1 process, what it was given", async (_, see, world) => {
    const desk = new Desk(world);
    const rules = policy([
      allow({}),
      label("untrusted", { tools: ["LOOK"] }),
      label("secret", { tools: ["TIP"] }),
      deny({ tools: ["PAY"], after: ["untrusted"] }),
      ask({ tools: ["PAY"], after: ["secret"] }),
    ]);
    const chat = (conversationId: string | undefined, more: object = {}) =>
      desk.toolset(desk.tokens(), { policy: rules, ...(conversationId && { conversationId }), ...more });
    const first = await chat("one", { isNewConversation: true });
    see("before", (await first.run("a")).status, "succeeded");
    const read = await first.run("b", undefined, { to: "b" }, "LOOK");
    see("a text", [read.status, read.labels], ["succeeded", ["untrusted"]]);
    see("after it", (await first.run("c")).status, "not_run");
    see("a call that ran before", (await first.run("a")).isReplay, true);
    const again = await (await chat("one")).run("d");
    see("in another process", again.status, "not_run");
    const other = await chat("two", { isNewConversation: true });
    see("in another conversation", (await other.run("a")).status, "succeeded");
    await other.run("t", undefined, { to: "t" }, "TIP");
    see("another label", (await other.run("e")).status, "pending");
    see("in one that isn't known", (await (await chat("three")).run("a")).status, "not_run");
    see("without one", (await (await chat(undefined)).run("f")).status, "not_run");
    const added = await chat("four", { isNewConversation: true });
    await added.made.addLabel("untrusted");
    see("added", (await added.run("a")).status, "not_run");
    see("an unknown label", (await thrown(() => added.made.addLabel("unknown"))) !== "", true);
    const nowhere = await chat(undefined);
    see("added nowhere", (await thrown(() => nowhere.made.addLabel("secret"))) !== "", true);
    const turn = await (await chat("five", { isNewConversation: true })).made.run([
      { callId: "a", name: "LOOK", arguments: { to: "a" } },
      { callId: "b", name: "PAY", arguments: { to: "b" } },
      { callId: "c", name: "LOOK", arguments: {} },
    ]);
    see(
      "in one turn",
      turn.map(({ status, labels }) => [status, labels]),
      [
        ["succeeded", ["untrusted"]],
        ["succeeded", []],
        ["not_run", []],
      ],
    );
    see(
      "dry runs have none",
      (await first.made.run([{ callId: "z", name: "LOOK", arguments: { to: "z" } }], { dryRun: true }))[0]?.labels,
      [],
    );
    see("a result again", (await first.run("b", undefined, { to: "b" }, "LOOK")).labels, ["untrusted"]);
  }),
  scripted("labels: 1 process, a store that fails", async (_, see, world) => {
    const rules = policy([
      allow({}),
      label("untrusted", { tools: ["pay"] }),
      deny({ tools: ["pay"], after: ["untrusted"] }),
    ]);
    const chat = { policy: rules, conversationId: "one", isNewConversation: true };
    const { faults, run, memory, requests, ran, failures } = await opened(world, chat);
    const starts = memory.start;
    faults.start = (id, stamp) => (id.includes("label") ? down() : starts(id, stamp));
    const withheld = await run("a");
    see(
      "it is withheld",
      [withheld.status, withheld.data, withheld.text.includes("paid"), failures],
      ["unknown", undefined, false, ["a"]],
    );
    see("it ran", ran, ["a"]);
    let left = 1;
    faults.start = (id, stamp) => {
      if (id.includes("label")) left -= 1;
      return id.includes("label") && left >= 0 ? down() : starts(id, stamp);
    };
    const given = await run("a");
    see("it is given later", [given.status, given.isReplay, given.text.includes("paid a")], ["succeeded", true, true]);
    see("after it", (await run("b")).status, "not_run");
    requests.length = 0;
    await run("c");
    see("a label that is known is read no more", requests.filter((name) => name === "find").length, 1);
    const failing = await opened(world, chat);
    failing.faults.find = (id) => (id.includes("label") ? down() : failing.memory.find(id));
    see("labels that can't be read", (await failing.run("a")).status, "not_run");
    failing.faults.find = async (id) => (id.includes("label") ? (5 as never) : failing.memory.find(id));
    see("odd ones", (await failing.run("a")).status, "not_run");
    delete failing.faults.find;
    see("then", (await failing.run("a")).status, "succeeded");
    see(
      "none starts",
      (await thrown(() => opened(world, { ...chat, executions: { ...memory, start: down } }))) !== "",
      true,
    );
  }),
];
