// Calls of a turn while something else happens: aborts, cuts, repeated ids, middleware and limits at the same time.
import { type AgentEvent, memoryExecutions, tool } from "../../../src/agents/index.js";
import { allow, budget, memoryBudgets, policy } from "../../../src/agents/policy-entry.js";
import type { Definition, World } from "../world.js";
import { scripted, thrown } from "./scripted.js";
import { broken, call, done, ended, failure, program, Service, tooMany, wait } from "./service.js";

const parameters = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };
const window = (remaining: number) => {
  return { "x-ratelimit": "19", "x-ratelimit-remaining": `${remaining}`, "x-ratelimit-window-size": "60s" };
};

/** A client that may send nothing for a minute: the window is used up. */
async function limited(world: World) {
  const service = new Service(world);
  service.answers.push(() => done({}, window(0)));
  const executions = memoryExecutions();
  const requests: string[] = [];
  const start: typeof executions.start = (id, stamp) => {
    requests.push(`${JSON.parse(id).at(-1)} @${world.time.now}`);
    return executions.start(id, stamp);
  };
  const made = await program(service, { executions: { ...executions, start } });
  await made.run("first");
  service.sent.length = 0;
  requests.length = 0;
  return { service, requests, ...made };
}

export const togetherCalls: readonly Definition[] = [
  scripted("executions: 1 process, calls of one turn with the same id that differ", async (_, see, world) => {
    const service = new Service(world);
    const { turn } = await program(service);
    const cut = { isTruncated: true };
    see("a cut one and the same one whole", await turn([call("a", { to: "a" }, "PAY", cut), call("a")]), [
      ...["not_run", "not_run"],
    ]);
    see("a cut one and another", await turn([call("b", { to: "b" }, "PAY", cut), call("b", { to: "bc" })]), [
      ...["not_run", "succeeded"],
    ]);
    see("two", await turn([call("c"), call("c", { to: "d" }), call("c")]), ["succeeded", "not_run", "succeeded again"]);
    see("of two tools", await turn([call("e"), call("e", { to: "e" }, "TIP")]), ["succeeded", "not_run"]);
    service.answers.push(() => failure(400));
    see("the first is rejected", await turn([call("f"), call("f", { to: "g" })]), ["not_run", "succeeded"]);
    see("the service ran", service.ran(), ["PAY bc", "PAY c", "PAY e", "PAY f", "PAY g"]);
  }),
  scripted("executions: 1 process, repeated ids in a turn with a limit", async (_, see, world) => {
    const service = new Service(world);
    service.slowMs = 100;
    const { made } = await program(service, { concurrency: 2 });
    const results = await made.run([call("a"), call("a"), call("b"), call("c"), call("b")]);
    see(
      "in order",
      results.map((result) => `${result.callId} ${ended(result)}`),
      ["a succeeded", "a succeeded again", "b succeeded", "c succeeded", "b succeeded again"],
    );
    see("two at a time", service.sent, ["PAY a @0", "PAY b @100", "PAY c @100"]);
    see("none", await made.run([]), []);
  }),
  scripted("executions: 1 process, an abort of a turn with a limit", async (_, see, world) => {
    const service = new Service(world);
    service.slowMs = 100;
    const { made, turn } = await program(service, { concurrency: 1 });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stop")), 150);
    const calls = ["a", "b", "c"].map((id) => call(id));
    see("it rejects", await thrown(() => made.run(calls, { signal: stop.signal })), "stop");
    see("the third was never sent", service.ran(), ["PAY a", "PAY b"]);
    see("again", await turn(calls), ["succeeded again", "unknown again", "succeeded"]);
    see("then it is", service.ran(), ["PAY c"]);
  }),
  scripted("executions: 1 process, an abort of calls that wait for the rate limit", async (_, see, world) => {
    const { service, requests, made, turn } = await limited(world);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stop")), 1_000);
    const calls = [call("a"), call("b")];
    see("it rejects", await thrown(() => made.run(calls, { signal: stop.signal })), "stop");
    see("nothing started", [world.time.now, requests, service.sent], [1_000, [], []]);
    see("they run when the window ends", await turn(calls), ["succeeded", "succeeded"]);
    see("once", service.ran(), ["PAY a", "PAY b"]);
    see("and start then", new Set(requests.map((request) => request.split("@")[1])), new Set(["60001"]));
  }),
  scripted("executions: 1 process, a second run of a call that waits for the rate limit", async (_, see, world) => {
    const { service, requests, turn } = await limited(world);
    const first = turn([call("a")]);
    await wait(1_000);
    const second = turn([call("a")]);
    const other = turn([call("a", { to: "b" })]);
    see("the second has its result", [await first, await second], [["succeeded"], ["succeeded again"]]);
    see("another call under its id doesn't run", await other, ["not_run"]);
    see("it ran once", [service.ran(), requests.length], [["PAY a"], 2]);
  }),
  scripted("executions: 1 process, a deadline of a call that waits for the rate limit", async (_, see, world) => {
    const { service, requests, run } = await limited(world);
    const late = await run("a", undefined, undefined, { deadlineMs: 5_000 });
    see("it never starts", [late.status, Object(late.error).name, requests], ["not_run", "TimeoutError", []]);
    see("right away", world.time.now, 0);
    service.slowMs = 3_000;
    const slow = await run("b", undefined, undefined, { deadlineMs: 62_000 });
    see("it ends while it runs", [slow.status, world.time.now], ["unknown", 62_000]);
    service.slowMs = 0;
    see("again", [ended(await run("b")), ended(await run("a"))], ["unknown again", "succeeded"]);
  }),
  scripted("executions: 1 process, an abort and a deadline while a start is recorded", async (_, see, world) => {
    const service = new Service(world);
    const memory = memoryExecutions();
    let startMs = 10_000;
    const start: typeof memory.start = async (...args) => {
      await wait(startMs);
      return memory.start(...args);
    };
    const { made, run } = await program(service, { executions: { ...memory, start } });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stop")), 1_000);
    see("an abort", await thrown(() => made.run([call("a")], { signal: stop.signal })), "stop");
    see("waits no longer", world.time.now, 1_000);
    const late = await run("b", undefined, undefined, { deadlineMs: 2_000 });
    see("nor does a deadline", [late.status, world.time.now], ["not_run", 3_000]);
    await wait(10_000);
    startMs = 0;
    see("their starts are their own", [ended(await run("a")), ended(await run("b"))], ["succeeded", "succeeded"]);
    see("the service ran", service.ran(), ["PAY a", "PAY b"]);
  }),
  scripted("executions: 1 process, what a local function gets with its call", async (_, see) => {
    const got: unknown[] = [];
    const own = tool({
      ...{ name: "pay", description: "Pays.", parameters },
      execute: (args, context) => {
        got.push(args, context);
        return "paid";
      },
    });
    const { svc } = new Service({ time: { now: 0 }, note: () => {} } as never);
    const { run } = await program({ svc } as Service, { tools: [own] });
    const { signal } = new AbortController();
    await run("a", { to: "a" }, "pay", { signal, deadlineMs: 5_000, timeoutMs: 1_000 });
    const limits = { signal, deadlineMs: 5_000, timeoutMs: 1_000 };
    see("all of it", got, [{ to: "a" }, { callId: "a", userId: "user-1", accountId: undefined, ...limits }]);
  }),
  scripted("executions: 1 process, middleware beside records, cuts, dry runs and budgets", async (_, see, world) => {
    const service = new Service(world);
    const seen: string[] = [];
    const use = [
      async (given: { callId: string; arguments: object }, next: () => Promise<never>) => {
        seen.push(given.callId);
        given.arguments = { to: `${Object(given.arguments).to}!` };
        return next();
      },
    ];
    const rules = policy(
      [allow({ tools: ["PAY"], when: { to: { like: "*!" } } }), budget({ id: "bytes", maxArgumentBytes: 24 })],
      { budgets: memoryBudgets() },
    );
    const { turn, run } = await program(service, { use: use as never, policy: rules });
    const [dry] = [await run("a", undefined, "PAY", { dryRun: true })];
    see("a dry run shows what it sends", [dry.status, Object(dry.data).arguments], ["dry_run", { to: "a!" }]);
    see("a call", await turn([call("a")]), ["succeeded"]);
    see(
      "one that has run, and a cut one",
      await turn([call("a"), call("b", { to: "b" }, "PAY", { isTruncated: true })]),
      [...["succeeded again", "not_run"]],
    );
    see("it isn't asked about them", seen, ["a", "a"]);
    see("the same arguments again", [(await run("c")).status, (await run("d")).status], ["succeeded", "not_run"]);
    const read = async () => (await rules.budgets.read({ id: "bytes", userId: "user-1" })).map(({ used }) => used);
    see("what is sent counts", await read(), [22]);
    see("the service ran", service.ran(), ["PAY a!", "PAY c!"]);
  }),
  scripted("executions: 1 process, calls of a program beside a budget and a condition", async (_, see, world) => {
    const service = new Service(world);
    const rules = policy([
      ...[allow({ tools: ["LOOK", "TIP"] }), allow({ tools: ["PAY"], when: { to: { not: { is: "b" } } } })],
      budget({ id: "tips", maxCalls: 5, tools: ["TIP"] }),
    ]);
    const { turn } = await program(service, { policy: rules });
    const own = { isFromProgram: true };
    const calls = ["LOOK", "TIP", "PAY"].map((name) => call(name, { to: "a" }, name, own));
    see("only the one without both", await turn(calls), ["succeeded", "not_run", "not_run"]);
    const direct = ["LOOK", "TIP", "PAY"].map((name) => call(name, { to: "a" }, name));
    see("of the model", await turn(direct), ["succeeded again", "succeeded", "succeeded"]);
    see("the service ran", service.ran().toSorted(), ["LOOK a", "PAY a", "TIP a"]);
  }),
  scripted("executions: 1 process, results that are shortened, and again", async (_, see, world) => {
    const service = new Service(world);
    service.answers.push(() => done({ text: "x".repeat(3_000) }));
    const { run, made } = await program(service, { maxResultBytes: 1_024 });
    const first = await run("a");
    see("a part", [first.text.length <= 1_024, Object(first.data).text.length], [true, 3_000]);
    const again = await run("a");
    see("the same part", [again.text === first.text, again.data, again.isReplay], [true, undefined, true]);
    const turns = await program(service, { maxTurnBytes: 2_048 });
    for (const size of [1_500, 1_500]) service.answers.push(() => done({ text: "x".repeat(size) }));
    const both = await turns.made.run([call("b"), call("c")]);
    const bytes = both.reduce((sum, { text }) => sum + text.length, 0);
    see("together", [bytes <= 2_048, both.every(({ text }) => text.length > 900)], [true, true]);
    const whole = (await turns.run("b")).text.length;
    see("alone, the recorded one is whole", whole > 1_500, true);
    see("none of its calls", (await made.run([call("a"), call("a")])).map(ended), [
      "succeeded again",
      "succeeded again",
    ]);
  }),
  scripted("executions: 1 process, files of a result, and again", async (_, see, world) => {
    const service = new Service(world);
    const file = { s3url: "https://files.test/1?key=secret", name: "a.txt", mimetype: "text/plain", file: "own" };
    service.answers.push(() => done({ one: file, more: [file] }));
    const { run } = await program(service);
    const { files, text, data } = await run("a");
    const facts = { name: "a.txt", mimetype: "text/plain", bytes: undefined, error: undefined, url: file.s3url };
    see("its files", files, [
      { handle: "a/file_1", ...facts },
      { handle: "a/file_2", ...facts },
    ]);
    const shown = (handle: string) => ({ file: handle, name: "a.txt", mimetype: "text/plain" });
    see("the model reads", JSON.parse(text), { one: shown("a/file_1"), more: [shown("a/file_2")] });
    see("the program", Object(data).one, file);
    const again = await run("a");
    see("again", [again.files, again.text === text], [[], true]);
  }),
  scripted("executions: 1 process, a call that is tried again, and its id", async (_, see, world) => {
    const service = new Service(world, { maxRetries: 2 });
    const ids: (string | null)[] = [];
    const answer = (respond: () => Response) => (request: Request) => {
      ids.push(request.headers.get("x-request-id"));
      return respond();
    };
    const unreachable = (hasStarted?: boolean) => () => {
      throw Object.assign(broken("ECONNREFUSED"), hasStarted === undefined ? {} : { hasStarted });
    };
    const limited = () => tooMany({ "retry-after": "2" });
    service.answers.push(
      answer(limited),
      answer(unreachable(false)),
      answer(() => done()),
    );
    service.answers.push(answer(limited), answer(unreachable()));
    const events: string[] = [];
    const executions = memoryExecutions();
    const start: typeof executions.start = (id, stamp) => {
      events.push(stamp.split(" ").at(-1) ?? "");
      return executions.start(id, stamp);
    };
    const onEvent = ({ type }: AgentEvent) => events.push(type);
    const { turn } = await program(service, { executions: { ...executions, start }, onEvent });
    see("it runs", await turn([call("a")]), ["succeeded"]);
    see("when", service.sent.splice(0), ["PAY a @0", "PAY a @2001", "PAY a @2752"]);
    see("under one id", [ids.length, new Set(ids).size], [3, 1]);
    see("which is recorded once", events.splice(0), [ids[0], "started", "finished"]);
    // A fetch of the program may have sent a request although it could not connect.
    see("another", await turn([call("b")]), ["unknown"]);
    see("isn't sent again", service.ran(), ["PAY b", "PAY b"]);
    see("under another id", [new Set(ids).size, events[0] === ids[3]], [2, true]);
  }),
];
