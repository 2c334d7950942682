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
  dryRun,
  label,
  policy,
} from "../../../src/agents/policy-entry.js";
import type { Definition, World } from "../world.js";
import { KEYS, toolOf } from "./decisions.js";
import { Logging } from "./looking-up.js";
import { down, opened } from "./odd-stores.js";
import { scripted, thrown } from "./scripted.js";
import { auditLog, call, done, ended, failure, program, Service, tooMany, wait } from "./service.js";
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
    const { lines, to } = auditLog();
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
  scripted(
    "executions: 1 process, middleware of an aborted run, and the reason of a dry run",
    async (_, see, world) => {
      let stop = new AbortController();
      const seen: unknown[] = [];
      const use = async ({ signal }: { signal: AbortSignal | undefined }, next: () => Promise<object>) => {
        seen.push(signal?.aborted);
        stop.abort(new Error("stop"));
        seen.push(signal?.aborted);
        return next();
      };
      const service = new Service(world);
      const rules = policy([dryRun({ tools: ["PAY"], reason: "Only a test." })]);
      const { run } = await program(service, { policy: rules, use: [use as never] }, [toolOf("PAY")]);
      const { status, text } = await run("a");
      see("its reason", [status, text.includes("Only a test.")], ["dry_run", true]);
      see("without a signal", seen.splice(0), [undefined, undefined]);
      stop = new AbortController();
      await run("b", undefined, undefined, { signal: stop.signal });
      see("with one", [seen, service.ran()], [[false, true], []]);
    },
  ),
];
