// Lost calls and the execution log beside retries, aborts, deadlines, pages, sessions, labels and repeated calls.
import { memoryExecutions, type ToolMiddleware, toolset } from "../../../src/agents/index.js";
import { allow, deny, label, policy } from "../../../src/agents/policy-entry.js";
import type { Definition, World } from "../world.js";
import { toolOf } from "./decisions.js";
import { Logging } from "./looking-up.js";
import { scripted, thrown } from "./scripted.js";
import { call, ended, wait } from "./service.js";

const execution = { toolSlug: "PAY", arguments: { to: "a" }, userId: "user-1" };
const since = (ms: number) => ({ startedAfter: new Date(Date.now() - ms) });

/** A model whose calls' responses are lost, and the log in which they are looked up. */
async function losing(world: World, options: object = {}) {
  const log = new Logging(world);
  const memory = memoryExecutions();
  /** Whether ends can't be recorded, as if the process died. */
  const store = { isDown: false };
  const finish: typeof memory.finish = (...args) =>
    store.isDown ? Promise.reject(new Error("It is down.")) : memory.finish(...args);
  const executions = { ...memory, finish };
  const from = { formatVersion: 1, tools: [toolOf("PAY"), toolOf("LOOK"), toolOf("TIP")] } as const;
  const settle = { deadlineMs: 3_000, pollMs: 1_000 };
  const open = (more: object = {}) =>
    toolset(log.svc, { userId: "user-1", from, executions, settle, ...options, ...more });
  const made = await open();
  const turn = async (...calls: ReturnType<typeof call>[]) => (await made.run(calls)).map(ended);
  return { log, store, open, made, turn };
}

