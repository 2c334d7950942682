import { loadPart } from "../../errors/base.js";
import { digestOf } from "../../shared/canonical-json.js";
import { isObject, type Json } from "../../shared/json.js";
import { hasRun } from "../../shared/tools.js";
import type { AgentTool, Execution, ToolCall, ToolForm } from "../agent-tool.js";
import type { Ending } from "../call-result.js";
import { callRecordId } from "../execution-ids.js";
import type { ExecutionRecord } from "../execution-store.js";
import type { LabeledCall, Permission } from "../guard.js";
import { frozenCopy } from "../json-copy.js";
import { type CallLimits, isPreview, limitsOf, type RunOptions } from "../run-options.js";
import type { Settler } from "../settler.js";
import type { ToolsetContext } from "../toolset-context.js";
import { inputOf, parsedArguments } from "./arguments.js";
import { needsAccount } from "./auth-required.js";
import { CallRecord, CallStart } from "./call-record.js";
import { digestIn, recalledEnding, refusalOf, requestIdIn } from "./execution-record.js";
import * as messages from "./messages.js";
import { endingOf, sendOnce } from "./send-once.js";
import { filesOf, sentArguments, withoutAccount } from "./sent-arguments.js";

/** The call as the model wrote it. */
interface Requested {
  readonly args: Json;
  readonly record: CallRecord;
}

/** One call of a turn, which runs at most once: its record in the store, its start and its end. */
export class CallRun implements LabeledCall {
  readonly tool: AgentTool;
  recordedLabels: readonly string[] | undefined;
  readonly #call: ToolCall;
  readonly #form: ToolForm;
  readonly #context: ToolsetContext;
  readonly #options: RunOptions;
  /** For its parts. */
  readonly #limits: CallLimits;
  /** Its start, which is recorded right before its effect, and the call as it may run, with the calls that it makes. */
  #sent: { readonly start: CallStart; readonly allowed: Execution } | undefined;
  #ending: Promise<Ending> | undefined;
  /** Whether it has ended since. Otherwise it may have run, whatever its middleware says. */
  #hasEnded = false;

  constructor(call: ToolCall, tool: AgentTool, form: ToolForm, context: ToolsetContext, options: RunOptions) {
    this.#call = call;
    this.tool = tool;
    this.#form = form;
    this.#context = context;
    this.#options = options;
    this.#limits = limitsOf(options);
  }

