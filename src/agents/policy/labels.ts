import { ConfigError } from "../../errors/local.js";
import { didYouMean } from "../../shared/nearest-name.js";
import { untilAborted } from "../../shared/timers.js";
import { type CallResult, hasRun, type Labels } from "../call-result.js";
import * as messages from "../messages.js";
import { checkedRecord } from "../start-once.js";
import { type Execution, MULTI_EXECUTE } from "../tool.js";
import type { GuardContext } from "../toolset-options.js";
import type { CheckedRule } from "./check-rules.js";
import { type CompiledRule, canRunAnything, matcher } from "./compile-rule.js";
import type { PolicyCall } from "./rules.js";

/** The labels of a policy, and the rules that compare them. */
export class LabelRules {
  /** Each label once. */
  readonly names: readonly string[];
  readonly #labels: readonly { readonly as: string; readonly matches: ReturnType<typeof matcher> }[];
  readonly #rules: readonly CompiledRule[];
  /** The labels of each tool that was called. */
  readonly #ofTools = new WeakMap<Execution["tool"], readonly string[]>();

  /** @throws {ConfigError} if a rule has a label in `after` that no rule gives. */
  constructor(checked: readonly CheckedRule[], rules: readonly CompiledRule[]) {
    const labels = checked.flatMap(({ kind, fields }) => (kind === "label" ? [fields] : []));
    this.names = [...new Set(labels.map(({ as }) => as))];
    this.#labels = labels.map(({ as, ...match }) => ({ as, matches: matcher(match) }));
    this.#rules = rules;
    for (const [index, { kind, fields }] of checked.entries()) {
      const after = kind === "budget" || kind === "label" ? [] : (fields.after ?? []);
      for (const name of after) this.checkName(name, `policy: rules[${index}].${kind}.after`);
    }
  }

  /** @throws {ConfigError} if no rule gives the label. */
  checkName(name: string, place: string): void {
    if (this.names.includes(name)) return;
    const shown = JSON.stringify(name);
    const advice = ` Add label(${shown}, { tools: [...] }) to the policy.`;
    throw new ConfigError(`${place}: no rule gives the label ${shown}.${didYouMean(name, this.names, advice)}`);
  }

  /** Whether the decision on a call may depend on labels. Asks no predicate. */
  isAskedFor(call: PolicyCall): boolean {
    const tool = { ...call, labels: undefined, isToolOnly: true };
    return this.#rules.some((rule) => rule.evaluate(tool).unknown.includes("after"));
  }

  /** Finds the labels of a tool's results, which every call of the tool has. */
  ofTool(tool: Execution["tool"]): readonly string[] {
    const known = this.#ofTools.get(tool);
    if (known) return known;
    const labels = this.#labels.flatMap(({ as, matches }) => (matches({ tool }).failed === undefined ? [as] : []));
    this.#ofTools.set(tool, labels);
    return labels;
  }
}

type LabelContext = Pick<GuardContext, "conversationId" | "executions" | "emit" | "userId">;

/** The labels of a toolset's conversation, each a record in the store of executions that is started and never ends. */
export class ConversationLabels implements Labels {
  readonly #rules: LabelRules;
  readonly #context: LabelContext;
  /** Ids of the records, by label. */
  readonly #ids: ReadonlyMap<string, string>;
  /** Labels that the conversation has. It keeps them. */
  readonly #found = new Set<string>();

  constructor(rules: LabelRules, context: LabelContext) {
    this.#rules = rules;
    this.#context = context;
    const { conversationId } = context;
    this.#ids = new Map(rules.names.map((name) => [name, idOf(conversationId, name)]));
  }

  /** The labels of the conversation, if decisions on these calls may depend on them. `undefined` if unknown. */
  async before(
    calls: readonly Execution[],
    signal: AbortSignal | undefined,
  ): Promise<{ readonly labels: readonly string[] | undefined; readonly error?: unknown }> {
    const { conversationId } = this.#context;
    if (conversationId === undefined || !calls.some((call) => this.#rules.isAskedFor(call))) {
      return { labels: undefined };
    }
    try {
      // Loops, because this is in the way of every call.
      const requests: Promise<void>[] = [];
      for (const [name, id] of this.#ids) if (!this.#found.has(name)) requests.push(this.#find(name, id));
      const finding = Promise.all(requests);
      await (signal ? untilAborted(signal, finding) : finding);
      return { labels: [...this.#found] };
    } catch (error) {
      signal?.throwIfAborted();
      // What isn't known is taken for a match by rules that restrict.
      return { labels: undefined, error };
    }
  }

  async #find(name: string, id: string): Promise<void> {
    if (checkedRecord(await this.#context.executions.find(id))) this.#found.add(name);
  }

  of(call: Parameters<Labels["of"]>[0], given: Parameters<Labels["of"]>[1]): readonly string[] {
    const { names } = this.#rules;
    // A label that the policy hasn't may be one that had another name.
    if (given?.some((name) => !names.includes(name))) return names;
    if (!call) return given ?? [];
    const { tool, inner = [] } = call;
    const isMulti = tool.kind === "meta" && tool.name === MULTI_EXECUTE;
    const isUnknown = isMulti && inner.length === 0 && !given;
    if (isUnknown || (tool.kind === "meta" && canRunAnything(tool.name))) return names;
    // As for a decision, the tags of a tool that runs several others say nothing about its results.
    const itself = inner.length > 0 ? { ...tool, tags: [] } : tool;
    const found = new Set(given);
    for (const one of [itself, ...inner.map((each) => each.tool)]) {
      for (const name of this.#rules.ofTool(one)) found.add(name);
    }
    return [...found];
  }

  async release(results: CallResult[], signal: AbortSignal | undefined): Promise<CallResult[]> {
    const names = new Set<string>();
    for (const { labels } of results) for (const name of labels) if (!this.#found.has(name)) names.add(name);
    if (names.size === 0) return results;
    try {
      await this.#record(names, signal);
      return results;
    } catch (error) {
      signal?.throwIfAborted();
      return results.map((result) => (result.labels.length > 0 ? this.#withheld(result, error) : result));
    }
  }

  async add(name: string, signal: AbortSignal | undefined): Promise<void> {
    this.#rules.checkName(name, "toolset: addLabel");
    if (this.#context.conversationId === undefined) {
      throw new ConfigError("toolset: addLabel needs the option conversationId. Without it, rules with after match.");
    }
    await this.#record(new Set([name]), signal);
  }

  async #record(names: ReadonlySet<string>, signal: AbortSignal | undefined): Promise<void> {
    const { conversationId, executions } = this.#context;
    if (conversationId === undefined) return;
    const missing = [...names].filter((name) => !this.#found.has(name));
    if (missing.length === 0) return;
    const start = async (name: string) => checkedRecord(await executions.start(idOf(conversationId, name), "label"));
    // The store may have acted although its reply was lost. Each of its methods can be repeated.
    const recording = Promise.all(missing.map((name) => start(name).catch(() => start(name))));
    await (signal ? untilAborted(signal, recording) : recording);
    for (const name of missing) this.#found.add(name);
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

/** By the conversation alone: agents of one conversation may run for several users and sessions. */
const idOf = (conversationId: string | undefined, name: string): string =>
  JSON.stringify([conversationId, name, "label"]);
