import { isObject, isString, type Json } from "../../shared/json.js";
import type { ToolCall } from "../tool.js";
import { callerOf } from "./openai-items.js";
import { isFromProgram } from "./programmatic.js";
import { textOf } from "./stream.js";

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

/** The calls of functions and custom tools in a response. */
export function callsOf(
  output: readonly object[],
  isTruncated: boolean,
): (ToolCall & { readonly at: number; readonly item: Json })[] {
  return output.flatMap((item, at) => {
    const { type, name, arguments: args, input, status }: Record<string, unknown> = Object(item);
    if ((type !== "function_call" && type !== "custom_tool_call") || !isObject(item)) return [];
    // A custom call has no status.
    const hasEnded = status === "completed" || !(isTruncated || isString(status));
    return [
      {
        at,
        item,
        callId: textOf(item, "call_id"),
        name: String(name),
        arguments: args ?? input,
        isTruncated: !hasEnded,
        isFromProgram: isFromProgram(item),
      },
    ];
  });
}

/** The fields of an output that repeat its call. */
export function answerOf(item: Json): Pick<FunctionCallOutput | CustomCallOutput, "type" | "caller"> {
  // Calls have two types.
  return { type: `${item["type"]}_output` as FunctionCallOutput["type"], ...callerOf(item) };
}
