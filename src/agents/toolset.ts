// The room of toolsets: tools for models, and their calls. `tools/` reads the tools, `call/` runs a call, `adapters/`
// has the libraries, `schema/` writes schemas for models, `policy/`, `approvals/` and `audit/` guard calls. The files
// beside this one declare what the rooms share. It imports `catalog`, `contract`, `json-schema`, and types of the
// package's main entry. Start here, then `call/run-turn.ts`.

import { digestOf } from "../shared/canonical-json.js";
import { untilAborted } from "../shared/timers.js";
import type { AgentTool, ToolForm } from "./agent-tool.js";
import { reserveId } from "./call/execution-record.js";
import { type Offered, runTurn } from "./call/run-turn.js";
import type { RunCalls } from "./call-result.js";
import { checkedOptions } from "./check-options.js";
import { ensure, ensureSource } from "./ensure.js";
import { emit, observing } from "./events.js";
import { reservedId } from "./execution-ids.js";
import { reportTarget } from "./inspector-reports/report-target.js";
import { executionsOf } from "./memory-executions.js";
import type { PendingApproval } from "./pending-approval.js";
import { type PreparedTools, personalTools, preparedTools } from "./prepared-tools.js";
import type { CallLimits } from "./run-options.js";
import type { SettleLimits, Settler } from "./settler.js";
import { scopeOf } from "./subject.js";
import { serializedForms } from "./tools/compiled-forms.js";
import type { ToolClient, ToolSession } from "./tools/read-tools.js";
import { type SerializedToolset, TOOLSET_FORMAT, type ToolService, toolServiceOf } from "./tools/tool-service.js";
import type { ToolsetContext } from "./toolset-context.js";
import type { AnyToolsetOptions, ClientToolsetOptions, SessionToolsetOptions } from "./toolset-options.js";

/** Tools for a model, from the service and your program, with a method to run their calls. */
export class Toolset {
  /** The tools in the order of the options, local tools last. */
  readonly tools: readonly AgentTool[];
  /**
   * Runs calls with the original names and arguments of the tools, all at the same time, and returns the results in
   * order. A failure is a result. `run` rejects only if the signal is aborted, if `onAuthRequired` throws, or with
   * `onAuthRequired: "throw"`.
   *
   * @throws {ConfigError} if an option is unknown or invalid.
   * @throws {AuthRequiredError} with `onAuthRequired: "throw"`, once all calls have ended.
   */
  readonly run: RunCalls;
  /**
   * Returns the service's tools of this toolset as JSON, for `toolset({ from })`, with the schemas that adapters have
   * compiled. Doesn't include local tools.
   */
  readonly toJSON: () => SerializedToolset;
  readonly #context: ToolsetContext;

  /** @internal */
  constructor(context: ToolsetContext) {
    this.tools = context.tools;
    this.#context = context;
    this.run = this.offer(context.tools);
    this.toJSON = () => {
      const compiled = serializedForms(context.tools);
      return { formatVersion: TOOLSET_FORMAT, tools: [...context.records.values()], ...(compiled && { compiled }) };
    };
  }

