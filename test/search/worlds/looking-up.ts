// What the execution log tells one program of its lost calls, entry by entry.
import { memoryExecutions, type ToolRecord, toolset } from "../../../src/agents/index.js";
import { type SettleOptions, Svc } from "../../../src/index.js";
import type { Definition, World } from "../world.js";
import { scripted, thrown } from "./scripted.js";

const EPOCH = Date.UTC(2026, 0, 1);
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Entry {
  readonly id: string;
  readonly slug: string;
  readonly user: string;
  readonly at: number;
  readonly requestId: string | null;
  readonly arguments: unknown;
  readonly parent: string | null;
  readonly status: string;
}

/** A service whose responses to executions are lost, and its log. */
export class Logging {
  readonly entries: Entry[] = [];
  /** The response to an execution; by default, it runs and its response is lost. */
  answer: (() => Response) | undefined;
  /** Whether executions reach the service. */
  arrives = true;
  /** How late an entry is in the log. */
  delayMs = 0;
  /** How long it takes to answer. */
  slowMs = 0;
  pageSize = 100;
  hasIds = true;
  hasPayloads = true;
  hasDates = true;
  /** How far its clock is ahead of the client's. */
  aheadMs = 0;
  /** The last page has it in place of a cursor. */
  noCursor: null | "" = null;
  parent: string | null = null;
  status = "success";
  /** Takes the place of the log. */
  fault: (() => Response) | undefined;
  readonly requests: string[] = [];
  readonly filters: string[] = [];
  /** The times between which it was searched, in seconds since the run started. */
  readonly ranges: number[][] = [];
  readonly svc: Svc;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
    this.svc = new Svc({
      ...{ baseUrl: "https://service.test", apiKey: "key", env: {}, maxRetries: 0 },
      fetch: (request) => this.#fetch(request),
    });
  }

  add(more: Partial<Entry> = {}): void {
    const at = this.#world.time.now;
    const { parent, status } = this;
    const id = `log_${this.entries.length}`;
    this.entries.push({
      id,
      slug: "PAY",
      user: "user-1",
      at,
      requestId: null,
      arguments: { to: "a" },
      parent,
      status,
      ...more,
    });
  }

  async #fetch(request: Request): Promise<Response> {
    if (this.slowMs > 0) await wait(this.slowMs);
    const { pathname } = new URL(request.url);
    const body = request.method === "POST" ? await request.json() : undefined;
    this.requests.push(pathname.includes("/tools/execute/") ? "execute" : body ? "list" : "show");
    if (pathname.includes("/tools/execute/")) {
      const requestId = request.headers.get("x-request-id");
      if (this.arrives)
        this.add({ requestId, arguments: body.arguments, user: body.user_id, slug: pathname.split("/").at(-1) ?? "" });
      if (this.answer) return this.answer();
      throw Object.assign(new TypeError("fetch failed"), { code: "ECONNRESET" });
    }
    if (this.fault) return this.fault();
    return body ? this.#list(body) : this.#show(pathname.split("/").at(-1) ?? "");
  }

  #list({
    filters = [],
    time_range: range,
    limit,
    cursor,
  }: {
    filters?: { field: string; value: string }[];
    time_range?: { from: number; to: number };
    limit: number;
    cursor?: string;
  }): Response {
    this.filters.push(filters.map(({ field }) => field).join());
    if (range) this.ranges.push([range.from, range.to].map((time) => Math.round((time - EPOCH) / 1_000)));
    const value = (field: string) => filters.find((filter) => filter.field === field)?.value;
    const fits = (field: string, own: string | null) => value(field) === undefined || value(field) === own;
    const found = this.entries.filter(
      ({ slug, user, at, requestId }) =>
        at + this.delayMs <= this.#world.time.now &&
        fits("tool_slug", slug) &&
        fits("user_id", user) &&
        (!this.hasIds || fits("request_id", requestId)) &&
        (!range || (this.#dateOf(at) >= range.from && this.#dateOf(at) <= range.to)),
    );
    const start = Number(cursor ?? 0);
    const size = Math.min(this.pageSize, limit);
    const next = start + size < found.length ? String(start + size) : this.noCursor;
    return this.#respond({
      logs: found.slice(start, start + size).map(({ id, parent }) => ({ id, parent })),
      next_cursor: next,
    });
  }

  #show(id: string): Response {
    const entry = this.entries.find((each) => each.id === id);
    if (!entry) return this.#respond({ error: { message: "none", status: 404 } }, 404);
    const { parent, status, requestId, arguments: args } = entry;
    return this.#respond({
      ...{ id, parent, status, message: status === "success" ? null : "It failed." },
      context: { request_id: this.hasIds ? requestId : null },
      data: this.hasPayloads ? { arguments: args, result: { receipt: id } } : null,
    });
  }

  #dateOf(at: number): number {
    return EPOCH + at + this.aheadMs;
  }

  #respond(body: object, status = 200): Response {
    const date = new Date(this.#dateOf(this.#world.time.now)).toUTCString();
    return Response.json(body, { status, headers: this.hasDates ? { date } : {} });
  }

  /** Calls the tool, and looks up what became of it. */
  async settled(options: SettleOptions = {}, args: object = { to: "a" }) {
    const body = { user_id: "user-1", version: "20251023_00", arguments: { ...args } };
    try {
      await this.svc.tools.execute("PAY", body);
      return ["no error"];
    } catch (error) {
      return this.looked(error, options);
    }
  }

  async looked(subject: unknown, options: SettleOptions = {}) {
    const settled = await this.svc.tools.settle(subject as never, { deadlineMs: 5_000, ...options });
    const { outcome } = settled;
    if (outcome === "unknown") return [outcome, settled.reason];
    if (outcome === "not_run") return [outcome];
    const entry = this.entries.find(({ id }) => id === settled.logId);
    if (entry?.id !== Object(settled.data).receipt && this.hasPayloads) return ["another entry", settled.logId];
    const receipt = Object(settled.data).receipt;
    return outcome === "failed" ? [outcome, settled.error, receipt] : [outcome, receipt];
  }
}

