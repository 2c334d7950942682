import { digestOf } from "../shared/canonical-json.js";
import { untilAborted } from "../shared/timers.js";
import type { RunCalls } from "./call-result.js";
import { checkedOptions } from "./check-options.js";
import type { Offered } from "./dispatcher.js";
import { ensure, ensureSource } from "./ensure.js";
import { emit, observing } from "./events.js";
import { frozenCopy } from "./json-copy.js";
import { executionsOf } from "./memory-executions.js";
import { agentTool, clientOrigin, type Origin, sessionOrigin, type ToolsetSnapshot } from "./origin.js";
import type { PendingApproval } from "./pending-approval.js";
import { reportTarget } from "./report-target.js";
import { runTurn } from "./run-turn.js";
import { localTools, type SelectedTools, selectTools } from "./select-tools.js";
import type { SettleLimits, Settler } from "./settler.js";
import { takesFiles } from "./shared-schema.js";
import type { ToolClient, ToolSession } from "./sources.js";
import { reserveId } from "./start-once.js";
import type { AgentTool, CallLimits, ToolForm } from "./tool.js";
import type {
  AnyToolsetOptions,
  ClientToolsetOptions,
  SessionToolsetOptions,
  ToolsetContext,
} from "./toolset-options.js";

/** Tools for a model, from the service and your program, with a method to run their calls. */
export class Toolset {
  /** In the order of the choice; local tools last. */
  readonly tools: readonly AgentTool[];
  /**
   * Runs calls by the tools' own names, with arguments as the tools' own schemas describe them: all at the same time,
   * answered in order. A failure is a result; only an aborted signal, a thrown `onAuthRequired` and
   * `onAuthRequired: "throw"` reject.
   *
   * @throws {ConfigError} if an option is unknown or invalid.
   * @throws {AuthRequiredError} with `onAuthRequired: "throw"`, once all calls have ended.
   */
  readonly run: RunCalls;
  /** The service's tools of this toolset as JSON, for `toolset({ snapshot })`. Local tools are not part of it. */
  readonly snapshot: () => ToolsetSnapshot;
  readonly #context: ToolsetContext;

  /** @internal */
  constructor(context: ToolsetContext) {
    this.tools = context.tools;
    this.#context = context;
    this.run = this.offer(context.tools);
    this.snapshot = () => ({ formatVersion: 1, tools: [...context.records.values()] });
  }

  /**
   * Runs calls of the tools under other names and in other forms: one per tool, in the order of `tools`. The adapters
   * use it.
   *
   * @internal
   */
  offer(forms: readonly (ToolForm | undefined)[]): RunCalls {
    const offered: Offered = new Map(
      this.tools.flatMap((tool, index) => {
        const form = forms[index];
        return form ? [[form.name, { tool, form }]] : [];
      }),
    );
    return runTurn.bind(undefined, offered, this.#context);
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
    const reserving = reserveId(executions, JSON.stringify([scope, callId, "reserved"]), await digestOf(call), of);
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
   * Adds a label to the conversation, as for text that a user pasted. Await it before the model gets the text.
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
 * Creates tools for a model: reads the chosen ones, one request per page, and prepares the way their calls are run.
 *
 * ```ts
 * const tools = await toolset(svc, { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"], toolkits: ["textkit"] });
 * const { definitions, run } = openai(tools);
 * ```
 *
 * With an agent session instead of a client, the tools are those that its agent sees, run for the session's user:
 *
 * ```ts
 * const tools = await toolset(await svc.toolRouter.create({ user_id: "user-4711" }));
 * ```
 *
 * Tools run in the version whose schema the model was given. Deprecated ones are omitted unless they are named.
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
  const { conversationId, onEvent, use, policy, settle } = options;
  const origin = isSession ? sessionOrigin(source) : clientOrigin(source, options.userId);
  const { sessionId, userId } = origin;
  const selected = await selectTools(origin, options, isSession, (error) => {
    void emit(onEvent, undefined, { type: "omitted", callId: undefined, tool: undefined, userId, error });
  });
  const scope = JSON.stringify([sessionId ?? userId, conversationId]);
  const arranged = await arrange(source, selected, options, scope);
  // Only beside an emulator on this machine.
  const { target, note } = reportTarget(source);
  const facts = { tools: arranged.tools, scope, conversationId, sessionId, userId };
  const reporter = target ? new (await import("./report-runs.js")).RunReporter(target, note, facts) : undefined;
  const audit = options.audit?.trail({ userId, sessionId, conversationId });
  const observer = observing(reporter, audit);
  const context = {
    ...options,
    ...origin,
    ...arranged,
    scope,
    wrap: use && (await import("./middleware.js")).wrapCall.bind(undefined, use),
    executions: options.executions ?? executionsOf(source),
    origins: options.approvals && (await import("./value-origins.js")).originsOf(source, conversationId && scope),
    settler: settle ? await settlerOf(origin, settle) : undefined,
    files: options.files ?? origin.client?.files,
    audit,
    emit: emit.bind(undefined, onEvent, observer),
  };
  return new Toolset({ ...context, observer, guard: await policy?.guard(context) });
}

/** The selected and the local tools as calls find them, without what the program sets and chooses for the model. */
async function arrange(
  source: ToolClient | ToolSession,
  { records, omitted }: SelectedTools,
  { tools: chosen = [], accounts: given = {}, userId = "", conversationId, bind }: AnyToolsetOptions,
  scope: string,
) {
  const isSession = "executeMeta" in source;
  const own = await localTools(chosen);
  // The policy sees the tool that runs, even if the program renames the tool for a model.
  const all = [...records.map((record) => agentTool(record, isSession)), ...own.map(({ tool }) => tool)];
  const conversation = conversationId === undefined ? undefined : scope;
  // Most programs don't load these.
  const accounts =
    isSession || given === "newest"
      ? undefined
      : new (await import("./accounts.js")).ToolAccounts(all, given, source, userId, conversation, records);
  const bound = bind && (await import("./bind.js")).bindTools(accounts?.tools ?? all, bind, omitted);
  const withFiles = new Set(all.flatMap(({ name, parameters }) => (takesFiles(parameters) ? [name] : [])));
  return {
    tools: frozenTools(bound?.tools ?? accounts?.tools ?? all),
    omitted,
    bound,
    accounts,
    withFiles,
    // The program may change its snapshot, and the original schemas mark the files.
    records: new Map(records.map((record) => [record.slug, withFiles.has(record.slug) ? frozenCopy(record) : record])),
    locals: new Map(own.map(({ local, tool }) => [tool.name, local])),
  };
}

/** @throws {ConfigError} if two tools have the same name. */
function frozenTools(tools: readonly AgentTool[]): readonly AgentTool[] {
  const names = new Set<string>();
  for (const tool of tools) {
    ensure(!names.has(tool.name), `two tools are named ${tool.name}.`);
    names.add(tool.name);
    Object.freeze(Object.freeze(tool).tags);
  }
  return Object.freeze([...tools]);
}

async function settlerOf({ settle }: Origin, limits: true | SettleLimits): Promise<Settler> {
  ensure(settle, "settle needs tools.settle() of the client, or settle() of the session.");
  return new (await import("./settler.js")).Settler(settle, limits === true ? {} : limits);
}
