import { SvcError } from "../../errors/base.js";
import { field, isObject, isString, type Json, textOf } from "../../shared/json.js";
import type { AgentTool, ToolCall } from "../agent-tool.js";
import type { CallResult } from "../call-result.js";
import type { RunOptions } from "../run-options.js";
import { isFromProgram } from "./calls.js";
import { outputSchemaOf, structuredOf } from "./structured-output.js";

/** A function tool of the Responses API. */
export interface FunctionDefinition {
  type: "function";
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
  /** Always present, because the Responses API makes a tool strict if the field is missing. */
  strict: boolean;
  /** Present if the model gets the definition only after a search. */
  defer_loading?: boolean;
  /** Present with `programmatic`: whether only the model calls the tool, or also its programs. */
  allowed_callers?: ("direct" | "programmatic")[];
  /** JSON Schema of the output that a program reads. Present if programs can call it and its result is described. */
  output_schema?: Record<string, unknown>;
}

/** The response to a call in the Responses API. */
export interface FunctionCallOutput {
  type: "function_call_output";
  /** The id of the call. */
  call_id: string;
  /** The text for the model; for a program, JSON that fits the `output_schema`. */
  output: string;
  /** The program that made the call, if one did. */
  caller?: { type: "direct" } | { type: "program"; caller_id: string };
}

/** The response to a call of a custom tool in the Responses API. */
export interface CustomCallOutput extends Omit<FunctionCallOutput, "type"> {
  type: "custom_tool_call_output";
}

/** The response to a search for deferred tools. */
export interface ToolSearchOutput {
  type: "tool_search_output";
  /** The id of the search. */
  call_id: string;
  execution: "client";
  status: "completed";
  /** The tools that were found. The model can call them from now on. */
  tools: FunctionDefinition[];
}

/** The output for an item that calls a tool outside of the toolset. The model reads that nothing ran. */
export type OpenAIRefusal =
  | {
      type: "shell_call_output";
      call_id: string;
      output: { stdout: string; stderr: string; outcome: { type: "exit"; exit_code: number } }[];
      caller?: { type: "direct" } | { type: "program"; caller_id: string };
    }
  | { type: "local_shell_call_output"; id: string; output: string }
  | {
      type: "apply_patch_call_output";
      call_id: string;
      status: "failed";
      output: string;
      caller?: { type: "direct" } | { type: "program"; caller_id: string };
    }
  | ToolSearchOutput
  | { type: "mcp_approval_response"; approval_request_id: string; approve: false; reason: string };

const callerOf = (item: object) => {
  const caller = field(item, "caller");
  // It goes back as it came.
  return (caller ?? null) !== null && { caller: caller as { type: "direct" } };
};

/** The calls of functions and custom tools in a response. */
export function callsInItems(
  output: readonly object[],
  isTruncated: boolean,
): readonly (ToolCall & { readonly at: number; readonly item: Json })[] {
  const calls: (ToolCall & { readonly at: number; readonly item: Json })[] = [];
  for (const [at, item] of output.entries()) {
    const { type, name, namespace, arguments: args, input, status }: Record<string, unknown> = Object(item);
    const isCustom = type === "custom_tool_call";
    if (!(type === "function_call" || isCustom) || !isObject(item)) continue;
    // A custom call has no status.
    const hasEnded = status === "completed" || !(isTruncated || isString(status));
    calls.push({
      at,
      item,
      callId: textOf(item, "call_id"),
      // No tool has such a name: custom tools and other namespaces may repeat that of one.
      name: isCustom ? `custom tool ${name}` : (namespace ?? name) === name ? String(name) : `${namespace}.${name}`,
      arguments: args ?? input,
      isTruncated: !hasEnded,
      isFromProgram: isFromProgram(item),
    });
  }
  return calls;
}

