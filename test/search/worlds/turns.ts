// What a program sees of the calls of one conversation, one turn after the other.
import {
  type CallResult,
  type ExecutionStore,
  memoryExecutions,
  type ToolCall,
  type ToolRecord,
  type Toolset,
  tool,
  toolset,
} from "../../../src/agents/index.js";
import { Svc } from "../../../src/index.js";
import type { Definition, Process, World } from "../world.js";
import { scripted, thrown } from "./scripted.js";

const facts = { description: "Moves an amount.", toolkit: "bank", version: "20251023_00", no_auth: true };
const input_parameters = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };
const PAY: ToolRecord = { slug: "PAY", tags: [], input_parameters, ...facts };
const READ: ToolRecord = { slug: "READ", tags: ["readOnlyHint"], input_parameters, ...facts };

const ok = (data: object) => Response.json({ data, successful: true, error: null, log_id: "log_1" });
const rejected = (status: number, words = "Not now.") =>
  Response.json({ error: { message: words, slug: "Rejected", status } }, { status });

/** A service that counts what it has done. What it answers next can be set. */
class Service {
  readonly ran: string[] = [];
  /** How many requests are open now, and how many were at most. */
  open = 0;
  mostOpen = 0;
  next: ((slug: string) => Response | undefined)[] = [];
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  fetchFrom(process: Process): (request: Request) => Promise<Response> {
    return async (request) => {
      const slug = new URL(request.url).pathname.split("/").at(-1) ?? "";
      const { to } = (await request.json()).arguments;
      this.open += 1;
      this.mostOpen = Math.max(this.open, this.mostOpen);
      const id = request.headers.get("x-request-id") ?? "";
      const answer = () => process.request(`${slug} ${to}`, "service", async () => this.#answer(slug, to, id));
      return answer().finally(() => {
        this.open -= 1;
      });
    };
  }

  /** The ids of the requests that arrived. */
  readonly ids: string[] = [];

  #answer(slug: string, to: unknown, id: string): Response {
    this.ids.push(id);
    const other = this.next.shift()?.(slug);
    if (other && other.status !== 200) return other;
    this.ran.push(`${slug} ${to}`);
    this.#world.note("service", `${slug} ${to} runs`);
    return other ?? ok({ receipt: `${to} ${this.ran.length}` });
  }
}

type Options = Partial<Parameters<typeof toolset>[1]> & object;

async function opened(world: World, process: Process, options: Options = {}, store?: ExecutionStore) {
  const service = new Service(world);
  const svc = new Svc({
    ...{ baseUrl: "https://service.test", apiKey: "key", env: {}, maxRetries: 1 },
    fetch: service.fetchFrom(process),
  });
  const executions = process.through("executions", store ?? memoryExecutions(), (_, [id]) => String(id));
  const from = { formatVersion: 1, tools: [PAY, READ] } as const;
  const tools = await toolset(svc, { userId: "user-1", from, executions, ...options });
  return { service, svc, tools, from, executions };
}

const call = (callId: string, to: unknown = callId, more: Partial<ToolCall> = {}): ToolCall => {
  return { callId, name: "PAY", arguments: { to }, ...more };
};

const shown = ({ status, isReplay }: CallResult) => (isReplay ? `${status} again` : status);
const seenOf = async (tools: Toolset, ...[calls, options]: Parameters<Toolset["run"]>) =>
  (await tools.run(calls, options)).map(shown);

