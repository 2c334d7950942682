import { isRecursive } from "../../json-schema/references.js";
import type { AgentTool } from "../agent-tool.js";
import type { Toolset } from "../toolset.js";
import {
  type DeferOption,
  deferredNames,
  type ProgrammaticOption,
  programmaticTools,
  type StrictOption,
  strictlyFor,
} from "./adapter-options.js";
import { checkCount } from "./calls.js";

/** The caller that a program is, in any version of Anthropic's code execution. Assumption A17. */
const PROGRAM = "code_execution_20260120";

/** A tool of the Messages API. */
export interface AnthropicDefinition {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  input_schema: { type: "object"; [keyword: string]: unknown };
  /** Present if the provider is asked to enforce the schema. */
  strict?: boolean;
  /** Present if the model gets the definition only after a search. */
  defer_loading?: boolean;
  /** Present with `programmatic`: whether only the model calls the tool, or also its programs. */
  allowed_callers?: ("direct" | "code_execution_20260120")[];
  /** Present if its arguments are streamed as they are written. */
  eager_input_streaming?: boolean;
}

/** Anthropic's search in deferred tools. */
export interface AnthropicSearchDefinition {
  type: "tool_search_tool_bm25_20251119";
  name: "tool_search_tool_bm25";
}

/** Anthropic's tool that runs the model's programs. */
export interface CodeExecutionDefinition {
  type: "code_execution_20260120";
  name: "code_execution";
}

/** Anthropic's own tools that the options add to the definitions. */
export type AnthropicHostedTool = AnthropicSearchDefinition | CodeExecutionDefinition;

/** Option for streams. */
export interface EagerOption {
  /**
   * Streams arguments as the model writes them, to show long arguments sooner. `true` applies to all tools, a function
   * chooses tools. If the arguments turn out to be invalid JSON, nothing runs, and the model is told the position of
   * the error.
   * @default false
   */
  readonly eagerInputStreaming?: boolean | ((tool: AgentTool) => boolean) | undefined;
}

/** Options of {@link anthropic}. Tools that programs can call aren't strict, because Anthropic doesn't allow both. */
export interface AnthropicOptions extends StrictOption, EagerOption, DeferOption, ProgrammaticOption {}

/** The tools of a request, and the compiled ones that they are made of. */
export function definitionsFor(tools: Toolset, options: AnthropicOptions) {
  const { programmatic, eagerInputStreaming: eager } = options;
  // Programs can't call strict tools.
  const isPlain = programmatic ? (tool: AgentTool) => tools.isUnconditional(tool) : undefined;
  const compiled = strictlyFor(tools, "anthropic", options, isPlain);
  checkCount("anthropic", compiled.tools.length);
  const deferred = deferredNames(tools, compiled, options);
  // The service rejects recursive schemas of tools that programs call.
  const callable = programmaticTools(tools, compiled, options, (schema) => !isRecursive(schema));
  const eagerTools = tools.tools.filter((tool) => (typeof eager === "function" ? eager(tool) : eager));
  const eagerNames = new Set(eagerTools.map(({ name }) => name));
  const definitions: (AnthropicDefinition | AnthropicHostedTool)[] = compiled.tools.map(
    ({ name, originalName, description, schema, strict }) => ({
      name,
      description,
      input_schema: { ...schema, type: "object" as const },
      ...(strict && { strict }),
      ...(deferred.has(name) && { defer_loading: true }),
      ...(programmatic && { allowed_callers: callable.has(name) ? ["direct", PROGRAM] : ["direct"] }),
      ...(eagerNames.has(originalName) && { eager_input_streaming: true }),
    }),
  );
  if (deferred.size > 0) definitions.push({ type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" });
  if (callable.size > 0) definitions.push({ type: PROGRAM, name: "code_execution" });
  return { compiled, definitions };
}
