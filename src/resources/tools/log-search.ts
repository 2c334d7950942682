import type { Core } from "../../client/client.js";
import type { RequestOptions } from "../../client/request-options.js";
import { ApiError } from "../../errors/api-error.js";
import { field, isObject, isString, type Json } from "../../shared/json.js";
import { sameJson } from "../../shared/same-json.js";
import { DAY_MS } from "../../shared/timers.js";
import { logs } from "../logs/endpoints.js";
import type { ListToolExecutionLogsBody, ToolExecutionLogDetail, ToolExecutionLogFilter } from "../logs/schema.js";

/** The facts by which the log is searched. */
export interface ExecutionTrace {
  readonly toolSlug: string;
  /** The arguments as they were sent. `undefined` if the service derived them from the call's `text`. */
  readonly arguments: unknown;
  readonly userId: string | undefined;
  readonly sessionId: string | undefined;
  /** The start of the call on the client's monotonic clock, in milliseconds. */
  readonly startedAt: number;
  /** The time of its request by the client's clock, in milliseconds since 1970. */
  readonly sentAt: number;
  readonly requestId: string | undefined;
}

/** Reason why the outcome of an execution is unknown. */
export type UnsettledReason =
  /**
   * Not the error of an execution of this process, for example the reason of an abort, which several calls may share.
   */
  | "not_traced"
  /** The execution isn't in the log, and `loggedWithinMs` isn't set or hasn't passed. */
  | "not_in_log"
  /** The log has executions with the same tool, user and arguments, which can't be distinguished. */
  | "twins"
  /**
   * The log has executions of the tool for the user whose arguments can't be compared: the project doesn't store them,
   * or the call had `text` instead of arguments.
   */
  | "no_payload"
  /** The service's time isn't known, so times in the log can't be compared with the time of the call. */
  | "clock"
  /** The log couldn't be read. `cause` is the error. */
  | "log_unavailable";

/** Outcome of an execution, from the execution log. */
export type Settlement =
  /** The tool succeeded. `data` is its result, or `undefined` if the project doesn't store results. */
  | { readonly outcome: "succeeded"; readonly logId: string; readonly data: unknown }
  /** The tool ran and failed. */
  | { readonly outcome: "failed"; readonly logId: string; readonly error: string | undefined; readonly data: unknown }
  /** The tool didn't run, so you can call it again. */
  | { readonly outcome: "not_run" }
  /** The log doesn't show the outcome. */
  | { readonly outcome: "unknown"; readonly reason: UnsettledReason; readonly cause?: unknown };

/** The service's clock is known to a second, so an entry may seem earlier than its call. */
const BEFORE_MS = 60_000;
const AFTER_MS = DAY_MS;

/** Searches the execution log for one execution. */
export class LogSearch {
  readonly #core: Core;
  readonly #trace: ExecutionTrace;
  readonly #isExclusive: boolean;
  readonly #options: () => RequestOptions;
  /** Entries that were read, by id. An entry never changes. */
  readonly #read = new Map<string, ToolExecutionLogDetail>();
  /** The entries around the time of the call, in the last complete look. */
  #around: readonly ToolExecutionLogDetail[] = [];
  /** The same moment by the service's clock and both of the client's, once a response has told the service's time. */
  #moment: { readonly ofService: number; readonly monotonic: number; readonly now: number } | undefined;

  constructor(core: Core, trace: ExecutionTrace, isExclusive: boolean, options: () => RequestOptions) {
    this.#core = core;
    this.#trace = trace;
    this.#isExclusive = isExclusive;
    this.#options = options;
  }

