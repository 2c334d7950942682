import type { Core } from "../../client/client.js";
import type { Clock } from "../../client/clock.js";
import { type LostCall, lostCallOf } from "../../client/lost-calls.js";
import { CALL_OPTIONS } from "../../client/options/checks.js";
import type { RequestOptions } from "../../client/request-options.js";
import type { CallOutcome } from "../../errors/base.js";
import { ValidationError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { field, isObject, isString, readJson, writeJson } from "../../shared/json.js";
import { type ExecutionTrace, LogSearch, type Settlement } from "./log-search.js";

/** An execution to look up in the execution log if you don't have its error, for example because the process ended. */
export interface ExecutionToSettle {
  /** The slug of the tool that was called. */
  readonly toolSlug: string;
  /** The arguments that were sent. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The user of the call. Pass this or `sessionId`. */
  readonly userId?: string | undefined;
  /** The agent session of the call. */
  readonly sessionId?: string | undefined;
  /** A time before the call started, by this machine's clock. */
  readonly startedAfter: Date;
  /**
   * The `requestId` that `beforeSend` received, or the `x-request-id` that you passed in the call's `headers`. It
   * identifies the call in the log, so pass another one with each call.
   */
  readonly requestId?: string | undefined;
}

/** Options of `tools.settle`: the options of a call, and facts about your calls. */
export interface SettleOptions extends RequestOptions {
  /**
   * Time limit for the whole search in milliseconds: all requests and the pauses between them. The requests wait for
   * the rate limit behind your other calls, so raise it for a batch.
   * @default 30_000
   */
  deadlineMs?: number | undefined;
  /**
   * Pause between two searches of the log in milliseconds.
   * @default 1_000
   */
  pollMs?: number | undefined;
  /**
   * Your promise that no other call had the same tool, user and arguments, from a minute before this call until now.
   * The call is then also found by its arguments, if the log doesn't record request ids.
   * @default false
   */
  exclusive?: boolean | undefined;
  /**
   * Your promise that an execution is in the log at most this many milliseconds after its call started. If it isn't
   * there by then, it didn't run. Make it longer than the call's `deadlineMs` plus the service's time to run and log
   * the call. The service documents no such time, so there is no default. Without this option, an execution that isn't
   * in the log stays `unknown`.
   */
  loggedWithinMs?: number | undefined;
}

const OPERATION = "tools.settle";
const SETTLE_OPTIONS = { ...CALL_OPTIONS, ...option.SETTLE_LIMITS } as const satisfies option.Rules<SettleOptions>;

/** Looks an execution up in the log until it is found or the deadline passes. See `Tools.settle`. */
export async function settleExecution(core: Core, subject: unknown, given: SettleOptions): Promise<Settlement> {
  const { outcome } = Object(subject) as { readonly outcome?: CallOutcome };
  if (subject instanceof Error && (outcome === "not_sent" || outcome === "rejected")) return { outcome: "not_run" };
  const { options, problems } = option.read(given, SETTLE_OPTIONS);
  if (problems.length > 0) throw new ValidationError(OPERATION, problems.join(" "));
  const { exclusive, loggedWithinMs, pollMs, deadlineMs, ...requestOptions } = options;

  const { clock } = core;
  const { signal } = requestOptions;
  const endsAt = clock.monotonic() + deadlineMs;
  const timeLeft = () => endsAt - clock.monotonic();
  const trace = traceOf(subject, clock);
  if (trace === undefined) return { outcome: "unknown", reason: "not_traced" };
  const search = new LogSearch(core, trace, exclusive, () => ({
    ...requestOptions,
    deadlineMs: Math.max(1, Math.ceil(timeLeft())),
  }));
  for (;;) {
    const isComplete = loggedWithinMs !== undefined && clock.monotonic() - trace.startedAt > loggedWithinMs;
    const found = await search.look(isComplete, timeLeft() <= pollMs);
    if (found !== undefined) return found;
    await clock.sleep(Math.min(pollMs, Math.max(0, timeLeft())), signal);
  }
}

/** The facts by which the log is searched; `undefined` for a thrown value that has none. */
function traceOf(subject: unknown, clock: Clock): ExecutionTrace | undefined {
  if (isObject(subject) && !(subject instanceof Error)) return traceOfExecution(subject, clock);
  const lost = lostCallOf(subject);
  if (!lost) return undefined;
  const { params, body, ...facts } = lost;
  return { ...sentFacts(params, readJson(body ?? "null")), ...facts };
}

function traceOfExecution(given: Partial<ExecutionToSettle>, clock: Clock): ExecutionTrace {
  const { toolSlug, arguments: args, userId, sessionId, startedAfter, requestId } = given;
  const problems = [
    isString(toolSlug) ? [] : "toolSlug must be a string.",
    isObject(args) ? [] : "arguments must be an object.",
    isString(userId) || isString(sessionId) ? [] : "userId or sessionId must be a string.",
    startedAfter instanceof Date && !Number.isNaN(startedAfter.getTime()) ? [] : "startedAfter must be a Date.",
  ].flat();
  if (problems.length > 0) throw new ValidationError(OPERATION, problems.join(" "));
  // Checked above.
  const { toolSlug: slug, startedAfter: start } = given as ExecutionToSettle;
  const sentAt = start.getTime();
  const startedAt = sentAt - clock.now() + clock.monotonic();
  // As they are sent.
  const sent = readJson(writeJson(args) ?? "{}");
  return { toolSlug: slug, arguments: sent, userId, sessionId, startedAt, sentAt, requestId };
}

/** Tool, arguments and user of a request to execute a tool, directly or in a session. */
function sentFacts(
  { tool_slug, session_id }: LostCall["params"],
  body: unknown,
): Omit<ExecutionTrace, "startedAt" | "sentAt" | "requestId"> {
  const userId = field(body, "user_id");
  const isInWords = field(body, "text") !== undefined;
  return {
    toolSlug: String(tool_slug ?? field(body, "tool_slug") ?? field(body, "slug")),
    arguments: isInWords ? undefined : (field(body, "arguments") ?? {}),
    userId: isString(userId) ? userId : undefined,
    sessionId: session_id,
  };
}
