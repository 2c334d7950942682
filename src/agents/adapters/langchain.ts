import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { field, isString, type Json } from "../../shared/json.js";
import { nearestName, unknownNames } from "../../shared/nearest-name.js";
import type { PendingApproval } from "../pending-approval.js";
import { compileToolset } from "../schema/compile-toolset.js";
import type { Target } from "../schema/compiled-tool.js";
import type { Toolset } from "../toolset.js";
import { uniqueCallId } from "./call-ids.js";

/** The fields that {@link langchain} passes to the constructor of `DynamicStructuredTool`. */
export interface LangChainFields {
  name: string;
  description: string;
  /** JSON Schema. */
  schema: Record<string, unknown>;
  /** The definition for OpenAI, with `strict`. Present if the target is OpenAI's. */
  extras?: Record<string, unknown>;
  /** Runs a call. Returns the text for the model. */
  func(input: unknown, manager?: unknown, config?: LangChainConfig): Promise<string>;
}

/** The part of a LangChain tool's config that the adapter uses. */
export interface LangChainConfig {
  /** Aborts the call. */
  readonly signal?: AbortSignal;
  /** The call, with the model's id. */
  readonly toolCall?: { readonly id?: string };
  /** LangGraph's facts about the node that runs. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The state of the graph, the same object for all calls of a node. */
  readonly state?: unknown;
}

/** The part of a LangChain tool that the adapter uses. */
export interface Invokable {
  /** Runs the tool. */
  invoke(...given: never[]): unknown;
}

/** The part of `@langchain/core/tools` that the adapter uses. */
export interface LangChainModule<Tool> {
  /** The class that tools are made of. */
  readonly DynamicStructuredTool: new (
    fields: LangChainFields,
  ) => Tool;
  /**
   * `interrupt` of `@langchain/langgraph`. With it, a call that needs approval interrupts the graph with its pending
   * approval. Resume with the token, or with all tokens: `new Command({ resume: tokens })`. Needs a checkpointer.
   */
  readonly interrupt?: ((pending: PendingApproval) => unknown) | undefined;
}

/** Options of {@link langchain}. */
export interface LangChainOptions {
  /**
   * The target of the schemas. LangChain doesn't report the provider.
   * @default "portable"
   */
  readonly target?: Target | undefined;
}

const LANG_CHAIN_OPTIONS = {
  // Checked when the schemas are compiled.
  target: { default: "portable" },
} as const satisfies option.Rules<LangChainOptions>;

/**
 * Creates a toolset's tools for LangChain and LangGraph, which run the loop themselves. A failure is returned as text
 * for the model.
 *
 * ```ts
 * const agent = createAgent({ model: "openai:gpt-5", tools: langchain(tools, { DynamicStructuredTool }) });
 * const { messages } = await agent.invoke({ messages: "Open an issue in octo-org/hello-world: the build is broken." });
 * ```
 *
 * In LangChain, invalid JSON from the model ends the loop before the toolset receives the call.
 *
 * @param library `{ DynamicStructuredTool }` of `@langchain/core/tools`: the library runs only instances of its
 * classes.
 * @throws {ConfigError} for another library, and for an unknown or invalid option.
 */
export function langchain<Tool extends Invokable>(
  tools: Toolset,
  library: LangChainModule<Tool>,
  options: LangChainOptions = {},
): Tool[] {
  const { target } = option.checkAll("langchain", options, LANG_CHAIN_OPTIONS);
  checkLibrary(library);
  const compiled = compileToolset(tools, target);
  return compiled.tools.map(({ name, description, schema, strict }) => {
    const func: LangChainFields["func"] = async (input, _, config) => {
      const call = { callId: await idOf(config, name), name, arguments: input };
      let approvals: readonly string[] = [];
      for (let round = 0; ; round++) {
        const [result] = await compiled.run([call], { signal: config?.signal, approvals });
        if (!result?.pendingApproval || !library.interrupt || round === MOST_ROUNDS) return result?.text ?? "";
        // Ends the node by throwing. When the graph is resumed, the node starts again, and this returns what it is
        // resumed with, which may be meant for another call: its token decides.
        approvals = [await library.interrupt(result.pendingApproval)].flat().filter(isString);
      }
    };
    const extras = target.startsWith("openai") && {
      extras: { providerToolDefinition: openaiDefinition(name, description, schema, strict) },
    };
    const shown = new library.DynamicStructuredTool({ name, description, schema: { ...schema }, ...extras, func });
    // LangChain rejects arguments that don't match, without saying why. The tool that runs accepts any object, so that
    // ours are restored and checked, and the model reads what was expected.
    const accepting = new library.DynamicStructuredTool({ name, description, schema: { type: "object" }, func });
    return Object.assign(shown, { invoke: accepting.invoke.bind(accepting) });
  });
}

/** Accepts a whole module: of its other exports, a mistake is only one that was probably meant to be another name. */
function checkLibrary(library: LangChainModule<unknown>): void {
  const given = Object.keys(Object(library));
  const missing = ["DynamicStructuredTool", "interrupt"].filter((name) => !given.includes(name));
  const misspelled = given.find((name) => nearestName(name, missing));
  if (misspelled) throw new ConfigError(`langchain: ${unknownNames([misspelled], missing).join(" ")}`);
  if (typeof library?.DynamicStructuredTool !== "function") {
    throw new ConfigError("langchain: pass { DynamicStructuredTool } from @langchain/core/tools.");
  }
}

/**
 * The definition that LangChain's models of OpenAI send. For the Responses API they take `strict` from beside
 * `function`, where Chat Completions would reject it.
 */
function openaiDefinition(name: string, description: string, parameters: Json, strict: boolean): object {
  const definition = { type: "function", function: { name, description, parameters, strict } };
  return Object.defineProperty({ ...definition, strict }, "toJSON", { value: () => definition });
}

/** As many tokens as a node may be resumed with. A function that always returns others must not be asked forever. */
const MOST_ROUNDS = 128;

/** How many calls of each id and tool a node has run, by its state. */
const counts = new WeakMap<object, Map<string, number>>();

function idOf({ toolCall: { id = "" } = {}, metadata, state }: LangChainConfig = {}, name: string): Promise<string> {
  const seen = counts.get(Object(state)) ?? new Map<string, number>();
  counts.set(Object(state), seen);
  const key = JSON.stringify([id, name]);
  const count = seen.get(key) ?? 0;
  seen.set(key, count + 1);
  // A node that LangGraph retries runs all of its calls again, with the same state.
  const position = count % (countCalls(state, id, name) || Number.POSITIVE_INFINITY);
  // The node's place in the graph: the same when the graph is resumed, another one in the next turn.
  const turn = metadata?.["langgraph_checkpoint_ns"];
  return uniqueCallId(id, name, turn && [turn, position]);
}

/** The number of a tool's calls with an id in the model's last message. */
function countCalls(state: unknown, id: string, name: string): number {
  const messages = Array.isArray(state) ? state : field(state, "messages");
  if (!Array.isArray(messages)) return 0;
  const calls: unknown = messages.map((message) => field(message, "tool_calls")).findLast(Array.isArray);
  if (!Array.isArray(calls)) return 0;
  return calls.filter((call) => (field(call, "id") ?? "") === id && field(call, "name") === name).length;
}
