// Calls that a model repeats: at the same time, under the id of others, and after starts that failed.
import { memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import { allow, budget, memoryBudgets, policy } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import type { Definition } from "../world.js";
import { down, opened } from "./odd-stores.js";
import { scripted, thrown } from "./scripted.js";

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const parameters = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };

export const repetitions: readonly Definition[] = [
  scripted("executions: 1 process, the same call at the same time", async (_, see, world) => {
    const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
    const ran: string[] = [];
    const pay = tool({
      ...{ name: "pay", description: "Pays.", parameters },
      execute: async ({ to }) => {
        ran.push(String(to));
        world.note("effect", `paid ${to}`);
        await wait(1_000);
        return `paid ${to}`;
      },
    });
    const guardrails = policy([allow({}), budget({ id: "calls", maxCalls: 3 })], { budgets: memoryBudgets() });
    const options = { userId: "user-1", tools: [pay], executions: memoryExecutions(), policy: guardrails };
    const both = [await toolset(svc, options), await toolset(svc, options)];
    const calls = [{ callId: "a", name: "pay", arguments: { to: "a" } }];
    const first = both[0]?.run(calls);
    await wait(500);
    const results = (await Promise.all([first, ...both.map((tools) => tools.run(calls))])).flat();
    see(
      "all have its result",
      results.map((result) => [result?.status, result?.isReplay, result?.text]),
      [false, true, true].map((isReplay) => ["succeeded", isReplay, '"paid a"']),
    );
    see("it ran once", ran, ["a"]);
    const [used] = await guardrails.budgets.read({ id: "calls", userId: "user-1" });
    see("it counts once", used?.used, 1);
    const stop = new AbortController();
    const running = both[0]?.run([{ callId: "b", name: "pay", arguments: { to: "b" } }]);
    await wait(100);
    setTimeout(() => stop.abort(new Error("stop")), 100);
    const waiting = () => both[1]?.run([{ callId: "b", name: "pay", arguments: { to: "b" } }], { signal: stop.signal });
    see("one that is aborted waits no longer", [await thrown(waiting), ran], ["stop", ["a", "b"]]);
    const askedAt = world.time.now;
    const [other] = (await both[1]?.run([{ callId: "b", name: "pay", arguments: { to: "other" } }])) ?? [];
    see("another call waits for none", [other?.status, other?.text.includes("had this id")], ["not_run", true]);
    see("not even for a moment", world.time.now - askedAt, 0);
    see("it ends", (await running)?.[0]?.status, "succeeded");
  }),
  scripted("executions: 1 process, a start that arrives while the next one is recorded", async (_, see, world) => {
    const { ran, faults, memory, run } = await opened(world);
    let late = async () => {};
    faults.start = (id, stamp) => {
      late = async () => {
        await memory.start(id, stamp);
      };
      return down();
    };
    see("it doesn't run", (await run("a")).status, "not_run");
    faults.start = async (id, stamp) => {
      await late();
      return memory.start(id, stamp);
    };
    see("it is its own", [(await run("a")).status, ran], ["succeeded", ["a"]]);
  }),
  scripted("executions: 1 process, another call under the id of a start that failed", async (_, see, world) => {
    const { ran, faults, run } = await opened(world);
    const shown = async (to: string) => {
      const { status, isReplay } = await run("a", to);
      return isReplay ? `${status} again` : status;
    };
    faults.start = down;
    see("it can't be recorded", await shown("a"), "not_run");
    delete faults.start;
    see("another one runs", await shown("b"), "succeeded");
    see("it is the recorded one", [await shown("b"), await shown("a")], ["succeeded again", "not_run"]);
    see("it ran once", ran, ["b"]);
  }),
  scripted(
    "executions: 1 process, a start whose reply was lost, and requests that arrive twice",
    async (_, see, world) => {
      const { ran, faults, memory, run } = await opened(world);
      faults.start = async (id, stamp) => {
        await memory.start(id, stamp);
        return down();
      };
      see("it doesn't run", (await run("a")).status, "not_run");
      delete faults.start;
      const again: (() => Promise<void>)[] = [];
      faults.finish = (id, stamp, result) => {
        again.push(() => memory.finish(id, stamp, result));
        return memory.finish(id, stamp, result);
      };
      see("then it does", (await run("a")).status, "succeeded");
      for (const arrive of again) await arrive();
      const { status, isReplay } = await run("a");
      see("once", [status, isReplay, ran], ["succeeded", true, ["a"]]);
    },
  ),
  scripted("executions: 1 process, an abort after a call has ended", async (_, see, world) => {
    const stop = new AbortController();
    const use = [
      async (_call: unknown, next: () => Promise<never>) => {
        const ended = await next();
        stop.abort(new Error("stop"));
        return ended;
      },
    ];
    const { ran, tools } = await opened(world, { use });
    const results = await tools.run([{ callId: "a", name: "pay", arguments: { to: "a" } }], { signal: stop.signal });
    see("its result stays", [results.map(({ status }) => status), ran], [["succeeded"], ["a"]]);
  }),
  scripted("executions: 1 process, middleware that catches an abort", async (_, see, world) => {
    const stop = new AbortController();
    const use = [
      (_call: unknown, next: () => Promise<never>) => next().catch(() => ({ status: "not_run", text: "Stopped." })),
    ];
    const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
    let runs = 0;
    const execute = async (_args: unknown, { signal }: { signal?: AbortSignal | undefined }) => {
      runs += 1;
      world.note("effect", "paid");
      stop.abort(new Error("stop"));
      signal?.throwIfAborted();
    };
    const pay = tool({ name: "pay", description: "Pays.", parameters, execute });
    const options = { userId: "user-1", tools: [pay], executions: memoryExecutions(), use: use as never };
    const tools = await toolset(svc, options);
    const calls = [{ callId: "a", name: "pay", arguments: { to: "a" } }];
    const ended = await tools.run(calls, { signal: stop.signal }).catch((error: Error) => error.message);
    see("it may have run", typeof ended === "string" ? ended : ended[0]?.status, "unknown");
    const [again] = await tools.run(calls);
    see("nor does it run again", [again?.status, again?.isReplay, runs], ["unknown", true, 1]);
  }),
];
