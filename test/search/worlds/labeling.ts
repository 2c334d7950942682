import { memoryExecutions, toolset } from "../../../src/agents/index.js";
import { allow, ask, deny, label, policy } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import type { Definition } from "../world.js";
import { Desk, toolOf } from "./decisions.js";
import { down, opened } from "./odd-stores.js";
import { scripted, thrown } from "./scripted.js";

export const labeling: readonly Definition[] = [
  scripted("labels: 1 process, tools that no label matters to", async (_, see, world) => {
    const rules = [
      ...[allow({ tools: ["LOOK"] }), ask({ tools: ["TIP"] }), label("untrusted", { tools: ["LOOK"] })],
      ...[allow({ tools: ["PAY"] }), deny({ tools: ["PAY"], after: ["untrusted"] })],
    ];
    const memory = memoryExecutions();
    let isDown = false;
    const find: typeof memory.find = (id) => (isDown && id.includes("label") ? down() : memory.find(id));
    const desk = new Desk(world);
    const chat = { conversationId: "one", isNewConversation: true, executions: { ...memory, find } };
    const { run, asked } = await desk.toolset(desk.tokens(), { policy: policy(rules), ...chat });
    await run("a", undefined, { to: "a" }, "LOOK");
    see("none is compared for it", (await asked("b", { to: "b" }, "TIP")).labels, []);
    isDown = true;
    see("nor read", (await run("c", undefined, { to: "c" }, "LOOK")).status, "succeeded");
  }),
  scripted("labels: 1 process, a conversation that isn't known", async (_, see, world) => {
    const warnings: unknown[] = [];
    const { warn } = console;
    console.warn = (text) => warnings.push(text);
    const rules = policy([allow({}), label("secret", { tools: ["LOOK"] }), ask({ tools: ["PAY"], after: ["secret"] })]);
    const desk = new Desk(world);
    const { run } = await desk.toolset(desk.tokens(), { policy: rules, conversationId: "one" });
    const asked = await run("a");
    see("a person is asked", [asked.status, asked.pendingApproval?.labels], ["pending", null]);
    see("again", (await run("b")).status, "pending");
    const nowhere = await desk.toolset(desk.tokens(), { policy: rules });
    see("nor without a conversation", (await nowhere.asked("c")).labels, null);
    see("one warning", [warnings.length, String(warnings[0]).includes("isNewConversation")], [1, true]);
    console.warn = warn;
  }),
  scripted("labels: 1 process, what it was given", async (_, see, world) => {
    const desk = new Desk(world);
    const rules = policy([
      allow({}),
      label("untrusted", { tools: ["LOOK"] }),
      label("secret", { tools: ["TIP"] }),
      label("unused", { tools: ["TIP"] }),
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
    const asked = await other.run("e");
    see("another label", [asked.status, asked.pendingApproval?.labels], ["pending", ["secret"]]);
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
  scripted("labels: 1 process, labels that middleware gives", async (_, see, world) => {
    const rules = policy([
      ...[allow({}), label("untrusted", { tags: ["openWorldHint"] }), label("own", { tools: ["pay"] })],
      deny({ tools: ["pay"], after: ["untrusted"] }),
    ]);
    const use = [async (_call: object, next: () => Promise<object>) => ({ ...(await next()), labels: ["untrusted"] })];
    const { run } = await opened(world, { policy: rules, use, conversationId: "one", isNewConversation: true });
    see("with its own", [...(await run("a")).labels].toSorted(), ["own", "untrusted"]);
    see("after it", (await run("b")).status, "not_run");
  }),
  scripted("labels: 1 process, labels that had another name", async (_, see, world) => {
    const desk = new Desk(world);
    const under = (name: string, more: object = {}) => {
      const rules = [
        label(name, { tools: ["LOOK"] }),
        label("other", { tools: ["TIP"] }),
        deny({ tools: ["PAY"], after: [name] }),
      ];
      return desk.toolset(desk.tokens(), { policy: policy([allow({}), ...rules]), conversationId: "one", ...more });
    };
    await (await under("old", { isNewConversation: true })).run("a", undefined, { to: "a" }, "LOOK");
    const { run } = await under("new");
    see("before", (await run("b")).status, "succeeded");
    see("again", [...(await run("a", undefined, { to: "a" }, "LOOK")).labels].toSorted(), ["new", "other"]);
    see("after it", (await run("c")).status, "not_run");
    const without = await desk.toolset(desk.tokens(), { policy: policy([allow({})]), conversationId: "one" });
    see("without labels", (await without.run("a", undefined, { to: "a" }, "LOOK")).isReplay, true);
    const from = { formatVersion: 1, tools: [toolOf("LOOK")] } as const;
    const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
    const { executions } = desk;
    const free = await toolset(svc, { userId: "user-1", from, executions, conversationId: "one" });
    const [again] = await free.run([{ callId: "a", name: "LOOK", arguments: { to: "a" } }]);
    see("without a policy", [again?.status, again?.isReplay], ["succeeded", true]);
  }),
  scripted("labels: 1 process, a store that fails", async (_, see, world) => {
    const rules = policy([
      allow({}),
      label("untrusted", { tools: ["pay"] }),
      deny({ tools: ["pay"], after: ["untrusted"] }),
    ]);
    const chat = { policy: rules, conversationId: "one", isNewConversation: true };
    const { faults, run, memory, requests, ran, failures, tools } = await opened(world, chat);
    const starts = memory.start;
    faults.start = (id, stamp) => (id.includes("label") ? down() : starts(id, stamp));
    const withheld = await run("a");
    see(
      "it is withheld",
      [withheld.status, withheld.data, withheld.text.includes("paid"), failures],
      ["unknown", undefined, false, ["a"]],
    );
    const { files, mismatches, authRequired } = withheld;
    see("with nothing else", [files, mismatches, authRequired], [[], [], undefined]);
    see("it ran", ran, ["a"]);
    const both = await tools.run([
      { callId: "z", name: "pay", arguments: { to: "z" } },
      { callId: "y", name: "none", arguments: {} },
    ]);
    see(
      "only results with labels are",
      both.map(({ status }) => status),
      ["unknown", "not_run"],
    );
    see("the others aren't", both[1]?.text.includes("none"), true);
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
    requests.length = 0;
    await run("a");
    await tools.addLabel("untrusted");
    see("nor is it recorded again", requests, ["find"]);
    const failing = await opened(world, chat);
    failing.faults.find = (id) => (id.includes("label") ? down() : failing.memory.find(id));
    const unread = await failing.run("a");
    see("labels that can't be read", [unread.status, unread.text.includes("was not allowed")], ["not_run", true]);
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