  /**
   * Reads the log once. `undefined` if another look may find more.
   *
   * @param isComplete - Whether an execution that isn't in the log now didn't run.
   * @param isLast - Whether this is the last look, so that the reason must be found too.
   */
  async look(isComplete: boolean, isLast: boolean): Promise<Settlement | undefined> {
    try {
      const own = await this.#ownEntry();
      if (own) return settled(own);
      if (this.#isExclusive || isComplete || isLast) await this.#readAround();
    } catch (cause) {
      this.#options().signal?.throwIfAborted();
      return isLast || isFinal(cause) ? { outcome: "unknown", reason: "log_unavailable", cause } : undefined;
    }
    const { equal, incomparable } = this.#sorted();
    const [only] = equal;
    if (this.#isExclusive && equal.length === 1 && only) return settled(only);
    if (!isComplete && !isLast) return undefined;
    if (equal.length > 0) return { outcome: "unknown", reason: "twins" };
    if (incomparable.length > 0) return { outcome: "unknown", reason: "no_payload" };
    if (!isComplete) return { outcome: "unknown", reason: "not_in_log" };
    return this.#moment === undefined ? { outcome: "unknown", reason: "clock" } : { outcome: "not_run" };
  }

  /** The entry of the tool with the call's request id. Calls inside of it share the id, but have a parent. */
  async #ownEntry(): Promise<ToolExecutionLogDetail | undefined> {
    const { requestId, toolSlug } = this.#trace;
    if (requestId === undefined) return undefined;
    const filters: ToolExecutionLogFilter[] = [
      { field: "request_id", operator: "==", value: requestId },
      { field: "tool_slug", operator: "==", value: toolSlug },
    ];
    const page = await this.#page({ filters, limit: 20 });
    const own: ToolExecutionLogDetail[] = [];
    for (const { id, parent } of page.logs) {
      const entry = parent === null ? await this.#entry(id) : undefined;
      if (entry?.context.request_id === requestId) own.push(entry);
    }
    // Several are the attempts of a call that only reads, or calls to which the program passed the same id.
    return own.length > 1 ? own.find((entry) => this.#hasSameArguments(entry)) : own[0];
  }

  /** Reads the entries of the tool for the user around the time of the call. */
  async #readAround(): Promise<void> {
    const { toolSlug, userId, sessionId } = this.#trace;
    const filters: ToolExecutionLogFilter[] = [{ field: "tool_slug", operator: "==", value: toolSlug }];
    if (userId !== undefined) filters.push({ field: "user_id", operator: "==", value: userId });
    if (sessionId !== undefined) filters.push({ field: "session_id", operator: "==", value: sessionId });
    // The first request tells the service's time, so the window is that of the second.
    if (this.#moment === undefined) await this.#page({ filters, limit: 1 });
    const query = { filters, limit: 100, time_range: this.#timeRange() };
    const found: ToolExecutionLogDetail[] = [];
    for (let cursor: string | null | undefined; ; ) {
      const page = await this.#page(isString(cursor) ? { ...query, cursor } : query);
      // An execution inside of another isn't a call of the client.
      for (const { id, parent } of page.logs) if (parent === null) found.push(await this.#entry(id));
      cursor = page.next_cursor;
      if (!isString(cursor) || cursor === "") break;
    }
    this.#around = found;
  }

  /**
   * The times between which the log is searched, by the service's clock. Each clock of the client gives one time of the
   * call, and the range contains both: a clock may stop while the machine is suspended, and the time of day may be set.
   */
  #timeRange(): { readonly from: number; readonly to: number } {
    const { startedAt, sentAt } = this.#trace;
    const { ofService, monotonic, now } = this.#moment ?? { ofService: sentAt, monotonic: startedAt, now: sentAt };
    const byMonotonic = Math.round(ofService + startedAt - monotonic);
    const byTimeOfDay = Math.round(ofService + sentAt - now);
    return { from: Math.min(byMonotonic, byTimeOfDay) - BEFORE_MS, to: Math.max(byMonotonic, byTimeOfDay) + AFTER_MS };
  }

  /** The entries with the call's arguments, and those whose arguments can't be compared. */
  #sorted() {
    const { arguments: sent } = this.#trace;
    return {
      equal: this.#around.filter((entry) => this.#hasSameArguments(entry)),
      incomparable: this.#around.filter((entry) => !sent || !argumentsIn(entry)),
    };
  }

  #hasSameArguments(entry: ToolExecutionLogDetail): boolean {
    const shown = argumentsIn(entry);
    return shown !== undefined && sameJson(shown, this.#trace.arguments);
  }

  async #page(body: ListToolExecutionLogsBody) {
    const { data, meta } = await this.#core.call(logs().listToolExecutions, { body }, this.#options()).withResponse();
    const date = Date.parse(meta.headers.get("date") ?? "");
    const { clock } = this.#core;
    if (!Number.isNaN(date)) this.#moment = { ofService: date, monotonic: clock.monotonic(), now: clock.now() };
    return data;
  }

  async #entry(id: string): Promise<ToolExecutionLogDetail> {
    const known = this.#read.get(id);
    if (known) return known;
    const entry = await this.#core.call(logs().getToolExecution, { params: { id } }, this.#options());
    this.#read.set(id, entry);
    return entry;
  }
}

// See assumption A20.
/** The arguments of an execution, if the log shows them. */
function argumentsIn({ data }: ToolExecutionLogDetail): Json | undefined {
  const args = field(data, "arguments");
  return isObject(args) ? args : undefined;
}

// See assumption A20.
function settled({ id, status, message, data }: ToolExecutionLogDetail): Settlement {
  const result = field(data, "result");
  if (status === "success") return { outcome: "succeeded", logId: id, data: result };
  return { outcome: "failed", logId: id, error: message ?? undefined, data: result };
}

/** Whether another look would fail the same way. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 408 && error.status !== 429;
}
