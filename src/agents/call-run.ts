import { loadPart } from "../errors/base.js";
import { digestOf } from "../shared/canonical-json.js";
import { isObject, type Json } from "../shared/json.js";
import { untilAborted } from "../shared/timers.js";
import type { AgentTool, Execution, ToolCall, ToolForm } from "./agent-tool.js";
import { inputOf, isMismatches, parsedArguments } from "./arguments.js";
import { needsAccount } from "./auth-required.js";
import { type Ending, hasRun, type LabeledCall } from "./call-result.js";
import type { ExecutionRecord } from "./execution-store.js";
import { frozenCopy } from "./json-copy.js";
import * as messages from "./messages.js";
import { type CallLimits, isPreview, type RunOptions } from "./run-options.js";
import { endedRecord, foundRecord, keepRunning } from "./running-calls.js";
import { endingOf, recalledEnding, sendOnce } from "./send-once.js";
import { CallStart, digestIn, finishCall, refusalOf, refuseCall, requestIdIn } from "./start-once.js";
import type { ToolsetContext } from "./toolset-options.js";

/** One call of a turn, which runs at most once: its record in the store, its start and its end. */
export class CallRun implements LabeledCall {
  readonly tool: AgentTool;
  recordedLabels: readonly string[] | undefined;
  readonly #call: ToolCall;
  readonly #form: ToolForm;
  readonly #context: ToolsetContext;
  readonly #options: RunOptions;
  readonly #id: string;
  /** Digest of the tool and the arguments that the model wrote. */
  #digest = "";
  /** Its start, which is recorded right before its effect. */
  #start: CallStart | undefined;
  /** The call as it may run, with the calls that it makes. */
  #allowed: Execution | undefined;
  #ending: Promise<Ending> | undefined;
  /** Whether it has ended since. Otherwise it may have run, whatever its middleware says. */
  #hasEnded = false;

  constructor(call: ToolCall, tool: AgentTool, form: ToolForm, context: ToolsetContext, options: RunOptions) {
    this.#call = call;
    this.tool = tool;
    this.#form = form;
    this.#context = context;
    this.#options = options;
    this.#id = JSON.stringify([context.scope, call.callId]);
  }

  get started(): Execution | undefined {
    return this.#start?.isRecorded ? this.#allowed : undefined;
  }

  /** How the call ends if running it threw. Once it has started, no result may say that it didn't run. */
  failed(error: unknown): Ending {
    const { name } = this.tool;
    const { signal } = this.#options;
    // Its record stays as started.
    if (this.started) return { status: "unknown", text: messages.startedBefore(name), error };
    signal?.throwIfAborted();
    return { status: "not_run", text: messages.programFailed(name), error };
  }