/** Worlds of one program. */
export const turns: readonly Definition[] = [
  scripted("executions: 1 process, a call again and others under its id", async (process, see, world) => {
    const { service, tools } = await opened(world, process);
    const [first] = await tools.run([call("a")]);
    see("the first run", shown(first as CallResult), "succeeded");
    const [again] = await tools.run([call("a")]);
    see("the second run", [again?.status, again?.isReplay, again?.text], ["succeeded", true, first?.text]);
    see("another call with its id", await seenOf(tools, [call("a", "b")]), ["not_run"]);
    see("an unknown tool", await seenOf(tools, [call("c", "c", { name: "PAY_ALL" })]), ["not_run"]);
    see("no object", await seenOf(tools, [call("d", "d", { arguments: 5 })]), ["not_run"]);
    const [wrong] = await tools.run([call("e", 5)]);
    see("wrong arguments", [wrong?.status, wrong?.mismatches.length], ["not_run", 1]);
    see("the right ones then", await seenOf(tools, [call("e")]), ["succeeded"]);
    see("twice in a turn", await seenOf(tools, [call("f"), call("f")]), ["succeeded", "succeeded again"]);
    see("a program's call", await seenOf(tools, [call("g", "g", { isFromProgram: true })]), ["succeeded"]);
    see("a dry run", await seenOf(tools, [call("h")], { dryRun: true }), ["dry_run"]);
    see("the run after it", await seenOf(tools, [call("h")]), ["succeeded"]);
    for (const odd of [undefined, {}, [5], [{ id: "z", name: "PAY" }], [{ callId: "z", args: {} }]]) {
      see("no calls", (await thrown(() => tools.run(odd as never))).includes("run needs"), true);
    }
    see("JSON", await seenOf(tools, [call("i", 0, { arguments: '{"to":"i"}' })]), ["succeeded"]);
    see("the service ran", service.ran, ["PAY a", "PAY e", "PAY f", "PAY g", "PAY h", "PAY i"]);
  }),
  scripted("executions: 1 process, the memory of a client", async (process, see, world) => {
    const { service, svc, tools, from } = await opened(world, process, { executions: undefined });
    see("a call", await seenOf(tools, [call("a")]), ["succeeded"]);
    const again = await toolset(svc, { userId: "user-1", from });
    see("in another toolset", await seenOf(again, [call("a")]), ["succeeded again"]);
    const other = await toolset(svc, { userId: "user-2", from });
    see("of another user", await seenOf(other, [call("a")]), ["succeeded"]);
    const session = await toolset(svc, { userId: "user-1", from, conversationId: "chat" });
    see("in a conversation", await seenOf(session, [call("a")]), ["succeeded"]);
    see("the service ran", service.ran.length, 3);
  }),
  scripted("executions: 1 process, calls that were cut off", async (process, see, world) => {
    const { service, tools } = await opened(world, process);
    const cut = { isTruncated: true };
    see("a cut call", await seenOf(tools, [call("a", "a", cut)]), ["not_run"]);
    see("it looks whole now", await seenOf(tools, [call("a")]), ["not_run"]);
    see("the whole call", await seenOf(tools, [call("a", "abc")]), ["succeeded"]);
    see("the cut call after it", await seenOf(tools, [call("a", "a", cut)]), ["not_run"]);
    see("the whole call again", await seenOf(tools, [call("a", "abc")]), ["succeeded again"]);
    see("broken JSON", await seenOf(tools, [call("b", 0, { arguments: '{"to":"b' })]), ["not_run"]);
    see("a cut call in a dry run", await seenOf(tools, [call("c", "c", cut)], { dryRun: true }), ["not_run"]);
    see("it runs then", await seenOf(tools, [call("c")]), ["not_run"]);
    see("the service ran", service.ran, ["PAY abc"]);
  }),
  scripted("executions: 1 process, answers of the service", async (process, see, world) => {
    const { service, tools } = await opened(world, process);
    service.next = [() => rejected(500)];
    see("a failure of the service", await seenOf(tools, [call("a")]), ["unknown"]);
    see("the call again", await seenOf(tools, [call("a")]), ["unknown again"]);
    const error = { message: "No connected account found", status: 500, code: 1810 };
    service.next = [() => Response.json({ error }, { status: 500 })];
    const [unclear] = await tools.run([call("x")]);
    see("a failure about an account", [unclear?.status, unclear?.authRequired], ["unknown", undefined]);
    service.next = [() => rejected(400)];
    see("a rejection", await seenOf(tools, [call("b")]), ["not_run"]);
    see("the call again", await seenOf(tools, [call("b")]), ["succeeded"]);
    service.next = [() => Response.json({ data: { why: 5 }, successful: false, error: "No money.", log_id: "log_2" })];
    const [failed] = await tools.run([call("c")]);
    see("a failed call", [failed?.status, failed?.text.includes("No money.")], ["failed", true]);
    const [again] = await tools.run([call("c")]);
    see("the call again", [again?.status, again?.isReplay, again?.text], ["failed", true, failed?.text]);
    service.next = [() => rejected(500)];
    see("a read", await seenOf(tools, [call("d", "d", { name: "READ" })]), ["unknown"]);
    see("the service ran", service.ran, ["PAY b", "PAY c"]);
    see("each request has its id", new Set(service.ids).size, service.ids.length);
    see(
      "ids of requests have no spaces",
      service.ids.filter((id) => !/^[\w-]{8,}$/.test(id)),
      [],
    );
  }),
  scripted("executions: 1 process, reads that the program trusts", async (process, see, world) => {
    const { service, tools } = await opened(world, process, { trustHints: true });
    const read = (id: string) => [call(id, id, { name: "READ" })];
    service.next = [() => rejected(500)];
    see("a read is sent again", await seenOf(tools, read("a")), ["succeeded"]);
    service.next = [() => rejected(500), () => rejected(500)];
    const [failed] = await tools.run(read("b"));
    see("a read that failed twice", [failed?.status, failed?.text.includes("call it again")], ["failed", true]);
    service.next = [() => rejected(400)];
    see("a read that is rejected", await seenOf(tools, read("c")), ["failed"]);
    service.next = [() => rejected(500)];
    see("other calls aren't", await seenOf(tools, [call("d")]), ["unknown"]);
    const error = { message: "No connected account found", status: 404, code: 1810 };
    service.next = [() => Response.json({ error }, { status: 404 })];
    const [missing] = await tools.run(read("e"));
    see("a read without an account", [missing?.status, missing?.authRequired?.reason], ["not_run", "not_connected"]);
    see("the service ran", service.ran, ["READ a"]);
  }),
  scripted("executions: 1 process, local tools", async (process, see, world) => {
    const ran: string[] = [];
    const parameters = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };
    const local = (name: string, execute: (args: { to?: unknown }) => unknown, tags: string[] = []) =>
      tool({ name, description: name, parameters, tags, execute });
    const pay = local("pay", (args) => {
      ran.push(`pay ${args.to}`);
      world.note("effect", `pay ${args.to}`);
      args.to = "changed";
      return { paid: ran.length };
    });
    const fail = local("fail", (args) => {
      ran.push(`fail ${args.to}`);
      throw Object.assign(new Error("It failed."), { status: 400, outcome: "rejected" });
    });
    const look = local("look", () => {
      throw new Error("Nothing to see.");
    }, ["readOnlyHint"]);
    const { tools } = await opened(world, process, { from: undefined, tools: [pay, fail, look] });
    const run = (id: string, name: string) => seenOf(tools, [call(id, id, { name })]);
    see("a local tool", await run("a", "pay"), ["succeeded"]);
    see("the call again", await run("a", "pay"), ["succeeded again"]);
    see("one that throws", await run("b", "fail"), ["unknown"]);
    see("the call again", await run("b", "fail"), ["unknown again"]);
    const [looked] = await tools.run([call("c", "c", { name: "look" })]);
    see("a local read that throws", [looked?.status, looked?.text.includes("Nothing to see.")], ["failed", true]);
    see("it ran", ran, ["pay a", "fail b"]);
  }),
  scripted("executions: 1 process, so many calls at the same time", async (process, see, world) => {
    const executions = memoryExecutions();
    const { service, tools } = await opened(world, process, { concurrency: 2, executions });
    const results = await tools.run(["a", "b", "c"].map((id) => call(id)));
    see(
      "their order",
      results.map(({ callId }) => callId),
      ["a", "b", "c"],
    );
    see("at the same time", service.mostOpen, 2);
    see("the service ran", service.ran.toSorted(), ["PAY a", "PAY b", "PAY c"]);
    const all = await opened(world, process, { executions: memoryExecutions() });
    await all.tools.run(["a", "b", "c"].map((id) => call(id)));
    see("at the same time, without a limit", all.service.mostOpen, 3);
  }),
  scripted("executions: 1 process, aborted runs", async (process, see, world) => {
    const { service, tools } = await opened(world, process);
    const stop = new AbortController();
    stop.abort(new Error("stop"));
    see("a run after the abort", await thrown(() => tools.run([call("a")], { signal: stop.signal })), "stop");
    const later = new AbortController();
    service.next = [
      () => {
        later.abort(new Error("stop it"));
        return undefined;
      },
    ];
    see("a run while it is aborted", await thrown(() => tools.run([call("b")], { signal: later.signal })), "stop it");
    see("the call that was sent", await seenOf(tools, [call("b")]), ["unknown again"]);
    see("the call that was not", await seenOf(tools, [call("a")]), ["succeeded"]);
    see("the service ran", service.ran, ["PAY b", "PAY a"]);
  }),
  scripted("executions: 1 process, a memory that is full", async (process, see, world) => {
    const store = memoryExecutions({ maxResults: 1, maxCalls: 4 });
    const { service, tools } = await opened(world, process, {}, store);
    for (const id of ["a", "b"]) see(`the call ${id}`, await seenOf(tools, [call(id)]), ["succeeded"]);
    see("the newest result", await seenOf(tools, [call("b")]), ["succeeded again"]);
    see("an older result", await seenOf(tools, [call("a")]), ["unknown again"]);
    service.next = [() => rejected(400)];
    see("a rejected call", await seenOf(tools, [call("c")]), ["not_run"]);
    for (const id of ["c", "d"]) see(`the call ${id}`, await seenOf(tools, [call(id)]), ["succeeded"]);
    see("a call too many", await seenOf(tools, [call("e")]), ["not_run"]);
    see("a known call", await seenOf(tools, [call("d")]), ["succeeded again"]);
    see("the service ran", service.ran, ["PAY a", "PAY b", "PAY c", "PAY d"]);
  }),
  scripted("executions: a store in memory", async (_, see) => {
    const warnings: unknown[] = [];
    const { warn } = console;
    console.warn = (text) => warnings.push(text);
    const store = memoryExecutions({ maxResults: 2, maxCalls: 40 });
    const id = (conversation: string, call: string) => JSON.stringify([conversation, call]);
    const resultOf = async (key: string) => (await store.find(key))?.result;
    see("a start", await store.start("a", "s1"), undefined);
    see("repeated", await store.start("a", "s2"), { stamp: "s1", result: undefined });
    await store.finish("a", "s2", "other");
    await store.finish("a", "s2");
    see("the end of another start", await store.find("a"), { stamp: "s1", result: undefined });
    await store.finish("a", "s1");
    see("it never ran", await store.find("a"), undefined);
    await store.start("b", "s1");
    await store.finish("b", "s1", "");
    see("an empty end", await store.find("b"), { stamp: "s1", result: "" });
    await store.finish("c", "s1", "unknown");
    see("the end of no call", await store.find("c"), undefined);
    for (const [conversation, calls] of [
      ["one", 4],
      ["two", 1],
    ] as const) {
      for (let call = 0; call < calls; call += 1) {
        await store.start(id(conversation, `${call}`), "s");
        await store.finish(id(conversation, `${call}`), "s", `result ${call}`);
      }
    }
    const ofOne = await Promise.all([0, 1, 2, 3].map((call) => resultOf(id("one", `${call}`))));
    see("the newest of a conversation", ofOne, [undefined, undefined, "result 2", "result 3"]);
    see("another one's", await resultOf(id("two", "0")), "result 0");
    for (let conversation = 0; conversation < 18; conversation += 1) {
      await store.start(id(`c${conversation}`, "0"), "s");
      await store.finish(id(`c${conversation}`, "0"), "s", "more");
    }
    const keys = [id("one", "2"), id("one", "3"), id("two", "0"), id("c17", "0")];
    see("the newest of all", await Promise.all(keys.map(resultOf)), [undefined, "result 3", "result 0", "more"]);
    see("no warning", warnings.length, 0);
    for (let call = 0; call < 16; call += 1) await store.start(`more ${call}`, "s");
    see("one warning", warnings.length, 1);
    see("one too many", (await thrown(() => store.start("last", "s"))) !== "", true);
    const small = memoryExecutions({ maxCalls: 10 });
    for (let call = 0; call < 8; call += 1) await small.start(`${call}`, "s");
    see("no warning before nine of ten", warnings.length, 1);
    await small.start("8", "s");
    see("then one", warnings.length, 2);
    console.warn = warn;
  }),
];
