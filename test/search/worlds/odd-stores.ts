// Stores of executions that answer wrongly or late, and what one program sees of its calls then.
import { isDeepStrictEqual } from "node:util";
import { openai } from "../../../src/agents/adapters/openai.js";
import {
  type AgentEvent,
  type CallResult,
  type ExecutionStore,
  memoryExecutions,
  tool,
  toolset,
} from "../../../src/agents/index.js";
import { Svc } from "../../../src/index.js";
import type { Definition, World } from "../world.js";
import { Desk, toolOf } from "./decisions.js";
import { scripted } from "./scripted.js";

const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
export const down = () => Promise.reject(new Error("It is down."));
const parameters = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };

/** An error that says that nothing was sent. */
class NotSentError extends Error {
  readonly outcome = "not_sent";
}

/** A local tool, and a store whose methods can be replaced. */
export async function opened(world: World, options: object = {}) {
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
  scripted("approvals: 1 process, an approver that answers wrongly", async (_, see, world) => {
    const answers: readonly (readonly [unknown, string])[] = [
      [{ status: "approved", approver: "ada" }, "succeeded"],
      [{ status: "approved" }, "not_run"],
      [{ status: "approved", approver: 5 }, "not_run"],
      [{ status: "yes", approver: "ada" }, "not_run"],
      [{ status: "yes", reason: "No." }, "not_run"],
      [{ status: "pending" }, "not_run"],
      [{ status: "pending", pending: {} }, "not_run"],
      [{ status: "denied" }, "not_run"],
      [{ status: "denied", reason: "No." }, "not_run"],
      [undefined, "not_run"],
    ];
    for (const [answer, promised] of answers) {
      const desk = new Desk(world);
      const seen: unknown[] = [];
      let given = answer;
      const resolve = async (request: object) => {
        seen.push(request);
        return given;
      };
      const { run } = await desk.toolset({ resolve } as never, { executions: memoryExecutions() });
      const { status } = await run("a");
      see(JSON.stringify(answer) ?? "", [status, desk.ran.length], [promised, promised === "succeeded" ? 1 : 0]);
      see("asked once", seen.length, 1);
      given = { status: "approved", approver: "ada" };
      const isDenial = isDeepStrictEqual(answer, { status: "denied", reason: "No." });
      see("only a denial stays", (await run("a")).status, isDenial ? "not_run" : "succeeded");
    }
    const desk = new Desk(world);
    const { run } = await desk.toolset(desk.tokens(), { approvals: undefined });
    see("no approver", [(await run("a")).status, desk.ran], ["not_run", []]);
  }),
  scripted("executions: 1 process, a start that nothing was sent under", async (_, see) => {
    const memory = memoryExecutions();
    const faults: Partial<ExecutionStore> = {};
    const ran: unknown[] = [];
    let isStopped = false;
    const client = new Svc({
      ...{ baseUrl: "https://service.test", apiKey: "key", env: {}, maxRetries: 0 },
      use: [
        (_call, next) => {
          if (isStopped) throw new NotSentError("The program stops the call.");
          return next();
        },
      ],
      fetch: async (request) => {
        ran.push((await request.json()).arguments.to);
        return Response.json({ data: {}, successful: true, error: null, log_id: "log_1" });
      },
    });
    const executions: ExecutionStore = { ...memory, start: (id, stamp) => (faults.start ?? memory.start)(id, stamp) };
    const from = { formatVersion: 1, tools: [toolOf("PAY")] } as const;
    const tools = await toolset(client, { userId: "user-1", from, executions });
    const status = async () => (await tools.run([{ callId: "a", name: "PAY", arguments: { to: "a" } }]))[0]?.status;
    faults.start = async (id, stamp) => {
      await memory.start(id, stamp);
      throw new Error("Its reply is lost.");
    };
    see("a start whose reply is lost", await status(), "not_run");
    delete faults.start;
    isStopped = true;
    see("a call that isn't sent", await status(), "not_run");
    isStopped = false;
    see("its start is its own", [await status(), ran], ["succeeded", ["a"]]);
  }),
  scripted("executions: 1 process, a record that could not be removed", async (_, see) => {
    const memory = memoryExecutions();
    const faults: Partial<ExecutionStore> = {};
    const ran: unknown[] = [];
    let isRejected = true;
    let given: object | undefined;
    const done = { data: {}, successful: true, error: null, log_id: "log_1" };
    const client = new Svc({
      ...{ baseUrl: "https://service.test", apiKey: "key", env: {}, maxRetries: 0 },
      use: [async (_call, next) => (given ? ({ ...(await next()), data: given } as never) : next())],
      fetch: async (request) => {
        const error = { message: "Not now.", slug: "Rejected", status: 400 };
        if (isRejected) return Response.json({ error }, { status: 400 });
        ran.push((await request.json()).arguments.to);
        return Response.json(done);
      },
    });
    const executions: ExecutionStore = {
      ...memory,
      finish: (id, stamp, result) => (faults.finish ?? memory.finish)(id, stamp, result),
    };
    const from = { formatVersion: 1, tools: [toolOf("PAY")] } as const;
    const tools = await toolset(client, { userId: "user-1", from, executions });
    const status = async (id: string) => {
      const [result] = await tools.run([{ callId: id, name: "PAY", arguments: { to: id } }]);
      return result?.isReplay ? `${result.status} again` : result?.status;
    };
    faults.finish = down;
    see("a rejected call", await status("a"), "not_run");
    see("it can't be removed still", await status("a"), "not_run");
    delete faults.finish;
    isRejected = false;
    see("it runs", [await status("a"), await status("a"), ran], ["succeeded", "succeeded again", ["a"]]);
    given = { ...done, data: { more: true } };
    see(
      "a changed response",
      [await status("b"), await status("b"), ran],
      ["succeeded", "succeeded again", ["a", "b"]],
    );
  }),
  scripted("executions: 1 process, a client that answers by itself", async (_, see) => {
    let sent = 0;
    let kept: object | undefined;
    const done = { data: { cached: true }, successful: true, error: null, log_id: "log_1" };
    const client = new Svc({
      ...{ baseUrl: "https://service.test", apiKey: "key", env: {}, maxRetries: 0 },
      use: [
        async (_call, next) => {
          kept ??= await next();
          return kept as never;
        },
      ],
      fetch: async () => {
        sent += 1;
        return Response.json(done);
      },
    });
    const executions = memoryExecutions();
    const from = { formatVersion: 1, tools: [toolOf("PAY")] } as const;
    const tools = await toolset(client, { userId: "user-1", from, executions });
    const run = async (own = tools, callId = "a") => {
      const [result] = await own.run([{ callId, name: "PAY", arguments: { to: callId } }]);
      return [result?.status, result?.isReplay];
    };
    see("a call that is sent", await run(tools, "z"), ["succeeded", false]);
    const first = await run();
    see("another one that isn't", [first, sent], [["succeeded", false], 1]);
    see(
      "in every process",
      [await run(await toolset(client, { userId: "user-1", from, executions })), sent],
      [["succeeded", true], 1],
    );
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
];
