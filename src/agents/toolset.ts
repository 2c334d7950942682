import { field, isString } from "../shared/json.js";
import { AuthRequiredError } from "./auth-required.js";
import type { CallResult } from "./call-result.js";
import { dispatch } from "./dispatcher.js";
import type { Dispatched, Dispatching, OfferedTool } from "./dispatching.js";
import { ensure } from "./ensure.js";
import type { AgentTool, RunOptions, ToolCall } from "./tool.js";
import { checkNames, type ToolsetSnapshot } from "./toolset-options.js";

/** Runs calls: all at the same time, answered in order. */
export type RunCalls = (calls: readonly ToolCall[], options?: RunOptions) => Promise<CallResult[]>;

/** A tool's name for a model, and the way from what the model writes to the tool's own arguments. */
export interface OfferedForm {
  /** Unique among the tools. */
  readonly name: string;
  /** Converts what the model wrote. Doesn't throw. Without it, the model writes the tool's own arguments. */
  restore?(args: unknown): unknown;
}

/** Tools for a model, of the service and your own, and the one way their calls are run. {@link toolset} makes it. */
export class Toolset {
  /** In the order of the choice; your own last. */
  readonly tools: readonly AgentTool[];
  readonly #dispatching: Dispatching;

  /** @internal */
  constructor(dispatching: Dispatching) {
    this.tools = dispatching.tools;
    this.#dispatching = dispatching;
  }

  /**
   * Runs calls by the tools' own names, with arguments as the tools' own schemas describe them: all at the same time,
   * answered in order. A failure is a result; only an aborted signal, a thrown `onAuthRequired` and
   * `onAuthRequired: "throw"` reject.
   *
   * @throws {AuthRequiredError} with `onAuthRequired: "throw"`, once all calls have ended.
   */
  run(calls: readonly ToolCall[], options?: RunOptions): Promise<CallResult[]> {
    return this.offer(this.tools)(calls, options);
  }

  /**
   * Runs calls of the tools under other names and in other forms: one per tool, in the order of `tools`. The adapters
   * use it.
   *
   * @internal
   */
  offer(forms: readonly OfferedForm[]): RunCalls {
    const offered = new Map<string, OfferedTool>();
    this.#dispatching.runnable.forEach((runnable, index) => {
      const form = forms[index];
      if (form) offered.set(form.name, { ...runnable, restore: form.restore });
    });
    return (calls, options) => this.#run(calls, offered, options);
  }

  /** The service's tools of this toolset as JSON, for `toolset({ snapshot })`. Your own tools are not part of it. */
  snapshot(): ToolsetSnapshot {
    return { toolset: 1, tools: this.#dispatching.records };
  }

  async #run(
    calls: readonly ToolCall[],
    offered: ReadonlyMap<string, OfferedTool>,
    options: RunOptions = {},
  ): Promise<CallResult[]> {
    ensure(
      Array.isArray(calls) && calls.every((call) => isString(field(call, "callId")) && isString(field(call, "name"))),
      "run needs a list of { callId, name, arguments }.",
    );
    checkNames(options);
    options.signal?.throwIfAborted();
    const running = new Map<string, Promise<Dispatched>>();
    const run = async (call: ToolCall) => {
      // A second call with the same id gets the result of the first.
      await running.get(call.callId);
      return dispatch(call, offered, this.#dispatching, options);
    };
    const ended = await Promise.all(
      calls.map((call) => {
        const ending = run(call);
        running.set(call.callId, ending);
        return ending;
      }),
    );
    const results = ended.map(({ result }) => result);
    const { onAuthRequired } = this.#dispatching;
    const [first] = ended.flatMap(({ required }) => required ?? []);
    if (!first || !onAuthRequired) return results;
    if (onAuthRequired === "throw") throw new AuthRequiredError(first, results);
    const said = new Map<string | undefined, unknown>();
    const reported: CallResult[] = [];
    for (const { result, required } of ended) {
      const key = required && required.toolkit + required.reason;
      if (required && !said.has(key)) said.set(key, await onAuthRequired(required));
      const text = said.get(key);
      reported.push(isString(text) ? { ...result, text } : result);
    }
    return reported;
  }
}