export const togetherSettling: readonly Definition[] = [
  scripted("settling: 1 process, exactly when a log is complete, and when a search ends", async (_, see, world) => {
    const log = new Logging(world);
    log.arrives = false;
    const settled = async (options: object) => {
      const startedAt = world.time.now;
      log.requests.length = 0;
      const found = await log.settled(options);
      return [...found, world.time.now - startedAt, log.requests.filter((request) => request === "list").length];
    };
    // Each pause takes a millisecond more, because timers may fire early.
    const options = { deadlineMs: 5_000, pollMs: 1_000 };
    see("after the third look", await settled({ ...options, loggedWithinMs: 2_001 }), ["not_run", 2_002, 4]);
    see("a look later", await settled({ ...options, loggedWithinMs: 2_002 }), ["not_run", 3_003, 5]);
    see("not before its deadline", await settled({ ...options, loggedWithinMs: 5_000 }), [
      "unknown",
      "not_in_log",
      4_004,
      6,
    ]);
    see("one look", await settled({ deadlineMs: 1_000, pollMs: 1_000 }), ["unknown", "not_in_log", 0, 2]);
    log.delayMs = 3_003;
    log.arrives = true;
    see("in the log at the fourth look", await settled({ deadlineMs: 5_000, pollMs: 1_001 }), [
      "succeeded",
      "log_0",
      3_006,
      4,
    ]);
  }),
  scripted("settling: 1 process, an abort while it looks, between looks, and in a page", async (_, see, world) => {
    const log = new Logging(world);
    log.arrives = false;
    const aborted = async (afterMs: number, options: object = {}) => {
      const stop = new AbortController();
      setTimeout(() => stop.abort(new Error("stop")), afterMs);
      const startedAt = world.time.now;
      const message = await thrown(() => log.settled({ signal: stop.signal, ...options }));
      return [message, world.time.now - startedAt];
    };
    see("between looks", await aborted(500), ["stop", 500]);
    log.slowMs = 1_000;
    see("while it looks", await aborted(1_500), ["stop", 1_500]);
    log.hasIds = false;
    log.pageSize = 1;
    for (let number = 0; number < 3; number += 1) log.add();
    log.requests.length = 0;
    see("in its entries", await aborted(5_500, { exclusive: true, deadlineMs: 60_000 }), ["stop", 5_500]);
    see("no request follows", [await wait(10_000), log.requests.length], [undefined, 7]);
  }),
  scripted("settling: 1 process, entries of one id and one entry that comes twice", async (_, see, world) => {
    const log = new Logging(world);
    log.add({ requestId: "req-1", parent: "log_9" });
    see("only inner ones", await log.looked({ ...execution, ...since(1_000), requestId: "req-1" }), [
      "unknown",
      "not_in_log",
    ]);
    log.add({ requestId: "req-1", status: "failed" });
    log.add({ requestId: "req-1", arguments: { to: "b" } });
    see("the first of two", await log.looked({ ...execution, ...since(1_000), requestId: "req-1" }), [
      ...["failed", "It failed.", "log_1"],
    ]);
    log.requests.length = 0;
    log.entries.length = 0;
    log.delayMs = 2_500;
    log.add({ requestId: "req-2" });
    see("one that is late", await log.looked({ ...execution, ...since(1_000), requestId: "req-2" }), [
      "succeeded",
      "log_0",
    ]);
    see("it is read once", log.requests, ["list", "list", "list", "list", "show"]);
  }),
  scripted("settling: 1 process, equal arguments in another order, and almost equal ones", async (_, see, world) => {
    const log = new Logging(world);
    log.hasIds = false;
    const args = { to: "a", more: [1, { x: null, y: "ü" }] };
    const looked = async (entry: object) => {
      log.entries.length = 0;
      log.add({ arguments: entry });
      const options = { exclusive: true, loggedWithinMs: 1, deadlineMs: 5_000 };
      return (await log.looked({ ...execution, arguments: args, ...since(1_000) }, options))[0];
    };
    see("in another order", await looked({ more: [1, { y: "ü", x: null }], to: "a" }), "succeeded");
    see("a list in another order", await looked({ to: "a", more: [{ x: null, y: "ü" }, 1] }), "not_run");
    see("one more", await looked({ ...args, z: null }), "not_run");
    see("one less", await looked({ to: "a", more: [1, { y: "ü" }] }), "not_run");
    see("a string", await looked({ to: "a", more: ["1", { x: null, y: "ü" }] }), "not_run");
    see(
      "others are undefined",
      (await log.looked({ ...execution, arguments: { to: "b", x: undefined }, ...since(1_000) }, { deadlineMs: 1 }))[1],
      "not_in_log",
    );
  }),
  scripted("settling: 1 process, a turn of lost calls, and again", async (_, see, world) => {
    const { log, store, turn, open } = await losing(world);
    see("in the log", await turn(call("a"), call("a"), call("b", { to: "b" }, "TIP")), [
      ...["succeeded", "succeeded again", "succeeded"],
    ]);
    log.arrives = false;
    see("not in the log", await turn(call("c")), ["unknown"]);
    const startedAt = world.time.now;
    see("its end is known", [await turn(call("c")), world.time.now - startedAt], [["unknown again"], 0]);
    store.isDown = true;
    await turn(call("d"));
    store.isDown = false;
    log.requests.length = 0;
    log.add({ arguments: { to: "d" } });
    const [dry] = await (await open()).run([call("d")], { dryRun: true });
    see("a dry run looks for none", [dry && ended(dry), log.requests], ["unknown again", []]);
    see("a run does", [await turn(call("d")), log.requests.length > 4], [["unknown again"], true]);
    see("it isn't sent again", log.requests.includes("execute"), false);
  }),
  scripted("settling: 1 process, a lost call that another process finds in the log", async (_, see, world) => {
    const lost = await losing(world);
    const { log, store, open } = lost;
    store.isDown = true;
    log.fault = () => Response.json({ error: { message: "It is down.", status: 500 } }, { status: 500 });
    see("the log is down", await lost.turn(call("a")), ["unknown"]);
    store.isDown = false;
    log.fault = undefined;
    const other = await open();
    const [found] = await other.run([call("a")]);
    see("it is found", [found && ended(found), found?.text.includes("log_0")], ["succeeded again", true]);
    log.entries.length = 0;
    log.requests.length = 0;
    see("for good", [await lost.turn(call("a")), log.requests], [["succeeded again"], []]);
    log.status = "failed";
    store.isDown = true;
    log.fault = () => Response.json({ error: { message: "It is down.", status: 500 } }, { status: 500 });
    await lost.turn(call("b"));
    store.isDown = false;
    log.fault = undefined;
    see("a failure", await lost.turn(call("b")), ["failed again"]);
  }),
  scripted("settling: 1 process, a lost call that middleware keeps from the log", async (_, see, world) => {
    let middleware: ToolMiddleware = (_call, next) => next();
    const wrapped: ToolMiddleware = (one, next) => middleware(one, next);
    const { log, store, turn } = await losing(world, { use: [wrapped] });
    log.fault = () => Response.json({ error: { message: "It is down.", status: 500 } }, { status: 500 });
    store.isDown = true;
    see("its outcome isn't known", await turn(call("a")), ["unknown"]);
    store.isDown = false;
    log.fault = undefined;
    middleware = async () => ({ status: "not_run", text: "Not now." });
    see("it isn't let through", await turn(call("a")), ["unknown again"]);
    middleware = () => Promise.reject(new Error("It is broken."));
    see("it fails", await turn(call("a")), ["unknown again"]);
    middleware = async (_call, next) => Promise.reject(new Error(`It is broken after ${(await next()).status}.`));
    see("it fails afterwards", await turn(call("a")), ["unknown again"]);
    middleware = async (_call, next) => ({ ...(await next()), status: "not_run", text: "It didn't run." });
    see("it can't say that it didn't run", await turn(call("a")), ["succeeded again"]);
    see("what was sent", log.entries.length, 1);
  }),
  scripted("settling: 1 process, a lost call whose result has a label", async (_, see, world) => {
    const rules = policy([
      ...[allow({}), label("read", { tools: ["LOOK"] })],
      deny({ tools: ["PAY"], after: ["read"], reason: "It read." }),
    ]);
    const { log, store, made, turn } = await losing(world, {
      policy: rules,
      conversationId: "chat",
      isNewConversation: true,
    });
    log.fault = () => Response.json({ error: { message: "It is down.", status: 500 } }, { status: 500 });
    store.isDown = true;
    const [look] = await made.run([call("l", { to: "l" }, "LOOK")]);
    see("its outcome isn't known, its label is", [look?.status, look?.labels], ["unknown", ["read"]]);
    see("after it", await turn(call("a")), ["not_run"]);
    store.isDown = false;
    log.fault = undefined;
    const [again] = await made.run([call("l", { to: "l" }, "LOOK")]);
    see("found", [again && ended(again), again?.labels], ["succeeded again", ["read"]]);
    see(
      "what was sent",
      log.entries.map(({ slug }) => slug),
      ["LOOK"],
    );
  }),
  scripted("settling: 1 process, an abort of a turn whose call is looked for", async (_, see, world) => {
    const { log, store, made, turn } = await losing(world);
    log.delayMs = 2_000;
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stop")), 500);
    see("it rejects", await thrown(() => made.run([call("a")], { signal: stop.signal })), "stop");
    see("right away", world.time.now, 500);
    await wait(2_000);
    see("later, it is found", await turn(call("a")), ["succeeded again"]);
    log.arrives = false;
    store.isDown = true;
    await turn(call("b"));
    store.isDown = false;
    const again = new AbortController();
    const startedAt = world.time.now;
    setTimeout(() => again.abort(new Error("stop")), 500);
    see("while one is looked for again", await thrown(() => made.run([call("b")], { signal: again.signal })), "stop");
    see("right away, too", world.time.now - startedAt, 500);
    see("both were sent once", log.requests.filter((request) => request === "execute").length, 2);
  }),
  scripted(
    "settling: 1 process, an abort in the last look, and arguments that JSON writes differently",
    async (_, see, world) => {
      const log = new Logging(world);
      log.slowMs = 500;
      const stop = new AbortController();
      setTimeout(() => stop.abort(new Error("stop")), 250);
      const limits = { deadlineMs: 1_000, pollMs: 1_000, signal: stop.signal };
      see("it rejects", await thrown(() => log.looked({ ...execution, ...since(1_000) }, limits)), "stop");
      see("right away", world.time.now, 250);
      log.slowMs = 0;
      log.hasIds = false;
      log.add({ arguments: { at: "1970-01-01T00:00:00.000Z", list: [null] } });
      const args = { at: new Date(0), list: [undefined], none: undefined };
      see("what was sent", await log.looked({ ...execution, arguments: args, ...since(1_000) }, { exclusive: true }), [
        ...["succeeded", "log_0"],
      ]);
    },
  ),
];
