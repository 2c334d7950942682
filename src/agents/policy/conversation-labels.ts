import { ConfigError } from "../../errors/local.js";
import { untilAborted } from "../../shared/timers.js";
import { hasRun } from "../../shared/tools.js";
import type { AgentTool, Execution } from "../agent-tool.js";
import { checkedRecord, startRecord } from "../call/execution-record.js";
import * as messages from "../call/messages.js";
import type { CallResult, Ending } from "../call-result.js";
import { conversationStartId, labelId } from "../execution-ids.js";
import type { LabeledCall, Labels } from "../guard.js";
import type { GuardContext } from "../policy-base.js";
import { runsOthers } from "../tools/meta-tools.js";
import type { LabelRules, ToolLabels } from "./label-rules.js";

/** The labels of a conversation before calls. */
interface LabelsBefore {
  /** All labels; `undefined` if unknown. */
  readonly labels: readonly string[] | undefined;
  /** The labels on which decisions on the calls may depend. */
  readonly compared: ReadonlySet<string>;
  /** Why labels are unknown. */
  readonly error?: unknown;
}

type LabelContext = Pick<
  GuardContext,
  "conversationId" | "isNewConversation" | "executions" | "signal" | "emit" | "userId"
>;

/** The labels of a toolset's conversation, each a record in the store of executions that is started and never ends. */
export class ConversationLabels implements Labels {
  readonly #rules: LabelRules;
  readonly #context: LabelContext;
  /** The tools that were called. */
  readonly #tools = new WeakMap<AgentTool, ToolLabels>();
  /** Ids of the records, by label. */
  readonly #ids: ReadonlyMap<string, string>;
  /** Labels that the conversation has. It keeps them. */
  readonly #found = new Set<string>();
  /** Id of the record that the conversation has started; `undefined` without a conversation. */
  readonly #start: string | undefined;
  #isWarned = false;

  constructor(rules: LabelRules, context: LabelContext) {
    this.#rules = rules;
    this.#context = context;
    const { conversationId } = context;
    this.#ids = new Map(rules.names.map((name) => [name, labelId(conversationId, name)]));
    this.#start = conversationId === undefined ? undefined : conversationStartId(conversationId);
  }

  /** Records that the conversation starts, if it is new. @throws the error of the store. */
  async start(): Promise<void> {
    const { isNewConversation, executions, signal } = this.#context;
    const id = this.#start;
    if (!isNewConversation || id === undefined) return;
    await startRecord(executions, id, "conversation", signal);
  }

  /** The labels of the conversation; `undefined` if no decision on these calls depends on them. */
  async before(calls: readonly Execution[], signal: AbortSignal | undefined): Promise<LabelsBefore | undefined> {
    const compared = new Set<string>();
    for (const { tool } of calls) {
      const ofTool = this.#tools.get(tool) ?? this.#read(tool);
      for (const name of ofTool.compared) compared.add(name);
    }
    if (compared.size === 0) return undefined;
    const start = this.#start;
    if (start === undefined) return { labels: undefined, compared };
    const { executions } = this.#context;
    try {
      const missing = [...this.#ids].filter(([name]) => !this.#found.has(name));
      const finding = Promise.all(missing.map(async ([, id]) => checkedRecord(await executions.find(id))));
      const records = await (signal ? untilAborted(signal, finding) : finding);
      for (const [index, [name]] of missing.entries()) if (records[index]) this.#found.add(name);
      // A label that wasn't there is absent only if the store still knows the conversation. Asked at the same time, the
      // store could lose its records in between.
      if (records.includes(undefined)) {
        if (!checkedRecord(await untilAborted(signal, executions.find(start)))) throw this.#lost();
      }
      return { labels: [...this.#found], compared };
    } catch (error) {
      signal?.throwIfAborted();
      // What isn't known is taken for a match by rules that restrict.
      return { labels: undefined, compared, error };
    }
  }

  #lost(): ConfigError {
    const error = new ConfigError(NOT_STARTED);
    if (!this.#isWarned) console.warn(error.message);
    this.#isWarned = true;
    return error;
  }

  of({ tool, started, recordedLabels }: LabeledCall, { status, labels: given }: Ending): readonly string[] {
    const { names } = this.#rules;
    // A label that the policy hasn't may be one that had another name.
    if (given?.some((name) => !names.includes(name))) return names;
    // Without a start, only some statuses say that the tool wrote the text.
    if (!started && !hasRun(status)) return given ?? [];
    const { gives } = this.#tools.get(tool) ?? this.#read(tool);
    const inner = started?.inner;
    if (inner?.length === 0 && !given) return gives;
    // Which calls it has made can be unknown.
    const ofUnknown = runsOthers(tool) ? (recordedLabels ?? names) : [];
    const ofCalls = inner?.flatMap((call) => this.#read(call.tool).gives) ?? ofUnknown;
    return [...new Set([...gives, ...ofCalls, ...(given ?? [])])];
  }

  /** Reads the rules for a tool: once for each tool of the toolset. */
  #read(tool: AgentTool): ToolLabels {
    const labels = this.#rules.ofTool(tool, this.#context.userId);
    this.#tools.set(tool, labels);
    return labels;
  }

  async release(results: CallResult[], signal: AbortSignal | undefined): Promise<CallResult[]> {
    const names = new Set<string>();
    for (const { labels } of results) for (const name of labels) names.add(name);
    for (const name of this.#found) names.delete(name);
    if (names.size === 0) return results;
    try {
      await this.#record([...names], signal);
      return results;
    } catch (error) {
      signal?.throwIfAborted();
      const isRecorded = ({ labels }: CallResult) => labels.every((name) => this.#found.has(name));
      return results.map((result) => (isRecorded(result) ? result : this.#withheld(result, error)));
    }
  }

  async add(name: string, signal: AbortSignal | undefined): Promise<void> {
    this.#rules.checkName(name, "toolset: addLabel");
    if (this.#context.conversationId === undefined) {
      throw new ConfigError("toolset: addLabel needs the option conversationId. Without it, rules with after match.");
    }
    if (!this.#found.has(name)) await this.#record([name], signal);
  }

  async #record(names: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const { conversationId, executions } = this.#context;
    // Without a conversation, labels stay unknown.
    if (conversationId === undefined) return;
    await Promise.all(names.map((name) => startRecord(executions, labelId(conversationId, name), "label", signal)));
    for (const name of names) this.#found.add(name);
  }

  /** A result that the model must not read, because the conversation would not have its labels. */
  #withheld(result: CallResult, error: unknown): CallResult {
    const { callId, tool, status } = result;
    const { emit, userId } = this.#context;
    emit({ type: "record_failed", callId, tool, userId, error });
    const text = messages.withheld(tool?.name ?? "");
    const kept = hasRun(status) ? "unknown" : status;
    return {
      ...result,
      status: kept,
      text,
      data: undefined,
      files: [],
      error,
      mismatches: [],
      authRequired: undefined,
    };
  }
}

const NOT_STARTED =
  "toolset: executions has no record of this conversation, so its labels are unknown. If the conversation is new, pass isNewConversation: true.";