  /** Ends the call as its record says. Without a record, runs it. */
  end(): Promise<Ending> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<Ending> {
    const { callId, arguments: given, isTruncated, isFromProgram = false } = this.#call;
    const { name } = this.tool;
    const { guard, observer, wrap, userId } = this.#context;
    const { signal } = this.#options;
    if (isFromProgram && guard?.isUnconditional(this.tool) === false) {
      return { status: "not_run", text: messages.notForPrograms(name) };
    }
    const { args, problem: broken } = parsedArguments(name, given);
    const requested = frozenCopy(this.#form.decode ? this.#form.decode(args) : args);
    if (!isObject(requested)) return { status: "not_run", text: messages.notAnObject(name) };
    // Without the version: a call that ran in another one has run.
    this.#digest = await digestOf([name, requested]);
    const problem = isTruncated ? messages.cutCall(name) : broken;
    if (problem !== undefined) return this.#reject(problem);
    observer?.tell({ type: "arguments", callId, accountId: undefined, arguments: requested }, this.#options);
    const earlier = await this.#endingOnRecord(requested);
    if (earlier) return earlier;
    const call = { callId, tool: this.tool, userId, arguments: requested, signal };
    const ending = await (wrap
      ? wrap(call, this.#context, (changed) => this.#execute(requested, changed))
      : this.#execute(requested, requested));
    return this.started && this.#start ? this.#recordEnd(ending, this.#start.stamp) : ending;
  }

  /**
   * Rejects a call that the model didn't write whole, now and later: what goes back to the model may look complete, and
   * a program may run it again, even after a dry run.
   */
  async #reject(text: string): Promise<Ending> {
    await refuseCall(this.#context.executions, this.#id, this.#digest, "rejected", text, this.#options.signal);
    return { status: "not_run", text };
  }

  /** How the call ends according to its record; `undefined` without one. */
  async #endingOnRecord(requested: Json): Promise<Ending | undefined> {
    const { callId } = this.#call;
    const tool = this.tool;
    const { executions, settler, locals } = this.#context;
    const { signal, dryRun } = this.#options;
    const earlier = await foundRecord(executions, this.#id, this.#digest, signal);
    if (!earlier) return undefined;
    const isSame = digestIn(earlier.stamp) === this.#digest;
    if (!isSame && refusalOf(earlier) === "rejected") {
      // The model's whole call may arrive after a part of it was rejected.
      await finishCall(executions, this.#id, earlier.stamp, undefined);
      return undefined;
    }
    const isLost = isSame && !refusalOf(earlier) && earlier.result === undefined;
    if (!settler || !isLost || locals.has(tool.name) || dryRun) return this.#recalled(earlier);
    const lost = { toolSlug: tool.name, arguments: requested };
    const recovering = settler.recovered(lost, requestIdIn(earlier.stamp), { signal });
    const ending = await endingOf({ callId, tool }, recovering, this.#context, { signal });
    if (ending.status === "unknown") return { ...this.#recalled(earlier), error: ending.error };
    await finishCall(executions, this.#id, earlier.stamp, ending);
    return { ...ending, isReplay: true };
  }

  /**
   * The one method that every execution passes, in this order: the check of the arguments, the account, the policy's
   * decision, the approval, the budgets, the call's files, the audit, the durable record that it starts, the effect.
   *
   * @param given - The arguments, which middleware may have changed.
   * @throws the error of a store, the policy or the approvals. Nothing has run then.
   */
  async #execute(requested: Json, given: Json): Promise<Ending> {
    const { callId } = this.#call;
    const tool = this.tool;
    const context = this.#context;
    const { userId, guard } = context;
    const input = await inputOf(tool, callId, given, context);
    if (isMismatches(input)) {
      return { status: "not_run", text: messages.wrongArguments(tool.name, input), mismatches: input };
    }
    const args = input === given ? given : frozenCopy(input);
    // Tokens of approvals stay private.
    const { signal, deadlineMs, timeoutMs } = this.#options;
    const limits: CallLimits = { signal, deadlineMs, timeoutMs };
    const picked = (await context.accounts?.pick(tool, args, limits)) ?? {};
    if ("accounts" in picked) return needsAccount(tool, context, { reason: "account_required", ...picked });
    const { accountId, argument } = picked;
    context.observer?.tell({ type: "arguments", callId, accountId, arguments: args }, this.#options);
    const execution: Execution = { callId, tool, arguments: args, requested, userId, accountId, inner: [] };
    const schema = context.records.get(tool.name)?.input_parameters ?? {};
    // Few tools take files, and few programs run dry, so the code for both is loaded when it is needed.
    const taking = context.withFiles.has(tool.name) ? await loadPart("toolset", import("./files.js")) : undefined;
    const files = taking?.callFiles(schema, execution, context.openFile, limits);
    // The only place that asks the policy. Without one, every call runs.
    const allowed = guard ? await guard.decide(execution, files, this.#options) : execution;
    if ("denial" in allowed) return this.#deny(allowed.denial);
    if ("status" in allowed) return allowed;
    if (this.#options.dryRun) return (await loadPart("toolset", import("./dry-run.js"))).wouldSend(allowed, context);
    let sent: unknown = allowed.arguments;
    try {
      // A local function may change its arguments.
      if (context.locals.has(tool.name)) sent = structuredClone(input);
      if (taking && files) sent = await taking.uploaded(allowed, files, context.files, limits);
    } catch (error) {
      signal?.throwIfAborted();
      return {
        status: "not_run",
        text: await messages.failed(tool.name, error, "not_run", context.maxResultBytes),
        error,
      };
    }
    signal?.throwIfAborted();
    const unrecorded = await context.audit?.starting(allowed, this.#options, context.emit);
    if (unrecorded) return unrecorded;
    const start = new CallStart(context.executions, this.#id, this.#digest);
    this.#start = start;
    this.#allowed = allowed;
    // `end()` has set it.
    if (this.#ending) keepRunning(context.executions, this.#id, start.stamp, this.#ending);
    // Only files were replaced, and those are inside of the object.
    const ran = await sendOnce(start, allowed, sent as Json, argument, context, limits);
    if (!("stamp" in ran)) {
      this.#hasEnded = true;
      if (ran.authRequired) await guard?.parked(allowed);
      return ran;
    }
    const earlier = await endedRecord(context.executions, this.#id, ran, this.#digest, signal);
    return this.#recalled(earlier ?? ran);
  }

  /** Records a person's denial, which stays. */
  async #deny(denial: string): Promise<Ending> {
    const { executions } = this.#context;
    const { signal } = this.#options;
    const earlier = isPreview(this.#options)
      ? undefined
      : await refuseCall(executions, this.#id, this.#digest, "denied", denial, signal);
    if (earlier) return this.#recalled(earlier);
    return { status: "not_run", text: denial };
  }

  /** How a call that has a record ends. */
  #recalled(record: ExecutionRecord): Ending {
    const { policy, ...ending } = recalledEnding(this.tool.name, record, this.#digest);
    // Another policy may give other labels to the calls that it made.
    if (policy !== undefined && policy === this.#context.guard?.digest) this.recordedLabels = ending.labels;
    return ending;
  }

  /** Records the end of a call that has started. */
  async #recordEnd(given: Ending, stamp: string): Promise<Ending> {
    const { callId } = this.#call;
    const { executions, guard, emit, userId } = this.#context;
    const { signal } = this.#options;
    // Middleware can catch an abort and return its own result.
    const ending: Ending = this.#hasEnded || hasRun(given.status) ? given : { ...given, status: "unknown" };
    const labeled = guard?.labels && { labels: guard.labels.of(this, ending), policy: guard.digest };
    const ended = { ...ending, ...labeled };
    const finishing = finishCall(executions, this.#id, stamp, ended.status === "not_run" ? undefined : ended);
    const finished = finishing.catch((error: unknown) => {
      // The call has run. Its record stays as started, so its outcome is `unknown` and it never runs again.
      emit({ type: "record_failed", callId, tool: this.tool, userId, error });
    });
    // An aborted run doesn't wait for the store. The call still ends as it did.
    await (signal ? untilAborted(signal, finished).catch(() => undefined) : finished);
    return ending;
  }
}