/** The outputs for the calls. A program reads what its `output_schema` says, whatever happened to the call. */
export function outputsOf(
  calls: ReturnType<typeof callsInItems>,
  results: readonly CallResult[],
  callable: ReadonlyMap<string, AgentTool>,
): (FunctionCallOutput | CustomCallOutput)[] {
  const outputs: (FunctionCallOutput | CustomCallOutput)[] = [];
  for (const [index, { item, callId, name, isFromProgram }] of calls.entries()) {
    const result = results[index];
    const schema = isFromProgram ? outputSchemaOf(callable.get(name)?.output) : undefined;
    const output = (result && schema ? JSON.stringify(structuredOf(schema, result)) : result?.text) ?? "";
    // Calls have two types.
    const type = `${item["type"]}_output` as FunctionCallOutput["type"];
    outputs.push({ type, ...callerOf(item), call_id: callId, output });
  }
  return outputs;
}

/** The kinds of items, besides calls, in which the model waits for the program. */
const REFUSALS = new Map<string, (item: object) => OpenAIRefusal>(
  Object.entries({
    shell_call: (item) => ({
      type: "shell_call_output",
      call_id: textOf(item, "call_id"),
      output: [{ stdout: "", stderr: refusal("shell commands"), outcome: { type: "exit", exit_code: 1 } }],
      ...callerOf(item),
    }),
    local_shell_call: (item) => ({
      type: "local_shell_call_output",
      id: textOf(item, "call_id"),
      output: refusal("shell commands"),
    }),
    apply_patch_call: (item) => ({
      type: "apply_patch_call_output",
      call_id: textOf(item, "call_id"),
      status: "failed",
      output: refusal("patches"),
      ...callerOf(item),
    }),
    tool_search_call: (item) => searchOutput(item, []),
    mcp_approval_request: (item) => ({
      type: "mcp_approval_response",
      approval_request_id: textOf(item, "id"),
      approve: false,
      reason: refusal("tools of MCP servers"),
    }),
    computer_call: () => {
      throw new SvcError(
        "openai: the model waits for a screenshot after a computer_call. Pass run's option answer, which returns a computer_call_output.",
      );
    },
  }),
);

export function searchOutput(item: object, tools: FunctionDefinition[]): ToolSearchOutput {
  const call_id = textOf(item, "call_id");
  return { type: "tool_search_output", call_id, execution: "client", status: "completed", tools };
}

const refusal = (what: string) => `This program runs no ${what}, so nothing ran. Use its functions instead.`;

/** Calls, which the toolset runs, and items that OpenAI itself answers, in the same response. */
const ANSWERED =
  /^(function_call|custom_tool_call|web_search_call|file_search_call|code_interpreter_call|image_generation_call|mcp_call|program)$|_(output|response)$/;

/** Whether an item of a kind that this version doesn't know waits for the program. */
function mayWait(item: object, later: readonly object[]): boolean {
  // A model that waits doesn't write on.
  const hasGoneOn = later.some((other) => textOf(other, "type") === "message");
  return !hasGoneOn && (textOf(item, "call_id") !== "" || /_(call|request)$/.test(textOf(item, "type")));
}

/** Answers the items of a response that wait for the program, except calls of functions and custom tools. */
export async function answersOf<Answer>(
  output: readonly object[],
  answer: (item: object) => Answer | undefined | Promise<Answer | undefined>,
  options: RunOptions,
): Promise<{ readonly answers: (Answer | OpenAIRefusal)[]; readonly unanswered: object[] }> {
  const answers: (Answer | OpenAIRefusal)[] = [];
  const unanswered: object[] = [];
  for (const [index, item] of output.entries()) {
    const type = textOf(item, "type");
    if (ANSWERED.test(type)) continue;
    const refuse = REFUSALS.get(type);
    if (!refuse && !mayWait(item, output.slice(index + 1))) continue;
    // The service answers its own in the same response.
    if (field(item, "execution") === "server" || isAnswered(item, output)) continue;
    // An answer may have an effect, as a call does.
    options.signal?.throwIfAborted();
    const said = options.dryRun ? undefined : ((await answer(item)) ?? refuse?.(item));
    if (said === undefined) unanswered.push(item);
    else answers.push(said);
  }
  return { answers, unanswered };
}

function isAnswered(item: object, output: readonly object[]): boolean {
  const ids = [field(item, "id"), field(item, "call_id")];
  return output.some((other) => {
    if (!/_(output|response)$/.test(textOf(other, "type"))) return false;
    return ids.includes(field(other, "approval_request_id") ?? field(other, "call_id") ?? field(other, "id"));
  });
}