  /**
   * Runs calls of the tools under other names and in other forms: one per tool, in the order of `tools`. The adapters
   * use it.
   *
   * @internal
   */
  offer(forms: readonly (ToolForm | undefined)[]): RunCalls {
    let offered: Offered | undefined;
    // Of most toolsets, only the run of one adapter is used.
    return async (calls, options) => {
      offered ??= new Map(
        this.tools.flatMap((tool, index) => {
          const form = forms[index];
          return form ? [[form.name, { tool, form }]] : [];
        }),
      );
      return runTurn(offered, this.#context, calls, options);
    };
  }

  /**
   * Reserves an id for the call of a turn.
   *
   * @returns Whether the call has the id. Otherwise a call of another turn does.
   * @internal
   */
  async reserveId(
    callId: string,
    call: unknown,
    turn: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { executions, scope } = this.#context;
    const of = turn === undefined ? "" : await digestOf(turn);
    const reserving = reserveId(executions, reservedId(scope, callId), await digestOf(call), of);
    try {
      return await untilAborted(signal, reserving);
    } catch {
      signal?.throwIfAborted();
      // A store that fails now doesn't record the start either. If it does, another call's record stops this one.
      return true;
    }
  }

  /**
   * The facts that must be the same when a turn is suspended and when it is resumed.
   *
   * @internal
   */
  get identity() {
    const { executions, scope, guard, userId = null, sessionId = null, conversationId = null } = this.#context;
    return { executions, scope, policyDigest: guard?.digest ?? null, userId, sessionId, conversationId };
  }

  /**
   * A pending call without the arguments that the program sets, and without the files that only those name.
   *
   * @internal
   */
  withoutBound(pending: PendingApproval): PendingApproval {
    return this.#context.bound?.hidePending(pending) ?? pending;
  }

  /**
   * Adds a label to the conversation, for example because a user pasted untrusted text. Await it before the model reads
   * the text.
   *
   * @throws {ConfigError} if no rule gives the label, or there is no `conversationId`; and the error of the store.
   */
  async addLabel(label: string, { signal }: Pick<CallLimits, "signal"> = {}): Promise<void> {
    const { guard } = this.#context;
    ensure(guard?.labels, "addLabel needs a policy with label(…).");
    await guard.labels.add(label, signal);
  }

  /** @internal */
  isUnconditional(tool: AgentTool): boolean {
    return this.#context.guard?.isUnconditional(tool) ?? true;
  }
}

/**
 * Creates tools for a model: reads them from the service, with one request per page, and prepares their calls.
 *
 * ```ts
 * const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
 * const { definitions, run } = openai(tools);
 * ```
 *
 * With an agent session instead of a client, the tools are the session's tools, and run for its user:
 *
 * ```ts
 * const tools = await toolset(await svc.toolRouter.create({ user_id: "user-4711" }));
 * ```
 *
 * Tools run in the version whose schema the model was given. Deprecated tools are omitted unless you name them.
 *
 * @throws {ConfigError} if an option is unknown or invalid, no tools are chosen, a named one doesn't exist, two have
 * the same name, or one isn't as locked.
 */
export function toolset<Source extends ToolClient | ToolSession>(
  source: Source,
  ...options: Source extends ToolSession ? [options?: SessionToolsetOptions] : [options: ClientToolsetOptions]
): Promise<Toolset>;
export async function toolset(source: ToolClient | ToolSession, given: AnyToolsetOptions = {}): Promise<Toolset> {
  ensureSource(source);
  const isSession = "executeMeta" in source;
  const options = checkedOptions(given, isSession);
  ensure(isSession || options.userId, 'pass userId, the end user\'s id: toolset(svc, { userId: "user-4711", … }).');
  const prepared = await preparedTools(source, options);
  return toolsetOf(source, options, prepared);
}

/** The toolset of a user, or of a session, without another request. */
export async function toolsetOf(
  source: ToolClient | ToolSession,
  options: ReturnType<typeof checkedOptions>,
  prepared: PreparedTools,
): Promise<Toolset> {
  const service = toolServiceOf(source, options.userId);
  const { conversationId, onEvent, use, policy, settle } = options;
  const { sessionId, userId } = service;
  const subject = { userId, sessionId, conversationId };
  const scope = scopeOf(subject);
  const personal = await personalTools(source, prepared, options, conversationId === undefined ? undefined : scope);
  // Only beside an emulator on this machine.
  const { target, note } = reportTarget(source);
  const facts = { tools: personal.tools, scope, ...subject };
  const reporter = target
    ? new (await import("./inspector-reports/report-runs.js")).RunReporter(target, note, facts)
    : undefined;
  const audit = options.audit?.trail(subject);
  const observer = observing(reporter, audit);
  const context = {
    ...options,
    ...service,
    ...prepared,
    ...personal,
    scope,
    wrap: use && (await import("./call/middleware.js")).wrapCall.bind(undefined, use),
    executions: options.executions ?? executionsOf(source),
    origins: options.approvals && (await import("./value-origins.js")).originsOf(source, conversationId && scope),
    settler: settle ? await settlerOf(service, settle) : undefined,
    files: options.files ?? service.client?.files,
    audit,
    observer,
    emit: emit.bind(undefined, { onEvent, observer, subject }),
  };
  return new Toolset({ ...context, guard: await policy?.guard(context) });
}

async function settlerOf({ settle, ...owner }: ToolService, limits: true | SettleLimits): Promise<Settler> {
  ensure(settle, "settle needs tools.settle() of the client, or settle() of the session.");
  return new (await import("./settler.js")).Settler(settle, owner, limits === true ? {} : limits);
}