const complete = { loggedWithinMs: 2_000 };
const exclusive = { exclusive: true };

const DAY = 86_400;

export const lookingUp: readonly Definition[] = [
  scripted("settling: 1 process, when it looks for a call", async (process, see, world) => {
    const log = new Logging(world);
    /** Looks for a call, and tells the times between which the log was searched, in seconds from now. */
    const between = async (look: () => Promise<unknown>) => {
      const now = Math.round(world.time.now / 1_000);
      await look();
      return log.ranges.splice(0)[0]?.map((time) => time - now);
    };
    log.hasIds = false;
    await wait(500_000);
    see("a minute before it, and a day after it", await between(() => log.settled(exclusive)), [-60, DAY]);
    const execution = { toolSlug: "PAY", arguments: { to: "a" }, userId: "user-1" };
    const earlier = () => log.looked({ ...execution, startedAfter: new Date(Date.now() - 300_000) });
    see("an earlier one", await between(earlier), [-360, DAY - 300]);
    log.aheadMs = 7_000_000;
    see("by the service's clock", await between(earlier), [6_640, DAY + 6_700]);
    log.aheadMs = 0;
    const body = { user_id: "user-1", version: "20251023_00", arguments: { to: "b" } };
    for (const [hours, from, to] of [
      [1, -3_600, 0],
      [-1, 0, 3_600],
    ] as const) {
      const failure = await log.svc.tools.execute("PAY", body).catch((error: unknown) => error);
      process.wallOffsetMs = hours * 3_600_000;
      const range = await between(() => log.looked(failure));
      see("around both times, if a clock was set since", range, [from - 60, to + DAY]);
      process.wallOffsetMs = 0;
    }
  }),
  scripted("settling: 1 process, entry by entry", async (_, see, world) => {
    const log = new Logging(world);
    see("its result", await log.settled(), ["succeeded", "log_0"]);
    see("how", [log.requests, log.filters], [["execute", "list", "show"], ["request_id,tool_slug"]]);
    log.status = "failed";
    see("its failure", await log.settled(), ["failed", "It failed.", "log_1"]);
    log.status = "success";
    log.delayMs = 3_000;
    see("a later entry", await log.settled(), ["succeeded", "log_2"]);
    log.delayMs = 9_000;
    see("one that is too late", await log.settled(), ["unknown", "not_in_log"]);
    log.delayMs = 0;
    log.slowMs = 1_000;
    see("a slow log", (await log.settled())[0], "succeeded");
    log.slowMs = 60_000;
    const askedAt = world.time.now;
    see("one that is too slow", await log.settled(), ["unknown", "log_unavailable"]);
    see("in time", world.time.now - askedAt <= 65_010, true);
    log.slowMs = 0;
    log.entries.length = 0;
    log.arrives = false;
    see("not there", await log.settled(), ["unknown", "not_in_log"]);
    const startedAt = world.time.now;
    see("it never ran", await log.settled(complete), ["not_run"]);
    see("not earlier", world.time.now - startedAt > 2_000, true);
    log.answer = () => Response.json({ error: { message: "No.", status: 400 } }, { status: 400 });
    log.requests.length = 0;
    see("rejected", [await log.settled(), log.requests], [["not_run"], ["execute"]]);
    see("no call's error", await log.looked(new Error("It failed.")), ["unknown", "not_traced"]);
    for (const outcome of ["not_sent", "rejected"]) {
      see(outcome, await log.looked(Object.assign(new Error("It failed."), { outcome })), ["not_run"]);
    }
  }),
  scripted("settling: 1 process, a log without ids", async (_, see, world) => {
    const log = new Logging(world);
    log.hasIds = false;
    see("by its arguments", await log.settled(exclusive), ["succeeded", "log_0"]);
    see("how", log.requests, ["execute", "list", "show", "list"]);
    log.entries.length = 0;
    log.requests.length = 0;
    see("perhaps a twin", await log.settled(), ["unknown", "twins"]);
    see("its entry is read once", log.requests.filter((request) => request === "show").length, 1);
    see("nor is it known later", await log.settled(complete), ["unknown", "twins"]);
    see("two of them", await log.settled(exclusive), ["unknown", "twins"]);
    log.entries.length = 0;
    log.arrives = false;
    log.add({ arguments: { to: "b" } });
    log.add({ slug: "TIP" });
    log.add({ user: "user-2" });
    log.add({ parent: "log_9" });
    see("none of these", await log.settled({ ...exclusive, ...complete }), ["not_run"]);
    see("nor without a promise", await log.settled(complete), ["not_run"]);
    log.hasPayloads = false;
    see("no arguments", await log.settled({ ...exclusive, ...complete }), ["unknown", "no_payload"]);
    see("nothing is known", await log.settled(), ["unknown", "no_payload"]);
    log.hasDates = false;
    log.entries.length = 0;
    see("no clock", await log.settled(complete), ["unknown", "clock"]);
    log.add();
    see("an entry without a clock", await log.settled(complete), ["unknown", "no_payload"]);
  }),
  scripted("settling: 1 process, pages and times of the log", async (_, see, world) => {
    const log = new Logging(world);
    log.hasIds = false;
    log.pageSize = 2;
    log.noCursor = "";
    for (let number = 0; number < 5; number += 1) log.add({ arguments: { to: `other ${number}` } });
    see("on the last page", await log.settled(exclusive), ["succeeded", "log_5"]);
    log.entries.length = 0;
    log.add();
    await wait(120_000);
    log.arrives = false;
    see("long before", await log.settled({ ...exclusive, ...complete }), ["not_run"]);
    log.add({ at: world.time.now - 30_000 });
    see("just before", await log.settled({ ...exclusive, ...complete }), ["succeeded", "log_1"]);
    see("filters", log.filters.at(-1), "tool_slug,user_id");
  }),
  scripted("settling: 1 process, a log that can't be read", async (_, see, world) => {
    const log = new Logging(world);
    const fails = (status: number) => () => Response.json({ error: { message: "It is down.", status } }, { status });
    for (const status of [500, 503, 408, 429, 400, 403, 404]) {
      log.fault = fails(status);
      const startedAt = world.time.now;
      see(`${status}`, await log.settled(), ["unknown", "log_unavailable"]);
      see(`so long for ${status}`, world.time.now - startedAt > 3_000, status >= 500 || [408, 429].includes(status));
    }
    let left = 2;
    log.fault = () => {
      left -= 1;
      if (left === 0) log.fault = undefined;
      return fails(500)();
    };
    see("it works again", await log.settled(), ["succeeded", `log_${log.entries.length - 1}`]);
    const stop = new AbortController();
    log.fault = () => {
      stop.abort(new Error("stop"));
      return fails(500)();
    };
    see("an abort", await thrown(() => log.settled({ signal: stop.signal })), "stop");
    see("no options", (await thrown(() => log.settled({ pollMs: -1 }))) !== "", true);
  }),
  scripted("settling: 1 process, an execution of an earlier one", async (_, see, world) => {
    const log = new Logging(world);
    log.add({ requestId: "req-1" });
    log.add({ requestId: "req-1", parent: "log_0" });
    log.add({ requestId: "req-2" });
    const execution = {
      toolSlug: "PAY",
      arguments: { to: "a" },
      userId: "user-1",
      startedAfter: new Date(Date.now() - 1_000),
    };
    see("by its id", await log.looked({ ...execution, requestId: "req-2" }), ["succeeded", "log_2"]);
    see("without it", await log.looked(execution), ["unknown", "twins"]);
    log.aheadMs = -36_000_000;
    see("a clock that is behind", await log.looked(execution), ["unknown", "twins"]);
    log.aheadMs = 0;
    see("of another", await log.looked({ ...execution, userId: "user-2" }, complete), ["not_run"]);
    see(
      "no later one",
      await log.looked({ ...execution, startedAfter: new Date(Date.now() + 100_000) }, { loggedWithinMs: 1 }),
      [...["unknown", "not_in_log"]],
    );
    const { userId: _user, ...session } = execution;
    await log.looked({ ...session, sessionId: "session-1" });
    see("of a session", log.filters.at(-1), "tool_slug,session_id");
    for (const odd of [
      { ...execution, toolSlug: 5 },
      { ...execution, arguments: 5 },
      session,
      { ...execution, startedAfter: "now" },
      { ...execution, startedAfter: new Date(Number.NaN) },
    ]) {
      see("no execution", (await thrown(() => log.looked(odd))) !== "", true);
    }
  }),
  scripted("settling: 1 process, calls of a model", async (_, see, world) => {
    const PAY: ToolRecord = {
      ...{ slug: "PAY", description: "Pays.", toolkit: "bank", version: "20251023_00", tags: [], no_auth: true },
      input_parameters: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
    };
    const log = new Logging(world);
    const executions = memoryExecutions();
    const from = { formatVersion: 1, tools: [PAY] } as const;
    const settle = { deadlineMs: 5_000, ...complete };
    const tools = await toolset(log.svc, { userId: "user-1", from, executions, settle });
    const run = async (id: string, own = tools) => {
      const [result] = await own.run([{ callId: id, name: "PAY", arguments: { to: id } }]);
      return [result?.status, result?.isReplay, Object(result?.data).receipt];
    };
    see("a lost response", await run("a"), ["succeeded", false, "log_0"]);
    log.requests.length = 0;
    see("the call again", [(await run("a")).slice(0, 2), log.requests], [["succeeded", true], []]);
    log.status = "failed";
    const [bad] = await tools.run([{ callId: "b", name: "PAY", arguments: { to: "b" } }]);
    see("one that failed", [bad?.status, bad?.isReplay, bad?.text.includes("log_1")], ["failed", false, true]);
    log.status = "success";
    log.arrives = false;
    see("one that didn't arrive", (await run("c")).slice(0, 2), ["not_run", false]);
    log.arrives = true;
    see("it can run", await run("c"), ["succeeded", false, "log_2"]);
    log.hasPayloads = false;
    const [bare] = await tools.run([{ callId: "d", name: "PAY", arguments: { to: "d" } }]);
    see("without payloads", [bare?.status, bare?.data], ["succeeded", { successful: true }]);
    log.hasPayloads = true;
    const dying = { ...executions, finish: () => Promise.reject(new Error("It is down.")) };
    const without = await toolset(log.svc, { userId: "user-1", from, executions: dying });
    see("without the log", (await run("e", without)).slice(0, 2), ["unknown", false]);
    see("looked up later", await run("e"), ["succeeded", true, "log_4"]);
    see("for good", (await run("e", without)).slice(0, 2), ["succeeded", true]);
    log.arrives = false;
    see("lost again", (await run("f", without)).slice(0, 2), ["unknown", false]);
    log.arrives = true;
    const startedAt = world.time.now;
    see("its absence proves nothing", (await run("f")).slice(0, 2), ["unknown", true]);
    see("within its deadline", world.time.now - startedAt <= 6_000, true);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stop")), 1_500);
    const aborted = tools.run([{ callId: "f", name: "PAY", arguments: { to: "f" } }], { signal: stop.signal });
    see("an abort", await thrown(() => aborted), "stop");
    see("at once", world.time.now - startedAt <= 8_000, true);
    log.answer = () => Response.json({ error: { message: "No.", status: 400 } }, { status: 400 });
    log.requests.length = 0;
    const [no] = await tools.run([{ callId: "g", name: "PAY", arguments: { to: "g" } }]);
    see("rejected", [no?.status, no?.text.includes("No."), log.requests], ["not_run", true, ["execute"]]);
    log.answer = () => Response.json({ data: {}, successful: false, error: "No money.", log_id: "log_1" });
    log.requests.length = 0;
    see("failed", [(await run("h")).slice(0, 2), log.requests], [["failed", false], ["execute"]]);
    const [lost] = await tools.run([{ callId: "f", name: "PAY", arguments: { to: "f" } }]);
    see("why it is unknown", lost?.error instanceof Error && lost.error.message.includes("not_in_log"), true);
    log.requests.length = 0;
    const [other] = await tools.run([{ callId: "f", name: "PAY", arguments: { to: "other" } }]);
    see("another call under its id", [other?.status, log.requests], ["not_run", []]);
  }),
];
