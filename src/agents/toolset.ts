import { isText } from "../shared/json.js";
import { type AuthRequired, AuthRequiredError } from "./auth-required.js";
import type { CallResult } from "./call-result.js";
import { dispatch } from "./dispatcher.js";
import type { Dispatching, OfferedTool } from "./dispatching.js";
import { compileTools } from "./schema/compile-tools.js";
import type { CompiledTool, Target } from "./schema/types.js";
import type { ToolRecord } from "./sources.js";
import type { AgentTool, RunnableTool, RunOptions, ToolCall } from "./tool.js";
import type { ToolsetOptions, ToolsetSnapshot } from "./toolset-options.js";

/** How a tool reaches a model. */
export interface ToolReport {
  /** The tool's own name. */
  readonly tool: string;
  /** The name that the model gets. */
  readonly name: string;
  /** Whether the model's library is asked to enforce the schema. */
  readonly strict: boolean;
  /** How closely the model's schema matches the tool's own. */
  readonly fidelity: CompiledTool["fidelity"];
  /** Changes to the schema, and why it isn't strict. */
  readonly notes: CompiledTool["notes"];
  /** Size of name, description and schema, in bytes of JSON. */
  readonly bytes: number;
  /** The approximate number of tokens. */
  readonly estimatedTokens: number;
}

/** Tools in the form of a model's library, and the way to run their calls. */
export interface CompiledToolset {
  /** The tools, in the order of the toolset's. */
  readonly tools: readonly CompiledTool[];
  /** Runs calls of these tools: all at the same time, with results in order. */
  run(calls: readonly ToolCall[], options?: RunOptions): Promise<CallResult[]>;
}

/** About four bytes of English or JSON are a token. */
const BYTES_PER_TOKEN = 4;

/** Tools for a model, the service's and your own, and the way to run their calls. Created by {@link toolset}. */
export class Toolset {
  /** In the order of the choice; your own last. */
  readonly tools: readonly AgentTool[];
  readonly #runnable: readonly RunnableTool[];
  readonly #records: readonly ToolRecord[];
  readonly #dispatching: Dispatching;
  readonly #onAuthRequired: ToolsetOptions["onAuthRequired"];
  readonly #compiled = new Map<Target, CompiledToolset>();

  /** @internal */
  constructor(
    runnable: readonly RunnableTool[],
    records: readonly ToolRecord[],
    dispatching: Dispatching,
    onAuthRequired: ToolsetOptions["onAuthRequired"],
  ) {
    this.tools = runnable.map(({ tool }) => tool);
    this.#runnable = runnable;
    this.#records = records;
    this.#dispatching = dispatching;
    this.#onAuthRequired = onAuthRequired;
  }

  /** The tools in the form of a model or library. */
  compile(target: Target): CompiledToolset {
    const known = this.#compiled.get(target);
    if (known) return known;
    const tools = compileTools(this.tools.map(toCompile), target);
    const offered = new Map<string, OfferedTool>();
    tools.forEach(({ name, restore }, index) => {
      // One compiled tool per tool, in the same order.
      const runnable = this.#runnable[index];
      if (runnable) offered.set(name, { runnable, restore });
    });
    const compiled: CompiledToolset = { tools, run: (calls, options) => this.#run(calls, offered, options) };
    this.#compiled.set(target, compiled);
    return compiled;
  }

  /**
   * Runs calls by the tools' own names and schemas: all at the same time, with results in order. A failure is a result; only an
   * aborted signal, a thrown `onAuthRequired` and `onAuthRequired: "throw"` reject.
   *
   * @throws {AuthRequiredError} with `onAuthRequired: "throw"`, once all calls have ended.
   */
  run(calls: readonly ToolCall[], options?: RunOptions): Promise<CallResult[]> {
    const { tools } = this.compile("json-schema");
    const own = new Map(tools.map(({ name, originalName }) => [originalName, name]));
    const renamed = calls.map((call) => ({ ...call, name: own.get(call.name) ?? call.name }));
    return this.compile("json-schema").run(renamed, options);
  }

  /** How each tool reaches a model or library: names, schemas, sizes. */
  report(target: Target = "portable"): ToolReport[] {
    return this.compile(target).tools.map(({ name, description, schema, strict, fidelity, notes }, index) => {
      const bytes = new TextEncoder().encode(JSON.stringify({ name, description, schema })).length;
      const tool = this.tools[index]?.name ?? name;
      return { tool, name, strict, fidelity, notes, bytes, estimatedTokens: Math.ceil(bytes / BYTES_PER_TOKEN) };
    });
  }

  /** The service's tools of this toolset as JSON, for `toolset({ snapshot })`. Your own tools are not part of it. */
  snapshot(): ToolsetSnapshot {
    return { toolset: 1, tools: this.#records };
  }

  async #run(
    calls: readonly ToolCall[],
    offered: ReadonlyMap<string, OfferedTool>,
    options: RunOptions = {},
  ): Promise<CallResult[]> {
    options.signal?.throwIfAborted();
    const ended = await Promise.all(calls.map((call) => dispatch(call, offered, this.#dispatching, options)));
    const results = ended.map(({ result }) => result);
    const needed = new Map(ended.flatMap(({ required }) => (required ? [[keyOf(required), required] as const] : [])));
    const [first] = needed.values();
    if (!first || this.#onAuthRequired === undefined) return results;
    if (this.#onAuthRequired === "throw") throw new AuthRequiredError(first, results);
    const said = new Map<string, unknown>();
    for (const [key, required] of needed) said.set(key, await this.#onAuthRequired(required));
    return ended.map(({ result, required }) => {
      const text = required && said.get(keyOf(required));
      return isText(text) ? { ...result, text } : result;
    });
  }
}

function toCompile({ name, description, parameters, tags }: AgentTool) {
  return { name, description, schema: parameters, destructive: tags.includes("destructiveHint") };
}

function keyOf({ toolkit, reason }: AuthRequired): string {
  return `${toolkit} ${reason}`;
}
