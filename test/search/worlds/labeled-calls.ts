// Labels and accounts of calls beside stores that fail, aborts, other users, questions of a library and other policies.
import { aiSdkApproval } from "../../../src/agents/adapters/ai-sdk.js";
import { type AgentEvent, memoryExecutions, toolset } from "../../../src/agents/index.js";
import { allow, ask, budget, deny, label, policy } from "../../../src/agents/policy-entry.js";
import type { Svc } from "../../../src/index.js";
import type { Definition } from "../world.js";
import { toolOf } from "./decisions.js";
import { down, opened } from "./odd-stores.js";
import { scripted, thrown } from "./scripted.js";
import { call, ended, failure, program, Service, wait } from "./service.js";
import { inner, MULTI, session } from "./sessions.js";
import { asking } from "./together-approvals.js";

export const labeledCalls: readonly Definition[] = [
  scripted("accounts: 1 process, a library's question about a call that lacks an account", async (_, see, world) => {
    let told = 0;
    const onAuthRequired = () => {
      told += 1;
    };
    const tools = [toolOf("PAY", "20251023_00", false)];
    const { service, made, run } = await asking(world, [ask({})], { onAuthRequired, accounts: "newest" }, {}, tools);
    const toolCall = { toolCallId: "a", toolName: "PAY", input: { to: "a" } };
    see("no one is asked", [await aiSdkApproval(made)({ toolCall }), told], [undefined, 0]);
    const result = await run("a");
    see("the call says so", [ended(result), result.authRequired?.reason, told], ["not_run", "not_connected", 1]);
    see("the service ran", service.ran(), []);
  }),
  scripted("labels: 1 process, results that are withheld from a program that connects", async (_, see, world) => {
    const rules = [allow({}), label("read", { tools: ["pay"] })];
    const chat = { policy: policy(rules), conversationId: "one", isNewConversation: true };
    const { faults, memory, run } = await opened(world, { ...chat, onAuthRequired: () => "Connect it." });
    faults.start = (id, stamp) => (id.includes("label") ? down() : memory.start(id, stamp));
    const { status, data, text } = await run("a");
    see("it is", [status, data, text.includes("paid")], ["unknown", undefined, false]);
    delete faults.start;
    const again = await run("a");
    see("given later", [ended(again), again.text.includes("paid a")], ["succeeded again", true]);
  }),
  scripted("labels: 1 process, calls that make others under another policy", async (_, see) => {
    const chat = { conversationId: "one", isNewConversation: true, executions: memoryExecutions() };
    const under = (...more: ReturnType<typeof label>[]) =>
      session([allow({}), allow({ tools: [MULTI] }), label("tip", { tools: ["TIP"] }), ...more], chat);
    const labelsOf = async ({ run }: Awaited<ReturnType<typeof under>>) => {
      const result = await run("a", [inner("PAY")]);
      return [result && ended(result), result?.labels.toSorted()];
    };
    see("it has none", await labelsOf(await under()), ["succeeded", []]);
    see("nor again", await labelsOf(await under()), ["succeeded again", []]);
    const other = under(label("pay", { tools: ["PAY"] }));
    see("which calls it made isn't known", await labelsOf(await other), ["succeeded again", ["pay", "tip"]]);
  }),
  scripted("labels: 1 process, an abort while a label is recorded", async (_, see, world) => {
    const rules = policy([allow({}), label("read", { tools: ["pay"] })]);
    const chat = { policy: rules, conversationId: "one", isNewConversation: true };
    const { faults, memory, tools, ran, run } = await opened(world, chat);
    faults.start = async (id, stamp) => {
      if (id.includes("label")) await wait(5_000);
      return memory.start(id, stamp);
    };
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stop")), 1_000);
    const startedAt = world.time.now;
    const message = await thrown(() => tools.run([call("a", undefined, "pay")], { signal: stop.signal }));
    see("it ends right away", [message, world.time.now - startedAt, ran], ["stop", 1_000, ["a"]]);
    delete faults.start;
    see("its result has the label", [ended(await run("a")), (await run("a")).labels], ["succeeded again", ["read"]]);
  }),
  scripted("labels: 1 process, labeled results that didn't run, and a store that fails", async (_, see, world) => {
    const memory = memoryExecutions();
    let isDown = true;
    const start: typeof memory.start = (id, stamp) =>
      isDown && id.includes("label") ? down() : memory.start(id, stamp);
    const service = new Service(world);
    const use = async (given: { callId: string }, next: () => Promise<object>) => {
      const result = given.callId === "a" ? await next() : { status: "not_run", text: "A secret." };
      return { ...result, labels: ["read"] };
    };
    const rules = policy([allow({}), label("read", { tools: ["LOOK"] })]);
    const chat = { policy: rules, conversationId: "one", isNewConversation: true, accounts: "newest" } as const;
    const tools = [toolOf("PAY", "20251023_00", false), toolOf("LOOK")];
    const { run } = await program(service, { ...chat, executions: { ...memory, start }, use: [use as never] }, tools);
    service.answers.push(() => failure(404, {}, { code: 1810, message: "No connected account found" }));
    const shown = async (callId: string) => {
      const { status, text, authRequired, labels } = await run(callId);
      return [status, text.includes("secret"), authRequired?.reason, labels];
    };
    see("one that lacks an account", await shown("a"), ["not_run", false, undefined, ["read"]]);
    see("one of middleware", await shown("b"), ["not_run", false, undefined, ["read"]]);
    isDown = false;
    see("it is given later", await shown("b"), ["not_run", true, undefined, ["read"]]);
  }),
  scripted("labels: 1 process, labels that are compared for another user", async (_, see, world) => {
    const rules = [
      ...[ask({ tools: ["PAY"] }), allow({ tools: ["LOOK"] }), label("read", { tools: ["LOOK"] })],
      deny({ tools: ["PAY"], users: ["user-2"], after: ["read"] }),
    ];
    const chat = { conversationId: "one", isNewConversation: true };
    const { asked, run } = await asking(world, rules, chat);
    await run("l", undefined, "LOOK");
    see("not for this one", (await asked("a")).labels, []);
  }),
  scripted("accounts: 1 process, an account that the program has set and that can't be used", async (_, see, world) => {
    const service = new Service(world);
    const tools = [toolOf("PAY", "20251023_00", false)];
    const { run } = await program(service, { accounts: { bank: "ca_1" } }, tools);
    service.answers.push(
      () => failure(400, {}, { message: "Connected account ca_1 is in EXPIRED state" }),
      () => failure(404, {}, { code: 1810, message: "No connected account found" }),
    );
    const reason = async () => {
      const { status, authRequired, error } = await run("a");
      return [status, authRequired?.reason, error instanceof Error];
    };
    see("it has expired", await reason(), ["not_run", "expired", true]);
    see("it isn't there", await reason(), ["not_run", undefined, true]);
    see("it runs", [await reason(), service.ran()], [["succeeded", undefined, false], Array(3).fill("PAY a ca_1")]);
  }),
  scripted("accounts: 1 process, a list of accounts that fails, is shared and is aborted", async (_, see, world) => {
    const service = new Service(world);
    const lists: (() => { id: string; user_id: string }[])[] = [];
    const connectedAccounts = {
      list: async function* list() {
        await wait(1_000);
        yield* lists.shift()?.() ?? [];
      },
    };
    const rules = policy([allow({}), budget({ id: "calls", maxCalls: 9, windowMs: 60_000 })]);
    // The client has only the parts that a toolset uses.
    const open = (more: object = {}) =>
      toolset({ tools: service.svc.tools, connectedAccounts } as unknown as Svc, {
        ...{ userId: "user-1", policy: rules, executions: memoryExecutions() },
        from: { formatVersion: 1, tools: [toolOf("PAY", "20251023_00", false)] } as const,
        ...more,
      });
    const used = async () => (await rules.budgets.read({ id: "calls", userId: "user-1" }))[0]?.used;
    const made = await open();
    const run = async (callId: string, tools = made, limits = {}) => {
      const [result] = await tools.run([call(callId)], limits);
      return result as NonNullable<typeof result>;
    };
    const own = () => [{ id: "ca_1", user_id: "user-1" }];
    lists.push(() => {
      throw new Error("It is down.");
    }, own);
    const both = await Promise.all([run("a"), wait(500).then(() => run("b"))]);
    see("the second one lists again", both.map(ended), ["not_run", "succeeded"]);
    const shared = await open();
    lists.push(own);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stop")), 500);
    const late = thrown(() => run("c", shared, { signal: stop.signal }));
    const [other, message] = await Promise.all([run("d", shared), late]);
    see("an abort while another lists", [ended(other), message, await used()], ["succeeded", "stop", 2]);
    lists.push(() => [{ id: "ca_2", user_id: "user-2" }]);
    const foreign = (await run("e", await open())).authRequired;
    see(
      "only one of another user",
      [foreign?.reason, foreign?.accounts],
      ["account_required", [{ id: "ca_2", label: "ca_2", isShared: true }]],
    );
    see("the service ran", service.ran(), ["PAY b ca_1", "PAY d ca_1"]);
  }),
  scripted("labels: 1 process, what a program is told of labels that can't be read", async (_, see, world) => {
    const rules = policy([allow({}), label("read", { tools: ["pay"] }), deny({ tools: ["pay"], after: ["read"] })]);
    const told: unknown[] = [];
    const onEvent = (event: AgentEvent) => {
      if (event.type === "decided") told.push(event.outcome, event.labels, Object(event.error).message);
    };
    const chat = { policy: rules, conversationId: "one", isNewConversation: true, onEvent };
    const { faults, memory, status } = await opened(world, chat);
    faults.find = (id) => (id.includes("label") ? down() : memory.find(id));
    see("denied", [await status("a"), told.splice(0)], ["not_run", ["deny", undefined, "It is down."]]);
    delete faults.find;
    see("read", [await status("a"), told], ["succeeded", ["allow", [], undefined]]);
  }),
  scripted("accounts: 1 process, the page on which an account is connected", async (_, see, world) => {
    const service = new Service(world);
    const links: object[] = [];
    const items = [
      { id: "ac_1", status: "DISABLED" },
      { id: "ac_2", status: "ENABLED" },
      { id: "ac_3", status: "ENABLED" },
    ];
    const connectedAccounts = {
      list: async function* list() {},
      link: async (body: object) => {
        links.push(body);
        return { redirect_url: "https://link.test" };
      },
    };
    const authConfigs = { list: async () => ({ items }) };
    const from = { formatVersion: 1, tools: [toolOf("PAY", "20251023_00", false)] } as const;
    // The parts that a toolset uses.
    const client = { tools: service.svc.tools, connectedAccounts, authConfigs } as unknown as Svc;
    const made = await toolset(client, { userId: "user-1", from, executions: memoryExecutions() });
    service.answers.push(() => failure(404, {}, { code: 1810, message: "No connected account found" }));
    const [result] = await made.run([call("a")]);
    const required = result?.authRequired;
    see("its URL", await required?.linkUrl({ callbackUrl: "https://own.test" }), "https://link.test");
    await required?.linkUrl({ authConfigId: "ac_3" });
    const user = { user_id: "user-1" };
    see("the first enabled one, or the given one", links, [
      { ...user, auth_config_id: "ac_2", callback_url: "https://own.test" },
      { ...user, auth_config_id: "ac_3", callback_url: undefined },
    ]);
    items.splice(1);
    const none = await thrown(async () => required?.linkUrl());
    see("none is enabled", none.includes("no enabled auth config"), true);
  }),
  scripted("approvals: 1 process, the version of a session's tool", async (_, see) => {
    const { tools } = await session([ask({ tools: ["PAY"] })]);
    const [result] = await tools.run([call("a")]);
    see("it isn't known", [result?.pendingApproval?.version, result?.tool?.version], [null, undefined]);
  }),
];