  get started(): Execution | undefined {
    return this.#sent?.start.isRecorded ? this.#sent.allowed : undefined;
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
    const { name } = this.tool;
    const { guard, executions, scope } = this.#context;
    if (this.#call.isFromProgram && guard?.isUnconditional(this.tool) === false) {
      return { status: "not_run", text: messages.notForPrograms(name) };
    }
    const { args: parsed, problem: broken } = parsedArguments(name, this.#call.arguments);
    const args = frozenCopy(this.#form.decode ? this.#form.decode(parsed) : parsed);
    if (!isObject(args)) return { status: "not_run", text: messages.notAnObject(name) };
    // Without the version: a call that ran in another one has run.
    const digest = await digestOf([name, args]);
    const id = callRecordId(scope, this.#call.callId);
    const requested: Requested = { args, record: new CallRecord(executions, id, digest, this.#options.signal) };
    const problem = this.#call.isTruncated ? messages.cutCall(name) : broken;
    if (problem !== undefined) return this.#reject(requested.record, problem);
    this.#tell(args, undefined);
    const earlier = await this.#endingOnRecord(requested);
    if (earlier) return earlier;
    const ending = await this.#throughMiddleware(requested.args, (args) => this.#execute(requested, args));
    return this.started && this.#sent ? this.#recordEnd(ending, requested.record, this.#sent.start.stamp) : ending;
  }

  /** Tells the observer the arguments. */
  #tell(args: Json, accountId: string | undefined): void {
    const event = { type: "arguments", callId: this.#call.callId, accountId, arguments: args } as const;
    this.#context.observer?.tell(event, this.#options);
  }

  /** Ends the call inside of the program's middleware, which may change its arguments. */
  async #throughMiddleware(args: Json, end: (args: Json) => Promise<Ending>): Promise<Ending> {
    const { wrap, userId } = this.#context;
    if (!wrap) return end(args);
    const { callId } = this.#call;
    const call = { callId, tool: this.tool, userId, arguments: args, signal: this.#options.signal };
    return wrap(call, this.#context, end);
  }

  /**
   * Rejects a call that the model didn't write whole, now and later: what goes back to the model may look complete, and
   * a program may run it again, even after a dry run.
   */
  async #reject(record: CallRecord, text: string): Promise<Ending> {
    await record.refuse("rejected", text);
    return { status: "not_run", text };
  }

  /** How the call ends according to its record; `undefined` without one. */
  async #endingOnRecord({ args, record }: Requested): Promise<Ending | undefined> {
    const { settler, locals } = this.#context;
    const earlier = await record.find();
    if (!earlier) return undefined;
    const isSame = digestIn(earlier.stamp) === record.digest;
    if (!isSame && refusalOf(earlier) === "rejected") {
      // The model's whole call may arrive after a part of it was rejected.
      if (!isPreview(this.#options)) await record.finish(earlier.stamp, undefined);
      return undefined;
    }
    const isLost = isSame && !refusalOf(earlier) && earlier.result === undefined;
    const isLookedUp = isLost && !locals.has(this.tool.name) && !this.#options.dryRun;
    if (!settler || !isLookedUp) return this.#recalled(earlier, record.digest);
    return this.#settled(settler, earlier, { args, record });
  }

  /** Looks up the end of a call that another run started and didn't finish. */
  async #settled(settler: Settler, earlier: ExecutionRecord, { args, record }: Requested): Promise<Ending> {
    const execution = { callId: this.#call.callId, tool: this.tool };
    // The middleware of the other run may not have seen the result.
    const end = (find: (args: Json) => Promise<unknown>) =>
      this.#throughMiddleware(args, (sent) => endingOf(execution, find(sent), this.#context, this.#limits));
    const { ending, error } = await settler.lookUp(this.tool.name, requestIdIn(earlier.stamp), end, this.#limits);
    if (!ending) return { ...this.#recalled(earlier, record.digest), error };
    return { ...(await this.#recordEnd(ending, record, earlier.stamp)), isReplay: true };
  }

  /**
   * The one method that every execution passes, in this order: the check of the arguments, the account, the policy's
   * decision, the approval, the budgets, the call's files, the audit, the durable record that it starts, the effect.
   *
   * @param given - The arguments, which middleware may have changed.
   * @throws the error of a store, the policy or the approvals: nothing has run then. Also the reason of an abort: the
   * call may have run.
   */
  async #execute(requested: Requested, given: Json): Promise<Ending> {
    const { callId } = this.#call;
    const tool = this.tool;
    const context = this.#context;
    const input = await inputOf(tool, callId, given, context);
    if (Array.isArray(input)) {
      return { status: "not_run", text: messages.wrongArguments(tool.name, input), mismatches: input };
    }
    const args = input === given ? given : frozenCopy(input);
    const picked = (await context.accounts?.pick(tool, args, this.#limits)) ?? {};
    if ("accounts" in picked) return needsAccount(tool, context, { reason: "account_required", ...picked });
    const { accountId, argument } = picked;
    this.#tell(args, accountId);
    const shared = { callId, tool, userId: context.userId, accountId };
    const execution: Execution = { ...shared, arguments: args, requested: requested.args, inner: [] };
    const files = await filesOf(execution, context, this.#limits);
    // The only place that asks the policy. Without one, every call runs.
    const permission: Permission = context.guard
      ? await context.guard.decide(execution, files, this.#options)
      : { kind: "runs", execution };
    if (permission.kind === "denied") return this.#deny(requested.record, permission.text);
    if (permission.kind === "ends") return permission.ending;
    const allowed = permission.execution;
    if (this.#options.dryRun) return (await loadPart("toolset", import("./dry-run.js"))).wouldSend(allowed, context);
    const sent = await sentArguments(allowed, input, files, context, this.#limits);
    if ("status" in sent) return sent;
    const unrecorded = await context.audit?.starting(allowed, this.#options, context.emit);
    if (unrecorded) return unrecorded;
    return this.#send(requested.record, allowed, withoutAccount(sent.args, argument));
  }

  /** Records its start, and sends it. If another run of it was first, the call ends as that one, unless nothing ran. */
  async #send(record: CallRecord, allowed: Execution, args: Json): Promise<Ending> {
    const context = this.#context;
    for (;;) {
      const start = new CallStart(record);
      this.#sent = { start, allowed };
      // `end()` has set it.
      if (this.#ending) record.keepRunning(start.stamp, this.#ending);
      const ran = await sendOnce(start, allowed, args, context, this.#limits);
      if (!("stamp" in ran)) {
        this.#hasEnded = true;
        if (ran.authRequired) await context.guard?.parked(allowed);
        return ran;
      }
      const earlier = await record.ended(ran);
      if (earlier) return this.#recalled(earlier, record.digest);
    }
  }

  /** Records a person's denial, which stays. */
  async #deny(record: CallRecord, denial: string): Promise<Ending> {
    const earlier = isPreview(this.#options) ? undefined : await record.refuse("denied", denial);
    if (earlier) return this.#recalled(earlier, record.digest);
    return { status: "not_run", text: denial };
  }

  /** How a call that has a record ends. */
  #recalled(earlier: ExecutionRecord, digest: string): Ending {
    const { policy, ...ending } = recalledEnding(this.tool.name, earlier, digest);
    // Another policy may give other labels to the calls that it made.
    if (policy !== undefined && policy === this.#context.guard?.digest) this.recordedLabels = ending.labels;
    return ending;
  }

  /** Records the end of a call that has started. */
  async #recordEnd(given: Ending, record: CallRecord, stamp: string): Promise<Ending> {
    const { callId } = this.#call;
    const { guard, emit, userId } = this.#context;
    // Middleware can catch an abort and return its own result.
    const ending: Ending = this.#hasEnded || hasRun(given.status) ? given : { ...given, status: "unknown" };
    const labeled = guard?.labels && { labels: guard.labels.of(this, ending), policy: guard.digest };
    const ended = { ...ending, ...labeled };
    await record.end(stamp, ended.status === "not_run" ? undefined : ended, (error) => {
      // The call has run. Its record stays as started, so its outcome is `unknown` and it never runs again.
      emit({ type: "record_failed", callId, tool: this.tool, userId, error });
    });
    return ending;
  }
}
