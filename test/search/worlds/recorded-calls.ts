// Records of calls beside the execution log, local tools, questions of a library, turns of one id and other policies.
import { aiSdkApproval } from "../../../src/agents/adapters/ai-sdk.js";
import { type AgentEvent, memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import {
  type AuditLine,
  allow,
  approvals,
  ask,
  audit,
  budget,
  deny,
  label,
  policy,
} from "../../../src/agents/policy-entry.js";
import type { Svc } from "../../../src/index.js";
import type { Definition, World } from "../world.js";
import { KEYS, toolOf } from "./decisions.js";
import { Logging } from "./looking-up.js";
import { down, opened } from "./odd-stores.js";
import { scripted, thrown } from "./scripted.js";
import { call, done, ended, failure, program, Service, tooMany, wait } from "./service.js";
import { inner, MULTI, session } from "./sessions.js";
import { asking } from "./together-approvals.js";

const ADA = { approver: "ada" };

/** A model whose calls are looked up in the log, and a store that can't record an end as long as it is down. */
async function looking(world: World, options: object) {
  const log = new Logging(world);
  const memory = memoryExecutions();
  const store = { isDown: true };
  const finish: typeof memory.finish = (...args) => (store.isDown ? down() : memory.finish(...args));
  const executions = { ...memory, finish };
  const settle = { deadlineMs: 3_000, pollMs: 1_000 };
  const tools = await toolset(log.svc, { userId: "user-1", executions, settle, ...options });
  const run = async (callId: string, name: string, limits = {}) => {
    const [result] = await tools.run([call(callId, undefined, name)], limits);
    return result as NonNullable<typeof result>;
  };
  return { log, store, run };
}

export const recordedCalls: readonly Definition[] = [
  scripted("settling: 1 process, a denial whose end isn't recorded, and the log", async (_, see, world) => {
    const gate = approvals({ keys: KEYS.slice(0, 1), now: () => 1_000_000 });
    const from = { formatVersion: 1, tools: [toolOf("PAY")] };
    const { log, store, run } = await looking(world, { from, policy: policy([ask({})]), approvals: gate });
    const pending = (await run("a", "PAY")).pendingApproval as never;
    const [no, yes] = [await gate.deny(pending, ADA), await gate.approve(pending, ADA)];
    const denied = await run("a", "PAY", { approvals: [no] });
    see("its record fails", [ended(denied), denied.error instanceof Error], ["not_run", true]);
    store.isDown = false;
    see("it is denied", [ended(await run("a", "PAY", { approvals: [yes] })), log.requests], ["not_run again", []]);
  }),
  scripted("settling: 1 process, a local tool whose end isn't recorded, and the log", async (_, see, world) => {
    let ran = 0;
    let hasBroken = false;
    const parameters = { type: "object", properties: { to: { type: "string" } } };
    const pay = tool({
      ...{ name: "pay", description: "Pays.", parameters },
      execute: () => {
        ran += 1;
        if (hasBroken) throw new Error("It broke.");
        return "paid";
      },
    });
    const { log, store, run } = await looking(world, { tools: [pay] });
    see("it runs", ended(await run("a", "pay")), "succeeded");
    store.isDown = false;
    see("its outcome isn't known", ended(await run("a", "pay")), "unknown again");
    see("nor looked for", [ran, log.requests], [1, []]);
    hasBroken = true;
    see("one that throws", [ended(await run("b", "pay")), ended(await run("b", "pay"))], ["unknown", "unknown again"]);
    see("isn't looked for either", [ran, log.requests], [2, []]);
  }),
  scripted(
    "executions: 1 process, a denial that isn't recorded, and a run in another process",
    async (_, see, world) => {
      const gate = approvals({ keys: KEYS.slice(0, 1), now: () => 1_000_000 });
      const rules = { policy: policy([ask({})]), approvals: gate };
      const { faults, memory, tools, ran } = await opened(world, rules);
      const other = await opened(world, { ...rules, executions: { ...memory } });
      const run = async ({ tools: own }: { tools: typeof tools }, ...tokens: string[]) => {
        const [result] = await own.run([call("a", undefined, "pay")], { approvals: tokens });
        return result as NonNullable<typeof result>;
      };
      const pending = (await run({ tools })).pendingApproval as never;
      const [no, yes] = [await gate.deny(pending, ADA), await gate.approve(pending, ADA)];
      faults.start = down;
      see("its record fails", ended(await run({ tools }, no)), "not_run");
      delete faults.start;
      see("the other one was told otherwise", ended(await run(other, yes)), "succeeded");
      see("it has run", [ended(await run({ tools }, no)), ran, other.ran], ["succeeded again", [], ["a"]]);
    },
  ),
  scripted("audit: 1 process, a file that can't be uploaded", async (_, see, world) => {
    const lines: string[] = [];
    const to = {
      last: async () => lines.at(-1),
      append: async (more: readonly string[]) => {
        lines.push(...more);
        return true;
      },
    };
    let isDown = true;
    const files = {
      upload: async () => {
        if (isDown) throw new Error("It is down.");
        return { name: "a", mimetype: "text/plain", s3key: "key" };
      },
    };
    const properties = { to: { type: "string" }, file: { type: "object", file_uploadable: true } };
    const service = new Service(world);
    const options = {
      openFile: async () => ({ content: new Uint8Array(1), filename: "a", mimetype: "text/plain" }),
      files,
      audit: audit({ keys: KEYS.slice(0, 1), to, now: () => 0 }),
    };
    const tools = [{ ...toolOf("SEND"), input_parameters: { type: "object", properties } }];
    const { run } = await program(service, options as never, tools);
    const args = { to: "a", file: "a" };
    see("it doesn't run", ended(await run("a", args, "SEND")), "not_run");
    isDown = false;
    see("then", [ended(await run("a", args, "SEND")), service.ran()], ["succeeded", ["SEND a"]]);
    const entries = lines.map((line) => {
      const { type, status } = (JSON.parse(line) as AuditLine).entry;
      return [type, status].filter(Boolean).join(" ");
    });
    see("only one has started", entries, ["ended not_run", "started", "ended succeeded"]);
  }),
  scripted("approvals: 1 process, a library's question about a call that is denied", async (_, see, world) => {
    const { service, gate, made, asked, run } = await asking(world);
    const pending = await asked("a");
    const [no, yes] = [await gate.deny(pending, ADA), await gate.approve(pending, ADA)];
    const question = (approved: readonly string[]) =>
      aiSdkApproval(made, { approvals: approved })({
        toolCall: { toolCallId: "a", toolName: "PAY", input: { to: "a" } },
      });
    see("no one is asked", await question([no]), undefined);
    see("it stays", ended(await run("a", undefined, undefined, { approvals: [yes] })), "not_run again");
    see("the service ran", service.ran(), []);
  }),
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
  scripted("executions: 1 process, characters of three bytes in the results of a turn", async (_, see, world) => {
    const service = new Service(world);
    const { made } = await program(service, { maxTurnBytes: 2_048 });
    const text = "€".repeat(400);
    service.answers.push(
      () => done({ text }),
      () => done({ text }),
    );
    const results = await made.run([call("a"), call("b")]);
    const bytes = results.map((result) => new TextEncoder().encode(result.text).length);
    see(
      "each has its part",
      [bytes.every((size) => size > 900), (bytes[0] ?? 0) + (bytes[1] ?? 0) <= 2_048],
      [true, true],
    );
    see(
      "the program has all",
      results.map(({ data }) => Object(data).text === text),
      [true, true],
    );
  }),
  scripted(
    "budgets: 1 process, one id three times in a turn, the first of which is rejected",
    async (_, see, world) => {
      const rules = [allow({}), budget({ id: "calls", maxCalls: 9, windowMs: 60_000 })];
      const { service, turn, used } = await asking(world, rules);
      service.answers.push(() => failure(400));
      see("one after the other", await turn([call("a"), call("a"), call("a")]), [
        ...["not_run", "succeeded", "succeeded again"],
      ]);
      see("two are counted", [await used("calls"), service.ran()], [2, ["PAY a", "PAY a"]]);
    },
  ),
  scripted("executions: 1 process, a client's middleware that hides the failure of a store", async (_, see, world) => {
    const memory = memoryExecutions();
    let isDown = false;
    const start: typeof memory.start = (...args) => (isDown ? down() : memory.start(...args));
    let last: unknown;
    const next = async (_: object, send: () => Promise<unknown>) => {
      last = await send().catch(() => last);
      return last;
    };
    const service = new Service(world, { use: [next] as never });
    const { run } = await program(service, { executions: { ...memory, start } });
    see("one before", [ended(await run("z")), service.ran()], ["succeeded", ["PAY z"]]);
    isDown = true;
    const hidden = await run("a");
    see("nothing ran", [hidden.status, Object(hidden.error).message, service.ran()], ["not_run", "It is down.", []]);
    isDown = false;
    see("then", [ended(await run("a")), service.ran()], ["succeeded", ["PAY a"]]);
  }),
  scripted("executions: 1 process, a turn that was aborted before", async (_, see, world) => {
    const { requests, tools, ran } = await opened(world);
    const signal = AbortSignal.abort(new Error("stop"));
    for (const name of ["pay", "none"]) {
      see(name, await thrown(() => tools.run([call("a", undefined, name)], { signal })), "stop");
    }
    see("nothing is asked", [requests, ran], [[], []]);
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
  scripted("settling: 1 process, a local tool that calls the service, whose reply is lost", async (_, see, world) => {
    const log = new Logging(world);
    const pay = tool({
      ...{ name: "pay", description: "Pays.", parameters: { type: "object", properties: { to: { type: "string" } } } },
      execute: () =>
        log.svc.tools.execute("PAY", { user_id: "user-1", version: "20251023_00", arguments: { to: "a" } }),
    });
    const settle = { deadlineMs: 3_000, pollMs: 1_000 };
    const tools = await toolset(log.svc, { userId: "user-1", tools: [pay], settle, executions: memoryExecutions() });
    const [result] = await tools.run([call("a", undefined, "pay")]);
    see("its outcome isn't known", [result?.status, log.entries.length], ["unknown", 1]);
    see("nor looked for", log.requests.includes("list"), false);
  }),
  scripted("executions: 1 process, aborts while a store is slow to find", async (_, see, world) => {
    const rules = policy([allow({}), label("read", { tools: ["pay"] }), deny({ tools: ["pay"], after: ["read"] })]);
    const chat = { policy: rules, conversationId: "one", isNewConversation: true };
    for (const [part, options] of [
      ["pay", {}],
      ["label", chat],
    ] as const) {
      const { faults, memory, tools, ran, run } = await opened(world, options);
      faults.find = async (id) => {
        if (part === "pay" || id.includes(part)) await wait(5_000);
        return memory.find(id);
      };
      const stop = new AbortController();
      setTimeout(() => stop.abort(new Error("stop")), 1_000);
      const startedAt = world.time.now;
      const message = await thrown(() => tools.run([call("a", undefined, "pay")], { signal: stop.signal }));
      see(`${part}: it ends right away`, [message, world.time.now - startedAt, ran], ["stop", 1_000, []]);
      delete faults.find;
      see(`${part}: then`, ended(await run("a")), "succeeded");
    }
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
  scripted("executions: 1 process, a record whose end isn't one", async (_, see, world) => {
    const { faults, memory, run } = await opened(world);
    await run("a");
    faults.find = async (id) => {
      const record = await memory.find(id);
      return record && { ...record, result: "odd" };
    };
    const again = await run("a");
    see("why", [ended(again), again.error instanceof TypeError], ["unknown again", true]);
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
  scripted("executions: 1 process, a record that is removed late, and the next start", async (_, see, world) => {
    const memory = memoryExecutions();
    let left = 2;
    const finish: typeof memory.finish = (id, stamp, result) => {
      if (result !== undefined || left === 0) return memory.finish(id, stamp, result);
      left -= 1;
      setTimeout(() => void memory.finish(id, stamp), 1_000);
      return down();
    };
    const service = new Service(world);
    const { run } = await program(service, { executions: { ...memory, finish } });
    service.answers.push(() => failure(400));
    see("rejected", [ended(await run("a")), left], ["not_run", 0]);
    see("it runs", ended(await run("a")), "succeeded");
    await wait(2_000);
    see("only once", [ended(await run("a")), service.ran()], ["succeeded again", ["PAY a", "PAY a"]]);
  }),
  scripted("rate limit: 1 client, how long a call of a model waited", async (_, see, world) => {
    const waits: unknown[] = [];
    const onEvent = (event: AgentEvent) => {
      if (event.type === "started") waits.push(event.waitedMs);
    };
    const service = new Service(world);
    const { run } = await program(service, { onEvent });
    service.answers.push(() => tooMany({ "retry-after": "10" }));
    see("limited", ended(await run("a")), "not_run");
    see("it waits", [ended(await run("b")), waits, world.time.now], ["succeeded", [0, 10_001], 10_001]);
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
];
